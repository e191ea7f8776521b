// SPDX-License-Identifier: GPL-3.0-or-later
// Any text is a machine or a list of errors.
#include <string_view>

#include "timing/machine/model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpspan;
  const auto machine = timing::parse_machine("fuzz.toml", std::string_view(reinterpret_cast<const char*>(data), size));
  if (!machine && machine.errors().empty()) __builtin_trap();
  return 0;
}
