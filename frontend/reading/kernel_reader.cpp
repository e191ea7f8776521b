// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/reading/kernel_reader.hpp"

#include <utility>

#include "frontend/reading/loop_bounds.hpp"
#include "ir/sync_points.hpp"
#include "support/isolated.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::frontend {

using support::Diagnostics;
using support::Result;

namespace {

std::string task_of(const KernelSource& kernel) {
  return "in the analysis of kernel " + support::quoted_symbol(kernel.name);
}

}  // namespace

void complete_flow(const ir::Kernel& kernel, ir::Flow& flow) {
  for (const ir::BlockId block : ir::find_sync_points(kernel, flow).both_successors)
    flow.blocks[block].divergent = true;
  find_source_places(kernel, flow);
  find_waits(kernel, flow);
}

void KernelReader::read(const std::vector<KernelSource>& kernels,
                        const std::function<void(size_t, ir::KernelCode&)>& complete) {
  std::vector<support::Piece<ir::KernelCode>> code_works;
  for (const KernelSource& kernel : kernels) {
    code_works.push_back({kernel.at, task_of(kernel), [&kernel] { return kernel.code(kernel.own.launch); }});
  }
  std::vector<Result<ir::KernelCode>> codes = support::isolated(code_works);
  std::vector<support::Piece<FoundKernel>> works;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const auto find = [&kernel = kernels[i], &code = codes[i]]() -> Result<FoundKernel> {
      if (!code) return code.errors();
      return kernel.find(kernel.own.launch);
    };
    works.push_back({kernels[i].at, task_of(kernels[i]), find});
  }
  std::vector<Result<FoundKernel>> found = support::isolated(works);
  for (size_t i = 0; i < kernels.size(); ++i) {
    if (codes[i]) {
      complete(i, *codes[i]);
      add(kernels[i], found[i], std::move(*codes[i]));
    } else {
      refuse(kernels[i].name, codes[i].errors());
    }
  }
}

void KernelReader::add(const KernelSource& source, Result<FoundKernel>& kernel, ir::KernelCode code) {
  if (kernel) code.loops = kernel->analyzed.flow.loops;
  const Diagnostics refusal = inquiry_.refuse ? inquiry_.refuse(code) : Diagnostics{};
  code.refused = !refusal.empty();
  if (refusal.empty() && kernel) apply_bounds(*kernel, source.own.bounds, code);
  if (!refusal.empty()) {
    refuse(source.name, refusal);
  } else if (!kernel) {
    refuse(source.name, kernel.errors());
  }
  reading.codes.push_back(std::move(code));
}

void KernelReader::refuse(const std::string& kernel, const Diagnostics& errors) {
  reading.errors.insert(reading.errors.end(), errors.begin(), errors.end());
  reading.failed.push_back({kernel, errors});
}

// numbers: of the kernel's bounds in the launch for all kernels.
void KernelReader::apply_bounds(FoundKernel& found, const std::vector<size_t>& numbers, ir::KernelCode& code) {
  AnalyzedKernel& kernel = found.analyzed;
  if (inquiry_.declared_only) {
    reading.kernels.push_back(std::move(kernel));
    return;
  }
  AppliedBounds applied =
      apply_loop_bounds(*found.file, kernel.kernel, found.headers, kernel.launch.loop_bounds, kernel.flow);
  code.loops = kernel.flow.loops;
  applied.uses.insert(applied.uses.end(), found.uses.begin(), found.uses.end());
  for (ir::LoopBoundUse& use : applied.uses) use.bound = numbers[use.bound];
  reading.uses.insert(reading.uses.end(), applied.uses.begin(), applied.uses.end());
  Diagnostics missing = check_loop_bounds(*found.file, kernel.kernel, found.headers, kernel.flow);
  const bool is_kept = inquiry_.unbounded_loops && inquiry_.keeps_unbounded;
  if (applied.errors.empty() && (is_kept || (missing.empty() && !found.lacks_facts))) {
    reading.kernels.push_back(std::move(kernel));
    return;
  }
  if (inquiry_.unbounded_loops) missing.clear();
  Diagnostics errors = std::move(applied.errors);
  if (!missing.empty() && inquiry_.hopeless) {
    const Diagnostics hopeless = inquiry_.hopeless(kernel.kernel);
    errors.insert(errors.end(), hopeless.begin(), hopeless.end());
  }
  errors.insert(errors.end(), missing.begin(), missing.end());
  if (!errors.empty()) refuse(kernel.kernel.name, errors);
}

}  // namespace warpspan::frontend
