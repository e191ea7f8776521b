// SPDX-License-Identifier: GPL-3.0-or-later
// Any text is a saved report or a list of errors that can be printed.
#include "app/files/saved_report.hpp"

#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpspan;
  const auto report =
      app::read_saved_report(support::SourceFile("fuzz.json", std::string(reinterpret_cast<const char*>(data), size)));
  if (report) return 0;
  if (report.errors().empty()) __builtin_trap();
  for (const support::Diagnostic& error : report.errors()) {
    if (render(error, false).empty()) __builtin_trap();
  }
  return 0;
}
