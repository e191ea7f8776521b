// SPDX-License-Identifier: GPL-3.0-or-later
// Any text is a log of the assembler or a list of errors that can be printed.
#include "app/files/ptxas_log.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpspan;
  const auto log = app::parse_ptxas_log("fuzz.log", std::string_view(reinterpret_cast<const char*>(data), size));
  if (log) return 0;
  if (log.errors().empty()) __builtin_trap();
  for (const support::Diagnostic& error : log.errors()) {
    if (render(error, false).empty()) __builtin_trap();
  }
  return 0;
}
