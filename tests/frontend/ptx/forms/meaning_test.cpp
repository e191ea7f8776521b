// SPDX-License-Identifier: GPL-3.0-or-later
// What the meaning column of the opcode tables says, and what becomes of it with types and modifiers.
#include "frontend/ptx/forms/meaning.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "frontend/ptx/forms/opcode_table.hpp"

using namespace warpspan;
using ir::Comparison;
using ir::Computation;
using ir::Connective;
using ptx::FormTable;

namespace {

ir::Semantics semantics_of(FormTable& table, const std::string& word) {
  const ptx::Form* form = table.find(word);
  INFO(word);
  REQUIRE(form != nullptr);
  return form->operation.semantics;
}

struct Word {
  std::string text;
  Computation computation;
  int bits;
  bool is_signed = false;
};

const std::vector<Word> computing_words = {
    {"add.s32", Computation::add, 32, true},
    {"add.cc.u32", Computation::add, 32},
    {"sub.u64", Computation::subtract, 64},
    {"mul.lo.s16", Computation::multiply_low, 16, true},
    {"mul.hi.u32", Computation::multiply_high, 32},
    {"mad.wide.s32", Computation::multiply_wide, 32, true},
    {"mul24.lo.u32", Computation::multiply24_low, 32},
    {"mad24.hi.s32", Computation::multiply24_high, 32, true},
    {"sad.u32", Computation::absolute_difference, 32},
    {"div.s64", Computation::divide, 64, true},
    {"rem.u16", Computation::remainder, 16},
    {"abs.s32", Computation::absolute, 32, true},
    {"neg.s64", Computation::negate, 64, true},
    {"min.u32", Computation::minimum, 32},
    {"max.s32", Computation::maximum, 32, true},
    {"and.pred", Computation::bit_and, 1},
    {"or.b64", Computation::bit_or, 64},
    {"xor.b32", Computation::bit_xor, 32},
    {"not.pred", Computation::bit_not, 1},
    {"cnot.b32", Computation::logical_not, 32},
    {"lop3.b32", Computation::bit_table, 32},
    {"shl.b64", Computation::shift_left, 64},
    {"shr.s32", Computation::shift_right, 32, true},
    {"shr.b32", Computation::shift_right, 32},
    {"shf.l.clamp.b32", Computation::funnel_shift_left, 32},
    {"shf.r.wrap.b32", Computation::funnel_shift_right, 32},
    {"bfe.s64", Computation::extract_field, 64, true},
    {"bfi.b32", Computation::insert_field, 32},
    {"popc.b64", Computation::count_ones, 64},
    {"clz.b32", Computation::count_leading_zeros, 32},
    {"bfind.shiftamt.s64", Computation::find_highest_bit, 64, true},
    {"brev.b32", Computation::reverse_bits, 32},
    {"setp.lt.s32", Computation::compare, 32, true},
    {"set.eq.f32.u64", Computation::compare_to_value, 64},
    {"selp.f64", Computation::select, 64},
    {"slct.u32.s32", Computation::select_by_sign, 32},
    {"mov.b128", Computation::copy, 128},
    {"cvt.s64.u8", Computation::convert, 8},
    {"cvta.shared.u64", Computation::to_generic, 64},
    {"cvta.to.global.u64", Computation::from_generic, 64},
    {"add.ftz.f32", Computation::float_add, 32},
    {"sub.rz.f64", Computation::float_subtract, 64},
    {"mul.f32", Computation::float_multiply, 32},
    {"fma.rn.f32", Computation::float_multiply_add, 32},
    {"div.rn.f32", Computation::float_divide, 32},
    {"abs.f32", Computation::float_absolute, 32},
    {"neg.f64", Computation::float_negate, 64},
    {"min.f32", Computation::float_minimum, 32},
    {"max.ftz.f32", Computation::float_maximum, 32},
    {"setp.ltu.and.f32", Computation::float_compare, 32},
    {"set.lt.u32.f32", Computation::float_compare_to_value, 32},
    {"cvt.rn.f32.s64", Computation::float_from_integer, 64, true},
    {"cvt.rzi.s32.f64", Computation::float_to_integer, 64, true},
    {"cvt.rmi.f32.f32", Computation::float_to_whole, 32},
    {"cvt.f64.f32", Computation::float_convert, 32},
    {"cvt.rp.f32.f64", Computation::float_convert, 64},
};

// Types and modifiers that make another function of an opcode that computes.
const std::vector<std::string> other_functions = {"add.sat.f32",
                                                  "add.sat.s32",
                                                  "add.rn.f32x2",
                                                  "sub.f16x2",
                                                  "sub.sat.f32",
                                                  "mul.sat.f32",
                                                  "mul.f16",
                                                  "mad.hi.sat.s32",
                                                  "mad24.hi.sat.s32",
                                                  "mad.rn.f32",
                                                  "fma.rn.sat.f32",
                                                  "fma.rn.f16",
                                                  "div.approx.f32",
                                                  "div.full.f32",
                                                  "div.f32",
                                                  "abs.f16",
                                                  "neg.bf16",
                                                  "min.NaN.f32",
                                                  "max.relu.s16x2",
                                                  "max.u16x2",
                                                  "max.xorsign.abs.f32",
                                                  "lop3.and.b32",
                                                  "setp.lt.f16",
                                                  "set.eq.f16.u32",
                                                  "set.lt.f16.f16",
                                                  "slct.u32.f32",
                                                  "cvt.rn.sat.f32.s32",
                                                  "cvt.rzi.sat.s32.f32",
                                                  "cvt.sat.u8.s32",
                                                  "cvt.rn.f16.f32",
                                                  "cvt.f32.f16",
                                                  "cvt.sat.f32.f32",
                                                  "cvt.rni.f32.f64",
                                                  "sqrt.rn.f32",
                                                  "rcp.rn.f32",
                                                  "copysign.f32"};

}  // namespace

TEST_CASE("words compute what their opcode says, on the bits of their type") {
  FormTable table;
  for (const Word& word : computing_words) {
    const ir::Semantics semantics = semantics_of(table, word.text);
    INFO(word.text);
    CHECK(description(semantics.computation) == description(word.computation));
    CHECK(semantics.bits == word.bits);
    CHECK(semantics.is_signed == word.is_signed);
    CHECK(semantics.pure);
  }
}

TEST_CASE("with other types or modifiers only purity is left of a computation") {
  FormTable table;
  for (const std::string& word : other_functions) {
    const ir::Semantics semantics = semantics_of(table, word);
    INFO(word);
    CHECK(description(semantics.computation) == description(Computation::unknown));
    CHECK(semantics.pure);
  }
}

TEST_CASE("how floating-point numbers are rounded and compared") {
  FormTable table;
  CHECK(semantics_of(table, "add.f32").rounding == ir::Rounding::none);
  CHECK(semantics_of(table, "add.rn.f32").rounding == ir::Rounding::nearest);
  CHECK(semantics_of(table, "fma.rm.ftz.f32").rounding == ir::Rounding::down);
  CHECK(semantics_of(table, "cvt.rpi.u8.f32").rounding == ir::Rounding::up);
  CHECK(semantics_of(table, "cvt.rzi.f64.f64").rounding == ir::Rounding::zero);
  CHECK(semantics_of(table, "setp.nan.f32").comparison == Comparison::unordered);
  CHECK(semantics_of(table, "setp.num.f64").comparison == Comparison::ordered);
  CHECK(semantics_of(table, "setp.geu.ftz.f32").comparison == Comparison::greater_or_equal);
  CHECK(semantics_of(table, "setp.geu.ftz.f32").or_unordered);
  CHECK_FALSE(semantics_of(table, "setp.ge.f32").or_unordered);
  CHECK(semantics_of(table, "cvt.rzi.s16.f32").fills_with_sign);
  CHECK(semantics_of(table, "cvt.rzi.s16.f32").result_bits == 16);
}

TEST_CASE("every computation of the tables is that of a word tested here") {
  std::set<Computation> tested = {Computation::unknown, Computation::load, Computation::store, Computation::allocate,
                                  Computation::call};
  for (const Word& word : computing_words) tested.insert(word.computation);
  for (const ptx::OpcodeRow* row : ptx::opcode_rows()) {
    INFO(row->opcode.name);
    CHECK(tested.count(row->meaning.computation) == 1);
  }
}

TEST_CASE("comparisons with their signs and what they are combined with") {
  FormTable table;
  const auto check = [&](const std::string& word, Comparison comparison, bool is_signed, Connective connective) {
    const ir::Semantics semantics = semantics_of(table, word);
    INFO(word);
    CHECK(semantics.comparison == comparison);
    CHECK(semantics.is_signed == is_signed);
    CHECK(semantics.connective == connective);
  };
  check("setp.eq.u32", Comparison::equal, false, Connective::none);
  check("setp.ne.s32", Comparison::not_equal, true, Connective::none);
  check("setp.le.and.s64", Comparison::less_or_equal, true, Connective::conjunction);
  check("setp.gt.or.u16", Comparison::greater, false, Connective::disjunction);
  check("setp.ge.xor.s32", Comparison::greater_or_equal, true, Connective::exclusive);
  // Of unsigned types only.
  check("setp.lo.u32", Comparison::less, false, Connective::none);
  check("setp.ls.u32", Comparison::less_or_equal, false, Connective::none);
  check("setp.hi.u64", Comparison::greater, false, Connective::none);
  check("setp.hs.u32", Comparison::greater_or_equal, false, Connective::none);
}

TEST_CASE("results that differ from the sources") {
  FormTable table;
  const ir::Semantics extended = semantics_of(table, "cvt.s64.u8");
  CHECK(extended.result_bits == 64);
  CHECK_FALSE(extended.is_signed);
  CHECK(extended.fills_with_sign);
  const ir::Semantics mask = semantics_of(table, "set.lt.u32.s16");
  CHECK(mask.result_bits == 32);
  CHECK(mask.bits == 16);
  CHECK_FALSE(mask.is_floating);
  CHECK(semantics_of(table, "set.lt.f32.s32").is_floating);
  CHECK(semantics_of(table, "mov.f32").is_floating);
  CHECK_FALSE(semantics_of(table, "mov.pred").is_floating);
  CHECK(semantics_of(table, "shf.l.wrap.b32").wraps);
  CHECK_FALSE(semantics_of(table, "shf.l.clamp.b32").wraps);
}

TEST_CASE("accesses say the width and number of their elements") {
  FormTable table;
  const ir::Semantics load = semantics_of(table, "ld.global.v4.s16");
  CHECK(load.computation == Computation::load);
  CHECK(load.bits == 16);
  CHECK(load.elements == 4);
  CHECK(load.fills_with_sign);
  CHECK_FALSE(load.pure);
  CHECK(semantics_of(table, "ldu.global.u32").computation == Computation::load);
  CHECK(semantics_of(table, "st.shared.f32").computation == Computation::store);
  CHECK(semantics_of(table, "ld.param.u32").bits == 32);
  CHECK(semantics_of(table, "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32").computation ==
        Computation::unknown);
  CHECK(semantics_of(table, "cvta.to.const.u64").space == ir::MemorySpace::constant);
  CHECK(semantics_of(table, "cvta.param.u64").space == ir::MemorySpace::parameter);
}

TEST_CASE("nothing that reads memory, flags, clocks or other lanes is pure") {
  // What these do follows from more than their operands, as PTX ISA 9.7 describes them.
  const std::set<ir::OperationKind> impure = {ir::OperationKind::special_register,
                                              ir::OperationKind::shuffle,
                                              ir::OperationKind::vote,
                                              ir::OperationKind::warp_reduce,
                                              ir::OperationKind::barrier,
                                              ir::OperationKind::warp_barrier,
                                              ir::OperationKind::cluster_barrier,
                                              ir::OperationKind::fence,
                                              ir::OperationKind::mbarrier,
                                              ir::OperationKind::stack,
                                              ir::OperationKind::matrix_load,
                                              ir::OperationKind::matrix_multiply,
                                              ir::OperationKind::matrix_group,
                                              ir::OperationKind::tensor_memory,
                                              ir::OperationKind::copy_async,
                                              ir::OperationKind::copy_bulk,
                                              ir::OperationKind::multimem,
                                              ir::OperationKind::texture,
                                              ir::OperationKind::surface};
  size_t pure = 0;
  for (const ptx::OpcodeRow* row : ptx::opcode_rows()) {
    INFO(row->opcode.name);
    if (!row->meaning.pure) continue;
    ++pure;
    CHECK(row->opcode.operands.find('m') == std::string_view::npos);
    const std::string_view signs = row->opcode.operands.substr(row->opcode.operands.rfind(':') + 1);
    CHECK(signs.find('x') == std::string_view::npos);
    CHECK(signs.substr(signs.find_first_not_of(' ')).front() == 'w');
    CHECK(row->rule.space == ir::MemorySpace::none);
    CHECK_FALSE(row->meaning.reads_carry);
    CHECK(row->meaning.transfer == ir::Transfer::fallthrough);
    for (const ir::OperationKind kind : row->rule.kinds) CHECK(impure.count(kind) == 0);
  }
  CHECK(pure > 80);
  FormTable table;
  for (const char* word : {"addc.u32", "subc.cc.s32", "madc.lo.u32", "madc.hi.cc.s64"}) {
    CHECK(table.find(word)->reads_carry);
    CHECK_FALSE(semantics_of(table, word).pure);
    CHECK(semantics_of(table, word).computation == Computation::unknown);
  }
  CHECK(table.find("add.cc.u32")->writes_carry);
}

TEST_CASE("what passes control on") {
  FormTable table;
  const auto transfer = [&](const char* word) { return table.find(word)->transfer; };
  CHECK(transfer("bra.uni") == ir::Transfer::branch);
  CHECK(transfer("brx.idx") == ir::Transfer::indexed);
  CHECK(transfer("call.uni") == ir::Transfer::call);
  CHECK(transfer("ret") == ir::Transfer::function_return);
  CHECK(transfer("exit") == ir::Transfer::exit);
  CHECK(transfer("trap") == ir::Transfer::exit);
  for (const ptx::OpcodeRow* row : ptx::opcode_rows()) {
    INFO(row->opcode.name);
    // The last alternative: what stands before a colon is a modifier.
    const std::string_view signs = row->opcode.operands.substr(row->opcode.operands.rfind(':') + 1);
    const bool has_target = signs.find_first_of("tlc") != std::string_view::npos;
    if (has_target) CHECK(row->meaning.transfer != ir::Transfer::fallthrough);
  }
}
