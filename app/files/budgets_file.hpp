// SPDX-License-Identifier: GPL-3.0-or-later
// Budgets files: what 'warpspan check' demands of kernels, in TOML (docs/gate.md).
//
//   [defaults]                      keys for all entries that do not have them
//   machine = "ampere"
//
//   [[budget]]
//   kernel = "reduce<512>"          name, demangled, short or with '*' for any characters
//   file = ["build/*.ptx", "more"]  files, patterns, folders, relative to the budgets file; default: the command line's
//   label = "large"                 names the entry in reports
//   machine = "A100"                name, target, board or file; default: the one for the file's .target
//   block = [16, 16]                or 256 or "16,16"
//   grid = 64
//   args = { n = 100, 0 = 16 }      as --arg
//   loop_bounds = { "$L__BB0_3" = 64, "kernel.cu:42" = 16 }
//   buffers = { n = 4096 }          bytes that a parameter points to
//   facts = "facts.toml"            as --facts
//   assume = ["no-spills"]
//   registers = 32
//   shared = 1024                   bytes of dynamic shared memory
//   model = "pipeline"              the only one that bounds the time of a kernel
//   max = "80 us"                   or "12000 cycles", "1.5 ms", "500 ns"
//   expect = "20 us"                what it is expected to take, an estimate
//   expect_tolerance = "5%"         that it may be above
//   max_registers = 64              and max_spill, max_stack, max_shared, max_constant: bytes
//   launches = [{ grid = 8, max = "80 us" }, { grid = 64, max = "1 ms" }]
//
// A launch may have all keys but kernel, file and launches. Where a launch has a key, it counts, else that of the
// entry, else that of [defaults]; a table or array is taken whole.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/requests/check/budgets.hpp"
#include "support/result.hpp"

namespace warpspan::app {

// The budgets in the text of a file of this name, at least one, in its order; paths in them are put behind its folder.
// Or all errors in it with their places, as wrong use: not TOML, an unknown key, a wrong type or value.
support::Result<std::vector<Budget>> parse_budgets(const std::string& name, std::string_view text);

struct NewValue {
  ValuePlace place;
  std::string value;  // as TOML has it
};

// The text with other values in it, everything else as it stands. No two places overlap.
std::string with_values(std::string_view text, std::vector<NewValue> values);

}  // namespace warpspan::app
