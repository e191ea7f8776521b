// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic on numbers worked out by hand. Comments are what NVIDIA's disassembler prints.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "frontend/sass/execution/halves.hpp"
#include "tests/frontend/sass/execution/executed.hpp"

using namespace warpspan;
using test::Executed;

namespace {

uint32_t bits(float value) { return std::bit_cast<uint32_t>(value); }

// FFMA R5, R2, R3, R4
constexpr sass::Word ffma{0x0000000302057223, 0x000fc80000000004};

}  // namespace

TEST_CASE("execution: minus zero carries") {
  // IADD3 R14, P4, PT, -R6, R19, RZ
  const auto carries = [](uint32_t a, uint32_t b) {
    Executed subject(120, std::vector<sass::Word>{{0x00000013060e7210, 0x000fe20007f9e1ff}});
    subject.general(6, a).general(19, b).run();
    CHECK(subject.general(14)[7] == b - a);
    return subject.predicate(4);
  };
  CHECK(carries(5, 7) == UINT32_MAX);
  CHECK(carries(7, 5) == 0);
  CHECK(carries(0, 5) == UINT32_MAX);
}

TEST_CASE("execution: a guard chooses the lanes that write") {
  Executed subject(90, std::vector<sass::Word>{{0x000000ffff143224, 0x004fe200078e0012}});  // @P3 MOV R20, R18
  subject.general(18, 7).general(20, 9).predicate(3, 0xf0).run();
  CHECK(subject.general(20)[3] == 9);
  CHECK(subject.general(20)[4] == 7);
  CHECK(subject.general(20)[8] == 9);
}

TEST_CASE("execution: a product and a sum are rounded once") {
  std::mt19937 engine(1);
  const auto random = [&engine] { return static_cast<uint32_t>(engine()); };
  for (int round = 0; round < 3000; ++round) {
    Executed subject(90, std::vector<sass::Word>{ffma});
    for (unsigned lane = 0; lane < 32; ++lane) {
      const uint32_t exponent = random() % 60 + (round % 3 == 0 ? 0 : 100);  // products of subnormal size, too
      subject.general(2)[lane] = (random() & 0x807fffff) | exponent << 23;
      subject.general(3)[lane] = (random() & 0x807fffff) | (random() % 60 + 100) << 23;
      const float product =
          std::bit_cast<float>(subject.general(2)[lane]) * std::bit_cast<float>(subject.general(3)[lane]);
      subject.general(4)[lane] = random() % 3 == 0 ? bits(-product) + random() % 5 : random() & 0xbfffffff;
    }
    const execution::Registers before = subject.registers();
    subject.run();
    for (unsigned lane = 0; lane < 32; ++lane) {
      const auto source = [&](unsigned r) { return std::bit_cast<float>(before.general[r][lane]); };
      const float exact = std::fma(source(2), source(3), source(4));
      if (!std::isnan(exact)) CHECK(subject.general(5)[lane] == bits(exact));
    }
  }
}

TEST_CASE("execution: .FTZ makes zeros of subnormal operands and results") {
  const auto run = [](uint64_t modifiers, float a, float b, float c) {
    Executed subject(90, std::vector<sass::Word>{{ffma.low, ffma.high | modifiers}});
    subject.general(2, bits(a)).general(3, bits(b)).general(4, bits(c)).run();
    return std::bit_cast<float>(subject.general(5)[31]);
  };
  constexpr uint64_t ftz = uint64_t{1} << 16;
  CHECK(run(0, 0x1p-130F, 1, 0) == 0x1p-130F);
  CHECK(run(ftz, 0x1p-130F, 1, 0) == 0);
  CHECK(run(ftz, 0x1p-100F, 0x1p-30F, 0) == 0);
  CHECK(std::signbit(run(ftz, -0x1p-100F, 0x1p-30F, -0.0F)));
}

TEST_CASE("execution: a product is scaled before it is rounded") {
  // FMUL.M8 R5, R2, R3
  Executed subject(90, std::vector<sass::Word>{{0x0000000302057220, 0x000fe20000700000}});
  subject.general(2, bits(1.5F)).general(3, bits(0.25F)).run();
  CHECK(subject.general(5)[0] == bits(3));
}

TEST_CASE("execution: roundings down and up differ by one unit") {
  const auto sum = [](uint64_t rounding) {  // FADD R5, R2, R3
    Executed subject(90, std::vector<sass::Word>{{0x0000000302057221, 0x000fe20000000000 | rounding << 14}});
    subject.general(2, bits(1)).general(3, bits(0x1p-30F)).run();
    return subject.general(5)[0];
  };
  CHECK(sum(0) == bits(1));
  CHECK(sum(1) == bits(1));
  CHECK(sum(2) == bits(1) + 1);
  CHECK(sum(0) == bits(1));  // and nothing stays of the rounding before
}

TEST_CASE("execution: packed halves with their choices and signs") {
  const auto run = [](sass::Word word, uint32_t a, uint32_t b, uint32_t c, unsigned result) {
    Executed subject(90, std::vector<sass::Word>{word});
    subject.general(0, a).general(15, b).general(17, c).run();
    CHECK(subject.unknown().empty());
    return subject.general(result)[1];
  };
  // HFMA2 R21, -R0, R15, -R17: of 2 and 1, a half, 1
  CHECK(run({0x0000000f00157231, 0x000fc80000100111}, 0x40003c00, 0x38003800, 0x3c003c00, 21) == 0xc000be00);
  // HADD2.F32 R12, -RZ, R15.H1_H1
  CHECK(run({0x3000000fff0c7230, 0x000fe20000004100}, 0, 0x38003c00, 0, 12) == bits(0.5F));
  // HADD2 R25, |R0|, -RZ.H0_H0
  CHECK(run({0xa00000ff00197230, 0x000fe20000000200}, 0xc0003c00, 0, 0, 25) == 0x40003c00);
  // HFMA2 R23, R0, 1, 2.5, R15
  CHECK(run({0x3c00410000177831, 0x000fc4000000000f}, 0x40003c00, 0x3c003c00, 0, 23) == 0x42004300);
}

TEST_CASE("execution: numbers of 16 bits are packed with one rounding") {
  // F2FP.F16.F32.PACK_AB R21, R19, R12
  Executed half(90, std::vector<sass::Word>{{0x0000000c1315723e, 0x004fe200000000ff}});
  half.general(19, bits(2)).general(12, bits(65520)).run();
  CHECK(half.general(21)[0] == 0x40007c00);
  // F2FP.BF16.F32.PACK_AB R23, R23, R12
  Executed bfloat(90, std::vector<sass::Word>{{0x0000000c1717723e, 0x008fcc00000010ff}});
  bfloat.general(23, bits(-1)).general(12, 0x3f808000).run();  // half way between two, the even one is 1
  CHECK(bfloat.general(23)[0] == 0xbf803f80);
  for (uint32_t each = 0; each < 0x10000; ++each) {
    const auto word = static_cast<uint16_t>(each);
    if ((each & 0x7fff) <= 0x7c00) CHECK(execution::to_half(execution::from_half(word)) == word);
    if ((each & 0x7fff) <= 0x7f80) CHECK(execution::to_bfloat(execution::from_bfloat(word)) == word);
  }
  CHECK(execution::to_half(0x1p-25) == 0);  // half of the least number, to even
  CHECK(execution::to_half(0x1.8p-25) == 1);
}

TEST_CASE("execution: dot products of bytes, and of halves with bytes") {
  // IDP.4A.S8.S8 R21, R8, R21, R12
  Executed bytes(90, std::vector<sass::Word>{{0x0000001508157226, 0x020fe2000000060c}});
  bytes.general(8, 0x01ff0203).general(21, 0x01010101).general(12, 10).run();
  CHECK(bytes.general(21)[0] == 15);
  // IDP.2A.HI.S16.S8 R11, R4, R11, R10
  Executed halves(90, std::vector<sass::Word>{{0x0000000b040b7226, 0x000fc6000000360a}});
  halves.general(4, 0xffff0003).general(11, 0x02050000).general(10, 1).run();
  CHECK(halves.general(11)[0] == 1 + 3 * 5 - 2);
}
