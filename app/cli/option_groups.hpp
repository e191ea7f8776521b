// SPDX-License-Identifier: GPL-3.0-or-later
// Options that several commands have.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/option_set.hpp"
#include "app/cli/option_values.hpp"
#include "app/reports/readable.hpp"
#include "app/requests/bound_kernels.hpp"
#include "app/requests/kernels/kernel_files.hpp"
#include "timing/assumptions/assumption.hpp"

namespace warpspan::app {

// FILE, --flags, and those of add_launch.
void add_kernels(OptionSet& options, KernelRequest& to);

// FILE, --flags, and those of add_reading; with `required` some file must be given.
void add_files(OptionSet& options, KernelRequest& to, bool required);

// --arch, --machine-code, --ptx, --assemble and --unknown-opcodes.
void add_reading(OptionSet& options, KernelRequest& to);
// --assemble.
void add_assembler(OptionSet& options, std::vector<std::string>& to);

// --kernel and --block.
void add_kernel_names(OptionSet& options, std::vector<std::string>& to);
void add_block(OptionSet& options, ir::Launch& to);

// --kernel, the facts of a launch, and --facts.
void add_launch(OptionSet& options, KernelRequest& to);

// Those of add_kernels and add_machine, and --time-limit.
void add_bounds(OptionSet& options, BoundRequest& to);

// --model, pipeline if it is not given.
void add_models(OptionSet& options, BoundRequest& to);
// --machine.
void add_machine_name(OptionSet& options, std::string& to);
// The facts of what a block needs of a multiprocessor.
void add_block_needs(OptionSet& options, ir::Launch& to);
// Those of both, the facts of a bound on a machine, and --assume.
void add_machine(OptionSet& options, BoundRequest& to);

// --assume.
void add_assumptions(OptionSet& options, timing::Grant& to);

// A value that is one of the words, which stand for what `to` may be, 0, 1, ... in their order.
template <typename T>
void add_choice(OptionSet& options, std::string name, const std::vector<std::string>& words, std::string help, T& to) {
  const auto parse = [words](const std::string& option, const std::string& text) -> support::Result<T> {
    const auto word = parse_name(words, option, text);
    if (!word) return word.errors();
    return static_cast<T>(std::find(words.begin(), words.end(), *word) - words.begin());
  };
  options.value(std::move(name), joined(words, "|"), std::move(help), parse, to);
}

// --simulate; expected times are reported then.
void add_effort(OptionSet& options, SimulationEffort& to);

// --memory, in bytes for everything.
void add_memory(OptionSet& options, int64_t& to);

// --ptxas-log.
void add_logs(OptionSet& options, std::vector<std::string>& to);

// --format, the name of one of the forms; the first is the default. what: "report".
void add_format(OptionSet& options, const std::vector<FormatName>& forms, const std::string& what, std::string& to);

}  // namespace warpspan::app
