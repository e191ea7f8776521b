// SPDX-License-Identifier: GPL-3.0-or-later
// The report of reproduce as a Markdown document: docs/sources.md.
#include <fmt/format.h>

#include "app/reports/markdown.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/reproduce/reproduce_formats.hpp"

namespace warpspan::app {

namespace {

std::string part_text(const ReproducedPart& part) {
  std::string out = "\n### " + markdown(part.title) + "\n";
  if (!part.figures.empty()) {
    out += "\n| in the source | | printed | warpspan | |\n|---|---|---|---|---|\n";
  }
  for (const ReproducedFigure& figure : part.figures) {
    std::string verdict(to_string(agreement_of(figure)));
    if (!figure.reason.empty()) verdict = "**" + verdict + "**: " + markdown(figure.reason);
    out += fmt::format("| {} | {} | {} | {} | {} |\n", markdown(figure.place), markdown(figure.what),
                       markdown(figure.printed), markdown(figure.ours), verdict);
  }
  for (const Drawing& drawing : part.drawings) {
    out += "\n" + markdown(drawing.caption) + ":\n\n```\n" + drawing.text + "```\n";
  }
  if (!part.left_out.empty()) out += "\nLeft out:\n\n";
  for (const std::string& sentence : part.left_out) out += "- " + markdown(sentence) + "\n";
  return out;
}

}  // namespace

std::string to_markdown(const ReproduceReport& report, const TextStyle&) {
  std::string out =
      "# The sources, reproduced\n\n"
      "What the sources of the mathematics print, and what the program computes. `warpspan reproduce --slow "
      "--format "
      "markdown`\nmakes this page. " +
      markdown(summary(report)) + ".\n";
  for (const ReproducedSource& source : report.sources) {
    out += "\n## " + source.name + "\n\n" + markdown(source.citation) + "\n";
    for (const ReproducedPart& part : source.parts) out += part_text(part);
  }
  return out;
}

}  // namespace warpspan::app
