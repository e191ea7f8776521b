// SPDX-License-Identifier: GPL-3.0-or-later
// Any text is a certificate or a list of errors; what is one reads back as it is written, and its check ends. What
// passes proves at least as many cycles as the string has symbols.
#include <string>

#include "app/files/certificate_json.hpp"
#include "solver/strings/certificate/verify.hpp"
#include "solver/strings/schedules/string.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpspan;
  const support::SourceFile file("fuzz.json", std::string(reinterpret_cast<const char*>(data), size));
  const auto certificate = app::certificate_from_json(file);
  if (!certificate) {
    if (certificate.errors().empty()) __builtin_trap();
    return 0;
  }
  const std::string text = app::certificate_to_json(*certificate);
  const auto again = app::certificate_from_json(support::SourceFile("again.json", text));
  if (!again || app::certificate_to_json(*again) != text) __builtin_trap();
  const auto line = solver::verify_certificate(*certificate);
  if (line.ok() != solver::verify_certificate(*again).ok()) __builtin_trap();
  if (!line) return 0;
  const auto length = solver::count_symbols(certificate->string, certificate->servers.size()).length.value();
  const auto makespan = solver::makespan_on(*line, line->least_workers).value();
  if (!length || (makespan && *makespan < *length)) __builtin_trap();
  return 0;
}
