// SPDX-License-Identifier: GPL-3.0-or-later
// Bars of pages: pictures without words, which stand beside them as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/checked.hpp"

namespace warpspan::app {

// A part of a stacked bar: the class of its colour, what is shown of it, which is escaped here, and its size from 0.
struct BarPart {
  std::string kind, words;
  int64_t size = 0;
};

// The parts one behind the other. all: above 0, and at least their sum. full: where a mark stands, if it is below all.
std::string stacked_bar(const std::string& title, const std::vector<BarPart>& parts, support::Int128 all,
                        support::Int128 full);

// "c3": of ten colours, then again from the first.
std::string colour_number(size_t number);

// "12.05": hundredths of a pixel, from 0, as pictures write them.
std::string pixels(int64_t hundredths);

// 1, 2 or 5 times a power of ten: at most so many of them are as long as `length`. Both above 0.
int64_t axis_step(int64_t length, int64_t most);

// A small square of a colour, for a legend.
std::string colour_key(const std::string& kind);

// A time on a logarithmic scale. Texts are not escaped yet; kind: "here" for the one that decides, "guess", or "".
struct Step {
  std::string label, time, gain, what, kind;
  int64_t picoseconds = 0;  // from 0
};

// A line for each with a bar, over one axis. Empty without steps.
std::string time_steps(const std::vector<Step>& steps);

// "h1" to "h8" for rising parts of a whole, by its square root, so that small ones can be told apart too; "" below a
// two hundredth. part, whole: at least 0.
std::string heat_of(int64_t part, int64_t whole);

}  // namespace warpspan::app
