// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a launch that concerns one of several kernels, and which block it runs in.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "frontend/reading/reading.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::frontend {

// What a file states of a kernel, whatever its language.
struct KernelHead {
  std::string name;
  ir::LaunchBounds launch_bounds;
  std::vector<std::string> parameters;  // names, in order
  support::Diagnostic at = {};          // where errors about it stand, without a message
  // What the source calls them, as ir::Program::parameter_names.
  std::function<const ir::ParameterNames*()> source_names = [] { return nullptr; };
};

// Whether the launch or the file states which block it runs in.
bool has_block(const KernelHead& kernel, const ir::Launch& launch);

// Takes the block from the file, if the launch has none, and checks it against what the file states.
std::optional<support::Diagnostic> choose_block(const KernelHead& kernel, AnalyzedKernel& result);

// The part of a launch for several kernels that concerns one. Parameters that were named as in the source have their
// names of the code.
struct OwnLaunch {
  ir::Launch launch;
  std::vector<size_t> bounds;  // where its loop bounds stand in the launch for all
};

// Parameter names differ from kernel to kernel. An argument that none of `kernels` has is left in for all, so that it
// is reported, unless it stands in a file: whoever read that reports it. So it is with all buffers.
OwnLaunch launch_of(const KernelHead& kernel, const std::vector<KernelHead>& kernels, const ir::Launch& launch);

}  // namespace warpspan::frontend
