// SPDX-License-Identifier: GPL-3.0-or-later
// Files of facts: what users know about kernels and cannot be found. docs/facts.md.
//
//   schema = "warpspan.facts/1"   may be left out
//
//   [[kernel]]
//   name = "reduce<512>"          a pattern (support::names_symbol)
//   sha256 = "6af1..."            of the code that the facts are for (ir::KernelCode); may be left out, and so may
//   instructions = 134            these three, by which a change of the code is reported
//   parameters = ["u64 reduce_param_0"]
//   loops = ["$L__BB0_2 reduce.cu:12"]
//
//   [[kernel.loop]]
//   at = "reduce.cu:12"           a place (fact_values.hpp) without a kernel
//   trip_count = 64               the most times the header of each loop there runs each time the loop is entered
//
//   wait = "2 us"                 in place of it, or beside it: as of --wait
//
//   [kernel.args]                 as of --arg
//   [kernel.globals]              as of --global
//   reduce_param_2 = 1024
//   "s+8:4" = "0xff"
//
//   [kernel.calls]                time of one call of a warp, of functions without a body, as --call-cost has it
//   vprintf = "20 us"
//
//   [kernel.recursion]            most activations of a recursive function on a thread's stack, as --recursion has them
//   fibonacci = 12
//
//   [kernel.buffers]              bytes that a parameter points to
//   reduce_param_0 = 4096
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/facts/facts_table.hpp"
#include "ir/launch.hpp"
#include "support/result.hpp"

namespace warpspan::app {

// One table of a file. Its facts name the kernel.
struct KernelFacts {
  std::string kernel;  // pattern
  ir::Origin origin;
  std::optional<ExpectedCode> code;
  ir::Launch launch;  // its lists
};

using Facts = std::vector<KernelFacts>;

// The facts in the text of a file of this name, or all errors in it with their places: not TOML, an unknown key, a
// wrong type or value, two numbers for one place, a trip count, a time or a depth of 0, which stands where a number is
// still to be filled in.
support::Result<Facts> parse_facts(const std::string& name, std::string_view text);

}  // namespace warpspan::app
