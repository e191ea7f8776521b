// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/line_program.hpp"

#include "tests/frontend/object/samples.hpp"

using namespace warpspan;
using namespace warpspan::object;

using namespace std::string_literals;

namespace {

// A unit with the parameters of ptxas, two files, and these opcodes.
std::string unit(const std::string& opcodes, unsigned version = 2, unsigned line_range = 14,
                 unsigned opcode_base = 10) {
  Bytes header;
  header.u8(4);  // bytes of an instruction
  if (version >= 4) header.u8(1);
  header.u8(1).u8(0xfb).u8(line_range).u8(opcode_base);
  for (const unsigned count : {0u, 1u, 1u, 1u, 1u, 0u, 0u, 0u, 1u}) header.u8(count);
  header
      .text(
          "dir\0\0"
          "a.cu\0\1\0\0"
          "b.cu\0\0\0\0"
          "\0"s)
      .text("more");
  Bytes rest;
  rest.u16(version).u32(header.str().size()).text(header.str()).text(opcodes);
  return Bytes().u32(rest.str().size()).text(rest.str()).str();
}

const std::string at_64 = "\0\x09\2"s + Bytes().u64(64).str();
const std::string end = "\0\1\1"s;

LineProgram program_of(const std::string& bytes) {
  const std::string& section = kept(bytes);
  auto program = read_line_programs({"k", section}, section);
  REQUIRE(program);
  return std::move(*program);
}

std::string error_in(const std::string& section) { return error_of(read_line_programs({"k", section}, section)); }

}  // namespace

TEST_CASE("all opcodes move the state as DWARF says") {
  const std::string opcodes = at_64 +
                              ("\1"          // copy: line 1
                               "\2\3"        // advance_pc: 3 instructions of 4 bytes
                               "\3\x7f"      // advance_line: -1
                               "\3\x0b"      // and 11
                               "\4\2"        // set_file
                               "\5\7\6\7\1"  // set_column, negate_stmt, set_basic_block, copy
                               "\x08\1"      // const_add_pc: (255 - 10) / 14 = 17 instructions
                               "\x09\5\0\1"  // fixed_advance_pc: 5 bytes
                               "\x0a"        // special: line -5, no instruction
                               "\xff"        // special: 17 instructions, line -5 + 7
                               "\2\1"s       // to the end
                               ) +
                              end;
  const LineProgram program = program_of(unit(opcodes));
  REQUIRE(program.files.size() == 2);
  CHECK(program.files[0].directory == "dir");
  CHECK(program.files[0].name == "a.cu");
  CHECK(program.files[1].directory.empty());
  REQUIRE(program.sequences.size() == 1);
  const LineSequence& sequence = program.sequences[0];
  CHECK(sequence.address == 64);
  std::vector<std::array<uint64_t, 4>> rows;
  for (const LineRow& row : sequence.rows) rows.push_back({row.offset, row.file, row.line, row.column});
  CHECK(rows == std::vector<std::array<uint64_t, 4>>{
                    {0, 0, 1, 0}, {12, 1, 11, 7}, {80, 1, 11, 7}, {85, 1, 11, 7}, {85, 1, 6, 7}, {153, 1, 8, 7}});
  CHECK(sequence.end == 157);
}

TEST_CASE("versions 2 to 4 are read, others and opcodes that are not known are not in the way or refused") {
  const std::string plain = at_64 + "\1\2\1" + end;
  for (const unsigned version : {2u, 3u, 4u}) {
    const LineProgram program = program_of(unit(plain, version));
    REQUIRE(program.sequences.size() == 1);
    CHECK(program.sequences[0].end == 4);
  }
  CHECK(error_in(unit(plain, 5)).find("is of DWARF 5, not 2 to 4") != std::string::npos);
  CHECK(error_in(unit(plain, 1)).find("is of DWARF 1, not 2 to 4") != std::string::npos);
  // An extended opcode of a vendor is passed over by its size.
  const LineProgram program = program_of(unit(at_64 +
                                              "\0\4\x91"
                                              "abc"s +
                                              "\1\2\1" + end));
  CHECK(program.sequences[0].rows.size() == 1);
}

TEST_CASE("several units and sequences follow one another, with files of their own") {
  const std::string twice = at_64 + "\1\2\1" + end + at_64 + "\4\2\1\2\2" + end;
  const LineProgram program = program_of(unit(twice) + unit(twice));
  CHECK(program.files.size() == 4);
  REQUIRE(program.sequences.size() == 4);
  CHECK(program.sequences[1].rows[0].file == 1);
  CHECK(program.sequences[3].rows[0].file == 3);
  CHECK(program.sequences[2].address_place == unit(twice).size() + program.sequences[0].address_place);
}

TEST_CASE("the opcode of inlining names a row of the sequence before its own") {
  const std::string inlined = "\0\3\x90\1\0"s;
  const LineProgram program = program_of(unit(at_64 + "\1" + inlined + "\1" + "\0\3\x90\0\0"s + "\1" + end));
  REQUIRE(program.sequences.size() == 1);
  const std::vector<LineRow>& rows = program.sequences[0].rows;
  CHECK_FALSE(rows[0].inlined_at);
  CHECK(rows[1].inlined_at == 0u);
  CHECK_FALSE(rows[2].inlined_at);
  CHECK(error_in(unit(at_64 + inlined + "\1" + end)).find("inlining into a row that does not exist") !=
        std::string::npos);
}

TEST_CASE("line tables that cannot be are errors") {
  const std::string plain = at_64 + "\1\2\1" + end;
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"abc", "is cut short"},
      {Bytes().u32(0xffffffff).u64(20).str(), "is cut short"},
      {Bytes().u32(4).u32(2).str(), "the header of a line table is cut short"},
      {unit(plain, 2, 0), "impossible range"},
      {unit(plain, 2, 14, 0), "impossible range"},
      {unit(at_64 + "\4\3\1" + end), "names a file that it does not have"},
      {unit(at_64 + at_64 + "\1" + end), "sets the address of a sequence twice"},
      {unit("\1" + end), "has a sequence without an address"},
      {unit(at_64 + "\1"), "a sequence of the line table has no end"},
      {unit(at_64 + "\2\xff\xff\xff\xff\xff\xff\xff\xff\xff\1"), "has an impossible address"},
      {unit(at_64 + "\2\x80"), "is cut short"},
      {unit("\0\5\2"
            "abcd"s),
       "has an address that is cut short"},
      {unit("\0\1\x90"s), "has an opcode that is cut short"},
      {unit("\0\0"s), "has an empty opcode"},
      {unit("\0\x50\2"s), "has an empty opcode, or one that is cut short"},
  };
  for (const auto& [section, what] : wrong) {
    INFO(what);
    CHECK(error_in(section).find(what) != std::string::npos);
  }
  CHECK(program_of("").sequences.empty());
}
