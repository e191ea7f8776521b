// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/reproduce/reproduce_report.hpp"

#include <fmt/format.h>

#include <array>

namespace warpspan::app {

Agreement agreement_of(const ReproducedFigure& figure) {
  if (figure.printed.empty()) return Agreement::not_printed;
  const bool same = figure.printed == figure.ours;
  if (same != figure.reason.empty()) return Agreement::unexplained;
  return same ? Agreement::agrees : Agreement::differs;
}

std::string_view to_string(Agreement agreement) {
  switch (agreement) {
    case Agreement::agrees: return "agrees";
    case Agreement::differs: return "differs";
    case Agreement::not_printed: return "not printed";
    case Agreement::unexplained: return "unexplained";
  }
  return {};
}

namespace {

std::array<int64_t, 4> counts(const ReproduceReport& report) {
  std::array<int64_t, 4> count{};
  for (const ReproducedSource& source : report.sources) {
    for (const ReproducedPart& part : source.parts) {
      for (const ReproducedFigure& figure : part.figures) ++count.at(static_cast<size_t>(agreement_of(figure)));
    }
  }
  return count;
}

}  // namespace

bool is_explained(const ReproduceReport& report) {
  return counts(report).at(static_cast<size_t>(Agreement::unexplained)) == 0;
}

std::string summary(const ReproduceReport& report) {
  const auto [agree, differ, not_printed, unexplained] = counts(report);
  return fmt::format("{} figures: {} agree, {} differ for a reason that is given, {} are not printed in the source{}",
                     agree + differ + not_printed + unexplained, agree, differ, not_printed,
                     unexplained == 0 ? "" : fmt::format(", {} are unexplained", unexplained));
}

}  // namespace warpspan::app
