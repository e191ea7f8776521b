#include "app/commands/verify.hpp"

#include <fmt/format.h>

#include "app/files/certificate_json.hpp"
#include "app/reports/format.hpp"
#include "app/reports/json.hpp"
#include "app/reports/solve_report.hpp"
#include "solver/certificate/verify.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Diagnostics;

constexpr size_t longest_string = 200;  // characters of an instruction string; the JSON has all

struct Verdict {
  std::string file;
  std::optional<solver::Certificate> certificate;
  std::optional<solver::Line> line;
  std::optional<int64_t> warps, makespan;
  Diagnostics errors;
};

void check(Verdict& verdict) {
  const auto line = solver::verify_certificate(*verdict.certificate);
  if (!line) {
    for (Diagnostic error : line.errors()) {
      error.cause = support::Cause::input;
      error.location.file = verdict.file;
      error.message = "invalid certificate: " + error.message;
      verdict.errors.push_back(std::move(error));
    }
    return;
  }
  verdict.line = *line;
  if (!verdict.warps) return;
  const int64_t warps = *verdict.warps;
  Diagnostic error;
  error.location.file = verdict.file;
  if (warps < line->least_workers || warps > line->most_workers) {
    error.message = "the certificate says nothing about " + counted(warps, "warp") + ", only " + line_text(*line);
  } else {
    verdict.makespan = solver::makespan_on(*line, warps).value();
    error.message = "the bound for " + counted(warps, "warp") + " exceeds 2^63-1 cycles";
  }
  if (!verdict.makespan) verdict.errors.push_back(std::move(error));
}

Verdict verdict_on(const VerifyOptions& options) {
  Verdict verdict;
  verdict.file = options.file;
  verdict.warps = options.warps;
  const auto source = support::read_source(options.file);
  if (!source) {
    verdict.errors = source.errors();
    return verdict;
  }
  verdict.file = source->name();
  auto certificate = certificate_from_json(*source);
  if (!certificate) {
    verdict.errors = certificate.errors();
    return verdict;
  }
  verdict.certificate = std::move(*certificate);
  check(verdict);
  return verdict;
}

Json sigma_of(const solver::Certificate& certificate) {
  Json json = Json::object();
  for (size_t k = 0; k < certificate.servers.size(); ++k) {
    json[std::string(1, ir::symbol(static_cast<ir::UnitClass>(k)))] = certificate.servers[k];
  }
  return json;
}

std::string to_text(const Verdict& verdict) {
  if (!verdict.line) return {};
  std::string out = "valid: " + line_text(*verdict.line) + "\n";
  out += "  string  " + shorten(notation(verdict.certificate->string), longest_string) + "\n";
  std::string sigma;
  for (size_t k = 0; k < verdict.certificate->servers.size(); ++k) {
    sigma += fmt::format("{}{} {}", k == 0 ? "" : ", ", ir::symbol(static_cast<ir::UnitClass>(k)),
                         thousands(verdict.certificate->servers[k]));
  }
  out += "  sigma   " + sigma + " warps a cycle\n";
  if (verdict.makespan) out += fmt::format("  T({}) <= {}\n", *verdict.warps, counted(*verdict.makespan, "cycle"));
  return out;
}

std::string to_json(const Verdict& verdict) {
  const auto& certificate = verdict.certificate;
  const auto or_null = [](const std::optional<int64_t>& value) { return value ? Json(*value) : Json(nullptr); };
  return dump({{"schema", "warpspan.verify/1"},
               {"file", verdict.file},
               {"valid", verdict.line.has_value()},
               {"string", certificate ? Json(notation(certificate->string)) : Json(nullptr)},
               {"sigma", certificate ? sigma_of(*certificate) : Json(nullptr)},
               {"line", line_to_json(verdict.line)},
               {"warps", or_null(verdict.warps)},
               {"makespan", or_null(verdict.makespan)},
               {"errors", errors_to_json(verdict.errors)}});
}

}  // namespace

Outcome verify(const VerifyOptions& options) {
  Verdict verdict = verdict_on(options);
  std::string report = options.format == Format::json ? to_json(verdict) : to_text(verdict);
  return {std::move(report), std::move(verdict.errors), {}};
}

}  // namespace warpspan::app
