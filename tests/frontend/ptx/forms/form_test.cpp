// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/forms/form.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <sstream>

#include "frontend/ptx/forms/opcode_table.hpp"

namespace {

using namespace warpspan;
using ir::MemorySpace;
using ir::OperationKind;
using ptx::FormTable;
using ptx::Type;

struct Word {
  const char* text;
  OperationKind kind;
  MemorySpace space;
  int bytes;
};

const std::vector<Word>& words() {
  static const std::vector<Word> list = {
#define WORD(text, kind, space, bytes) {text, OperationKind::kind, MemorySpace::space, bytes},
#include "tests/frontend/ptx/forms/form_words.def"
#undef WORD
  };
  return list;
}

// The signs of the roles of `count` operands, as in the opcode tables; "-" if there cannot be so many.
std::string roles_of(FormTable& table, const std::string& word, size_t count) {
  const ptx::Form* form = table.find(word);
  if (form == nullptr) return table.error().message;
  const std::vector<ptx::OperandRule>* rules = form->rules(count);
  if (rules == nullptr) return "-";
  std::string signs;
  for (const ptx::OperandRule& rule : *rules) signs += "rwxmtlc"[static_cast<size_t>(rule.role)];
  return signs;
}

std::string explain(const std::string& word) {
  FormTable table;
  if (table.find(word) != nullptr) return "found";
  const ptx::UnknownWord& error = table.error();
  return std::to_string(error.offset) + ": " + error.message + (error.help.empty() ? "" : "; " + error.help);
}

std::string types_of(FormTable& table, const std::string& word) {
  const ptx::Form* form = table.find(word);
  REQUIRE(form != nullptr);
  std::string names;
  for (const Type type : form->types) names += "." + std::string(ptx::to_string(type));
  return names;
}

std::string modifiers_of(FormTable& table, const std::string& word) {
  const ptx::Form* form = table.find(word);
  REQUIRE(form != nullptr);
  std::string names;
  for (const std::string_view modifier : form->modifiers) names += "." + std::string(modifier);
  return names;
}

}  // namespace

TEST_CASE("words of all families stand for the right operation") {
  FormTable table;
  REQUIRE(words().size() >= 400);
  for (const Word& word : words()) {
    CAPTURE(word.text);
    const ptx::Form* form = table.find(word.text);
    if (form == nullptr) FAIL(table.error().message);
    CHECK(form->text == word.text);
    CHECK(form->operation.text == word.text);
    CHECK(ir::to_string(form->operation.kind) == ir::to_string(word.kind));
    CHECK(form->operation.space == word.space);
    CHECK(form->operation.bytes == word.bytes);
  }
}

TEST_CASE("words that compilers write are found") {
  FormTable table;
  std::istringstream text(
#include "tests/frontend/ptx/forms/form_compiled_words.def"
  );
  size_t count = 0;
  for (std::string word; text >> word; ++count) {
    CAPTURE(word);
    const ptx::Form* form = table.find(word);
    if (form == nullptr) FAIL(table.error().message);
  }
  CHECK(count >= 400);
}

TEST_CASE("every row of the opcode tables is in the list of words") {
  FormTable table;
  std::set<std::string_view> seen;
  for (const Word& word : words()) {
    if (const ptx::Form* form = table.find(word.text)) seen.insert(form->opcode->name);
  }
  const std::set<std::string_view> elsewhere = {"call", "brx.idx"};  // their operands need a function or a table
  std::string_view previous;
  for (const ptx::OpcodeRow* row : ptx::opcode_rows()) {
    CAPTURE(row->opcode.name);
    CHECK(row->opcode.name > previous);
    previous = row->opcode.name;
    CHECK(row->opcode.section.substr(0, 4) == "9.7.");
    CHECK((seen.count(row->opcode.name) == 1 || elsewhere.count(row->opcode.name) == 1));
  }
}

TEST_CASE("a word is interned: found again it is the same form") {
  FormTable table;
  const ptx::Form* first = table.find("ld.global.nc.v4.f32");
  std::string copy = "ld.global.nc.v4.f32";
  for (const Word& word : words()) table.find(word.text);  // enough for the table to grow
  CHECK(table.find(copy) == first);
  copy.assign(copy.size(), 'x');
  CHECK(first->text == "ld.global.nc.v4.f32");
  CHECK(first->modifiers[1] == "nc");
  CHECK(table.find("ld.nc.global.v4.f32") != first);
}

TEST_CASE("types, vectors and modifiers of a word") {
  FormTable table;
  const std::vector<std::pair<const char*, const char*>> types = {
      {"add.s32", ".s32"},
      {"ret", ""},
      {"mov.pred", ".pred"},
      {"cvt.rn.f32.f64", ".f32.f64"},
      {"cvt.f32.f64.rn", ".f32.f64"},
      {"set.lt.and.u32.s32", ".u32.s32"},
      {"slct.f32.s32", ".f32.s32"},
      {"dp4a.s32.u32", ".s32.u32"},
      {"vadd.s32.u32.s32.sat.add", ".s32.u32.s32"},
      {"tex.level.2d.v4.f32.s32", ".f32.s32"},
      {"add.rn.f32x2", ".f32x2"},
      {"fma.rn.f32.bf16", ".f32.bf16"},
      {"cvt.rs.relu.satfinite.e2m1x4.f32", ".e2m1x4.f32"},
      {"cvt.pack.sat.u4.s32.b32", ".u4.s32.b32"},
      {"mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32", ".s32.u8.s8.s32"},
      {"wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc", ".s32.b1.b1"},
      {"ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32", ".b8x16.b6x16_p32"},
      {"tensormap.replace.tile.rank.shared::cta.b1024.b32", ".b1024.b32"},
      {"clusterlaunchcontrol.query_cancel.is_canceled.pred.b128", ".pred.b128"},
      {"istypep.texref", ".texref"},
  };
  for (const auto& [word, expected] : types) {
    CAPTURE(word);
    CHECK(types_of(table, word) == expected);
  }
  CHECK(table.find("ret")->type() == Type::none);
  CHECK(table.find("cvt.rn.f32.f64")->type() == Type::f32);
  CHECK(table.find("ld.global.f32")->vector_size == 1);
  CHECK(table.find("ld.global.v2.f32")->vector_size == 2);
  CHECK(table.find("ld.v4.global.f32")->vector_size == 4);
  CHECK(table.find("st.global.v8.b32")->vector_size == 8);
  CHECK(table.find("atom.global.v2.f32.add")->vector_size == 2);
  CHECK(modifiers_of(table, "ld.global.L1::evict_last.L2::cache_hint.v2.u32") ==
        ".global.L1::evict_last.L2::cache_hint.v2");
  CHECK(modifiers_of(table, "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64") ==
        ".parity.acquire.cta.shared::cta");
  CHECK(modifiers_of(table, "mul.lo.s32").empty());
  CHECK(modifiers_of(table, "mma.sync.aligned.m8n8k4.row.row.f32.f16.f16.f32") == ".sync.aligned.m8n8k4.row.row");
  CHECK(table.find("setp.lt.and.s32")->has("lt"));
  CHECK_FALSE(table.find("setp.lt.and.s32")->has("l"));
  CHECK_FALSE(table.find("setp.lt.and.s32")->has(".lt"));
}

TEST_CASE("types know their names and widths") {
  CHECK(ptx::to_string(Type::none).empty());
  CHECK(ptx::to_string(Type::bf16x2) == "bf16x2");
  CHECK(ptx::to_string(Type::b4x16_p64) == "b4x16_p64");
  CHECK(ptx::bits(Type::none) == 0);
  CHECK(ptx::bits(Type::pred) == 1);
  CHECK(ptx::bits(Type::texref) == 0);
  CHECK(ptx::bits(Type::f32x2) == 64);
  CHECK(ptx::bits(Type::b128) == 128);
  CHECK(ptx::bits(Type::e2m3x4) == 32);
  CHECK(ptx::type_named("s16x2") == Type::s16x2);
  CHECK(ptx::type_named("f128") == Type::none);
}

TEST_CASE("modifiers may stand in any order") {
  FormTable table;
  const auto same = [&](const char* a, const char* b) {
    CAPTURE(a, b);
    const ptx::Form* first = table.find(a);
    const ptx::Form* second = table.find(b);
    REQUIRE(first != nullptr);
    REQUIRE(second != nullptr);
    CHECK(first->opcode == second->opcode);
    CHECK(first->operation.kind == second->operation.kind);
    CHECK(first->operation.space == second->operation.space);
    CHECK(first->operation.bytes == second->operation.bytes);
    CHECK(first->types == second->types);
    CHECK(first->rules_by_count == second->rules_by_count);
  };
  same("ld.global.b32", "ld.b32.global");
  same("ld.global.nc.b32", "ld.global.b32.nc");
  same("atom.global.add.u32", "atom.add.u32.global");
  same("cvt.rn.f32.f64", "cvt.f32.f64.rn");
  same("rcp.approx.ftz.f32", "rcp.f32.ftz.approx");
  same("setp.lt.and.s32", "setp.s32.and.lt");
  same("mul.rn.f32", "mul.f32.rn");
  same("add.cc.u32", "add.u32.cc");
  same("shfl.sync.up.b32", "shfl.b32.up.sync");
  same("vote.sync.ballot.b32", "vote.b32.sync.ballot");
  same("bar.cta.sync", "bar.sync.cta");
  same("barrier.sync.aligned", "barrier.aligned.sync");
  same("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint",
       "cp.async.bulk.bulk_group.L2::cache_hint.shared::cta.global");
}

TEST_CASE("carries are read and written without an operand") {
  FormTable table;
  const auto carry = [&](const char* word) {
    const ptx::Form* form = table.find(word);
    REQUIRE(form != nullptr);
    return std::string(form->reads_carry ? "r" : "") + (form->writes_carry ? "w" : "");
  };
  CHECK(carry("add.u32").empty());
  CHECK(carry("add.cc.u32") == "w");
  CHECK(carry("addc.u32") == "r");
  CHECK(carry("addc.cc.u64") == "rw");
  CHECK(carry("sub.cc.s32") == "w");
  CHECK(carry("subc.s32") == "r");
  CHECK(carry("mad.lo.u32").empty());
  CHECK(carry("mad.lo.cc.u32") == "w");
  CHECK(carry("madc.hi.u32") == "r");
  CHECK(carry("madc.lo.cc.u64") == "rw");
}

TEST_CASE("roles of operands") {
  struct Row {
    const char* word;
    const char* roles;  // one sign for each operand
  };
  static constexpr Row rows[] = {
#define ROLES(word, roles) {word, roles},
#include "tests/frontend/ptx/forms/form_roles.def"
#undef ROLES
  };
  FormTable table;
  CHECK(std::size(rows) >= 80);
  for (const Row& row : rows) {
    CAPTURE(row.word, row.roles);
    CHECK(roles_of(table, row.word, std::string_view(row.roles).size()) == row.roles);
  }
}

TEST_CASE("numbers of operands that cannot be") {
  FormTable table;
  const std::vector<std::pair<const char*, size_t>> impossible = {
      {"add.s32", 0},
      {"add.s32", 2},
      {"add.s32", 4},
      {"ret", 1},
      {"bar.sync", 0},
      {"bar.sync", 3},
      {"ld.global.u32", 1},
      {"ld.global.u32", 4},
      {"bra", 0},
      {"bra", 2},
      {"call", 0},
      {"mov.u32", 1},
      {"fence.sc.gpu", 1},
      {"activemask.b32", 0},
      {"fma.rn.f32", 3},
      {"call", 17},
      {"setp.lt.s32", 5},
      {"bar.red.and.pred", 2},
      {"mbarrier.arrive.b64", 1},
      {"atom.global.add.u32", 2},
  };
  for (const auto& [word, count] : impossible) {
    CAPTURE(word, count);
    CHECK(roles_of(table, word, count) == "-");
  }
  CHECK(table.find("ret")->rules(0) != nullptr);
}

TEST_CASE("unknown words say what is wrong and what was perhaps meant") {
  CHECK(explain("addd.s32") == "0: unknown opcode 'addd'; did you mean 'add'?");
  CHECK(explain("MOV.u32") == "0: unknown opcode 'MOV'; did you mean 'mov'?");
  CHECK(explain("setps.lt.s32") == "0: unknown opcode 'setps'; did you mean 'setp'?");
  CHECK(explain("frobnicate.f32") == "0: unknown opcode 'frobnicate'");
  CHECK(explain("") == "0: unknown opcode ''");
  CHECK(explain("mbarrier.arived.b64") == "8: unknown opcode 'mbarrier.arived'; did you mean 'mbarrier.arrive'?");
  CHECK(explain("shf.left.b32") == "3: unknown opcode 'shf.left'; 'shf' goes on with '.l' or '.r'");
  CHECK(explain("suld.p.1d.v4.b32.trap") == "4: unknown opcode 'suld.p'; 'suld' goes on with '.b'");
  CHECK(explain("multimem.cp.async.bulk.global.shared::cta.bulk_group") ==
        "8: unknown opcode 'multimem.cp'; 'multimem' goes on with '.ld_reduce', '.red' or '.st'");
}

TEST_CASE("opcodes without a part they need") {
  CHECK(explain("mul24.s32") == "5: incomplete opcode 'mul24'; 'mul24' goes on with '.hi' or '.lo'");
  CHECK(explain("mul.s32") == "3: incomplete opcode 'mul'; 'mul' goes on with '.hi', '.lo' or '.wide'");
  CHECK(explain("mad.u64") == "3: incomplete opcode 'mad'; 'mad' goes on with '.hi', '.lo' or '.wide'");
  CHECK(explain("shf.wrap.b32") == "3: incomplete opcode 'shf'; 'shf' goes on with '.l' or '.r'");
  CHECK(explain("brx") == "3: incomplete opcode 'brx'; 'brx' goes on with '.idx'");
  CHECK(explain("wgmma.sync.aligned") ==
        "5: incomplete opcode 'wgmma'; 'wgmma' goes on with '.commit_group', '.fence', '.mma_async' or '.wait_group'");
  CHECK(explain("cp.reduce.async.global") ==
        "15: incomplete opcode 'cp.reduce.async'; 'cp.reduce.async' goes on with '.bulk'");
}

TEST_CASE("modifiers that do not belong to the opcode") {
  CHECK(explain("add.foo.s32") == "3: unknown modifier '.foo' of 'add'");
  CHECK(explain("ld.gloabl.u32") == "2: unknown modifier '.gloabl' of 'ld'; did you mean '.global'?");
  CHECK(explain("add.nc.s32") == "3: unknown modifier '.nc' of 'add'; did you mean '.cc'?");
  CHECK(explain("st.const.u32") == "2: unknown modifier '.const' of 'st'");
  CHECK(explain("sub.f3") == "3: unknown modifier '.f3' of 'sub'; did you mean '.f32'?");
  CHECK(explain("cp.async.bulk.tensr.1d") ==
        "13: unknown modifier '.tensr' of 'cp.async.bulk'; did you mean '.tensor'?");
  CHECK(explain("mul.s32.lo") == "7: unknown modifier '.lo' of 'mul'; it must follow 'mul' at once");
  CHECK(explain("mma.sync.aligned.m16n8.row.col.f32.f16.f16.f32") == "16: unknown modifier '.m16n8' of 'mma'");
  CHECK(explain("add.") == "3: unknown modifier '.' of 'add'");
  CHECK(explain("add..s32") == "3: unknown modifier '.' of 'add'");
}

TEST_CASE("modifiers that stand twice") {
  CHECK(explain("ld.global.global.u32") == "9: modifier '.global' stands twice; take one of them out");
  CHECK(explain("add.ftz.rn.ftz.f32") == "10: modifier '.ftz' stands twice; take one of them out");
  CHECK(explain("wmma.mma.sync.aligned.row.row.row.m16n16k16.f16.f16") ==
        "29: modifier '.row' stands twice; take one of them out");
  CHECK(explain("ld.v2.v4.u32") == "5: '.v4' is a second vector size; take one of them out");
  CHECK(explain("createpolicy.fractional.L2::evict_first.L2::evict_first.b64") == "found");
}

TEST_CASE("types that are missing or have no form") {
  CHECK(explain("add") == "3: 'add' needs a type; such as '.u32' or '.f32' at its end");
  CHECK(explain("ld.global") == "9: 'ld' needs a type; such as '.u32' or '.f32' at its end");
  CHECK(explain("atom.global.add") == "15: 'atom' needs a type; such as '.u32' or '.f32' at its end");
  CHECK(explain("cvt.rn.f32") == "10: 'cvt' needs two types; such as '.f32.s32' at its end: result, then operand");
  CHECK(explain("popc.f32") == "4: 'popc' has no form for type '.f32'");
  CHECK(explain("fma.rn.s32") == "6: 'fma' has no form for type '.s32'");
  CHECK(explain("rem.f64") == "3: 'rem' has no form for type '.f64'");
  CHECK(explain("ex2.approx.f64") == "10: 'ex2' has no form for type '.f64'");
}

TEST_CASE("an error does not stay") {
  FormTable table;
  CHECK(table.find("addd.s32") == nullptr);
  CHECK(table.find("add.foo.s32") == nullptr);
  CHECK(table.error().message == "unknown modifier '.foo' of 'add'");
  CHECK(table.find("add.s32") != nullptr);
  CHECK(table.find("addd.s32") == nullptr);
  CHECK(table.error().message == "unknown opcode 'addd'");
}

TEST_CASE("types and modifiers that do not go together") {
  CHECK(explain("add.s8") == "3: 'add' has no form for type '.s8'");
  CHECK(explain("add.s32.s32") == "3: 'add' has no form for type '.s32.s32'");
  CHECK(explain("cvt.u32.tf32") == "3: 'cvt' has no form for type '.u32.tf32'");
  CHECK(explain("add.sat.u32") == "0: 'add.sat.u32' has a modifier that does not go with the others or with its type");
  CHECK(explain("add.rn.s32") == "0: 'add.rn.s32' has a modifier that does not go with the others or with its type");
  CHECK(explain("setp.lo.s32") == "11: 'setp.lo.s32' lacks a modifier such as '.eq'");
  CHECK(explain("setp.u32") == "8: 'setp.u32' lacks a modifier such as '.eq'");
  CHECK(explain("fma.f32") == "7: 'fma.f32' lacks a modifier such as '.rn'");
  CHECK(explain("cvta.to.u64") == "11: 'cvta.to.u64' lacks a modifier such as '.global'");
  CHECK(explain("add.rn.rz.f32") ==
        "0: 'add.rn.rz.f32' has two modifiers that exclude each other; take one of them out");
  CHECK(explain("ld.global.shared.u32") ==
        "0: 'ld.global.shared.u32' has two modifiers that exclude each other; take one of them out");
  CHECK(explain("ld.sys.u32") == "0: 'ld.sys.u32' has a modifier that does not go with the others or with its type");
  CHECK(explain("bar") == "3: 'bar' lacks a modifier such as '.sync'");
  const std::string wgmma = "wgmma.mma_async.sync.aligned.";
  CHECK(explain(wgmma + "m64n8k16.f32.f16.bf16") == "37: 'wgmma.mma_async' has no form for type '.f32.f16.bf16'");
  CHECK(explain(wgmma + "f32.f16.f16") ==
        "40: 'wgmma.mma_async.sync.aligned.f32.f16.f16' lacks a modifier such as '.m#n#k#'");
  CHECK(explain("tcgen05.ld.aligned.32x32b.x1.b32") ==
        "32: 'tcgen05.ld.aligned.32x32b.x1.b32' lacks a modifier such as '.sync'");
  CHECK(explain("tcgen05.st.sync.aligned.32x32b.x1.u32") == "33: 'tcgen05.st' has no form for type '.u32'");
  CHECK(explain("tcgen05.ld.red.sync.aligned.32x32b.x2.u32").find("lacks a modifier such as '.min'") !=
        std::string::npos);
  CHECK(explain("add.sat.sat.s32") == "found");  // as ptxas 13.0 has it
}
