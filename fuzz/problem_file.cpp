// SPDX-License-Identifier: GPL-3.0-or-later
// Any text is a problem or a list of errors that can be printed.
#include "app/files/problem_file.hpp"

#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpspan;
  const auto problem = app::parse_problem("fuzz.toml", std::string_view(reinterpret_cast<const char*>(data), size));
  if (problem) return 0;
  if (problem.errors().empty()) __builtin_trap();
  for (const support::Diagnostic& error : problem.errors()) {
    if (render(error, false).empty()) __builtin_trap();
  }
  return 0;
}
