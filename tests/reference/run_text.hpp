// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies of kernels executed by the reference interpreter.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "frontend/ptx/calls/expand_calls.hpp"
#include "tests/frontend/ptx/parse_text.hpp"
#include "tests/reference/interpreter/interpreter.hpp"

namespace warpspan::test {

struct TextRun {
  reference::Record record;

  // By the first warp.
  const std::vector<int64_t>& executed() const { return record.warps.front().executed; }
};

// A kernel with a body and registers of several types; one block of that many threads.
inline TextRun run_body(const std::string& body, reference::Order order = reference::Order::taken_first,
                        int64_t threads = 32) {
  const ptx::Module module = module_of(
      ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<9>;\n.reg .b16 %h<20>;\n.reg .b32 %r<40>;\n"
      ".reg .b64 %d<40>;\n.reg .f32 %f<20>;\n.reg .f64 %e<9>;\n.shared .align 4 .b8 tile[1024];\n.local .align 8 .b8 "
      "frame[64];\n" +
      body + "\n}\n");
  const auto entry = ptx::expand_calls(module, module.functions.front());
  REQUIRE(entry.ok());
  const std::vector<uint64_t> places = reference::lay_out(module, module.functions.front(), 1);
  std::string unknown;
  const auto program = reference::prepare(*entry, places, unknown);
  INFO(unknown);
  REQUIRE(program.has_value());
  const reference::ControlGraph graph = reference::control_graph(*program);
  reference::Situation situation;
  situation.block = {threads, 1, 1};
  situation.order = order;
  return {reference::execute({module, *entry, *program, graph, places}, situation)};
}

}  // namespace warpspan::test
