// SPDX-License-Identifier: GPL-3.0-or-later
// Values of parameters that the user gives.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;

namespace {

const std::string text =
    ".visible .entry k(.param .u32 n, .param .f32 factor, .param .align 8 .b8 matrix[24], .param .u8 small, .param "
    ".s64 big)\n"
    "{\nret;\n}\n.visible .entry none()\n{\nret;\n}\n";

std::string error_of(const std::string& parameter, const std::string& value,
                     std::optional<ir::ByteRange> bytes = std::nullopt) {
  ir::Launch launch = test::with_argument(test::block_of(32), parameter, value);
  launch.arguments.back().bytes = bytes;
  const auto analyzed = test::analyze(text, launch);
  if (analyzed.facts.ok()) return "none";
  REQUIRE(analyzed.facts.errors().size() == 1);
  CHECK(analyzed.facts.errors()[0].cause == support::Cause::usage);
  return render(analyzed.facts.errors()[0], false);
}

}  // namespace

TEST_CASE("arguments by name and index, in decimal and hexadecimal") {
  for (const char* value : {"0", "7", "0xff", "0XFF", "-1", "4294967295", "-2147483648"})
    CHECK(error_of("n", value) == "none");
  CHECK(error_of("0", "5") == "none");
  CHECK(error_of("big", "-9223372036854775808") == "none");
  CHECK(error_of("4", "0xffffffffffffffff") == "none");
  CHECK(error_of("small", "255") == "none");
  CHECK(error_of("small", "-128") == "none");
}

TEST_CASE("arguments that cannot be") {
  CHECK(error_of("m", "5") ==
        "error: kernel 'k' has no parameter 'm'\n  help: its parameters are 0: n (u32), 1: factor (f32), 2: matrix "
        "(b8[24]), 3: small (u8), 4: big (s64)\n");
  CHECK(error_of("5", "5") ==
        "error: kernel 'k' has no parameter '5'\n  help: its parameters are 0: n (u32), 1: factor (f32), 2: matrix "
        "(b8[24]), 3: small (u8), 4: big (s64)\n");
  CHECK(error_of("factor", "5") ==
        "error: parameter 'factor' of kernel 'k' cannot be given a number: it is of type f32\n"
        "  help: give its bits, such as those of 1.0: {argument} factor+0=f32:0x3f800000\n");
  CHECK(error_of("matrix", "5") ==
        "error: parameter 'matrix' of kernel 'k' cannot be given a value: it is an array of 24 bytes\n"
        "  help: give a value to some of its bytes: {argument} matrix+0:4=VALUE\n");
  for (const char* value : {"", "-", "x", "1.5", "0x", "5 ", "+5", "12345678901234567890123"}) {
    CHECK(error_of("n", value) ==
          "error: '" + std::string(value) +
              "' is not an integer, as parameter 'n' of kernel 'k' needs\n"
              "  help: write it in decimal or as 0x followed by hexadecimal digits, and a range as 1..4096\n");
  }
  CHECK(error_of("small", "256") == "error: 256 does not fit parameter 'small' of kernel 'k', which has 8 bits\n");
  CHECK(error_of("small", "-129") == "error: -129 does not fit parameter 'small' of kernel 'k', which has 8 bits\n");
  CHECK(error_of("n", "4294967296") ==
        "error: 4294967296 does not fit parameter 'n' of kernel 'k', which has 32 bits\n");
}

TEST_CASE("bytes of a parameter") {
  for (const int64_t count : {1, 2, 4, 8}) {
    CHECK(error_of("matrix", "5", ir::ByteRange{0, count}) == "none");
    CHECK(error_of("2", "-1", ir::ByteRange{24 - count, count}) == "none");
    CHECK(error_of("matrix", "5", ir::ByteRange{25 - count, count}).find("has 24 bytes, so it has no byte") !=
          std::string::npos);
  }
  CHECK(error_of("factor", "0x3f800000", ir::ByteRange{0, 4}) == "none");
  CHECK(error_of("matrix", "5", ir::ByteRange{24, 1}) ==
        "error: parameter 'matrix' of kernel 'k' has 24 bytes, so it has no byte 24\n");
  CHECK(error_of("matrix", "5", ir::ByteRange{21, 4}) ==
        "error: parameter 'matrix' of kernel 'k' has 24 bytes, so it has no bytes 21 to 24\n");
  CHECK(error_of("matrix", "65536", ir::ByteRange{6, 2}) ==
        "error: 65536 does not fit bytes 6 to 7 of parameter 'matrix' of kernel 'k', which have 16 bits\n");
  CHECK(error_of("matrix", "256", ir::ByteRange{6, 1}) ==
        "error: 256 does not fit byte 6 of parameter 'matrix' of kernel 'k', which has 8 bits\n");
}

TEST_CASE("a load sees the bytes that are given, lowest first") {
  // A limit of so many bytes at an offset of s.
  const auto trips = [](const std::string& load, const std::vector<ir::Argument>& arguments) {
    const std::string kernel =
        ".visible .entry k(.param .align 8 .b8 s[16], .param .u64 w)\n{\n.reg .pred %p;\n.reg .b32 %r<9>;\n" + load +
        "\nmov.u32 %r2, 0;\nL: add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p, %r2, %r1;\n@%p bra L;\nret;\n}\n";
    ir::Launch launch = test::block_of(32);
    launch.arguments = arguments;
    const auto analyzed = test::analyze(kernel, launch);
    REQUIRE(analyzed.facts.ok());
    const ir::Loop& loop = analyzed.facts->loops.at(0);
    std::string text = loop.trip_count ? std::to_string(*loop.trip_count) : "?";
    for (const std::string& remedy : loop.remedies) text += " " + remedy;
    return text;
  };
  const std::vector<ir::Argument> four = {{"s", "0x00030201", ir::ByteRange{8, 4}}};
  CHECK(trips("ld.param.u32 %r1, [s+8];", four) == std::to_string(0x030201));
  CHECK(trips("ld.param.u16 %r1, [s+8];", four) == std::to_string(0x0201));
  CHECK(trips("ld.param.u8 %r1, [s+9];", four) == "2");
  CHECK(trips("ld.param.v2.u16 {%r3, %r1}, [s+8];", four) == "3");
  CHECK(trips("ld.param.u16 %r1, [s+8];", {{"s", "7", ir::ByteRange{8, 1}}, {"0", "1", ir::ByteRange{9, 1}}}) == "263");
  CHECK(trips("ld.param.u32 %r1, [w+4];", {{"w", "0x500000001"}}) == "5");
  CHECK(trips("ld.param.u32 %r1, [w+4];", {{"w", "6", ir::ByteRange{4, 4}}}) == "6");
  // Not all bytes are known, or others than those that are loaded.
  CHECK(trips("ld.param.u32 %r1, [s+10];", four) == "? {argument} s+10:4=VALUE");
  CHECK(trips("ld.param.u32 %r1, [s+12];", four) == "? {argument} s+12:4=VALUE");
  CHECK(trips("ld.param.u32 %r1, [w];", {}) == "? {argument} w+0:4=VALUE");
}

TEST_CASE("bytes that are given twice") {
  ir::Launch launch = test::block_of(32);
  launch.arguments = {{"matrix", "1", ir::ByteRange{8, 4}},
                      {"2", "1", ir::ByteRange{11, 1}},
                      {"matrix", "1", ir::ByteRange{4, 8}},
                      {"matrix", "1", ir::ByteRange{12, 4}},
                      {"big", "1"},
                      {"big", "1", ir::ByteRange{7, 1}}};
  const auto analyzed = test::analyze(text, launch);
  REQUIRE(!analyzed.facts.ok());
  std::vector<std::string> messages;
  for (const support::Diagnostic& error : analyzed.facts.errors()) messages.push_back(error.message);
  CHECK(messages ==
        std::vector<std::string>{"byte 11 of parameter 'matrix' of kernel 'k' is given a value twice",
                                 "bytes 4 to 11 of parameter 'matrix' of kernel 'k' are given a value twice",
                                 "byte 7 of parameter 'big' of kernel 'k' is given a value twice"});
}

TEST_CASE("all wrong arguments are reported, also one given twice") {
  auto launch = test::with_argument(test::block_of(32), "n", "1");
  launch = test::with_argument(launch, "0", "2");
  launch = test::with_argument(launch, "nothing", "2");
  const auto analyzed = test::analyze(text, launch);
  REQUIRE(!analyzed.facts.ok());
  REQUIRE(analyzed.facts.errors().size() == 2);
  CHECK(analyzed.facts.errors()[0].message == "parameter 'n' of kernel 'k' is given a value twice");
  CHECK(analyzed.facts.errors()[1].message == "kernel 'k' has no parameter 'nothing'");
}
