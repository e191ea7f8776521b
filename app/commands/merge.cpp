// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan merge: the report of a run from those of its shards.
#include <algorithm>
#include <memory>

#include "app/cli/command.hpp"
#include "app/cli/memory.hpp"
#include "app/cli/option_groups.hpp"
#include "app/cli/report_files.hpp"
#include "app/fleet/shard.hpp"
#include "app/reports/analyze/analyze_formats.hpp"
#include "app/reports/check/check_formats.hpp"
#include "app/reports/errors_document.hpp"
#include "app/requests/bound_shards.hpp"
#include "app/requests/check/check_shards.hpp"
#include "support/nearest.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

namespace {

using support::Result;

constexpr const char* footer =
    "Examples:\n"
    "  warpspan merge shard-1.json shard-2.json\n"
    "  warpspan merge shards/*.json --format json --output check.json\n"
    "  warpspan merge shards/*.json --report junit=check.xml --report sarif=check.sarif\n"
    "\nThe report, and the exit status, are those that one run without --shard would have had: in full if the shards "
    "were\nmade with --explain, which a page needs.\n";

struct MergeOptions {
  std::vector<std::string> files;
  std::string format;
  int64_t memory = 0;  // bytes for everything
  std::string output;
  std::vector<ReportRequest> reports;
};

Result<std::vector<ShardReport>> shards_of(const std::vector<std::string>& files) {
  std::vector<ShardReport> shards;
  support::Diagnostics errors;
  for (const std::string& file : files) {
    const auto source = support::read_source(file);
    auto shard = source ? read_shard(*source) : source.errors();
    if (shard) {
      shards.push_back(std::move(*shard));
    } else {
      errors.insert(errors.end(), shard.errors().begin(), shard.errors().end());
    }
  }
  if (!errors.empty()) return errors;
  return all_shards(files, std::move(shards));
}

// With the formats of one kind of report.
template <typename Report, size_t count>
Outcome outcome_of(const MergeOptions& options, Report report, const ShardGiven& given,
                   const ReportFormat<Report> (&formats)[count]) {
  Outcome outcome;
  const std::vector<std::string> known = names_of(forms_of(formats));
  TextStyle style = style_of(options.output);
  style.explain = given.explain;
  style.offers_assembler = given.offers_assembler && assembler_at_hand(options.output);
  std::vector<ReportRequest> wanted = {{options.format, options.output}};
  wanted.insert(wanted.end(), options.reports.begin(), options.reports.end());
  for (const ReportRequest& one : wanted) {
    if (one.format == "html" && !given.explain) {
      outcome.errors.push_back(support::usage_error("the shards have not all that a page shows",
                                                    "make them with --explain, or leave the page out"));
    }
    if (std::find(known.begin(), known.end(), one.format) != known.end()) continue;
    outcome.errors.push_back(support::usage_error("a report of this command has no format '" + one.format + "'",
                                                  "its formats are " + support::enumeration(known)));
  }
  if (!outcome.errors.empty()) return outcome;
  outcome.report = render(formats, report, options.format, style);
  outcome.path = options.output;
  outcome.further = further_reports(formats, report, options.reports, given.explain);
  outcome.errors = std::move(report.errors);
  return outcome;
}

Outcome failed(support::Diagnostics errors) { return {{}, std::move(errors), {}}; }

Outcome merge(const MergeOptions& options) {
  limit_memory(options.memory);
  auto shards = shards_of(options.files);
  if (!shards) return failed(shards.errors());
  if (shards->front().command == "analyze") {
    auto merged = merged_bounds(std::move(*shards));
    if (!merged) return failed(merged.errors());
    return outcome_of(options, std::move(merged->report), merged->given, analyze_formats);
  }
  auto merged = merged_check(std::move(*shards));
  if (!merged) return failed(merged.errors());
  const bool passed = passes(merged->report);
  Outcome outcome = outcome_of(options, std::move(merged->report), merged->given, check_formats);
  outcome.over_budget = !passed;
  return outcome;
}

// Of both kinds of report.
std::vector<FormatName> all_forms() {
  std::vector<FormatName> forms = forms_of(check_formats);
  for (const FormatName& form : forms_of(analyze_formats)) {
    const auto is_it = [&form](const FormatName& known) { return known.name == form.name; };
    if (std::none_of(forms.begin(), forms.end(), is_it)) forms.push_back(form);
  }
  return forms;
}

Run declare(OptionSet& set) {
  const auto options = std::make_shared<MergeOptions>();
  MergeOptions* to = options.get();
  set.positional("SHARD", "Reports of all shards of a run, in any order",
                 [&set, to](const std::vector<std::string>& files) {
                   to->files = files;
                   if (files.empty())
                     set.usage("no shard is given", "give the files that 'warpspan check --shard I/N' wrote");
                 });
  add_format(set, all_forms(), "report", to->format);
  add_memory(set, to->memory);
  add_output(set, all_forms(), "report", to->format, to->output);
  add_reports(set, all_forms(), to->output, to->reports);
  return [options] { return merge(*options); };
}

}  // namespace

Command merge_command() { return {"merge", "Make one report of the shards of a run", footer, declare}; }

}  // namespace warpspan::app
