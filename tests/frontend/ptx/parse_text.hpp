// SPDX-License-Identifier: GPL-3.0-or-later
// PTX text for tests.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "frontend/ptx/syntax/parser.hpp"

namespace warpspan::test {

inline constexpr const char* header = ".version 8.0\n.target sm_80\n.address_size 64\n";

inline support::Result<ptx::Module> parse(const std::string& text) {
  return ptx::parse(std::make_shared<const support::SourceFile>("t.ptx", text));
}

// A module of the text after a header; must parse.
inline ptx::Module module_of(const std::string& text) {
  auto module = parse(header + text);
  INFO(text);
  INFO((module.ok() ? std::string() : render(module.errors().front(), false)));
  REQUIRE(module.ok());
  return std::move(*module);
}

// A kernel with some registers and the body.
inline std::string kernel(const std::string& body) {
  return ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<10>;\n.reg .b64 "
         "%rd<10>;\n"
         ".reg .f32 %f<10>;\n" +
         body + "\n}\n";
}

// All errors of a text, rendered.
inline std::string errors_of(const std::string& text) {
  const auto module = parse(text);
  INFO(text.substr(0, 2000));
  REQUIRE(!module.ok());
  std::string all;
  for (const support::Diagnostic& error : module.errors()) all += render(error, false);
  return all;
}

}  // namespace warpspan::test
