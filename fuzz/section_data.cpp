// SPDX-License-Identifier: GPL-3.0-or-later
// Any text between the braces of a section is lists of bytes, or none; what is read takes no more memory than its size
// permits. Debug information is read by LLVM, in a process of its own: tests/frontend/dwarf has mutants of it.
#include "frontend/ptx/syntax/section_data.hpp"

#include <array>
#include <memory>
#include <string>

#include "frontend/ptx/syntax/parser.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpspan;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto source = std::make_shared<const support::SourceFile>(
      "fuzz.ptx", ".version 8.0\n.target sm_80\n.section .a {\n" + text + "\n}\n.section .b {\n" + text + "}\n");
  const auto module = ptx::parse(source);
  if (!module) return 0;
  constexpr std::array<std::string_view, 2> names = {".a", ".b"};
  const auto sections = ptx::section_data(*module, names);
  if (!sections) return 0;
  constexpr size_t most_bytes = 8;  // of a number of one digit
  size_t bytes = 0;
  for (const auto& [name, contents] : *sections) bytes += contents.size();
  if (bytes > most_bytes * source->text().size()) __builtin_trap();
  return 0;
}
