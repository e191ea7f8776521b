// What is read prints to something that reads back equal.
#include <string>

#include "ir/instruction_string.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpspan;
  const auto string = ir::parse_instruction_string("fuzz", std::string_view(reinterpret_cast<const char*>(data), size));
  if (!string) return 0;
  const auto again = ir::parse_instruction_string("fuzz", to_string(*string));
  if (!again || !(again->counts() == string->counts()) && !string->length().overflowed()) __builtin_trap();
  return 0;
}
