// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan verify: checks a certificate without any of the code that finds one.
#include "solver/strings/certificate/verify.hpp"

#include <memory>

#include "app/cli/command.hpp"
#include "app/cli/option_groups.hpp"
#include "app/cli/solve_values.hpp"
#include "app/files/certificate_json.hpp"
#include "app/reports/errors_document.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/solve/solve_report.hpp"
#include "app/reports/solve/verify_formats.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Diagnostics;

constexpr const char* footer =
    "Examples:\n"
    "  warpspan solve --string LLCLL --warps 4 --certificate proof.json\n"
    "  warpspan verify proof.json --warps 600\n";

struct VerifyOptions {
  std::string file;              // "-" is standard input
  std::optional<int64_t> warps;  // at least 2
  std::string format;
};

void check(VerifyReport& report) {
  const auto line = solver::verify_certificate(*report.certificate);
  if (!line) {
    for (Diagnostic error : line.errors()) {
      error.cause = support::Cause::input;
      error.location.file = report.file;
      error.message = "invalid certificate: " + error.message;
      report.errors.push_back(std::move(error));
    }
    return;
  }
  report.line = *line;
  if (!report.warps) return;
  const int64_t warps = *report.warps;
  Diagnostic error;
  error.location.file = report.file;
  if (warps < line->least_workers || warps > line->most_workers) {
    error.message = "the certificate says nothing about " + counted(warps, "warp") + ", only " + line_text(*line);
  } else {
    report.makespan = solver::makespan_on(*line, warps).value();
    error.message = "the bound for " + counted(warps, "warp") + " exceeds 2^63-1 cycles";
  }
  if (!report.makespan) report.errors.push_back(std::move(error));
}

VerifyReport report_on(const VerifyOptions& options) {
  VerifyReport report;
  report.file = options.file;
  report.warps = options.warps;
  const auto source = support::read_source(options.file);
  if (!source) {
    report.errors = source.errors();
    return report;
  }
  report.file = source->name();
  auto certificate = certificate_from_json(*source);
  if (!certificate) {
    report.errors = certificate.errors();
    return report;
  }
  report.string = notation(certificate->string);
  report.certificate = std::move(*certificate);
  check(report);
  return report;
}

Outcome verify(const VerifyOptions& options) {
  VerifyReport report = report_on(options);
  LongText text = render(verify_formats, report, options.format, style_of({}));
  return {std::move(text), std::move(report.errors), {}};
}

Run declare(OptionSet& set) {
  const auto options = std::make_shared<VerifyOptions>();
  set.positional("CERTIFICATE.json", "What 'warpspan solve' wrote with --certificate",
                 [&set, to = options.get()](const std::vector<std::string>& files) {
                   if (files.size() == 1) {
                     to->file = files.front();
                   } else {
                     set.usage(files.empty() ? "no certificate is given" : "give one certificate at a time",
                               "'warpspan solve' writes one with --certificate FILE; - is standard input");
                   }
                 });
  set.value("--warps", "N", "Also print the bound for this number of warps, from 2", parse_count, options->warps);
  set.check([&set, to = options.get()] {
    if (to->warps == 1) set.usage("--warps: a certificate holds from 2 warps on, got '1'");
  });
  add_format(set, forms_of(verify_formats), "report", options->format);
  return [options] { return verify(*options); };
}

}  // namespace

Command verify_command() {
  return {"verify", "Check a certificate, without solving anything", footer, declare, report_of_errors<VerifyReport>};
}

}  // namespace warpspan::app
