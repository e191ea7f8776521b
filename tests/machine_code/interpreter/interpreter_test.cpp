// SPDX-License-Identifier: GPL-3.0-or-later
// What the interpreter of machine code refuses, and how lanes part and come together.
#include "tests/machine_code/interpreter/interpreter.hpp"

#include <catch2/catch.hpp>

#include "tests/machine_code/interpreter/convergence.hpp"

using namespace warpspan;
using machine_code::Convergence;
using sass::Word;

namespace {

// Words of kernels of ours, for sm_80 where nothing else is said.
constexpr Word exit_word{0x000000000000794d, 0x000fea0003800000};
constexpr Word self_branch{0xfffffff000007947, 0x000fc0000383ffff};
constexpr Word lane_number{0x0000000000047919, 0x000e220000000000};     // S2R R4, SR_LANEID
constexpr Word load_word{0x0000000002007984, 0x000e220000000800};       // LDS R0, [R2]
constexpr Word arrive_word{0x00000000ff0079b0, 0x001fe20008000a06};     // ARRIVES [UR6]
constexpr Word parameter_word{0x00005a0000027a02, 0x000fe40000000f00};  // MOV R2, c[0x0][0x168]
constexpr Word block_barrier{0x0000000000007b1d, 0x000fec0000010000};   // BAR.SYNC 0x0
constexpr Word move_odd{0x0000000100027802, 0x000fe20000000f00};        // MOV R2, 0x1
constexpr Word lane_of_r6{0x0000000000067919, 0x000e220000000000};      // S2R R6, SR_LANEID
constexpr Word row_of_r0{0x0000000406007819, 0x001fe400000006ff};       // SHF.L.U32 R0, R6, 0x4, RZ
constexpr Word write_lanes{0x0000000606007388, 0x000fea0000004800};     // STS [R6.X4], R6

// STS [R.X4], R6: its addresses tell what the register contains.
constexpr Word tell(uint64_t reg) { return {0x0000000600007388 | reg << 24, 0x004fe80000004800}; }

support::Result<machine_code::Record> run(const std::vector<Word>& words, machine_code::Launch launch = {},
                                          int architecture = 80) {
  std::string code;
  for (const Word& word : words) {
    for (const uint64_t half : {word.low, word.high}) {
      for (int byte = 0; byte < 8; ++byte) code += static_cast<char>(half >> (8 * byte) & 0xff);
    }
  }
  object::Cubin cubin;
  cubin.architecture.number = architecture;
  cubin.functions.emplace_back().name = "k";
  cubin.functions.back().code = code;
  const auto program = machine_code::prepare(cubin, "k");
  REQUIRE(program);
  if (launch.block.x == 0) launch.block = {32, 1, 1};
  launch.grid = {1, 1, 1};
  reference::Memory global(1);
  return machine_code::execute(*program, launch, global);
}

std::string error_of(const support::Result<machine_code::Record>& result) {
  REQUIRE_FALSE(result);
  return result.errors().front().message;
}

}  // namespace

TEST_CASE("machine code: what cannot be executed is an error that names the instruction") {
  CHECK(run({exit_word}));
  CHECK(error_of(run({arrive_word, exit_word})).find("ARRIVES [UR6]") == 0);
  CHECK(error_of(run({arrive_word, exit_word})).find("at 0x0: this instruction is not known here") !=
        std::string::npos);
  CHECK(error_of(run({parameter_word, exit_word})) ==
        "MOV R2, c[0x0][0x168] at 0x0: nobody said what is in c[0][0x168]");
  CHECK(error_of(run({move_odd, load_word, exit_word})).find("at 0x10: an access that is not aligned") !=
        std::string::npos);
  CHECK(error_of(run({lane_number})) == "the warp runs over the end of the code");
}

// What a register that is the last to be told contains in each lane, shifted by 2.
std::vector<uint64_t> told(const std::vector<Word>& words, int architecture = 80) {
  machine_code::Launch launch;
  launch.block = {32, 1, 1};
  launch.notes_accesses = true;
  const auto record = run(words, launch, architecture);
  INFO((record ? "" : record.errors().front().message));
  REQUIRE(record);
  std::vector<uint64_t> values;
  for (const machine_code::Access& access : record->accesses) {
    if (access.request + 1 == record->requests) values.push_back(access.address);
  }
  REQUIRE(values.size() == 32);
  return values;
}

TEST_CASE("machine code: rows of matrices are loaded and stored by the lanes that have them") {
  // Word i of shared memory contains i; row r of the matrix is words 4 r to 4 r + 3. LDSM.16.M88 R2, [R0]
  const auto rows =
      told({lane_of_r6, row_of_r0, write_lanes, {0x000000000002783b, 0x000ea80000000000}, tell(2), exit_word});
  // LDSM.16.MT88 R3, [R0]
  const auto columns =
      told({lane_of_r6, row_of_r0, write_lanes, {0x000000000003783b, 0x000ea80000004000}, tell(3), exit_word});
  // Of sm_90: STSM.16.MT88 [R0], R6 and LDS R7, [R6.X4]
  const auto stored = told({lane_of_r6,
                            row_of_r0,
                            write_lanes,
                            {0x0000000600007844, 0x008fe80000004000},
                            {0x0000000006077984, 0x000e220000004800},
                            tell(7),
                            exit_word},
                           90);
  for (uint64_t lane = 0; lane < 32; ++lane) {
    CHECK(rows[lane] == 4 * lane);
    // Words have their number in the lower half: elements of even columns.
    const uint64_t column = lane / 4, row = 2 * (lane % 4);
    const uint64_t both = column % 2 == 0 ? (4 * row + column / 2) | (4 * (row + 1) + column / 2) << 16 : 0;
    CHECK(columns[lane] == (4 * both & UINT32_MAX));
    // Lane t has element (2 (t mod 4), t / 4) in the lower half: t.
    const uint64_t own_row = lane / 4, pair = 2 * (lane % 4);
    const uint64_t of_lanes = own_row % 2 == 0 ? (4 * pair + own_row / 2) | (4 * (pair + 1) + own_row / 2) << 16 : 0;
    CHECK(stored[lane] == (4 * of_lanes & UINT32_MAX));
  }
}

TEST_CASE("machine code: MATCH.ALL tells whether all lanes have the same value") {
  // MATCH.ALL PT, R5, RZ
  const auto same = told({lane_of_r6, {0x00000000ff0573a1, 0x000e6200000e0000}, tell(5), exit_word});
  CHECK(same == std::vector<uint64_t>(32, 0xfffffffc));
  // MATCH.ALL P0, R4, R6
  const auto different = told({lane_of_r6, {0x00000000060473a1, 0x000e220000000000}, tell(4), exit_word});
  CHECK(different == std::vector<uint64_t>(32, 0));
  // @P0 EXIT ends no lane behind it.
  CHECK(told({lane_of_r6,
              {0x00000000060473a1, 0x000e220000000000},
              {0x000000000000094d, 0x000fea0003800000},
              tell(6),
              exit_word})[31] == 4 * 31);
}

TEST_CASE("machine code: an endless loop ends at the limit") {
  machine_code::Launch launch;
  launch.most_steps = 1000;
  CHECK(error_of(run({self_branch}, launch)) == "more steps than allowed");
}

TEST_CASE("machine code: a function that is not there") { CHECK_FALSE(machine_code::prepare(object::Cubin(), "k")); }

TEST_CASE("machine code: warps wait for each other, and not for those that have ended") {
  machine_code::Launch launch;
  launch.block = {70, 1, 1};
  const auto record = run({block_barrier, exit_word}, launch);
  REQUIRE(record);
  REQUIRE(record->warps.size() == 3);
  for (const reference::WarpRecord& warp : record->warps) CHECK(warp.executed == std::vector<int64_t>{1, 1});
}

TEST_CASE("machine code: lanes wait at a barrier register for those that were there, but those that left it or ended") {
  reference::Random random(1);
  const auto order = reference::Order::taken_first;
  Convergence lanes(0xff);
  for (unsigned lane = 0; lane < 8; ++lane) lanes.set_barrier(2, lane, 0xff);
  lanes.part(0, {{10, 0x0f}, {20, 0xf0}});
  auto group = lanes.choose(order, random, 0);
  REQUIRE(group);
  CHECK(lanes.groups()[*group].at == 10);
  lanes.go(*group, 30);
  lanes.wait_at_barrier(*group, 2, 0x0f);
  group = lanes.choose(order, random, 0);
  REQUIRE(group);
  CHECK(lanes.groups()[*group].lanes == 0xf0);
  lanes.leave_barrier(2, 0x10);
  lanes.part(*group, {{40, 0x30}, {30, 0xc0}});
  group = lanes.choose(order, random, 0);
  lanes.end(*group, 0x20);
  CHECK(lanes.alive() == 0xdf);
  group = lanes.choose(order, random, 0);
  REQUIRE(group);
  CHECK(lanes.groups()[*group].lanes == 0x10);
  lanes.end(*group, 0x10);
  group = lanes.choose(order, random, 0);
  lanes.wait_at_barrier(*group, 2, 0xc0);
  REQUIRE(lanes.groups().size() == 1);
  CHECK(lanes.groups().front().at == 31);
  CHECK(lanes.groups().front().lanes == 0xcf);
}
