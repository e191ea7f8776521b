// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes are read as a cubin and lowered to what is analyzed, or refused; what is refused says why. The blocks of
// its kernels hang together.
#include <string_view>

#include "frontend/object/cubin.hpp"
#include "frontend/object/lines.hpp"
#include "frontend/reading/cubin_code.hpp"
#include "frontend/sass/lowering/control_flow.hpp"
#include "frontend/sass/lowering/lower.hpp"
#include "frontend/sass/lowering/reconvergence.hpp"

namespace {

using namespace warpspan;

void check_errors(const support::Diagnostics& errors) {
  if (errors.empty()) __builtin_trap();
  for (const support::Diagnostic& error : errors)
    if (render(error, false).empty()) __builtin_trap();
}

void check_blocks(const std::vector<sass::CodeBlock>& blocks) {
  if (blocks.empty()) __builtin_trap();
  for (const sass::CodeBlock& block : blocks) {
    if (block.count == 0) __builtin_trap();
    if (block.next != UINT32_MAX && block.next >= blocks.size()) __builtin_trap();
    for (const uint32_t target : block.targets)
      if (target >= blocks.size()) __builtin_trap();
  }
}

void check_kernel(const sass::Code& code) {
  if (code.instructions.empty()) return;
  const auto blocks = sass::find_blocks(code);
  if (!blocks) return check_errors(blocks.errors());
  check_blocks(*blocks);
  const auto lowered = sass::lower(code, *blocks);
  if (!lowered) return check_errors(lowered.errors());
  if (lowered->kernel.blocks.size() != blocks->size()) __builtin_trap();
  const sass::Reconvergence reconvergence(code, *blocks);
  if (reconvergence.points().size() > blocks->size()) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const object::Input input{"fuzz.cubin", {reinterpret_cast<const char*>(data), size}};
  const auto cubin = object::read_cubin(input);
  const auto lines = object::read_lines(input);
  if (!cubin || !lines) return 0;
  std::vector<size_t> kernels;
  for (size_t i = 0; i < cubin->functions.size(); ++i) {
    if (cubin->functions[i].entry) kernels.push_back(i);
  }
  const auto code = frontend::CubinCode::decode(*cubin, kernels, "listing", sass::UnknownOpcodes::are_kept);
  if (!code) {
    check_errors(code.errors());
    return 0;
  }
  for (const size_t kernel : kernels) {
    check_kernel(code->code_of(kernel, *lines, "fuzz.cubin"));
    if (code->listed(kernel, *lines).size() < cubin->functions[kernel].code.size() / sass::word_bytes) __builtin_trap();
  }
  return 0;
}
