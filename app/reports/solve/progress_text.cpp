// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/solve/progress_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/reports/readable.hpp"

namespace warpspan::app {

std::string progress_text(const solver::Progress& progress) {
  const solver::MethodRow& method = progress.method.row();
  std::string text(method.work.empty() ? method.name : method.work);
  if (progress.fraction) {
    text += fmt::format(" {} %", static_cast<int>(100 * std::clamp(*progress.fraction, 0.0, 1.0)));
  }
  if (progress.lower && progress.upper) {
    text += fmt::format(", {} <= T <= {}", thousands(*progress.lower), thousands(*progress.upper));
  } else if (progress.lower) {
    text += ", T >= " + thousands(*progress.lower);
  } else if (progress.upper) {
    text += ", T <= " + thousands(*progress.upper);
  }
  return text;
}

}  // namespace warpspan::app
