// SPDX-License-Identifier: GPL-3.0-or-later
// What the user says of variables of a file, by their names there and in C++.
#include "frontend/reading/given_variables.hpp"

#include <catch2/catch.hpp>

#include "frontend/frontend.hpp"

using namespace warpspan;

namespace {

const std::string text =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".const .align 4 .u32 N;\n"
    ".const .align 4 .b8 table[32] = {1, 0, 0, 0, 2, 0, 0, 0, 3};\n"
    ".const .align 4 .u32 words[8] = {5, 6, 7};\n"
    ".global .align 4 .u32 limit = 64;\n"
    ".global .align 4 .u32 _ZN2ns5widthE = 12;\n"
    ".global .align 4 .u32 _ZN1a4sizeE = 2;\n"
    ".global .align 4 .u32 _ZN1b4sizeE = 3;\n"
    ".global .align 4 .u32 counted = 7;\n"
    ".global .align 4 .f32 scale = 0f40000000;\n"
    ".visible .entry other()\n{\nst.global.u32 [counted], 1;\nret;\n}\n";

// A kernel that runs a loop as often as a load into %r1 says.
std::string kernel(const std::string& load) {
  return text + ".visible .entry k(.param .u32 i)\n{\n.reg .pred %p;\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\n" + load +
         "\nmov.u32 %r2, 0;\nL: add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p, %r2, %r1;\n@%p bra L;\nret;\n}\n";
}

ir::Argument global(const std::string& variable, const std::string& value) {
  ir::Argument given{variable, value};
  given.origin = {"--global"};
  return given;
}

ir::Argument bytes(ir::Argument given, int64_t offset, int64_t count) {
  given.bytes = ir::ByteRange{offset, count};
  return given;
}

ir::Argument element(ir::Argument given, int64_t number, int64_t width = 0) {
  given.element = number;
  if (width > 0) given.bytes = ir::ByteRange{0, width};
  return given;
}

frontend::Reading read(const std::string& load, const std::vector<ir::Argument>& globals, bool trusts = false) {
  ir::Launch launch;
  launch.block = ir::Extent{32, 1, 1};
  launch.globals = globals;
  launch.trust_initialisers = trusts;
  auto source = std::make_shared<const support::SourceFile>("t.ptx", kernel(load));
  return frontend::read_kernels(source, {"k"}, launch);
}

// The trip count, or the errors with their help.
std::string trips(const std::string& load, const std::vector<ir::Argument>& globals, bool trusts = false) {
  const frontend::Reading reading = read(load, globals, trusts);
  std::string all;
  for (const support::Diagnostic& error : reading.errors) all += error.message + " | " + error.help + "\n";
  return reading.kernels.empty() ? all : std::to_string(reading.kernels[0].flow.loops.at(0).trip_count.value_or(-1));
}

std::string first_line(const std::string& lines) { return lines.substr(0, lines.find(" | ")); }

}  // namespace

TEST_CASE("variables that are given are constants, and ranges") {
  CHECK(trips("ld.const.u32 %r1, [N];", {global("N", "10")}) == "10");
  CHECK(trips("ld.const.u32 %r1, [N];", {global("N", "3..9")}) == "9");
  CHECK(trips("ld.const.u8 %r1, [N+1];", {global("N", "0x0500")}) == "5");
  CHECK(trips("ld.global.u32 %r1, [limit];", {global("limit", "20")}) == "20");
  CHECK(trips("ld.global.nc.u32 %r1, [limit];", {global("limit", "20")}) == "20");
  CHECK(trips("ld.volatile.global.u32 %r1, [limit];", {global("limit", "20")}) == "20");
  CHECK(trips("ld.global.u32 %r1, [scale];", {bytes(global("scale", "9"), 0, 4)}) == "9");
}

TEST_CASE("elements and bytes of arrays") {
  CHECK(trips("ld.const.u32 %r1, [table+12];", {element(global("table", "7"), 3, 4)}) == "7");
  CHECK(trips("ld.const.u32 %r1, [table+12];", {bytes(global("table", "7"), 12, 4)}) == "7");
  CHECK(trips("ld.const.u32 %r1, [words+12];", {element(global("words", "8"), 3)}) == "8");
  CHECK(trips("ld.const.u16 %r1, [words+6];", {element(global("words", "8"), 3, 2)}) == "8");
  CHECK(first_line(trips("ld.const.u32 %r1, [table+8];", {element(global("table", "7"), 3, 4)})) ==
        "no bound for the loop 'L' of kernel 'k': its exit test depends on variable 'table' at byte 8, whose value is "
        "not "
        "known");
  CHECK(trips("ld.const.u32 %r1, [table+12];", {element(global("table", "7"), 3)}) ==
        "variable 'table' is of type b8[32] in the file, which does not tell its elements apart | write their type: "
        "{global} 'table[3]=u32:VALUE'\n");
  CHECK(trips("ld.const.u32 %r1, [words];", {element(global("words", "7"), 8)}) ==
        "variable 'words' has 32 bytes, so it has no bytes 32 to 35 | \n");
  CHECK(trips("ld.const.u32 %r1, [words];", {global("words", "7")}) ==
        "variable 'words' cannot be given a value: it is an array of 32 bytes | give a value to some of its bytes: "
        "{global} words+0:4=VALUE\n");
  CHECK(trips("ld.const.u32 %r1, [words];", {element(global("words", "7"), 1), bytes(global("words", "7"), 6, 2)}) ==
        "bytes 6 to 7 of variable 'words' are given a value twice | \n");
}

TEST_CASE("addresses that add up to a byte of a variable") {
  const std::vector<ir::Argument> third = {bytes(global("table", "7"), 12, 4)};
  const std::vector<ir::Argument> scalar = {global("limit", "20")};
  CHECK(trips("mov.u64 %d1, table;\nadd.s64 %d2, %d1, 16;\nld.const.u32 %r1, [%d2+-4];", third) == "7");
  CHECK(trips("mov.u64 %d1, table;\nsub.s64 %d2, %d1, -12;\nld.const.u32 %r1, [%d2];", third) == "7");
  CHECK(trips("mov.u64 %d1, table;\ncvta.const.u64 %d2, %d1;\nld.u32 %r1, [%d2+12];", third) == "7");
  CHECK(trips("mov.u64 %d1, limit;\ncvta.global.u64 %d2, %d1;\nld.u32 %r1, [%d2];", scalar) == "20");
  CHECK(trips("mov.u64 %d1, limit;\ncvta.global.u64 %d2, %d1;\ncvta.to.global.u64 %d3, %d2;\nld.global.u32 %r1, [%d3];",
              scalar) == "20");
  CHECK(trips("mov.u32 %r3, 3;\nmul.wide.u32 %d3, %r3, 4;\nmov.u64 %d1, table;\nadd.s64 %d2, %d1, %d3;\n"
              "ld.const.u32 %r1, [%d2];",
              third) == "7");
  // Other memory: not the space of the variable, not generic, or nobody knows where.
  for (const char* load :
       {"mov.u64 %d1, table;\nld.global.u32 %r1, [%d1+12];", "mov.u64 %d1, table;\nld.u32 %r1, [%d1+12];",
        "mov.u64 %d1, table;\ncvta.shared.u64 %d2, %d1;\nld.u32 %r1, [%d2+12];",
        "mov.u64 %d1, table;\ncvta.const.u64 %d2, %d1;\nld.const.u32 %r1, [%d2+12];",
        "mov.u64 %d1, table;\nadd.s64 %d2, %d1, %d1;\nld.const.u32 %r1, [%d2+12];",
        "ld.param.u32 %r3, [i];\nmul.wide.u32 %d3, %r3, 4;\nmov.u64 %d1, table;\nadd.s64 %d2, %d1, "
        "%d3;\nld.const.u32 %r1, [%d2];"}) {
    INFO(load);
    CHECK(first_line(trips(load, third)).starts_with("no bound for the loop 'L' of kernel 'k'"));
  }
}

TEST_CASE("names are those of the file, or of C++") {
  CHECK(trips("ld.global.u32 %r1, [_ZN2ns5widthE];", {global("_ZN2ns5widthE", "20")}) == "20");
  CHECK(trips("ld.global.u32 %r1, [_ZN2ns5widthE];", {global("ns::width", "20")}) == "20");
  CHECK(trips("ld.global.u32 %r1, [_ZN1a4sizeE];", {global("a::size", "20")}) == "20");
  CHECK(trips("ld.const.u32 %r1, [N];", {global("M", "1")}) ==
        "--global: no variable is called 'M' in t.ptx | its variables are N, table, words, limit, _ZN2ns5widthE, "
        "_ZN1a4sizeE, _ZN1b4sizeE, counted and 1 more\n");
  CHECK(trips("ld.const.u32 %r1, [N];", {global("limt", "1")}).find("| did you mean 'limit'? its variables") !=
        std::string::npos);
  CHECK(first_line(trips("ld.const.u32 %r1, [N];", {global("*", "1")})) ==
        "--global: no variable is called '*' in t.ptx");
  // A variable that another kernel of the file uses.
  CHECK(trips("ld.const.u32 %r1, [N];", {global("N", "4"), global("limit", "1")}) == "4");
}

TEST_CASE("a variable that the file stores to cannot be given, and its initialiser is not trusted") {
  CHECK(trips("ld.global.u32 %r1, [counted];", {global("counted", "7")}) ==
        "--global: what variable 'counted' holds may change: line 15 in t.ptx stores to it, or passes its address on | "
        "leave it out, and bound the loops that depend on it with {loop_bound}\n");
  CHECK(first_line(trips("ld.global.u32 %r1, [counted];", {}, true)) ==
        "no bound for the loop 'L' of kernel 'k': its exit test depends on variable 'counted', loaded in line 23");
}

TEST_CASE("initialisers are taken where they are trusted, and reports can tell so") {
  CHECK(trips("ld.const.u32 %r1, [table+8];", {}, true) == "3");
  CHECK(trips("ld.const.u32 %r1, [table+12];", {}, true) == "1");  // it is zero
  CHECK(trips("ld.global.u32 %r1, [limit];", {}, true) == "64");
  CHECK(trips("ld.global.u32 %r1, [limit];", {global("limit", "5")}, true) == "5");
  CHECK(trips("ld.const.u16 %r1, [words+4];", {bytes(global("words", "1"), 5, 1)}, true) == std::to_string(256 + 6));
  // Without an initialiser, or without trust.
  CHECK(first_line(trips("ld.const.u32 %r1, [N];", {}, true)) ==
        "no bound for the loop 'L' of kernel 'k': its exit test depends on variable 'N', whose value is not known");
  CHECK(trips("ld.global.u32 %r1, [limit];", {}).find("bind what it depends on ({global} limit=VALUE)") !=
        std::string::npos);
  using Names = std::vector<std::string>;
  const auto trusted = [](const std::string& load, const std::vector<ir::Argument>& globals) {
    return read(load, globals, true).kernels.at(0).flow.trusted_variables;
  };
  CHECK(trusted("ld.global.u32 %r1, [limit];", {}) == Names{"limit"});
  CHECK(trusted("ld.global.u32 %r1, [limit];", {global("limit", "5")}).empty());
  CHECK(trusted("ld.const.u16 %r1, [words+4];", {bytes(global("words", "1"), 5, 1)}) == Names{"words"});
}
