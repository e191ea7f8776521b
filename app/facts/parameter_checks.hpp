// SPDX-License-Identifier: GPL-3.0-or-later
// Whether kernels have the parameters that sizes of arrays, and values, are given for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/facts/read_file.hpp"
#include "ir/kernel_code.hpp"
#include "ir/launch.hpp"

namespace warpspan::app {

// What ir::MemoryObject calls what the buffer is of: "x", also for its index "0"; "s+8" of the pointer in byte 8 of a
// parameter that is larger than a pointer. What is given may be a name of the source, if the code has them. Nothing if
// the kernel has no such parameter.
std::optional<std::string> pointer_named(const ir::KernelCode& code, const std::string& given);

// Checks the buffers of a launch against all files that were read with it, and leaves to each kernel the ones of its
// own parameters, each once and by name.
//
// A parameter that no chosen kernel has, of those that the buffer is for, is an error, and nothing is reported; in a
// file it is a warning. It is not checked while some file could not be read. Two sizes of one parameter are an error,
// and its kernel is not reported.
void check_buffers(const ir::Launch& launch, const ReadFiles& files);

// The part of it that is about parameters which no kernel has.
void check_pointers(const std::vector<ir::Buffer>& named, const ReadFiles& files);

// Checks the arguments that stand in files in the same way. Those of options are checked by the front-end, for each
// file by itself.
void check_arguments(const ir::Launch& launch, const ReadFiles& files);

}  // namespace warpspan::app
