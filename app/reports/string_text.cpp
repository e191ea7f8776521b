// SPDX-License-Identifier: GPL-3.0-or-later
// One line a kernel, "saxpy: C(L2C)^64L"; with several files "a.ptx:saxpy: C(L2C)^64L". Below it, indented, what it
// rests on because the user says so.
#include "app/reports/string_formats.hpp"
#include "support/printable.hpp"

namespace warpspan::app {

std::string to_text(const StringReport& report, const TextStyle&) {
  std::string text;
  for (const KernelString& kernel : report.kernels) {
    text +=
        (report.several_files ? support::printable(kernel.file) + ":" : "") + kernel.name + ": " + kernel.string + "\n";
    for (const std::string& assumption : kernel.assumptions) text += "  " + support::printable(assumption) + "\n";
  }
  return text;
}

}  // namespace warpspan::app
