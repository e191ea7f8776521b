// SPDX-License-Identifier: GPL-3.0-or-later
// Any text is a list of facts or a list of errors that can be printed.
#include "app/facts/facts_file.hpp"

#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpspan;
  const auto facts = app::parse_facts("fuzz.toml", std::string_view(reinterpret_cast<const char*>(data), size));
  if (facts) return 0;
  if (facts.errors().empty()) __builtin_trap();
  for (const support::Diagnostic& error : facts.errors()) {
    if (render(error, false).empty()) __builtin_trap();
  }
  return 0;
}
