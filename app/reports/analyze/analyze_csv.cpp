// SPDX-License-Identifier: GPL-3.0-or-later
// The report of analyze as a table for other programs: a line for each kernel that was bounded. Bounds are cycles, and
// picoseconds where the name says so; a field without a value is empty.
#include "app/reports/analyze/analyze_formats.hpp"
#include "app/reports/analyze/headlines.hpp"
#include "app/reports/analyze/report_sections.hpp"
#include "app/reports/csv.hpp"
#include "app/reports/readable.hpp"

namespace warpspan::app {

LongText to_long_csv(const AnalyzeReport& report, const TextStyle&) {
  if (report.kernels.empty()) return {};
  LongText out = csv_row({"file", "kernel", "machine", "clock_khz", "block", "grid", "bound", "bound_picoseconds",
                          "usual", "nothing", "expected", "one_warp", "limited_by"});
  for (const KernelReport& kernel : report.kernels) {
    const solver::Bound* bound = headline_bound(kernel.analysis);
    const auto cycles = bound == nullptr ? std::nullopt : bound->makespan;
    out.append(
        csv_row({kernel.file, kernel.name, kernel.machine.name, std::to_string(kernel.machine.clock_khz),
                 extent(*kernel.launch.block), kernel.launch.grid ? extent(*kernel.launch.grid) : "",
                 csv_number(cycles), csv_number(cycles ? picoseconds(*cycles, kernel.machine.clock_khz) : std::nullopt),
                 csv_number(kernel.analysis.usual), csv_number(bound_with_nothing(kernel.analysis)),
                 csv_number(kernel.expected ? std::optional(kernel.expected->cycles) : std::nullopt),
                 std::to_string(kernel.analysis.worst), bound == nullptr ? "" : limited_by(*bound)}));
  }
  return out;
}

std::string to_csv(const AnalyzeReport& report, const TextStyle& style) { return to_long_csv(report, style).str(); }

}  // namespace warpspan::app
