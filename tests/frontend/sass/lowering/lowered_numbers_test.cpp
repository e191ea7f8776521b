// SPDX-License-Identifier: GPL-3.0-or-later
// What single instructions are lowered to, on numbers worked out by hand. Words are those of kernels of ours, or one
// bit off; comments are what NVIDIA's disassembler prints.
#include <bit>
#include <catch2/catch.hpp>
#include <limits>
#include <optional>

#include "frontend/sass/lowering/lowering.hpp"
#include "frontend/sass/words/decode.hpp"
#include "tests/frontend/sass/lowering/steps_evaluator.hpp"

using namespace warpspan;
using Value = sass::StepsEvaluator::Value;

namespace {

uint32_t bits(float number) { return std::bit_cast<uint32_t>(number); }

// Registers before an instruction, and then after it.
class Lowered {
 public:
  Lowered() {
    code_.architecture = 80;
    program_.bodies.emplace_back();
  }
  Lowered& set(ir::RegisterId reg, uint64_t value) {
    given_[reg] = value;
    return *this;
  }
  Lowered& predicate(unsigned number, bool value) { return set(sass::first_predicate + number, value ? 1 : 0); }
  Lowered& run(uint64_t high, uint64_t low) { return run({{low, high}}); }
  Lowered& run(const std::vector<sass::Word>& words) {
    for (const sass::Word& word : words) {
      code_.instructions.push_back(sass::decode_word(word, 80, 0));
      REQUIRE(code_.instructions.back().opcode != nullptr);
    }
    sass::InstructionLowering lowering(code_, program_, std::nullopt);
    for (const sass::Instruction& instruction : code_.instructions) lowering.lower(instruction, 1, 0);
    sass::StepsEvaluator evaluator(program_.bodies.front(), {}, {1, 1, 1}, {1, 1, 1});
    for (const auto& [reg, value] : given_) evaluator.set(reg, value);
    for (const auto& [first, whole] : lowering.pairs()) {
      if (given_.contains(first) && given_.contains(first + 1))
        evaluator.set(whole, given_[first + 1] << 32 | given_[first]);
    }
    evaluator.run();
    for (ir::RegisterId reg = 0; reg < sass::first_barrier; ++reg) after_[reg] = evaluator.get(reg);
    return *this;
  }
  Value operator[](ir::RegisterId reg) const { return after_.at(reg); }
  Value flag(unsigned number) const { return after_.at(sass::first_predicate + number); }
  bool computes(ir::Computation wanted) const {
    const auto& all = program_.bodies.front().kernel.operations;
    return std::any_of(all.begin(), all.end(), [wanted](const auto& o) { return o.semantics.computation == wanted; });
  }

 private:
  sass::Code code_;
  ir::Program program_;
  std::map<ir::RegisterId, uint64_t> given_;
  std::map<ir::RegisterId, Value> after_;
};

Lowered numbers(float a, float b) { return Lowered().set(6, bits(a)).set(7, bits(b)); }

constexpr float third = 0x1.555556p-2F;  // 1 / 3, rounded up
constexpr float tiny = 0x1p-30F;

}  // namespace

TEST_CASE("sass: sums of floating-point numbers, and how they are rounded") {
  // FADD R19, R6, R7
  CHECK(numbers(1.5F, 2.25F).run(0x000fe20000000000, 0x0000000706137221)[19] == bits(3.75F));
  CHECK(numbers(1, tiny).run(0x000fe20000000000, 0x0000000706137221)[19] == bits(1));
  // FADD.RP R21, R6, R7
  CHECK(numbers(1, tiny).run(0x000fca0000008000, 0x0000000706157221)[21] == bits(0x1.000002p0F));
  // FADD.RZ R22, R6, R7
  CHECK(numbers(1, tiny).run(0x140fe2000000c000, 0x0000000706167221)[22] == bits(1));
  CHECK(numbers(1, -tiny).run(0x140fe2000000c000, 0x0000000706167221)[22] == bits(0x1.fffffep-1F));
  // FADD.RM R20, -R6, |R7|
  CHECK(numbers(4, -3).run(0x000fc40000004100, 0x4000000706147221)[20] == bits(-1));
  CHECK(numbers(1, tiny).run(0x000fc40000004100, 0x4000000706147221)[20] == bits(-1));
  CHECK(numbers(-1, -tiny).run(0x000fc40000004100, 0x4000000706147221)[20] == bits(1));
  // FADD.SAT R23, R6, R7
  CHECK_FALSE(numbers(1, 2).run(0x000fca0000002000, 0x0000000706177221)[23]);
}

TEST_CASE("sass: products of floating-point numbers") {
  // FMUL R18, R6, R7
  CHECK(numbers(3, -0.5F).run(0x0c0fe20000400000, 0x0000000706127220)[18] == bits(-1.5F));
  // FMUL.D8 R18, R6, R7: divides by a power of two besides
  CHECK_FALSE(numbers(3, 0.5F).run(0x0c0fe20000100000, 0x0000000706127220)[18]);
  // FFMA R19, R6, R7, R8: rounded once
  CHECK(numbers(3, third).set(8, bits(-1)).run(0x004fe20000000008, 0x0000000706137223)[19] == bits(0x1p-25F));
}

TEST_CASE("sass: the smaller and the larger of floating-point numbers") {
  // FMNMX R24, R6, R7, PT
  CHECK(numbers(-2, 1).run(0x0c0fe20003800000, 0x0000000706187209)[24] == bits(-2));
  // FMNMX R25, R6, R7, !PT
  CHECK(numbers(-2, 1).run(0x0c0fe20007800000, 0x0000000706197209)[25] == bits(1));
  // FMNMX.NAN R26, R6, R7, PT; FMNMX R24, R6, R7, P0
  CHECK_FALSE(numbers(-2, 1).run(0x000fc40003820000, 0x00000007061a7209)[26]);
  CHECK_FALSE(numbers(-2, 1).predicate(0, true).run(0x0c0fe20000000000, 0x0000000706187209)[24]);
}

TEST_CASE("sass: comparisons of floating-point numbers, and what they select") {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const auto at_least_or_unordered = [](float a, float b) {  // FSETP.GEU.AND P1, PT, R6, R7, PT
    return numbers(a, b).run(0x000fce0003f2e000, 0x000000070600720b).flag(1);
  };
  CHECK(at_least_or_unordered(2, 2) == 1U);
  CHECK(at_least_or_unordered(1, 2) == 0U);
  CHECK(at_least_or_unordered(nan, 2) == 1U);
  const auto at_least = [](float a, float b) {  // FSETP.GE.AND P1, PT, R6, R7, PT
    return numbers(a, b).run(0x000fce0003f26000, 0x000000070600720b).flag(1);
  };
  CHECK(at_least(3, 2) == 1U);
  CHECK(at_least(nan, 2) == 0U);
  // FSETP.NAN.AND P0, PT, R6, R7, PT: asks for nothing that is followed
  CHECK_FALSE(numbers(1, 2).run(0x000fce0003f08000, 0x000000070600720b).flag(0));
  // FSEL R20, R6, R7, P1; FSEL R27, R6, R7, !P1; FSEL.FTZ R20, R6, R7, P1
  CHECK(numbers(1, 2).predicate(1, true).run(0x0c0fe40000800000, 0x0000000706147208)[20] == bits(1));
  CHECK(numbers(1, 2).predicate(1, true).run(0x0c0fe40004800000, 0x00000007061b7208)[27] == bits(2));
  CHECK_FALSE(numbers(1, 2).predicate(1, true).run(0x0c0fe40000810000, 0x0000000706147208)[20]);
}

TEST_CASE("sass: conversions between integers and floating-point numbers") {
  const auto of_integer = [](uint32_t value, uint64_t high, uint64_t low) {
    return Lowered().set(9, value).run(high, low);
  };
  // I2F R12, R9
  CHECK(of_integer(static_cast<uint32_t>(-3), 0x000fe20000201400, 0x00000009000c7306)[12] == bits(-3));
  // I2F.U32.RM R13, R9
  CHECK(of_integer(UINT32_MAX, 0x0002a20000205000, 0x00000009000d7306)[13] == bits(0x1.fffffep31F));
  // I2F.U16 R14, R9
  CHECK_FALSE(of_integer(3, 0x020f300000101000, 0x00000009000e7306)[14]);
  const auto integer_of = [](float value, uint64_t high, uint64_t low) { return numbers(value, 0).run(high, low); };
  // F2I.TRUNC.NTZ R16, R6
  CHECK(integer_of(-2.75F, 0x004fe2000020f100, 0x0000000600107305)[16] == static_cast<uint32_t>(-2));
  // F2I.U32.FLOOR.NTZ R17, R6
  CHECK(integer_of(2.75F, 0x000e220000207000, 0x0000000600117305)[17] == 2U);
  // F2I.CEIL.NTZ R4, R6
  CHECK(integer_of(2.25F, 0x000fe2000020b100, 0x0000000600047305)[4] == 3U);
  CHECK(integer_of(-2.75F, 0x000fe2000020b100, 0x0000000600047305)[4] == static_cast<uint32_t>(-2));
  // F2I.S16.TRUNC.NTZ R0, R6; F2I.F64.TRUNC R5, R18
  CHECK_FALSE(integer_of(2, 0x000e62000020e900, 0x0000000600007305)[0]);
  CHECK(Lowered().set(18, 0).set(19, 0x40000000).run(0x008ee2000030d100, 0x0000001200057311)[5] == 2U);
  // Results that depend on types which are not decoded. I2I.S8.S32.SAT R20, R9; F2F.F32.F64 R11, R18
  CHECK_FALSE(of_integer(3, 0x010fce0000001000, 0x0000000900147238)[20]);
  CHECK_FALSE(Lowered().set(18, 0).set(19, 0x40000000).run(0x0008220000301000, 0x00000012000b7310)[11]);
}

TEST_CASE("sass: floating-point numbers of 64 bits") {
  const auto halves = [](Lowered& lowered, ir::RegisterId low, double number) -> Lowered& {
    const auto bits = std::bit_cast<uint64_t>(number);
    return lowered.set(low, static_cast<uint32_t>(bits)).set(low + 1, bits >> 32);
  };
  const auto whole = [](const Lowered& lowered, ir::RegisterId low) -> std::optional<double> {
    const Value of_low = lowered[low], of_high = lowered[low + 1];
    if (!of_low || !of_high) return std::nullopt;
    return std::bit_cast<double>(*of_high << 32 | *of_low);
  };
  const auto given = [&](ir::RegisterId a, double x, ir::RegisterId b, double y) {
    Lowered lowered;
    halves(halves(lowered, a, x), b, y);
    return lowered;
  };
  constexpr double small = 0x1p-60;
  // DMUL R12, R8, R8; DADD R12, R12, R14
  CHECK(whole(given(8, 1.5, 10, 0).run(0x000e100000000000, 0x00000008080c7228), 12) == 2.25);
  CHECK(whole(given(12, 1, 14, small).run(0x00321e000000000e, 0x000000000c0c7229), 12) == 1.0);
  // DADD R12, R8, 1; DFMA R10, R6, R8, R6: rounded once; DFMA R8, -R4, R6, 1
  CHECK(whole(given(8, 0.25, 10, 0).run(0x00321e0000000000, 0x3ff00000080c7429), 12) == 1.25);
  constexpr double part = 1. / 3;
  CHECK(whole(given(6, part, 8, -1 + 0x1p-52).run(0x001fc80000000006, 0x00000008060a722b), 10) == part * 0x1p-52);
  CHECK(whole(given(4, 3, 6, 0.5).run(0x001e100000000106, 0x3ff000000408742b), 8) == -0.5);
  // DSETP.NE.OR P0, PT, R4, R6, P0
  const auto differ = [&](double a, double b, bool before) {
    return given(4, a, 6, b).predicate(0, before).run(0x0020640000705400, 0x000000060400722a).flag(0);
  };
  CHECK(differ(1, 1, false) == 0U);
  CHECK(differ(1, 2, false) == 1U);
  CHECK(differ(1, 1, true) == 1U);
}

TEST_CASE("sass: predicates as bits of a register, and back") {
  const auto saved = [](uint64_t low, uint64_t high = 0x003fde0000000000) {
    return Lowered().predicate(0, true).predicate(1, false).predicate(3, true).predicate(6, true).run(high, low)[25];
  };
  CHECK(saved(0x00000001ff197803) == 1U);                      // P2R R25, PR, RZ, 0x1
  CHECK(saved(0x0000000aff197803) == 8U);                      // P2R R25, PR, RZ, 0xa
  CHECK_FALSE(saved(0x0000007fff197803));                      // 0x7f: of some nothing is known
  CHECK_FALSE(saved(0x0000000104197803));                      // P2R R25, PR, R4, 0x1
  CHECK_FALSE(saved(0x00000001ff197803, 0x003fde0000001000));  // P2R.B1 R25, PR, RZ, 0x1
  // R2P PR, R0, 0x3, which leaves the others as they are; R2P PR, R0.B1, 0x3
  const Lowered back = Lowered().set(0, 0x201).predicate(2, true).run(0x000fe20000000000, 0x0000000300007804);
  CHECK(back.flag(0) == 1U);
  CHECK(back.flag(1) == 0U);
  CHECK(back.flag(2) == 1U);
  const Lowered second = Lowered().set(0, 0x201).run(0x000fe20000001000, 0x0000000300007804);
  CHECK(second.flag(0) == 0U);
  CHECK(second.flag(1) == 1U);
}

TEST_CASE("sass: bytes that are chosen from two registers") {
  const auto permuted = [](uint64_t selector, uint64_t high = 0x004fc80000000004) {  // PRMT R0, R3, selector, R4
    return Lowered().set(3, 0x83828180).set(4, 0x07060504).run(high, 0x0000000003007816 | selector << 32)[0];
  };
  CHECK(permuted(0x3210) == 0x83828180U);
  CHECK(permuted(0x7654) == 0x07060504U);
  CHECK(permuted(0x0123) == 0x80818283U);
  CHECK(permuted(0x5410) == 0x05048180U);
  CHECK(permuted(0x4444) == 0x04040404U);
  CHECK(permuted(0x8880) == 0xffffff80U);  // the lowest byte with its sign
  CHECK(permuted(0x9910) == 0xffff8180U);
  CHECK(permuted(0xdd54) == 0x00000504U);
  CHECK_FALSE(permuted(0x3298));                      // signs of others
  CHECK_FALSE(permuted(0x3210, 0x004fc80000000604));  // PRMT.RC16
}

TEST_CASE("sass: of a load of 256 bits each word goes where the mask says") {
  // LDG.E.ENL2.256 R7, R5, desc[UR4][R2.64], 0x11; LDG.E.ENL2.256 R20, R4, desc[UR4][R24.64]
  const auto words_of = [](uint64_t high, uint64_t low) {
    sass::Code code;
    code.architecture = 100;
    code.instructions = {sass::decode_word({low, high}, 100, 0)};
    ir::Program program;
    program.bodies.emplace_back();
    sass::InstructionLowering lowering(code, program, std::nullopt);
    lowering.lower(code.instructions.front(), 1, 0);
    const ir::Body& body = program.bodies.front();
    for (ir::InstructionId i = 0; i < body.instructions.size(); ++i) {
      if (body.operation(i).semantics.computation != ir::Computation::load) continue;
      CHECK(body.operation(i).bytes == 32);
      std::vector<int> registers;  // -1: none of the machine
      for (const ir::Operand& word : body.elements(body.results(i).front()))
        registers.push_back(word.index < sass::machine_registers ? static_cast<int>(word.index) : -1);
      return registers;
    }
    return std::vector<int>();
  };
  CHECK(words_of(0x001ea20008121807, 0x220000040205797e) == std::vector<int>{5, -1, -1, -1, 7, -1, -1, -1});
  CHECK(words_of(0x002ee80008121914, 0xfe0000041804797e) == std::vector<int>{4, 5, 6, 7, 20, 21, 22, 23});
}

TEST_CASE("sass: sums of two numbers and a carry that is always there, or never") {
  constexpr uint64_t always = 0x000fc800038e0609, never = always | uint64_t{1} << 26, low = 0x0000000100027824;
  const auto sum = [&](uint64_t a, uint64_t b, uint64_t high) {  // IMAD.X R2, R0, 0x1, R9, PT or !PT
    return Lowered().set(0, a).set(9, b).run(high, low)[2];
  };
  CHECK(sum(5, 7, always) == 13U);
  CHECK(sum(5, 7, never) == 12U);
  CHECK(sum(0xffffffff, 0, always) == 0U);
  CHECK(sum(0xfffffff0, 0x20, always) == 0x11U);
  // IMAD.X R2, R0, 0x3, R9, PT: of a product it is not followed
  CHECK_FALSE(Lowered().set(0, 5).set(9, 7).run(always, 0x0000000300027824)[2]);
}

TEST_CASE("sass: a high half takes what two low additions carry of which one goes on from the other") {
  // IADD3 R12, P1, R6, R8, RZ; IADD3 R12, P2, R12, 0x4, RZ; IADD3.X R13, RZ, R9, R7, P2, P1
  constexpr sass::Word first{0x00000008060c7210, 0x000fe20007f3e0ff}, then{0x000000040c0c7810, 0x000fc60007f5e0ff};
  constexpr sass::Word high{0x00000009ff0d7210, 0x000fd400017e2407};
  const auto sum = [](uint64_t a, uint64_t b, const std::vector<sass::Word>& words) {
    Lowered lowered;
    lowered.set(6, a & 0xffffffff).set(7, a >> 32).set(8, b & 0xffffffff).set(9, b >> 32).set(10, 1).set(12, 0);
    return lowered.run(words);
  };
  for (const uint64_t a : {0x5ffffffffULL, 0x500000001ULL, 0xffffffffffffffffULL}) {
    for (const uint64_t b : {0x7ffffffffULL, 0x7fffffffaULL, 0ULL}) {
      const Lowered after = sum(a, b, {first, then, high});
      CHECK(after[12] == ((a + b + 4) & 0xffffffff));
      CHECK(after[13] == (a + b + 4) >> 32);
    }
  }
  // The second adds to another register, or the first result has been written since.
  CHECK_FALSE(sum(1, 2, {first, {0x000000040a0c7810, 0x000fc60007f5e0ff}, high})[13]);
  CHECK_FALSE(sum(1, 2, {first, {0x0000000a000c7202, 0x000fe40000000f00}, then, high})[13]);
}

TEST_CASE("sass: a table of predicates that copies one is a copy") {
  for (const bool value : {false, true}) {
    // PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x0, and PLOP3.LUT P0, PT, P1, PT, PT, 0x8, 0x0, which inverts
    const Lowered copy =
        Lowered().set(sass::first_uniform_predicate, value ? 1 : 0).run(0x000fda0003f0f008, 0x000000000000781c);
    CHECK(copy.flag(0) == (value ? 1U : 0U));
    CHECK_FALSE(copy.computes(ir::Computation::bit_table));
    const Lowered inverse = Lowered().predicate(1, value).run(0x000fe20000f0e170, 0x000000000000781c);
    CHECK(inverse.flag(0) == (value ? 0U : 1U));
  }
}

TEST_CASE("sass: halves of a shifted sum may take what is shifted from two copies of one register") {
  const sass::Word first_copy{0x000000ffff157224, 0x000fe200078e000a};   // IMAD.MOV.U32 R21, RZ, RZ, R10
  const sass::Word second_copy{0x000000ffff147224, 0x000fe200078e000a};  // IMAD.MOV.U32 R20, RZ, RZ, R10
  const sass::Word high_copy{0x000000ffff037224, 0x000fe200078e000b};    // IMAD.MOV.U32 R3, RZ, RZ, R11
  const sass::Word other_copy{0x000000ffff147224, 0x000fe200078e000c};   // IMAD.MOV.U32 R20, RZ, RZ, R12
  const sass::Word changed{0x000000010a0a7810, 0x000fe20007ffe0ff};      // IADD3 R10, R10, 0x1, RZ
  const sass::Word low{0x0000000815157211, 0x000fe200078010ff};          // LEA R21, P0, R21, R8, 0x2
  const sass::Word high{0x0000000914147211, 0x000fe200000f1403};         // LEA.HI.X R20, R20, R9, R3, 0x2, P0
  const auto lowered = [](const std::vector<sass::Word>& words) {        // (x << 2) + b
    const uint64_t x = 0x3'c000'0005, b = 0x1'9000'0000;
    Lowered all;
    for (const auto& [reg, number] : {std::pair(10U, x), std::pair(8U, b)}) {
      all.set(reg, number & 0xffff'ffff).set(reg + 1, number >> 32);
    }
    all.set(12, x & 0xffff'ffff);
    all.run(words);
    return std::pair(all[21], all[20]);
  };
  using Halves = std::pair<Value, Value>;
  CHECK(lowered({first_copy, second_copy, high_copy, low, high}) == Halves{0x9000'0014, 0x10});
  CHECK(lowered({first_copy, low, second_copy, high_copy, high}) == Halves{0x9000'0014, 0x10});
  CHECK(lowered({first_copy, low, changed, second_copy, high_copy, high}).second == Value());
  CHECK(lowered({first_copy, low, other_copy, high_copy, high}).second == Value());
}
