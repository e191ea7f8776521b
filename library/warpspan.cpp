// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of the public header: a request becomes options, these what the commands of the program take, and what
// they find becomes values.
#include "include/warpspan/warpspan.hpp"

#include <functional>
#include <new>

#include "app/cli/option_groups.hpp"
#include "app/commands/analyze.hpp"
#include "app/commands/facts.hpp"
#include "app/reports/analyze/analyze_formats.hpp"
#include "app/reports/facts/facts_formats.hpp"
#include "library/request_options.hpp"
#include "library/values.hpp"
#include "support/isolated.hpp"

namespace warpspan {

namespace {

constexpr int64_t picoseconds_of_nanosecond = 1000;

// What `find` finds, or what it throws as an error of its report. Memory that runs out is the caller's.
template <typename Report>
Report found(const std::function<Report()>& find) {
  support::be_guest();
  try {
    return find();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    Report report;
    report.errors = {support::internal_error(std::string("internal error: ") + error.what())};
    return report;
  }
}

app::AnalyzeReport analyzed(const Request& request) {
  app::OptionSet set;
  app::AnalyzeOptions options;
  app::add_analysis(set, options);
  set.record(options.words);
  support::Diagnostics errors = library::give(request, set, options.request.kernels);
  const support::Diagnostics wrong = set.read();
  errors.insert(errors.end(), wrong.begin(), wrong.end());
  if (!errors.empty()) {
    app::AnalyzeReport report;
    report.errors = std::move(errors);
    return report;
  }
  options.request.limits.cancel = request.cancel;
  return app::analyze(options);
}

// The kernels of a request, without what only bounds need, but checked all the same.
support::Result<app::KernelRequest> kernels_of(const Request& request) {
  app::OptionSet set;
  app::AnalyzeOptions options;
  app::add_analysis(set, options);
  support::Diagnostics errors = library::give(request, set, options.request.kernels);
  const support::Diagnostics wrong = set.read();
  errors.insert(errors.end(), wrong.begin(), wrong.end());
  if (!errors.empty()) return errors;
  options.request.kernels.compilation.cancel = request.cancel;
  return options.request.kernels;
}

app::FactsReport missing(const Request& request) {
  const auto kernels = kernels_of(request);
  if (kernels) return app::facts_of(*kernels);
  app::FactsReport report;
  report.errors = kernels.errors();
  return report;
}

struct Listing {
  std::vector<Kernel> kernels;
  support::Diagnostics errors;
};

Listing listed(const Request& request) {
  const auto kernels = kernels_of(request);
  if (!kernels) return {{}, kernels.errors()};
  Listing listing;
  const auto files = app::read_files(*kernels, app::LoopsAre::not_analyzed).files;
  for (const app::KernelFile& file : files) {
    for (const auto& one : file.kernels) {
      listing.kernels.push_back(library::kernel_of(file.name, one.kernel, file.figures));
    }
  }
  listing.errors = app::all_errors(files);
  return listing;
}

}  // namespace

struct Bounds::Found {
  app::AnalyzeReport report;
};
struct Needs::Found {
  app::FactsReport report;
};

std::string version() { return app::program_version(); }

std::string Message::rendered() const {
  support::Diagnostic diagnostic;
  diagnostic.severity = static_cast<support::Severity>(severity);
  diagnostic.cause = static_cast<support::Cause>(cause);
  diagnostic.location = {place.file, place.line, place.column};
  diagnostic.message = text;
  diagnostic.help = hint;
  diagnostic.source_line = source_line;
  return support::render(diagnostic, false);
}

std::optional<int64_t> Time::nanoseconds() const {
  if (!picoseconds) return std::nullopt;
  const int64_t whole = *picoseconds / picoseconds_of_nanosecond;
  return whole + (*picoseconds % picoseconds_of_nanosecond == 0 ? 0 : 1);
}

Kernels kernels(const Request& request) {
  const Listing listing = found<Listing>([&] { return listed(request); });
  return {listing.kernels, library::messages_of(listing.errors), library::status_of(listing.errors)};
}

Needs needs(const Request& request) {
  auto report = std::make_shared<Needs::Found>();
  report->report = found<app::FactsReport>([&] { return missing(request); });
  const app::FactsReport& facts = report->report;
  Needs made;
  for (const auto& kernel : facts.kernels) made.kernels.push_back(library::needs_of(kernel, facts.given));
  made.messages = library::messages_of(facts.errors);
  made.status = library::status_of(facts.errors);
  made.found_ = std::move(report);
  return made;
}

std::string Needs::toml() const {
  return found_ ? app::render(app::facts_formats, found_->report, "toml", {}).str() : "";
}
std::string Needs::json() const {
  return found_ ? app::render(app::facts_formats, found_->report, "json", {}).str() : "";
}

Bounds bound(const Request& request) {
  auto report = std::make_shared<Bounds::Found>();
  report->report = found<app::AnalyzeReport>([&] { return analyzed(request); });
  const app::AnalyzeReport& bounds = report->report;
  Bounds made;
  for (const app::KernelReport& kernel : bounds.kernels) made.kernels.push_back(library::bound_of(kernel));
  for (const app::FailedKernel& kernel : bounds.failed) {
    made.unbounded.push_back({kernel.file, kernel.name, library::messages_of(kernel.errors)});
  }
  made.messages = library::messages_of(bounds.errors);
  made.status = library::status_of(bounds.errors);
  made.found_ = std::move(report);
  return made;
}

std::string Bounds::json() const {
  return found_ ? app::render(app::analyze_formats, found_->report, "json", {false, app::usual_width, true}).str() : "";
}
std::string Bounds::text() const {
  return found_ ? app::render(app::analyze_formats, found_->report, "text", {}).str() : "";
}

std::vector<std::string> machines() { return timing::builtin_machines(); }

Result<Machine> machine(const std::string& name) {
  const auto loaded = timing::load_machine(name);
  if (!loaded) return library::messages_of(loaded.errors());
  return library::machine_of(*loaded);
}

}  // namespace warpspan
