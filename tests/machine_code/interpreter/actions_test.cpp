// SPDX-License-Identifier: GPL-3.0-or-later
// Single instructions on numbers worked out by hand. Words are those of kernels of ours; comments are what NVIDIA's
// disassembler prints.
#include <catch2/catch.hpp>

#include "frontend/sass/words/decode.hpp"
#include "tests/machine_code/interpreter/lane.hpp"

using namespace warpspan;

namespace {

// A lane before an instruction, and then after it.
class Executed {
 public:
  Executed& general(unsigned number, uint32_t value) {
    registers_.general[number][0] = value;
    return *this;
  }
  Executed& uniform(unsigned number, uint32_t value) {
    registers_.uniform[number] = value;
    return *this;
  }
  Executed& predicate(unsigned number, bool value) {
    registers_.predicates[number] = value ? 1 : 0;
    return *this;
  }
  Executed& execute(int architecture, uint64_t high, uint64_t low) {
    const sass::Instruction instruction = sass::decode_word({low, high}, architecture, 0);
    machine_code::Machine machine{registers_, constants_, instruction, {}};
    machine_code::Lane lane(machine, 0);
    const machine_code::Action action = machine_code::action_of(instruction.mnemonic());
    REQUIRE(action != nullptr);
    action(lane);
    CHECK(machine.refusal.empty());
    return *this;
  }
  uint32_t general(unsigned number) const { return registers_.general[number][0]; }
  bool predicate(unsigned number) const { return (registers_.predicates[number] & 1) != 0; }

 private:
  machine_code::Registers registers_;
  std::map<uint32_t, machine_code::Bank> constants_;
};

}  // namespace

TEST_CASE("machine code: minus zero carries") {
  // IADD3 R14, P4, PT, -R6, R19, RZ
  const auto difference = [](uint32_t a, uint32_t b) {
    return Executed().general(6, a).general(19, b).execute(120, 0x000fe20007f9e1ff, 0x00000013060e7210);
  };
  CHECK(difference(5, 7).general(14) == 2);
  CHECK(difference(5, 7).predicate(4));
  CHECK_FALSE(difference(7, 5).predicate(4));
  CHECK(difference(0, 5).predicate(4));
}

TEST_CASE("machine code: what .X adds besides") {
  // IADD3.X R15, RZ, RZ, RZ, P0, !PT
  CHECK(Executed().predicate(0, true).execute(80, 0x000fe400007fe4ff, 0x000000ffff0f7210).general(15) == 1);
  CHECK(Executed().predicate(0, false).execute(80, 0x000fe400007fe4ff, 0x000000ffff0f7210).general(15) == 0);
  // LEA.HI.X R3, R3, UR9, RZ, 0x8, P1: the upper half of {RZ, R3} << 8
  const auto address = [](bool carry) {
    return Executed()
        .general(3, 0xab000000)
        .uniform(9, 0x100)
        .predicate(1, carry)
        .execute(90, 0x000fe400088f44ff, 0x0000000903037c11);
  };
  CHECK(address(false).general(3) == 0x1ab);
  CHECK(address(true).general(3) == 0x1ac);
  // ISETP.GE.AND.EX P0, PT, R9, R11, PT, P0: the outcome of the low halves where the high ones are equal
  const auto at_least = [](uint32_t a, uint32_t b, bool low) {
    return Executed()
        .general(9, a)
        .general(11, b)
        .predicate(0, low)
        .execute(90, 0x000fc80003f06300, 0x0000000b0900720c)
        .predicate(0);
  };
  CHECK(at_least(3, 3, true));
  CHECK_FALSE(at_least(3, 3, false));
  CHECK(at_least(4, 3, false));
  CHECK_FALSE(at_least(UINT32_MAX, 3, true));
}

TEST_CASE("machine code: products and their sums") {
  // IMAD.HI.U32 R2, R4.reuse, R7, R2: the upper half of R4 * R7 + {R3, R2}
  CHECK(Executed()
            .general(4, 0x80000000)
            .general(7, 6)
            .general(2, UINT32_MAX)
            .general(3, 10)
            .execute(80, 0x040fe200078e0002, 0x0000000704027227)
            .general(2) == 13);
}

TEST_CASE("machine code: shifts, bytes and choices") {
  // SHF.L.U64.HI R14, R17, R14, R16
  CHECK(Executed()
            .general(17, 0xf0000000)
            .general(14, 8)
            .general(16, 0x01020304)
            .execute(90, 0x000fe40000010210, 0x0000000e110e7219)
            .general(14) == 0x020304f0);
  // SHF.R.S32.HI R19, RZ, R11, R0, whose amounts are not taken modulo 32
  const auto right = [](uint32_t amount) {
    return Executed()
        .general(0, 0x80000010)
        .general(11, amount)
        .execute(90, 0x008fca0000011400, 0x0000000bff137219)
        .general(19);
  };
  CHECK(right(4) == 0xf8000001);
  CHECK(right(32) == UINT32_MAX);
  CHECK(right(100) == UINT32_MAX);
  // PRMT R15, R0, 0x9910, RZ: the sign of 16 bits
  CHECK(Executed().general(0, 0x1234fffe).execute(90, 0x008fca00000000ff, 0x00009910000f7816).general(15) ==
        0xfffffffe);
  // LOP3.LUT P1, RZ, R10, 0x1, RZ, 0xc0, !PT
  CHECK(Executed().general(10, 3).execute(90, 0x008fc8000782c0ff, 0x000000010aff7812).predicate(1));
  CHECK_FALSE(Executed().general(10, 2).execute(90, 0x008fc8000782c0ff, 0x000000010aff7812).predicate(1));
}

TEST_CASE("machine code: sums that saturate, and of halves") {
  // VIADD.S32.ISAT R7, R5, R4
  CHECK(
      Executed().general(5, INT32_MAX).general(4, 9).execute(120, 0x000fca0000010400, 0x0000000405077236).general(7) ==
      INT32_MAX);
  // VIADD.S32.ISAT R4, -R0, R5
  CHECK(
      Executed().general(0, 0x80000000).general(5, 0).execute(120, 0x000fca0000010500, 0x0000000500047236).general(4) ==
      INT32_MAX);
  // VIADD.16x2 R7, R7, R0
  CHECK(Executed()
            .general(7, 0x0001ffff)
            .general(0, 0x00020001)
            .execute(120, 0x000fca0000000200, 0x0000000007077236)
            .general(7) == 0x00030000);
}
