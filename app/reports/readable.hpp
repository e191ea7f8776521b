// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and text as people like to read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/reports/text_style.hpp"
#include "ir/flow.hpp"
#include "support/digits.hpp"

namespace warpspan::app {

using support::thousands;

// The time that many cycles take, never less: rounded up to 3 decimals, in us below 1 ms, in ms below 1 s, else in s.
// cycles at least 0, clock_khz at least 1.
std::string duration(int64_t cycles, int64_t clock_khz);

// The same in picoseconds, rounded up; nothing if that exceeds 2^63-1.
std::optional<int64_t> picoseconds(int64_t cycles, int64_t clock_khz);

// "512 bytes", "16 KiB", "4.1 MiB": never less, rounded up to a tenth. bytes at least 0.
std::string memory_size(int64_t bytes);

// "1150 MHz", "1147.5 MHz".
std::string frequency(int64_t clock_khz);

// "256" or "16x16" or "8x8x4".
std::string extent(const ir::Extent& extent);

// Of tenths of a per cent: "1,234.5 %", "-0.1 %". tenths above -2^63.
std::string percent(int64_t tenths);

// "1 warp", "2 warps": for words whose plural has an s.
std::string counted(int64_t count, std::string_view word);

// "a, b, c".
std::string joined(const std::vector<std::string>& words, std::string_view separator = ", ");

// The file that text was made of: "saxpy.o" of "<machine code of saxpy.o>"; another name as it is.
std::string file_within(const std::string& name);

// The text with one blank in place of tabs and blanks that stand in a row, and none in front.
std::string single_blanks(std::string_view text);

// The text, cut after `width` characters with " ..." where it is longer.
std::string shorten(std::string_view text, size_t width);

// As terminals show it bold, where they have colours.
std::string bold(const std::string& text, bool colour);

// The words of the text in lines of at most `width` characters (a longer word has a line for itself). The first line
// begins with `first`, the others with as many blanks. Ends with a newline.
std::string wrap(std::string_view first, std::string_view text, size_t width = usual_width);

// The same in one line, cut at a word with " ..." where the text is longer.
std::string one_line(std::string_view first, std::string_view text, size_t width = usual_width);

enum class Align { left, right };
using Row = std::vector<std::string>;

// Rows with columns as wide as their widest cell, two blanks between them, `indent` blanks before them, none at the end
// of a line. One alignment per column; rows may have fewer cells. A last column whose words go left is wrapped under
// itself where a row is longer than `width`.
std::string table(const std::vector<Align>& alignments, const std::vector<Row>& rows, size_t indent,
                  size_t width = std::string::npos);

}  // namespace warpspan::app
