// SPDX-License-Identifier: GPL-3.0-or-later
// The pieces that reports as pages share: one file of HTML that is also XML, in light and dark, and without anything
// from elsewhere. All of it can be read without its script, which sorts tables, finds rows and follows lines of code.
// Text that comes in is escaped already where a name does not say otherwise.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/reports/run_record.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

// The whole page. title, style, body: as they stand in it; document: the page of docs/ that explains it.
std::string html_page(const std::string& title, const std::string& style, const std::string& body,
                      const std::string& document);

// What is said of the whole: "good", "bad" or "unsure".
std::string verdict_line(const char* kind, const std::string& escaped);

// A part of a page that can be folded.
std::string folded(const std::string& heading, const std::string& body, bool open = true);

// --- Tables.

// A cell; kind: its class, "" for none.
std::string html_cell(const std::string& escaped, const char* kind = "");

// A cell with a figure, which is escaped here.
std::string number_cell(const std::string& text);
// The same, which a table is sorted by as `value`.
std::string number_cell(const std::string& text, int64_t value);

// The head of a row, whose text is not escaped yet.
std::string row_head(const std::string& text);

// The head of a table: a class ("number", "") and the words of each column.
using HeadCell = std::pair<std::string, std::string>;
std::string table_head(const std::vector<HeadCell>& columns);

// caption: may be empty.
std::string html_table(const std::string& caption, const std::string& head, const std::string& rows);

// What may be wider than a narrow screen.
std::string scrolled(const std::string& body);

// Names and what stands for each, both escaped: "machine", "hopper".
std::string description_list(const std::vector<std::pair<std::string, std::string>>& entries);

// --- What every report ends with.

// Errors, warnings and notes, each with its place and its help; empty if there are none.
std::string diagnostics_list(const support::Diagnostics& diagnostics);

// What is needed to repeat the run: command, files and machines with their hashes. Empty if nothing is known.
std::string run_section(const RunRecord& run);

}  // namespace warpspan::app
