// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/words/decode.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "frontend/sass/lowering/registers.hpp"
#include "frontend/sass/words/opcode_table.hpp"
#include "frontend/sass/words/print.hpp"

using namespace warpspan;
using sass::Modifier;

namespace {

sass::Instruction decoded(int architecture, uint64_t high, uint64_t low, uint64_t offset = 0) {
  return sass::decode_word({low, high}, architecture, offset);
}

std::string text(int architecture, uint64_t high, uint64_t low, uint64_t offset = 0) {
  return sass::to_string(decoded(architecture, high, low, offset));
}

}  // namespace

// Words of kernels of ours; comments are what NVIDIA's disassembler prints.
TEST_CASE("sass: guards") {
  // @!P0 BRA `(...)
  const sass::Instruction branch = decoded(80, 0x000fea0003800000, 0x00000a2000008947, 0x60);
  CHECK(branch.guard.number == 0);
  CHECK(branch.guard.negated);
  CHECK_FALSE(branch.guard.uniform);
  CHECK(branch.target() == 0xa90);
  CHECK(sass::to_string(branch) == "@!P0 BRA 0xa90");
  CHECK(decoded(80, 0x000fc00000000000, 0x0000000000007918).guard.always());
}

// A guard of the uniform datapath, also of instructions that other units execute.
TEST_CASE("sass: uniform guards") {
  const auto guard = [](int architecture, uint64_t high, uint64_t low) {
    const std::string all = text(architecture, high, low);
    return all.substr(0, all.find(' '));
  };
  CHECK(guard(120, 0x000e220000002500, 0x00000000000409c3) == "@UP0");  // S2UR UR4, SR_CTAID.X
  CHECK(guard(75, 0x000e220000002500, 0x00000000000489c3) == "@!UP0");  // the same of sm_75
  CHECK(guard(90, 0x0009640008000100, 0x00000004063f85b2) == "@!UP0");  // SYNCS.EXCH.64 URZ, [UR6], UR4
  CHECK(guard(120, 0x0000640008000100, 0x0000000406ff95b2) == "@!UP1");
  CHECK(guard(120, 0x000fe20000005000, 0x00000000000608cb) == "@UP0");  // CS2UR.32 UR6, SR_CLOCKLO
  CHECK(guard(90, 0x000fe20008000000, 0x00000000000009c7) == "@UP0");   // UCGABAR_ARV
  CHECK(guard(90, 0x000fe20008000000, 0x0000000000000dc7) == "@UP0");   // UCGABAR_WAIT
  CHECK(guard(120, 0x000e620008000800, 0x00006b00ff0607ac) == "@UP0");  // LDCU
  CHECK(guard(90, 0x000fe20000000a00, 0x0000820000060ab9) == "@UP0");   // ULDC
  const sass::Instruction read = decoded(120, 0x000e220000002500, 0x00000000000409c3);
  CHECK(sass::reads(read).uniform_predicates[0]);
  CHECK_FALSE(sass::reads(read).predicates[0]);
  CHECK(guard(90, 0x000fe20000000000, 0x0000000000040886) == "@P0");  // VOTEU
}

TEST_CASE("sass: a sum of 32 bits and one of 64 differ in bit 73") {
  // IADD R18, R23, -R18; IADD.64 R18, R22, -R18
  const sass::Instruction sum = decoded(120, 0x000fc000078e0000, 0x8000001217127235);
  CHECK(sass::to_string(sum) == "IADD R18, R23, -R18");
  CHECK(sass::writes(sum).general.count() == 1);
  CHECK(sass::reads(sum).general.count() == 2);
  const sass::Instruction wide = decoded(120, 0x000fc000078e0200, 0x8000001216127235);
  CHECK(sass::writes(wide).general.count() == 2);
  CHECK(sass::reads(wide).general.count() == 4);
}

// BMOV.32 B0, 0xffffffff; BMOV.32.CLEAR B1, B0: what ptxas writes for sm_87 where a kernel begins.
TEST_CASE("sass: barrier registers that are moved") {
  const sass::Instruction number = decoded(87, 0x000fc00000000000, 0xffffffff00007956);
  CHECK(sass::writes(number).barriers[0]);
  const sass::Instruction move = decoded(87, 0x000fc00000100000, 0x0000000000017f55);
  CHECK(sass::reads(move).barriers[0]);
  CHECK(sass::writes(move).barriers[0]);  // it is cleared
  CHECK(sass::writes(move).barriers[1]);
}

TEST_CASE("sass: control fields") {
  // S2R R4, SR_TID.X
  const sass::Instruction read = decoded(80, 0x000e220000002100, 0x0000000000047919);
  CHECK(read.control.stall == 1);
  CHECK(read.control.write_scoreboard == 0);
  CHECK_FALSE(read.control.read_scoreboard);
  CHECK(read.control.wait_mask == 0);
  CHECK(sass::control_text(read) == "1 cycle before the next; sets scoreboard 0 until written");
  // BAR.SYNC.DEFER_BLOCKING 0x0 of unoptimised code: waits for all, 15 cycles
  const sass::Instruction barrier = decoded(80, 0x0033de0000010000, 0x0000000000007b1d);
  CHECK(barrier.control.stall == 15);
  CHECK(barrier.control.read_scoreboard == 1);
  CHECK(barrier.control.wait_mask == 3);
}

TEST_CASE("sass: branch targets before and since sm_90") {
  // @P0 BRA, backwards by the trailing self-branch
  CHECK(decoded(80, 0x000fc0000383ffff, 0xfffffff000007947, 0x500).target() == 0x500);
  CHECK(decoded(90, 0x000fc0000383ffff, 0xfffffffc00fc7947, 0x500).target() == 0x500);
  // BRA.U UP0
  const sass::Instruction uniform = decoded(90, 0x000fea000b800000, 0x0000000100047547, 0x100);
  CHECK(uniform.target() == 0x120);
  CHECK(sass::reads(uniform).uniform_predicates[0]);
}

TEST_CASE("sass: integer arithmetic with carries") {
  // IADD3.X R15, RZ, RZ, RZ, P0, !PT
  const sass::Instruction add = decoded(80, 0x000fe400007fe4ff, 0x000000ffff0f7210);
  CHECK(add.mnemonic() == "IADD3");
  CHECK(add.has(Modifier::extended));
  CHECK(sass::to_string(add) == "IADD3.X R15, RZ, RZ, RZ, P0");
  CHECK(sass::reads(add).predicates[0]);
  // IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]
  CHECK(text(80, 0x000fe400078e00ff, 0x00000a00ff017624) == "IMAD.U32 R1, RZ, RZ, c[0x0][0x28]");
  // LOP3.LUT R5, R5, 0x3, RZ, 0xc0, !PT
  const sass::Instruction logic = decoded(80, 0x000fe400078ec0ff, 0x0000000305057812);
  CHECK(logic.modifier(Modifier::lut) == 0xc0);
  // ISETP.GE.AND P0, PT, R5, 0x1, PT
  const sass::Instruction compare = decoded(80, 0x000fda0003f06270, 0x000000010500780c);
  CHECK(compare.modifier(Modifier::comparison) == 6);
  CHECK(compare.modifier(Modifier::connective) == 0);
  CHECK(compare.modifier(Modifier::is_signed) == 1);
  CHECK(sass::to_string(compare) == "ISETP.GE.AND P0, R5, 0x1");
}

TEST_CASE("sass: memory accesses") {
  // LDGSTS.E.BYPASS.LTC256B.128 [R11+0x40], [R6.64+0x40], !P0
  const sass::Instruction copy = decoded(80, 0x010fe8000c101dc4, 0x00040040060b7fae);
  const auto read = sass::reads(copy);
  for (const unsigned number : {6U, 7U, 11U}) CHECK(read.general[number]);
  CHECK(read.uniform[4]);
  CHECK(read.uniform[5]);
  // LDGSTS.E.BYPASS.128 [R9+0x11170], desc[UR4][R2.64+0x3f0]: the size has moved on sm_100
  CHECK(text(90, 0x000fe2000b901c44, 0x111703f002097fae) == "LDGSTS.128 [R9+0x11170], [R2.64+UR4+0x3f0]");
  CHECK(text(120, 0x008fe8000b981804, 0x111703f002097fae) == "LDGSTS.128 [R9+0x11170], [R2.64+UR4+0x3f0]");
  // LD.E.64 R6, [R6+0x40], without a descriptor: the offset is elsewhere than with one
  CHECK(text(90, 0x000ea20000100b00, 0x0000004006067980) == "LD.64 R6, [R6.64+0x40]");
  // WARPSYNC.EXCLUSIVE R9, whose register has moved on sm_90; WARPSYNC R15
  CHECK(sass::reads(decoded(120, 0x004fea0003a00000, 0x0000000009007348)).general[9]);
  CHECK(sass::reads(decoded(80, 0x003fde0003800000, 0x0000000f00007348)).general[15]);
  // WARPSYNC.EXCLUSIVE R6 of sm_80: the bit that says .COLLECTIVE from sm_90 on
  CHECK(text(80, 0x000fea0003c00000, 0x0000000600007348) == "WARPSYNC R6");
  // ATOMG.E.MIN.F16x4.RN.STRONG.GPU PT, R6, desc[UR4][R6.64+0x40], R10; MAX of sm_90
  CHECK(text(120, 0x008ea8000d1ee304, 0x8000400a060679a3).starts_with("ATOMG.MIN."));
  CHECK(text(90, 0x008ea8000a1ee3c4, 0x0000400a060679a3).starts_with("ATOMG.MAX."));
  // STG.E [R4.64+-0x7f4000], R13
  CHECK(text(80, 0x000fe2000c101904, 0x80c0000d04007986) == "STG.32 [R4.64+UR4-0x7f4000], R13");
  // REDG.E.ADD.STRONG.GPU desc[UR8][R2.64+0x400000], R9; an ATOMG with a descriptor has one bit less
  CHECK(text(120, 0x000fe2000c12e108, 0x400000090200798e).find("[R2.64+UR8+0x400000]") != std::string::npos);
  CHECK(text(120, 0x000ea200081ee506, 0xc0000004060879a8).find("[R6.64+UR6-0x400000]") != std::string::npos);
  // ATOM.E.ADD.64.STRONG.SM P0, RZ, [R8+-0x7fffc0], R6
  CHECK(text(120, 0x000ea2000010a500, 0x8000400608ff738a).find("[R8.64-0x7fffc0]") != std::string::npos);
  // ATOMG.E.CAS.64.STRONG.SM PT, R6, [R6+0x40], R8, R10
  const sass::Instruction swap = decoded(90, 0x000ea800001ea50a, 0x00004008060673a9);
  for (const unsigned number : {6U, 7U, 8U, 9U, 10U, 11U}) CHECK(sass::reads(swap).general[number]);
  CHECK(sass::writes(swap).general[7]);
  CHECK_FALSE(sass::writes(swap).general[8]);
  // LDG.E.64.MMIO.SYS of sm_75 has the same ordering as that of sm_80
  CHECK(decoded(75, 0x000ea200001f8b00, 0x0000400006067381).modifier(Modifier::size) == 5);
}

TEST_CASE("sass: uniform registers of an address, and those that are its descriptor") {
  const auto is_descriptor = [](int architecture, uint64_t high, uint64_t low) {
    const sass::Instruction instruction = decoded(architecture, high, low);
    for (const sass::Operand& operand : instruction.operands()) {
      if (operand.kind != sass::OperandKind::address) continue;
      REQUIRE(operand.second != sass::no_register);
      return operand.descriptor;
    }
    FAIL("no address");
    return false;
  };
  CHECK_FALSE(is_descriptor(75, 0x000ea8000c1ee900, 0x0000000402077981));   // LDG.E.SYS R7, [R2.64+UR4]
  CHECK_FALSE(is_descriptor(75, 0x000ea2000c1ee900, 0x00000004ff057981));   // LDG.E.SYS R5, [UR4]
  CHECK_FALSE(is_descriptor(75, 0x0003e2000810eb04, 0x000038ff01007985));   // ST.E.64.SYS [R1.U32+UR4+0x38], RZ
  CHECK_FALSE(is_descriptor(75, 0x000fe8000c114704, 0x00000000ff00798e));   // RED.E.ADD.F32.FTZ.RN.STRONG.GPU [UR6], R0
  CHECK_FALSE(is_descriptor(75, 0x000ea2000c1f4144, 0x00000009ff0779a8));   // ATOMG.E.EXCH.STRONG.GPU PT, R7, [UR4], R9
  CHECK(is_descriptor(80, 0x000ea8000c1e1900, 0x0000000402007981));         // LDG.E R0, [R2.64]
  CHECK(is_descriptor(90, 0x000fe8000c101906, 0x0000000702007986));         // STG.E desc[UR6][R2.64], R7
  CHECK(is_descriptor(120, 0x001ea8000c101900, 0x00001c0e04067980));        // LD.E R6, desc[UR14][R4.64+0x1c]
  CHECK(is_descriptor(80, 0x0041d8000c10e184, 0x000000050200798e));         // RED.E.ADD.STRONG.GPU [R2.64], R5
  CHECK(is_descriptor(90, 0x000ea2000c1ee1c4, 0x00000009020379a8));         // ATOMG.E.EXCH PT, R3, desc[UR4][R2.64], R9
  CHECK(is_descriptor(90, 0x0021e8000c10e586, 0x0000000e0600798e));         // REDG.E.ADD.64 desc[UR6][R6.64], R14
  CHECK(is_descriptor(120, 0x0013d8000c12e108, 0x000000090200798e));        // REDG.E.ADD desc[UR8][R2.64], R9
  CHECK(is_descriptor(120, 0x000ea2000c1ef304, 0x80000015080979a3));        // ATOMG.E.ADD.F32 PT, R9, desc[UR4][R8.64]
  CHECK_FALSE(is_descriptor(120, 0x0001e8000810080c, 0x0000000e13007987));  // STL [R19+UR12], R14
}

TEST_CASE("sass: unknown opcodes are errors, or kept as reading and writing everything") {
  const sass::Word words[] = {{0x0000000000007918, 0x000fc00000000000}, {0x0000000000007fff, 0x000fc00000000000}};
  const auto refused = sass::decode(words, 80);
  REQUIRE_FALSE(refused);
  CHECK(refused.errors().front().message ==
        "unknown machine instruction 0x000fc000000000000000000000007fff at 0x0010 (opcode 0x0fff of sm_80)");
  CHECK(refused.errors().size() == 1);
  // Each opcode once.
  const sass::Word more[] = {{0x0000000000007fff, 0x000fc00000000000},
                             {0x0000000100027ffe, 0x000fc00000000000},
                             {0x0000000000037fff, 0x000fc00000000000},
                             {0x0000000000000fff, 0x000fe00000000000}};
  const auto several = sass::decode(more, 80);
  REQUIRE_FALSE(several);
  REQUIRE(several.errors().size() == 2);
  CHECK(
      several.errors()[0].message ==
      "unknown machine instruction 0x000fc000000000000000000000007fff at 0x0000 (opcode 0x0fff of sm_80), the first of "
      "3 with this opcode");
  CHECK(several.errors()[1].message ==
        "unknown machine instruction 0x000fc000000000000000000100027ffe at 0x0010 (opcode 0x0ffe of sm_80)");
  const auto kept = sass::decode(words, 80, sass::UnknownOpcodes::are_kept);
  REQUIRE(kept);
  CHECK_FALSE(kept->back().known());
  CHECK(kept->back().mnemonic() == "unknown");
  CHECK(sass::reads(kept->back()) == sass::RegisterSet::all());
  CHECK(sass::writes(kept->back()) == sass::RegisterSet::all());
  CHECK_FALSE(sass::surely_writes(kept->back()).any());
}

TEST_CASE("sass: a branch with a bit that nothing explains is an error in any case") {
  const sass::Word words[] = {{0x00000a2000008947, 0x000fea0003c00000}};
  const auto kept = sass::decode(words, 80, sass::UnknownOpcodes::are_kept);
  REQUIRE_FALSE(kept);
  CHECK(
      kept.errors().front().message ==
      "unknown machine instruction 0x000fea0003c0000000000a2000008947 at 0x0000 (opcode 0x0947 of sm_80), BRA: nothing "
      "explains bit 86");
}

TEST_CASE("sass: code that ends within an instruction, and architectures that are not supported") {
  const std::vector<uint8_t> bytes(24);
  const auto cut = sass::decode_bytes(bytes, 80);
  REQUIRE_FALSE(cut);
  CHECK(cut.errors().front().message == "machine code ends within an instruction: 24 bytes are no multiple of 16");
  const auto old = sass::decode({}, 61);
  REQUIRE_FALSE(old);
  CHECK(old.errors().front().message == "machine code of sm_61 cannot be decoded");
  CHECK(sass::decode({}, 80)->empty());
}

TEST_CASE("sass: bytes are little endian") {
  std::vector<uint8_t> bytes(16);
  bytes[0] = 0x18;
  bytes[1] = 0x79;
  bytes[13] = 0xc0;
  const auto decoded = sass::decode_bytes(bytes, 80, sass::UnknownOpcodes::are_errors, 0x40);
  REQUIRE(decoded);
  CHECK(decoded->front().mnemonic() == "NOP");
  CHECK(decoded->front().offset == 0x40);
}

TEST_CASE("sass: random words never do harm, on any architecture") {
  std::mt19937_64 random(1);
  const int architectures[] = {70, 75, 80, 86, 89, 90, 100, 103, 120};
  size_t known = 0, length = 0;
  for (int i = 0; i < 1000000; ++i) {
    const sass::Word word{random(), random()};
    const sass::Instruction instruction =
        sass::decode_word(word, architectures[static_cast<size_t>(i) % 9], random() & ~uint64_t{15});
    known += instruction.known();
    const sass::RegisterSet written = sass::writes(instruction), surely = sass::surely_writes(instruction);
    if ((surely.general & ~written.general).any()) FAIL("what is surely written is not written");
    if (i % 16 == 0) length += sass::to_string(instruction).size() + sass::control_text(instruction).size();
  }
  CHECK(known < 100);  // nearly all have a bit that nothing explains: word_layout_test.cpp has others
  CHECK(length > 0);
}

TEST_CASE("sass: what a copy past the registers copies on sm_100 does not depend on whether it has a descriptor") {
  using namespace warpspan;
  const auto size = [](uint64_t high) {
    return sass::decode_word({0x000000000a8b7fae, high}, 100, 0).modifier(sass::Modifier::size);
  };
  constexpr unsigned bytes_16 = 6;
  CHECK(size(0x000fc00008180aff) == bytes_16);
  CHECK(size(0x000fc00008181aff) == bytes_16);
  CHECK_FALSE(sass::decode_word({0x000000000a8b7fae, 0x000fc00008180aff}, 100, 0).operands()[1].descriptor);
  CHECK(sass::decode_word({0x000000000a8b7fae, 0x000fc00008181a04}, 100, 0).operands()[1].descriptor);
}

TEST_CASE("sass: predicates whose numbers are stored as 7 less them") {
  using namespace warpspan;
  const auto last = [](uint64_t high) {  // LDG.E.128 R60, [R38.64], P4
    return sass::decode_word({0x00000004263c7981, high}, 80, 0).operands().back();
  };
  CHECK(last(0x000fc0000c1efd23).first == 4);
  CHECK(last(0x000fc0000c1efd26).first == 1);
  CHECK(last(0x000fc0000c1efd20).first == sass::no_register);
}
