// SPDX-License-Identifier: GPL-3.0-or-later
// Flow facts of PTX text, for tests.
#pragma once

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "frontend/lift/flow_facts.hpp"
#include "frontend/ptx/calls/expand_calls.hpp"
#include "frontend/ptx/lowering/lower.hpp"
#include "tests/frontend/ptx/parse_text.hpp"

namespace warpspan::test {

struct Analyzed {
  ir::Kernel kernel;
  support::Result<ir::Flow> facts;
};

inline Analyzed analyze(const ptx::Module& module, const ir::Launch& launch, const ptx::SharingLimits& limits = {},
                        const std::string& name = "k") {
  for (const ptx::Function& function : module.functions) {
    if (function.name != name) continue;
    const auto expanded = ptx::expand_calls(module, function, limits);
    REQUIRE(expanded.ok());
    return {ptx::lower(module, *expanded), lift::find_facts(ptx::lower_program(module, *expanded), launch)};
  }
  FAIL("no kernel " << name);
  throw 0;
}

// The kernel k of a text.
inline Analyzed analyze(const std::string& text, const ir::Launch& launch, const ptx::SharingLimits& limits = {}) {
  return analyze(module_of(text), launch, limits);
}

inline ir::Launch block_of(int64_t x, int64_t y = 1, int64_t z = 1) {
  ir::Launch launch;
  launch.block = ir::Extent{x, y, z};
  return launch;
}

inline ir::Launch with_grid(ir::Launch launch, int64_t x, int64_t y = 1, int64_t z = 1) {
  launch.grid = ir::Extent{x, y, z};
  return launch;
}

inline ir::Launch with_argument(ir::Launch launch, const std::string& parameter, const std::string& value) {
  launch.arguments.push_back({parameter, value});
  return launch;
}

// A kernel k with parameters p (pointer), n and m (32 bits), w (64 bits), h (16 bits), many registers, shared and local
// memory, and the body.
inline std::string kernel_k(const std::string& body) {
  return ".visible .entry k(.param .u64 p, .param .u32 n, .param .u32 m, .param .u64 w, .param .u16 h)\n{\n"
         ".reg .pred %p<9>;\n.reg .b16 %h<20>;\n.reg .b32 %r<40>;\n.reg .b64 %d<40>;\n.reg .f32 %f<20>;\n"
         ".shared .align 16 .b8 tile[8192];\n.local .align 8 .b8 frame[64];\n" +
         body + "\n}\n";
}

inline ir::Flow facts_of(const std::string& body, const ir::Launch& launch = block_of(256)) {
  Analyzed analyzed = analyze(kernel_k(body), launch);
  INFO(body);
  INFO((analyzed.facts.ok() ? std::string() : render(analyzed.facts.errors().front(), false)));
  REQUIRE(analyzed.facts.ok());
  return std::move(*analyzed.facts);
}

// The trip counts of the loops, by their labels; "?" and the obstacle where there is none.
inline std::vector<std::string> trips_of(const std::string& body, const ir::Launch& launch = block_of(256)) {
  std::vector<std::string> result;
  for (const ir::Loop& loop : facts_of(body, launch).loops) {
    result.push_back(loop.label + ": " + (loop.trip_count ? std::to_string(*loop.trip_count) : "? " + loop.obstacle));
  }
  return result;
}

// The transactions of the memory instructions that are no parameter loads.
inline std::vector<int> transactions_of(const std::string& body, const ir::Launch& launch = block_of(256)) {
  const Analyzed analyzed = analyze(kernel_k(body), launch);
  INFO(body);
  REQUIRE(analyzed.facts.ok());
  std::vector<int> result;
  for (size_t i = 0; i < analyzed.kernel.instructions.size(); ++i) {
    const ir::Operation& operation = analyzed.kernel.operation(analyzed.kernel.instructions[i]);
    const int count = analyzed.facts->transactions[i];
    CHECK((count > 0) == (operation.bytes > 0));
    if (operation.bytes > 0 && operation.space != ir::MemorySpace::parameter) result.push_back(count);
  }
  return result;
}

}  // namespace warpspan::test
