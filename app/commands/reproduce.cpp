// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan reproduce: the figures of published sources, computed again.
#include "app/requests/reproduce/reproduce.hpp"

#include <algorithm>
#include <memory>

#include "app/cli/command.hpp"
#include "app/cli/option_groups.hpp"
#include "app/cli/report_files.hpp"
#include "app/reports/errors_document.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/reproduce/reproduce_formats.hpp"

namespace warpspan::app {

namespace {

constexpr const char* footer =
    "Each figure stands beside the source's own, and agrees, or differs for a reason that is given: docs/sources.md.\n"
    "Exit status 1: a figure differs without one.\n"
    "\nExamples:\n"
    "  warpspan reproduce\n"
    "  warpspan reproduce tx2 finishing-time\n"
    "  warpspan reproduce makespan --format json\n";

struct ReproduceOptions {
  ReproduceRequest request;
  std::string format, output;
};

Outcome reproduce_sources(const ReproduceOptions& options) {
  ReproduceReport report = reproduce(options.request);
  Outcome outcome;
  outcome.report = render(reproduce_formats, report, options.format, style_of(options.output));
  outcome.path = options.output;
  outcome.over_budget = !is_explained(report);
  outcome.errors = std::move(report.errors);
  return outcome;
}

Run declare(OptionSet& set) {
  const auto options = std::make_shared<ReproduceOptions>();
  set.positional("SOURCE", "Sources, of " + joined(source_names()) + "; default: all",
                 [&set, to = options.get()](const std::vector<std::string>& words) {
                   to->request.sources = words;
                   const auto names = source_names();
                   for (const std::string& word : words) {
                     if (std::find(names.begin(), names.end(), word) != names.end()) continue;
                     set.usage("there is no source '" + word + "'", "the sources are " + joined(names));
                   }
                 });
  set.flag("--slow", "Also what takes minutes: larger integer programs", options->request.slow);
  add_format(set, forms_of(reproduce_formats), "report", options->format);
  add_output(set, forms_of(reproduce_formats), "report", options->format, options->output);
  return [options] { return reproduce_sources(*options); };
}

}  // namespace

Command reproduce_command() {
  return {"reproduce", "Compute the figures of published sources again, and compare", footer, declare,
          report_of_errors<ReproduceReport>};
}

}  // namespace warpspan::app
