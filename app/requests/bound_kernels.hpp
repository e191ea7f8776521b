// SPDX-License-Identifier: GPL-3.0-or-later
// Bounds for kernels: what 'warpspan analyze' reports, for any command that needs them.
#pragma once

#include <functional>
#include <string>

#include "app/fleet/fleet.hpp"
#include "app/reports/analyze/analyze_report.hpp"
#include "app/reports/analyze/line_costs.hpp"
#include "app/requests/expected_time.hpp"
#include "app/requests/kernels/compiled_kernels.hpp"
#include "app/requests/kernels/kernel_files.hpp"
#include "app/requests/machine_shelf.hpp"
#include "timing/analysis.hpp"
#include "timing/assumptions/assumption.hpp"

namespace warpspan::app {

// A kernel that was bounded, and all that it was bounded by.
struct BoundKernel {
  const frontend::AnalyzedKernel& analyzed;
  const ir::Flow& flow;  // Analysis::flow
  const timing::Machine& machine;
  const KernelReport& report;
  LineTexts& texts;
};

struct BoundRequest {
  KernelRequest kernels;
  std::string machine;  // name or file; empty: the default machine of each kernel's .target
  timing::Grant assumed;
  bool advice = false;         // of the pipeline model: what would make bounds smaller, which takes some time more
  CompiledKernels compiled;    // what logs of the assembler report; if anything, then of every kernel
  bool pipeline_model = true;  // its bounds are reported; at least one model is
  bool string_model = true;    // the same
  bool with_code = false;      // the code of each kernel in full, of the pipeline model
  bool expects = false;        // expected times are reported, of the pipeline model
  SimulationEffort effort = SimulationEffort::quick;  // of these
  timing::Limits limits;  // seconds: for all kernels together; each gets an equal part of what is left
  // As SourceLines has it, which lines of inlined code are told by. Those of expected times are told where it is not
  // empty.
  std::string source_root = {};
  bool brief = false;                                    // of kernels only what is shown without --explain (make_brief)
  std::function<void(const BoundKernel&)> inspect = {};  // called with each kernel of the report, in its order
  Fleet fleet = {};  // of files, where no fact, pattern or search is about several of them; and what is kept of one
};

// What was found of one file.
struct FileBounds {
  std::string file = {};
  bool in_folder = false;  // it was not named itself
  bool has_no_kernel = false;
  AnalyzeReport report = {};
};

// Whether files are bounded one by one: no fact, pattern or search is about several of them.
bool is_about_single_files(const BoundRequest& request);

// As bound_kernels, for a request of one file, or of files that are not bounded one by one. A named machine can be
// loaded.
FileBounds bound_file(const BoundRequest& request, MachineShelf& machines);

// Each of the files with these numbers, in their order; those that were not bounded before `fleet` was cancelled are
// left out.
std::vector<FileBounds> bound_files(const BoundRequest& request, const NamedFiles& files,
                                    const std::vector<size_t>& numbers, MachineShelf& machines);

// All in their order, but files of folders that have no kernel, which are notes where there are others.
AnalyzeReport joined_files(std::vector<FileBounds> files);

// Reads and bounds the kernels. A file or kernel with an error does not keep the others from being reported; a named
// machine that cannot be loaded does. A kernel without a safe bound of the pipeline model is an error, or of the string
// model where only that is asked for; so is one that logs do not fit, or that spills by them. A bound that is too large
// to be believed has a warning (vast_bound.hpp). Where limits.cancel became true, a note says so.
AnalyzeReport bound_kernels(const BoundRequest& request);

// The same, with machines that other requests share.
AnalyzeReport bound_kernels(const BoundRequest& request, MachineShelf& machines);

}  // namespace warpspan::app
