// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes decode as machine code of any architecture, or are refused; any text is read as a disassembly, or refused.
// What an instruction surely writes it writes, an unknown one reads and writes everything, and all can be printed.
#include <string_view>

#include "frontend/sass/lowering/registers.hpp"
#include "frontend/sass/words/decode.hpp"
#include "frontend/sass/words/opcode_table.hpp"
#include "frontend/sass/words/print.hpp"
#include "frontend/sass/words/text.hpp"

namespace {

using namespace warpspan;

void check(const sass::Instruction& instruction) {
  const sass::RegisterSet reads = sass::reads(instruction), writes = sass::writes(instruction);
  sass::RegisterSet both = writes;
  both |= sass::surely_writes(instruction);
  if (!(both == writes)) __builtin_trap();
  if (!instruction.known() && !(reads == sass::RegisterSet::all())) __builtin_trap();
  if (sass::to_string(instruction).empty() || sass::control_text(instruction).empty()) __builtin_trap();
}

void check_code(const uint8_t* data, size_t size, int architecture) {
  const auto instructions = sass::decode_bytes({data, size}, architecture, sass::UnknownOpcodes::are_kept);
  if (!instructions) return;
  if (instructions->size() != size / sass::word_bytes) __builtin_trap();
  for (const sass::Instruction& instruction : *instructions) check(instruction);
}

void check_text(std::string_view text) {
  const auto functions = sass::read_disassembly(text, "fuzz.sass");
  if (!functions) {
    for (const support::Diagnostic& error : functions.errors())
      if (render(error, false).empty()) __builtin_trap();
    return;
  }
  if (functions->empty()) __builtin_trap();
  for (const sass::FunctionText& function : *functions) {
    if (function.words.empty()) __builtin_trap();
    (void)sass::decode(function.words, function.architecture);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr int architectures[] = {70, 75, 80, 86, 89, 90, 100, 103, 120, 61};
  if (size > 0) check_code(data + 1, size - 1, architectures[data[0] % std::size(architectures)]);
  check_text({reinterpret_cast<const char*>(data), size});
  return 0;
}
