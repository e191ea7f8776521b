// SPDX-License-Identifier: GPL-3.0-or-later
// Any text is parsed, expanded and lowered, or refused with errors that can be printed. Half of the new texts are
// mutants that stay close to PTX (mutate_ptx.hpp).
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "frontend/ptx/calls/expand_calls.hpp"
#include "frontend/ptx/lowering/lower.hpp"
#include "frontend/ptx/syntax/parser.hpp"
#include "fuzz/mutate_ptx.hpp"
#include "ir/dependencies.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpspan;
  const auto source =
      std::make_shared<const support::SourceFile>("fuzz.ptx", std::string(reinterpret_cast<const char*>(data), size));
  const auto module = ptx::parse(source);
  if (!module) {
    for (const support::Diagnostic& error : module.errors()) {
      if (render(error, false).empty()) __builtin_trap();
    }
    return 0;
  }
  for (const ptx::Function& function : module->functions) {
    if (!function.is_entry || !function.has_body) continue;
    const auto expanded = ptx::expand_calls(*module, function);
    if (!expanded) continue;
    const ir::Kernel kernel = ptx::lower(*module, *expanded);
    if (kernel.instructions.size() != expanded->instructions.size()) __builtin_trap();
    if (kernel.instructions.size() < 2000 && ir::raw_edges(kernel).size() != ir::count_raw_edges(kernel))
      __builtin_trap();
  }
  return 0;
}

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string mutant = warpspan::fuzz::mutate_ptx({reinterpret_cast<const char*>(data), size}, seed);
  const size_t length = std::min(mutant.size(), most);
  std::memcpy(data, mutant.data(), length);
  return length;
}
