// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the chosen kernels of a file one by one, whatever its language.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "frontend/reading/kernel_launch.hpp"
#include "frontend/reading/loop_places.hpp"
#include "frontend/reading/reading.hpp"
#include "support/result.hpp"
#include "support/source_file.hpp"

namespace warpspan::frontend {

// A kernel before bounds of the user are applied.
struct FoundKernel {
  AnalyzedKernel analyzed;
  std::shared_ptr<const support::SourceFile> file;  // that its lines are of; without `declared_only`
  std::vector<HeaderPlace> headers;                 // by loop
  std::vector<ir::LoopBoundUse> uses = {};          // of its own launch's bounds, by loops of PTX beside machine code
  bool lacks_facts = false;                         // of functions that it calls: times, or depths of recursion
};

// What control flow facts tell besides: branches of which warps take both successors at barriers, and lines in the
// sources.
void complete_flow(const ir::Kernel& kernel, ir::Flow& flow);

// A chosen kernel, and how it is read.
struct KernelSource {
  std::string name;
  support::Location at;
  OwnLaunch own;
  // Of its own launch.
  std::function<support::Result<ir::KernelCode>(const ir::Launch&)> code;
  std::function<support::Result<FoundKernel>(const ir::Launch&)> find;
};

class KernelReader {
 public:
  explicit KernelReader(const Inquiry& inquiry) : inquiry_(inquiry) {}

  // Reads kernels side by side. What was found goes into the reading one by one, in their order; complete: adds to the
  // code of a kernel what is known when all were read.
  void read(const std::vector<KernelSource>& kernels, const std::function<void(size_t, ir::KernelCode&)>& complete);

  // A chosen kernel that cannot be read.
  void refuse(const std::string& kernel, const support::Diagnostics& errors);

  Reading reading;

 private:
  void add(const KernelSource& source, support::Result<FoundKernel>& kernel, ir::KernelCode code);
  void apply_bounds(FoundKernel& found, const std::vector<size_t>& numbers, ir::KernelCode& code);

  const Inquiry& inquiry_;
};

}  // namespace warpspan::frontend
