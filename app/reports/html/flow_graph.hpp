// SPDX-License-Identifier: GPL-3.0-or-later
// A graph of control flow as a picture, with a layout of our own: blocks in layers from the entry down.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpspan::app {

struct FlowNode {
  std::vector<std::string> words;  // lines of the box, not escaped yet
  std::string title;               // all of it, not escaped yet
  std::string heat;                // as heat_of has it
  bool is_worst = false;           // on the worst path
  bool is_never = false;           // nothing executes it
  std::vector<size_t> next;        // places in the graph
};

// Nodes in an order in which all edges but those back go on; the entry comes first.
using FlowGraph = std::vector<FlowNode>;

// Empty without nodes. prefix: of names in the page, of its own for each call.
std::string flow_picture(const FlowGraph& graph, const std::string& title, const std::string& prefix);

}  // namespace warpspan::app
