// SPDX-License-Identifier: GPL-3.0-or-later
// The report of compare as a table for other programs: a line for each kernel and side. Bounds are cycles, and the
// change is that of the bound since the base; a field without a value is empty.
#include "app/reports/compare/compare_formats.hpp"
#include "app/reports/csv.hpp"

namespace warpspan::app {

std::string to_csv(const CompareReport& report, const TextStyle&) {
  if (report.kernels.empty()) return {};
  std::string out =
      csv_row({"kernel", "side", "file", "machine", "bound", "change", "usual", "nothing", "expected", "regressed"});
  for (const ComparedKernel& kernel : report.kernels) {
    for (size_t side = 0; side < kernel.sides.size(); ++side) {
      if (!kernel.sides[side]) {
        out += csv_row({kernel.any().name, report.sides[side], "", "", "", "", "", "", "", ""});
        continue;
      }
      const KernelFigures& own = *kernel.sides[side];
      const auto& changes = kernel.changes[side];
      const bool is_comparable = changes && changes->not_comparable.empty() && kernel.sides.front();
      out += csv_row({own.name, report.sides[side], own.file, own.machine, std::to_string(own.bound),
                      is_comparable ? std::to_string(own.bound - kernel.sides.front()->bound) : "",
                      csv_number(own.usual), csv_number(own.nothing),
                      csv_number(own.expected ? std::optional(own.expected->cycles) : std::nullopt),
                      changes ? (changes->regressed ? "yes" : "no") : ""});
    }
  }
  return out;
}

}  // namespace warpspan::app
