// Whether the parameters that sizes of arrays, and values, are given for are there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/requests/kernels/kernel_files.hpp"
#include "ir/flow.hpp"
#include "ir/kernel_code.hpp"

namespace warpspan::app {

// What ir::MemoryObject calls what the buffer is of: "x", also for its index "0"; "s+8" of the pointer in byte 8 of a
// parameter that is larger than a pointer. What is given may be a name of the source, if the code has them. Nothing if
// the kernel has no such parameter.
std::optional<std::string> pointer_named(const ir::KernelCode& code, const std::string& given);

// Judges the buffers of a launch over all files that were read with it, and leaves to each kernel the ones of its own
// parameters, each once and by name.
//
// A parameter that no chosen kernel has, of those that the buffer is for, is an error, and nothing is reported; in a
// file it is a warning. It is not judged while some file could not be read. Two sizes of one parameter are an error,
// and its kernel is not reported.
void judge_buffers(const std::vector<ir::Buffer>& buffers, std::vector<KernelFile>& files);

// Judges the arguments that stand in files in the same way. Of options the front-end tells, for each file by itself.
void judge_arguments(const std::vector<ir::Argument>& arguments, std::vector<KernelFile>& files);

}  // namespace warpspan::app
