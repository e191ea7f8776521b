// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the source belong to a kernel only if they are those of exactly its parameters.
#include "frontend/reading/source_names.hpp"

#include <catch2/catch.hpp>

#include "frontend/ptx/syntax/parser.hpp"
#include "tests/frontend/dwarf/made_unit.hpp"

using namespace warpspan;
using namespace warpspan::test;

namespace {

// A unit with `int`, a pointer and a structure of 8 bytes with the member n, to which functions are added.
struct Source : MadeUnit {
  Source() {
    integer = add(base_type, {name("int"), size(4), encoding(5)});
    address = add(pointer, {});
    pair = begin(structure, {size(8)});
    add(member, {name("n"), type(integer), at_byte(0)});
    add(member, {name("data"), type(integer), at_byte(4)});
    end();
  }
  void function(const std::string& symbol, const std::vector<std::pair<std::string, uint32_t>>& parameters) {
    begin(subprogram, {name(symbol)});
    for (const auto& [called, of] : parameters) add(formal, {name(called), type(of)});
    end();
  }
  uint32_t integer = 0, address = 0, pair = 0;
};

std::string ptx_of(const dwarf::Sections& sections) {
  std::string text;
  for (const auto& [section, bytes] : sections) {
    text += ".section " + section + " {\n";
    for (const char byte : bytes) text += ".b8 " + std::to_string(static_cast<uint8_t>(byte)) + "\n";
    text += "}\n";
  }
  return text;
}

// "out=0+0:8 s.n=1+0:4": the names of kernel k with these parameters, each with its bytes; "-" if there are none.
std::string names(const Source& source, const std::string& parameters) {
  const std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(" + parameters +
                           ")\n{\nret;\n}\n" + ptx_of(source.sections());
  const auto module = ptx::parse(std::make_shared<const support::SourceFile>("k.ptx", text));
  REQUIRE(module.ok());
  const frontend::SourceNames all(*module);
  CHECK_FALSE(all.is_read());
  const auto found = all.of(module->functions.front());
  CHECK(all.is_read());
  if (found == nullptr) return "-";
  CHECK(found->parameters.size() == module->functions.front().parameters.size());
  std::string list;
  for (const ir::NamedBytes& one : found->members) {
    list += (list.empty() ? "" : " ") + one.name + "=" + std::to_string(one.parameter) + "+" +
            std::to_string(one.offset) + ":" + std::to_string(one.bytes);
  }
  return list;
}

}  // namespace

TEST_CASE("a kernel has the names of the function that has its parameters") {
  Source source;
  source.function("k", {{"out", source.address}, {"s", source.pair}, {"n", source.integer}});
  CHECK(names(source, ".param .u64 a, .param .align 4 .b8 b[8], .param .u32 c") ==
        "out=0+0:8 s.n=1+0:4 s.data=1+4:4 n=2+0:4");
  CHECK(names(source, ".param .u64 .ptr .global .align 4 a, .param .align 8 .b8 b[8], .param .b32 c") ==
        "out=0+0:8 s.n=1+0:4 s.data=1+4:4 n=2+0:4");
  // Of other sizes or another number.
  CHECK(names(source, ".param .u32 a, .param .align 4 .b8 b[8], .param .u32 c") == "-");
  CHECK(names(source, ".param .u64 a, .param .align 4 .b8 b[12], .param .u32 c") == "-");
  CHECK(names(source, ".param .u64 a, .param .align 4 .b8 b[8], .param .u64 c") == "-");
  CHECK(names(source, ".param .u64 a, .param .align 4 .b8 b[8]") == "-");
  CHECK(names(source, ".param .u64 a, .param .align 4 .b8 b[8], .param .u32 c, .param .u32 d") == "-");
  CHECK(names(source, "") == "-");
  // This may be the address of the structure.
  CHECK(names(source, ".param .u64 a, .param .u64 b, .param .u32 c") == "-");
}

TEST_CASE("a name is that of one place") {
  const std::string parameters = ".param .u32 a, .param .u32 b, .param .u32 c";
  const auto called = [&parameters](const std::string& a, const std::string& b, const std::string& c) {
    Source source;
    source.function("k", {{a, source.integer}, {b, source.integer}, {c, source.integer}});
    return names(source, parameters);
  };
  CHECK(called("x", "y", "z") == "x=0+0:4 y=1+0:4 z=2+0:4");
  CHECK(called("x", "x", "z") == "z=2+0:4");
  CHECK(called("a", "y", "z") == "a=0+0:4 y=1+0:4 z=2+0:4");
  CHECK(called("b", "y", "z") == "y=1+0:4 z=2+0:4");  // b is another one in the code
  CHECK(called("b", "a", "c") == "c=2+0:4");
  CHECK(called("", "operator", "1") == "operator=1+0:4");
}

TEST_CASE("functions of one symbol must be alike") {
  const std::string parameters = ".param .u32 a, .param .u32 b";
  Source source;
  source.function("k", {{"x", source.integer}, {"y", source.integer}});
  source.function("k", {{"x", source.integer}, {"y", source.integer}});
  CHECK(names(source, parameters) == "x=0+0:4 y=1+0:4");
  source.function("k", {{"y", source.integer}, {"x", source.integer}});
  CHECK(names(source, parameters) == "-");
}
