// SPDX-License-Identifier: GPL-3.0-or-later
// {"schema": "warpspan.reproduce/1", "sources": [...], "errors": [...], "warnings": [...], "version", "status"};
// errors, warnings and status as in analyze_json.cpp. A source:
//   "name", "citation"
//   "parts"  [{"title",
//              "figures": [{"place": "table 19", "what", "printed": null where the source prints none, "ours": both as
//                          text, "agreement": "agrees", "differs", "not printed" or "unexplained", "reason": why they
//                          differ, else ""}],
//              "drawings": [{"caption", "text"}], "left_out": what is not reproduced and why}]
#include "app/reports/exit_status.hpp"
#include "app/reports/json.hpp"
#include "app/reports/reproduce/reproduce_formats.hpp"

namespace warpspan::app {

namespace {

Json to_json(const ReproducedFigure& figure) {
  return {{"place", figure.place},
          {"what", figure.what},
          {"printed", figure.printed.empty() ? Json() : Json(figure.printed)},
          {"ours", figure.ours},
          {"agreement", to_string(agreement_of(figure))},
          {"reason", figure.reason}};
}

Json to_json(const ReproducedPart& part) {
  Json figures = Json::array(), drawings = Json::array();
  for (const ReproducedFigure& figure : part.figures) figures.push_back(to_json(figure));
  for (const Drawing& drawing : part.drawings) {
    drawings.push_back({{"caption", drawing.caption}, {"text", drawing.text}});
  }
  return {{"title", part.title}, {"figures", figures}, {"drawings", drawings}, {"left_out", part.left_out}};
}

}  // namespace

std::string to_json(const ReproduceReport& report, const TextStyle&) {
  Json sources = Json::array();
  for (const ReproducedSource& source : report.sources) {
    Json parts = Json::array();
    for (const ReproducedPart& part : source.parts) parts.push_back(to_json(part));
    sources.push_back({{"name", source.name}, {"citation", source.citation}, {"parts", parts}});
  }
  return dump({{"schema", "warpspan.reproduce/1"},
               {"sources", sources},
               {"errors", errors_to_json(report.errors)},
               {"warnings", warnings_to_json(report.errors)},
               {"version", program_version()},
               {"status", to_string(exit_status(report.errors, !is_explained(report)))}});
}

}  // namespace warpspan::app
