// SPDX-License-Identifier: GPL-3.0-or-later
// Registers read and written, beside the life ranges of nvdisasm -c -plr (listings/*.ranges: "function offset reads R1
// P0 writes R2").
#include "frontend/sass/lowering/registers.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <sstream>

#include "frontend/sass/words/decode.hpp"
#include "frontend/sass/words/print.hpp"
#include "frontend/sass/words/text.hpp"
#include "tests/paths.hpp"

using namespace warpspan;

namespace {

const std::string folder = warpspan::test::source_dir() + "/tests/frontend/sass/listings/";

void insert(sass::RegisterSet& set, const std::string& name) {
  const size_t digits = name.find_first_of("0123456789");
  const std::string prefix = name.substr(0, digits);
  using enum sass::RegisterClass;
  set.insert(prefix == "R"    ? general
             : prefix == "UR" ? uniform
             : prefix == "P"  ? predicate
                              : uniform_predicate,
             static_cast<unsigned>(std::stoul(name.substr(digits))), 1);
}

bool includes(const sass::RegisterSet& set, const sass::RegisterSet& part) {
  sass::RegisterSet both = set;
  both |= part;
  return both == set;
}

std::map<std::pair<std::string, uint64_t>, sass::Instruction> instructions_of(int architecture) {
  const std::string path = folder + "reduction.sm_" + std::to_string(architecture) + ".sass";
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const auto functions = sass::read_disassembly(text.str(), path);
  REQUIRE(functions);
  std::map<std::pair<std::string, uint64_t>, sass::Instruction> by_place;
  for (const sass::FunctionText& function : *functions) {
    const auto decoded = sass::decode(function.words, architecture);
    REQUIRE(decoded);
    for (const sass::Instruction& instruction : *decoded) by_place[{function.name, instruction.offset}] = instruction;
  }
  return by_place;
}

sass::Instruction decoded(int architecture, uint64_t high, uint64_t low) {
  return sass::decode_word({low, high}, architecture, 0);
}

}  // namespace

TEST_CASE("sass: no register that is read or written is missing") {
  for (const int architecture : {75, 80, 86, 89, 90, 100, 120}) {
    const auto instructions = instructions_of(architecture);
    std::ifstream ranges(folder + "reduction.sm_" + std::to_string(architecture) + ".ranges");
    size_t compared = 0;
    for (std::string line; std::getline(ranges, line); ++compared) {
      std::istringstream words(line);
      std::string function, word;
      uint64_t offset = 0;
      words >> function >> offset >> word;
      sass::RegisterSet read, written;
      bool of_reads = true;
      while (words >> word) {
        if (word == "writes")
          of_reads = false;
        else
          insert(of_reads ? read : written, word);
      }
      const sass::Instruction& instruction = instructions.at({function, offset});
      CAPTURE(architecture, offset, sass::to_string(instruction), line);
      // Under a guard a register that is written keeps its value in some lanes, which is marked as a read.
      sass::RegisterSet ours = sass::reads(instruction);
      if (!instruction.guard.always()) ours |= written;
      CHECK(includes(ours, read));
      CHECK(includes(sass::writes(instruction), written));
    }
    CHECK(compared > 50);
  }
}

TEST_CASE("sass: widths of operands") {
  // HMMA.16816.F32 and the like: DMMA.884 R8, R8, R10, R4
  const auto doubles = decoded(80, 0x000e240000000004, 0x0000000a0808723f);
  for (const unsigned number : {8U, 9U, 10U, 11U}) CHECK(sass::writes(doubles).general[number]);
  CHECK_FALSE(sass::writes(doubles).general[12]);
  // HMMA.SP.16832.F32 R4, R4, R8, R12, R17, 0x0: the metadata is read
  const auto sparse = decoded(80, 0x003fc00000005a0c, 0x000011080404723c);
  CHECK(sass::reads(sparse).general[17]);
  CHECK(sass::reads(sparse).general[11]);
  // LDG.E.ENL2.256 R8, R4, desc[UR4][R4.64+0x40]
  const auto sector = decoded(100, 0x008ea80008121908, 0xfe0002040404797e);
  for (unsigned number = 4; number < 12; ++number) CHECK(sass::writes(sector).general[number]);
}

TEST_CASE("sass: registers that are read count as often as operands have them") {
  using Reads = ir::RegisterReads;
  const auto count = [](uint64_t high, uint64_t low) { return sass::register_reads(decoded(90, high, low)); };
  CHECK(count(0x000e220000002100, 0x0000000000037919) == Reads{0, 0});  // S2R R3, SR_TID.X
  CHECK(count(0x000fda000bf06270, 0x0000000802007c0c) == Reads{1, 0});  // ISETP.GE.AND P0, PT, R2, UR8, PT
  CHECK(count(0x001fca00078e0203, 0x0000020000027824) == Reads{1, 1});  // IMAD R2, R0, 0x200, R3
  CHECK(count(0x004fd80000000000, 0x0000000404097221) == Reads{2, 0});  // FADD R9, R4, R4
  CHECK(count(0x002fcc00078e0206, 0x0000000402047825) == Reads{2, 1});  // IMAD.WIDE R4, R2, 0x4, R6
  CHECK(count(0x000ea2000c1e1900, 0x0000000604047981) == Reads{1, 1});  // LDG.E R4, desc[UR6][R4.64]
}

TEST_CASE("sass: a count that is the most is not surely written") {
  // LDTM.x4 R4, tmem[UR4]
  const auto load = decoded(100, 0x003e1e0008140000, 0x00000004000479ee);
  CHECK(sass::writes(load).general[7]);
  CHECK_FALSE(sass::surely_writes(load).any());
}

TEST_CASE("sass: sets of registers end where the registers do") {
  sass::RegisterSet set;
  set.insert(sass::RegisterClass::general, sass::no_register, 2);
  set.insert(sass::RegisterClass::predicate, sass::no_register, 1);
  CHECK_FALSE(set.any());
  set.insert(sass::RegisterClass::general, 254, 4);
  CHECK(set.general.count() == 1);
  CHECK(set.contains(sass::RegisterClass::general, 254));
  CHECK_FALSE(set.contains(sass::RegisterClass::general, 255));
  CHECK(sass::RegisterSet::all().predicates.count() == 7);
}
