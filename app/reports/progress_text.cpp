#include "app/reports/progress_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/reports/readable.hpp"

namespace warpspan::app {

namespace {

std::string work(solver::Method method) {
  switch (method) {
    case solver::Method::witness: return "simulated schedules";
    case solver::Method::exact: return "exact search";
    case solver::Method::ilp_count:
    case solver::Method::ilp:
    case solver::Method::ilp_long: return "integer program " + std::string(to_string(method));
    default: return std::string(to_string(method));
  }
}

}  // namespace

std::string progress_text(const solver::Progress& progress) {
  std::string text = work(progress.method);
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
