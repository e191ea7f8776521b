// SPDX-License-Identifier: GPL-3.0-or-later
// What debug information of compilers, and what none of them writes, tells of parameters.
#include "frontend/dwarf/parameters.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <random>
#include <sstream>

#include "frontend/ptx/syntax/parser.hpp"
#include "frontend/ptx/syntax/section_data.hpp"
#include "tests/frontend/dwarf/made_unit.hpp"
#include "tests/paths.hpp"

using namespace warpspan;
using namespace warpspan::test;

namespace {

dwarf::Sections sections_of(const std::string& sample) {
  std::ifstream file(warpspan::test::source_dir() + "/tests/samples/source_names/" + sample);
  std::ostringstream text;
  text << file.rdbuf();
  const auto module = ptx::parse(std::make_shared<const support::SourceFile>(sample, text.str()));
  REQUIRE(module.ok());
  auto sections = ptx::section_data(*module, dwarf::sections_read);
  REQUIRE(sections);
  return std::move(*sections);
}

// "s:16 .n@8:4i .data@0:8p"
std::string text_of(const dwarf::Parameter& parameter) {
  std::string text = parameter.name + ":" + (parameter.bytes ? std::to_string(*parameter.bytes) : "?");
  for (const dwarf::Scalar& scalar : parameter.scalars) {
    text += " " + scalar.path + "@" + std::to_string(scalar.offset) + ":" + std::to_string(scalar.bytes) +
            "ipo"[static_cast<int>(scalar.kind)];
  }
  return text;
}

// Of all functions of the symbol, with ", " between parameters and "; " between functions; "-" if there are none.
std::string found(const dwarf::Sections& sections, const std::string& symbol, size_t count) {
  const auto all = dwarf::find_parameters(sections, {{symbol, count}});
  if (all.empty()) return "nothing is read";
  std::string text;
  for (const dwarf::Parameters& function : all.front()) {
    text += text.empty() ? "" : "; ";
    for (const dwarf::Parameter& parameter : function) {
      text += (&parameter == &function.front() ? "" : ", ") + text_of(parameter);
    }
  }
  return text.empty() ? "-" : text;
}

// A unit with `int` and `float*`, to which types and a function k of one parameter p of the type are added.
struct Types : MadeUnit {
  explicit Types(uint8_t language = cpp, uint16_t version = 2) : MadeUnit(language, version) {
    integer = add(base_type, {name("int"), size(4), encoding(5)});
    address = add(pointer, {type(add(base_type, {name("float"), size(4), encoding(4)}))});
  }
  std::string parameter(uint32_t of) {
    begin(subprogram, {name("k")});
    add(formal, {name("p"), type(of)});
    end();
    return found(sections(), "k", 1);
  }
  uint32_t structure_of(uint8_t bytes, const std::vector<std::vector<Attribute>>& members, uint8_t tag = structure) {
    const uint32_t offset = begin(tag, {size(bytes)});
    for (const auto& one : members) add(member, one);
    end();
    return offset;
  }
  uint32_t integer = 0, address = 0;
};

}  // namespace

TEST_CASE("parameters of kernels, by nvcc and by clang") {
  for (const char* sample : {"names.nvcc-sm_80-G.ptx", "names.clang-sm_70-g.ptx"}) {
    INFO(sample);
    const dwarf::Sections sections = sections_of(sample);
    CHECK(found(sections, "plain", 3) == "out:8 @0:8p, in:8 @0:8p, K:4 @0:4i");
    CHECK(found(sections, "first", 3) == "out:8 @0:8p, rows:4 @0:4i, columns:4 @0:4i");
    CHECK(found(sections, "second", 3) == "out:8 @0:8p, columns:4 @0:4i, rows:4 @0:4i");
    CHECK(found(sections, "unnamed", 3) == "out:8 @0:8p, :4, rows:4 @0:4i");
    CHECK(found(sections, "referring", 5) ==
          "dims:8 @0:8p, mode:4 @0:4i, flag:1 @0:1i, scale:8 @0:8o, pair:8 .x@0:4i .y@4:4i");
    CHECK(found(sections, "members", 2) ==
          "out:8 @0:8p, s:112 .data@0:8p .n@8:4i .dims[0].x@12:4i .dims[0].y@16:4i .dims[1].x@20:4i .dims[1].y@24:4i "
          ".table[0][0]@28:4i .table[0][1]@32:4i .table[0][2]@36:4i .table[1][0]@40:4i .table[1][1]@44:4i "
          ".table[1][2]@48:4i .as_int@52:4i .as_float@52:4o .low@56:2i .high@58:2i .mode@64:4i .scale@72:8o "
          ".is_dense@80:1i .derived.base_count@88:4i .derived.hidden@92:4i .derived.hidden@96:4i "
          ".derived.size@104:8i");
    CHECK(found(sections, "_Z9templatedIiLi1EEvPT_S0_", 2) == "out:8 @0:8p, limit:4 @0:4i");
    CHECK(found(sections, "_Z9templatedIxLi2EEvPT_S0_", 2) == "out:8 @0:8p, limit:8 @0:8i");
    CHECK(found(sections, "_ZN5inner10overloadedEPfi", 2) == "out:8 @0:8p, count:4 @0:4i");
    CHECK(found(sections, "_Z10overloadedPfj", 2) == "out:8 @0:8p, rounds:4 @0:4i");
    CHECK(found(sections, "overloaded", 2) == "-");
    CHECK(found(sections, "plain", 2) == "-");
    CHECK(found(sections, "other", 3) == "-");
  }
}

TEST_CASE("several kernels are answered in order") {
  const auto all =
      dwarf::find_parameters(sections_of("names.clang-sm_70-g.ptx"), {{"none", 1}, {"plain", 3}, {"first", 3}});
  REQUIRE(all.size() == 3);
  CHECK(all[0].empty());
  CHECK(all[1].front()[2].name == "K");
  CHECK(all[2].front()[2].name == "columns");
  CHECK_FALSE(all[2].front()[2].has_members);
}

TEST_CASE("members that have no bytes of their own have no names") {
  Types types;
  const uint32_t whole = types.structure_of(16, {{name("a"), type(types.integer), at_byte(0)},
                                                 {name("shared"), type(types.integer), flag(0x3c)},
                                                 {name("external"), type(types.integer), at_byte(0), flag(0x3f)},
                                                 {name("bits"), type(types.integer), at_byte(4), {0x0d, 0x0b, "\5"}},
                                                 {name("of new"), type(types.integer), at_byte(4)},
                                                 {name("nowhere"), type(types.integer)},
                                                 {name("behind"), type(types.integer), at_byte(13)},
                                                 {name("untyped"), at_byte(8)},
                                                 {type(types.integer), at_byte(8)},
                                                 {name("z"), type(types.integer), at_byte(12)}});
  CHECK(types.parameter(whole) == "p:16 .a@0:4i .z@12:4i");
}

TEST_CASE("members of unions, and without names") {
  Types types;
  const uint32_t inner = types.structure_of(
      8, {{name("whole"), type(types.address)}, {name("half"), type(types.integer), at_byte(4)}}, union_type);
  const uint32_t outer =
      types.structure_of(16, {{type(inner), at_byte(0)}, {name("__b_4Base"), type(inner), at_byte(8)}});
  CHECK(types.parameter(outer) == "p:16 .whole@0:8p .half@4:4i .whole@8:8p .half@12:4i");
}

TEST_CASE("where a member stands") {
  const auto placed = [](const Attribute& place, uint16_t version = 2) {
    Types types(cpp, version);
    return types.parameter(types.structure_of(8, {{name("m"), type(types.integer), place}}));
  };
  CHECK(placed({0x38, 0x0a, "\2\x23\4"}) == "p:8 .m@4:4i");              // a block: DW_OP_plus_uconst 4
  CHECK(placed({0x38, 0x0a, "\2\x23\x84"}) == "p:8");                    // of a number that does not end
  CHECK(placed({0x38, 0x0a, "\3\x23\4\4"}) == "p:8");                    // and more
  CHECK(placed({0x38, 0x0a, "\1\x06"}) == "p:8");                        // read from memory: a virtual base
  CHECK(placed({0x38, 0x0a, std::string(1, '\0')}) == "p:8");            // an empty one
  CHECK(placed({0x38, 0x06, little_endian(4, 4)}) == "p:8");             // data4: a list of places in DWARF 2,
  CHECK(placed({0x38, 0x06, little_endian(4, 4)}, 4) == "p:8 .m@4:4i");  // a constant in DWARF 4
  CHECK(placed({0x38, 0x0d, "\4"}) == "p:8 .m@4:4i");
  CHECK(placed({0x38, 0x0d, "\x7f"}) == "p:8");  // -1
}

TEST_CASE("arrays whose indices are those of C") {
  const auto elements = [](uint8_t language, const std::vector<std::vector<Attribute>>& ranges,
                           const std::vector<Attribute>& more = {}) {
    Types types(language);
    std::vector<Attribute> attributes = {type(types.integer)};
    attributes.insert(attributes.end(), more.begin(), more.end());
    const uint32_t offset = types.begin(array, attributes);
    for (const auto& range : ranges) types.add(subrange, range);
    types.end();
    return types.parameter(types.structure_of(24, {{name("a"), type(offset), at_byte(0)}}));
  };
  const Attribute last_is_1 = {0x2f, 0x0b, "\1"};
  const auto first_is = [](char index) { return Attribute{0x22, 0x0b, std::string(1, index)}; };
  CHECK(elements(cpp, {{count(2)}}) == "p:24 .a[0]@0:4i .a[1]@4:4i");
  CHECK(elements(cpp, {{last_is_1}}) == "p:24 .a[0]@0:4i .a[1]@4:4i");
  CHECK(elements(cpp, {{count(2)}, {count(1)}}) == "p:24 .a[0][0]@0:4i .a[1][0]@4:4i");
  CHECK(elements(cpp, {{count(2)}}, {size(8)}) == "p:24 .a[0]@0:4i .a[1]@4:4i");
  CHECK(elements(cpp, {{count(2)}}, {size(12)}) == "p:24");  // of other distances
  CHECK(elements(cpp, {{count(2), first_is('\1')}}) == "p:24");
  CHECK(elements(cpp, {{count(7)}}) == "p:24");  // more than there are
  CHECK(elements(cpp, {{count(0)}}) == "p:24");
  CHECK(elements(cpp, {{}}) == "p:24");
  CHECK(elements(cpp, {}) == "p:24");
  CHECK(elements(fortran, {{count(2)}}) == "p:24");
  CHECK(elements(fortran, {{count(2), first_is('\0')}}) == "p:24 .a[0]@0:4i .a[1]@4:4i");
}

TEST_CASE("types that go round in circles come to an end") {
  Types types;
  const uint32_t self = types.next();
  types.add(type_definition, {type(self)});
  CHECK(types.parameter(self) == "p:?");
  Types nested;
  const uint32_t in_itself = nested.next();
  nested.structure_of(4, {{name("a"), type(in_itself), at_byte(0)}, {name("b"), type(in_itself), at_byte(0)}});
  CHECK(nested.parameter(in_itself) == "p:4");
  Types origins;
  origins.begin(subprogram, {name("k")});
  origins.add(formal, {{0x31, 0x13, little_endian(origins.next(), 4)}});
  origins.end();
  CHECK(found(origins.sections(), "k", 1) == ":?");
}

TEST_CASE("functions by the names that a linker sees") {
  Types types;
  const auto function = [&types](const std::vector<Attribute>& attributes, const std::string& parameter) {
    types.begin(subprogram, attributes);
    types.add(formal, {name(parameter), type(types.integer)});
    types.end();
  };
  types.begin(name_space, {name("n")});
  function({name("k")}, "in_a_namespace");
  types.end();
  function({name("k"), linkage_name("_Z1ki")}, "mangled");
  function({name("k"), flag(0x3c)}, "declared");
  CHECK(found(types.sections(), "k", 1) == "-");
  function({name("k")}, "plain");
  CHECK(found(types.sections(), "k", 1) == "plain:4 @0:4i");
  CHECK(found(types.sections(), "_Z1ki", 1) == "mangled:4 @0:4i");
  function({name("k")}, "again");
  CHECK(found(types.sections(), "k", 1) == "plain:4 @0:4i; again:4 @0:4i");
  types.begin(subprogram, {name("k")});  // an instance that tells no parameters
  types.end();
  CHECK(found(types.sections(), "k", 1) == "plain:4 @0:4i; again:4 @0:4i");
  CHECK(found(types.sections(), "k", 2) == "-");
}

TEST_CASE("nothing is read of sections that are malformed") {
  const dwarf::Sections sections = sections_of("names.clang-sm_70-g.ptx");
  CHECK(found({}, "k", 1) == "nothing is read");
  CHECK(found({{".debug_info", ""}, {".debug_abbrev", ""}}, "k", 1) == "-");
  for (const auto& [section, contents] : sections) {
    dwarf::Sections without = sections;
    without.erase(section);
    CHECK(found(without, "plain", 3) == "nothing is read");
    dwarf::Sections shorter = sections;
    shorter[section].resize(contents.size() / 2);
    CHECK(found(shorter, "plain", 3) == "nothing is read");
  }
  // LLVM goes on behind the end of a block, wherever that is.
  for (const uint32_t bytes : {100U, 1U << 20, 0xfffffff0U}) {
    Types types;
    types.add(member, {{0x38, 0x04, little_endian(bytes, 4)}, {0x0b, 0x0f, "\1"}});
    CHECK(types.parameter(types.integer) == "nothing is read");
  }
}

TEST_CASE("mutants of sections are read, or not") {
  std::mt19937 random(7);
  const auto below = [&random](size_t end) { return std::uniform_int_distribution<size_t>(0, end - 1)(random); };
  int read = 0;
  for (const char* sample : {"names.nvcc-sm_80-G.ptx", "names.clang-sm_70-g.ptx"}) {
    const dwarf::Sections sections = sections_of(sample);
    for (int i = 0; i < 200; ++i) {
      dwarf::Sections mutant = sections;
      for (size_t changes = 1 + below(3); changes > 0; --changes) {
        std::string& bytes = mutant[below(2) == 0 ? ".debug_info" : ".debug_abbrev"];
        bytes[below(bytes.size())] = static_cast<char>(below(256));
      }
      const auto all = dwarf::find_parameters(mutant, {{"members", 2}});
      if (all.empty()) continue;
      ++read;
      for (const dwarf::Parameters& function : all.front()) {
        CHECK(function.size() == 2);
        for (const dwarf::Parameter& parameter : function) {
          for (const dwarf::Scalar& scalar : parameter.scalars) {
            CHECK(scalar.offset >= 0);
            CHECK(scalar.offset + scalar.bytes <= parameter.bytes.value_or(0));
          }
        }
      }
    }
  }
  CHECK(read > 0);
  CHECK(read < 400);
}
