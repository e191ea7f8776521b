// SPDX-License-Identifier: GPL-3.0-or-later
// What arrays hold before a kernel runs, for an estimate of its time. It is no fact: no bound rests on it.
#pragma once

#include <string>

#include "app/facts/read_file.hpp"
#include "ir/execution/block_execution.hpp"
#include "ir/kernel_code.hpp"
#include "ir/launch.hpp"
#include "support/result.hpp"

namespace warpspan::app {

// "x=integers<100:7", "ramp", "x=@x.bin": what one parameter points to, or all others. A file is read at once. The
// errors in it.
support::Diagnostics read_contents(const std::string& option, const std::string& text, ir::ExecutionOptions& to);

// Arrays that no chosen kernel has, as check_pointers.
void check_contents(const std::string& option, const ir::ExecutionOptions& given, const ReadFiles& files);

// Those of one kernel, by the names that its code has for its parameters. Errors: two for one array, and bytes of a
// file beyond the array, as large as the launch says that it is.
support::Result<ir::ExecutionOptions> contents_for(const std::string& option, const ir::KernelCode& code,
                                                   const ir::Launch& launch, ir::ExecutionOptions given);

}  // namespace warpspan::app
