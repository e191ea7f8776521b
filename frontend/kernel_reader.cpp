#include "frontend/kernel_reader.hpp"

#include <utility>

#include "frontend/loop_bounds.hpp"
#include "ir/meetings.hpp"
#include "support/isolated.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::frontend {

using support::Diagnostics;

void complete_flow(const ir::Kernel& kernel, ir::Flow& flow) {
  for (const ir::BlockId block : ir::find_meetings(kernel, flow).both_ways) flow.blocks[block].divergent = true;
  find_source_places(kernel, flow);
}

void KernelReader::read(const Source& source, const OwnLaunch& own) {
  const std::string task = "in the analysis of kernel " + support::quoted_symbol(source.name);
  auto written = support::isolated(source.at, task, source.code);
  if (!written) return fail(source.name, written.errors());
  ir::KernelCode& code = *written;
  auto kernel = support::isolated(source.at, task, source.find);
  if (kernel) code.loops = kernel->analyzed.flow.loops;
  const Diagnostics refusal = inquiry_.refuse ? inquiry_.refuse(code) : Diagnostics{};
  code.refused = !refusal.empty();
  if (refusal.empty() && kernel) apply_bounds(*kernel, own.bounds, code);
  if (!refusal.empty()) {
    fail(source.name, refusal);
  } else if (!kernel) {
    fail(source.name, kernel.errors());
  }
  reading.codes.push_back(std::move(code));
}

void KernelReader::fail(const std::string& kernel, const Diagnostics& errors) {
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
  for (ir::LoopBoundUse& use : applied.uses) use.bound = numbers[use.bound];
  reading.uses.insert(reading.uses.end(), applied.uses.begin(), applied.uses.end());
  Diagnostics missing = check_loop_bounds(*found.file, kernel.kernel, found.headers, kernel.flow);
  if (applied.errors.empty() && missing.empty() && !found.lacks_facts) {
    reading.kernels.push_back(std::move(kernel));
    return;
  }
  if (inquiry_.unbounded_loops) missing.clear();
  Diagnostics errors = std::move(applied.errors);
  errors.insert(errors.end(), missing.begin(), missing.end());
  if (!errors.empty()) fail(kernel.kernel.name, errors);
}

}  // namespace warpspan::frontend
