// SPDX-License-Identifier: GPL-3.0-or-later
// The line that a valid certificate proves, and for what; nothing otherwise.
#include <fmt/format.h>

#include "app/reports/readable.hpp"
#include "app/reports/solve/solve_report.hpp"
#include "app/reports/solve/verify_formats.hpp"
#include "ir/kernel.hpp"

namespace warpspan::app {

namespace {

constexpr size_t longest_string = 200;  // characters of an instruction string; the JSON has all

}  // namespace

std::string to_text(const VerifyReport& report, const TextStyle&) {
  if (!report.line) return {};
  std::string out = "valid: " + line_text(*report.line) + "\n";
  out += "  string  " + shorten(report.string, longest_string) + "\n";
  std::string sigma;
  for (size_t k = 0; k < report.certificate->servers.size(); ++k) {
    sigma += fmt::format("{}{} {}", k == 0 ? "" : ", ", ir::symbol(static_cast<ir::UnitClass>(k)),
                         thousands(report.certificate->servers[k]));
  }
  out += "  sigma   " + sigma + " warps per cycle\n";
  if (report.makespan) out += fmt::format("  T({}) <= {}\n", *report.warps, counted(*report.makespan, "cycle"));
  return out;
}

}  // namespace warpspan::app
