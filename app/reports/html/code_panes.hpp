// SPDX-License-Identifier: GPL-3.0-or-later
// Code side by side: the source, and what it became.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpspan::app {

// A line of a pane. Texts are not escaped yet.
struct PaneLine {
  std::string number;              // "12", "0x1a0"
  std::vector<std::string> cells;  // under the heads of the pane
  std::string text;                // shown as it is
  std::string heat;                // as heat_of has it
  std::string key;                 // digits and '-': lines with the same one belong together; "" for none
  std::string from;                // of the pane on the right: the place of the source
  bool is_worst = false;           // it is on the worst path
  int64_t left_out = 0;            // instead of all that: so many lines are not shown
};

struct Pane {
  std::string title;               // not escaped yet
  std::vector<std::string> heads;  // number, cells and text, in this order
  std::vector<PaneLine> lines;
};

// The panes; the last one is what the others became, if there are several. prefix: of names in the page, of its own for
// each call.
std::string code_panes(const std::vector<Pane>& panes, const std::string& prefix);

}  // namespace warpspan::app
