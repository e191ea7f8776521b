// SPDX-License-Identifier: GPL-3.0-or-later
// What is read prints to something that reads back equal.
#include "ir/instruction_string.hpp"

#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpspan;
  const auto string = ir::parse_instruction_string("fuzz", std::string_view(reinterpret_cast<const char*>(data), size));
  if (!string) return 0;
  const auto again = ir::parse_instruction_string("fuzz", to_string(*string));
  const bool same = again && (string->length().overflowed() || again->counts() == string->counts());
  if (!same) __builtin_trap();
  return 0;
}
