// The pieces that reports as pages share: one file of HTML that is also XML, in light and dark, without script and
// without anything from elsewhere. Text that comes in is escaped already where a name does not say otherwise.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/checked.hpp"

namespace warpspan::app {

// The whole page. title, style, body: as they stand in it; document: the page of docs/ that explains it.
std::string html_page(const std::string& title, const std::string& style, const std::string& body,
                      const std::string& document);

// A cell of a table; kind: its class, "" for none.
std::string html_cell(const std::string& escaped, const char* kind = "");

// A cell with a figure, which is escaped here.
std::string number_cell(const std::string& text);

// The head of a table: a class ("number", "") and the words of each column.
std::string table_head(const std::vector<std::pair<const char*, const char*>>& columns);

std::string html_table(const std::string& caption, const std::string& head, const std::string& rows);

// A part of a stacked bar: the class of its colour, what is shown of it, which is escaped here, and its size from 0.
struct BarPart {
  std::string kind, words;
  int64_t size = 0;
};

// The parts one behind the other. all: above 0, and at least their sum. full: where a mark stands, if it is below all.
std::string stacked_bar(const std::string& title, const std::vector<BarPart>& parts, support::Int128 all,
                        support::Int128 full);

// "12.05": hundredths of a pixel, from 0, as pictures write them.
std::string pixels(int64_t hundredths);

// A small square of a colour, for a legend.
std::string colour_key(const std::string& kind);

}  // namespace warpspan::app
