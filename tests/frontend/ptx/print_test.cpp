// SPDX-License-Identifier: GPL-3.0-or-later
// What is read is all that a file says: printed and read again it is the same.
#include "frontend/ptx/syntax/lexer.hpp"
#include "tests/frontend/ptx/compare_modules.hpp"
#include "tests/frontend/ptx/files.hpp"
#include "tests/frontend/ptx/parse_text.hpp"
#include "tests/frontend/ptx/print_module.hpp"

using namespace warpspan;
using test::changed_by_printing;
using test::difference;
using test::kernel;
using test::module_of;
using test::print;

namespace {

// Every kind of node that the parser keeps.
const std::string everything =
    ".file 1 \"a.cu\"\n.file 2 \"b.cu\"\n.global .texref T;\n.const .align 8 .f32 table[4] = {0f3F800000, -2.5};\n"
    ".global .u64 where = generic(table)+8;\n.extern .shared .align 16 .b8 dynamic[];\n.global .v4 .f32 quad[2];\n"
    ".func (.reg .u32 y) f(.reg .u32 x)\n{ add.u32 y, x, 1; ret; }\n"
    ".func e(.param .align 8 .b8 t[24]) { ret; }\n.func (.param .b32 r) g(.param .align 8 .b8 s[24])\n{ .reg .b32 "
    "%r<2>; ld.param.b32 %r1, [s+4]; st.param.b32 [r], "
    "%r1; ret; }\n"
    ".visible .entry k(.param .u64 p, .param .u32 n)\n.maxntid 128, 2, 1\n.reqntid 64\n.maxnreg 40\n.minnctapersm 3\n"
    ".explicitcluster\n"
    "{\n.reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<9>;\n.reg .f64 %d<9>;\n.reg .v4 .f32 "
    "%v<3>;\n"
    ".reg .b32 single;\n.shared .align 8 .u32 tile[32];\n.local .b8 frame[16];\n.param .b32 a;\n.param .align 8 .b8 "
    "b[24];\n"
    "cases: .branchtargets first, second;\ncallees: .calltargets g;\nproto: .callprototype (.param .b32 _) _ (.param "
    ".b32 _);\n"
    ".loc 1 10 3\n"
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n"
    "first:\n@%p1 add.s32 %r2, %r1, -7;\n@!%p2 mul.lo.s32 %r3, %r2, single;\n"
    ".loc 2 11 3\n"
    "setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;\nld.global.v4.f32 {%f1, %f2, _, %f4}, [%rd1+16];\n"
    "fma.rn.f32 %f3, %f1, 0f3F800000, 1.5;\nmov.f64 %d1, 0d3FF0000000000000;\nmov.f32 %f1, %v1.y;\n"
    "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [T, {%f5, %f6}];\nmov.u32 %r4, tile+4;\nst.shared.u32 tile[1], %r4;\n"
    "atom.global.add.u32 _, [%rd1], 1;\nst.param.b32 [a], %r1;\n"
    "call (%r5), f, (%r1);\ncall.uni (a), g, (b);\ncall (a), %rd1, (a), callees;\ncall (a), %rd2, (a), proto;\n"
    "bra second;\nbrx.idx %r1, cases;\n"
    "second:\n@%p1 bra first;\nret;\n}\n";

// Of the text with the first `from` written as `to`.
ptx::Module changed(const std::string& from, const std::string& to) {
  std::string text = everything;
  const size_t place = text.find(from);
  REQUIRE(place != text.npos);
  return module_of(text.replace(place, from.size(), to));
}

// The numbers that stand by themselves or at the end of names, and where; without lines of which the parser keeps only
// a part.
std::vector<std::pair<size_t, std::string>> numbers(const std::string& text) {
  std::vector<std::pair<size_t, std::string>> all;
  const support::SourceFile source("", text);
  ptx::Lexer lexer(source);
  size_t skipped = 0;
  for (ptx::Token token = lexer.next(); token.kind != ptx::Token::Kind::end; token = lexer.next()) {
    if (token.is(".loc") || token.is(".file") || token.is(".pragma")) skipped = text.find('\n', token.offset);
    const bool is_name = token.kind == ptx::Token::Kind::identifier;
    if (token.offset < skipped || (!is_name && token.kind != ptx::Token::Kind::integer)) continue;
    const size_t begin = is_name ? token.text.find_last_not_of("0123456789") + 1 : 0;
    if (begin < token.text.size()) all.emplace_back(token.offset + begin, token.text.substr(begin));
  }
  return all;
}

}  // namespace

TEST_CASE("files are the same when they are printed and read again") {
  for (const auto& [folder, fewest] : {std::pair("samples", 40), {"tests/samples", 60}, {"tests/corpus/ptx", 70}}) {
    int compared = 0;
    for (const auto& file : test::files_in(folder)) {
      const auto module = test::parse(test::text_of(file));
      if (!module.ok()) {
        INFO(file);
        CHECK(file.parent_path().filename() == "bad");
        continue;
      }
      INFO(file);
      CHECK(changed_by_printing(*module) == "");
      ++compared;
    }
    CHECK(compared >= fewest);
  }
}

TEST_CASE("each node is printed") { CHECK(changed_by_printing(module_of(everything)) == ""); }

TEST_CASE("a change of any node is a difference, and is printed") {
  const ptx::Module original = module_of(everything);
  const std::string text = print(original);
  const std::pair<const char*, const char*> changes[] = {
      // the module
      {".file 2 \"b.cu\"", ".file 2 \"c.cu\""},
      {".file 2", ".file 3"},
      {".texref T", ".surfref T"},
      {"generic(table)+8", "generic(table)+4"},
      {"{0f3F800000, -2.5}", "{0f3F800000, 2.5}"},
      {" = {0f3F800000, -2.5}", ""},
      {".const .align 8", ".const .align 16"},
      {".f32 table[4]", ".f32 table[5]"},
      {".f32 table[4]", ".b32 table[4]"},
      {".global .v4 .f32 quad", ".const .v4 .f32 quad"},
      {".v4 .f32 quad[2]", ".v4 .f32 square[2]"},
      {"dynamic[]", "dynamic[4]"},
      // functions
      {"(.reg .u32 x)\n{ add.u32 y, x, 1; ret; }", "(.reg .u32 x);"},
      {"(.reg .u32 y) f(.reg .u32 x)", "(.reg .u32 y) f(.reg .s32 x)"},
      {".align 8 .b8 t[24]", ".align 8 .b8 t[32]"},
      {".align 8 .b8 t[24]", ".align 4 .b8 t[24]"},
      {".param .u32 n", ".param .u32 m"},
      {".param .u32 n", ".param .u32 n, .param .u32 m"},
      {".maxntid 128, 2, 1", ".maxntid 128, 1, 2"},
      {".reqntid 64", ".reqntid 32"},
      {".maxnreg 40", ".maxnreg 48"},
      {".minnctapersm 3", ".minnctapersm 2"},
      {".explicitcluster", ""},
      // declarations
      {".reg .pred %p<4>", ".reg .pred %p<5>"},
      {".reg .f32 %f<9>", ".reg .b32 %f<9>"},
      {".reg .v4 .f32 %v<3>", ".reg .v2 .f32 %v<3>"},
      {".reg .b32 single;", ".reg .b32 single; .reg .b32 unused;"},
      {".local .b8 frame", ".shared .b8 frame"},
      {".local .b8 frame[16]", ".local .b16 frame[8]"},
      {".local .b8 frame[16]", ".local .b8 other[16]"},
      {".branchtargets first, second", ".branchtargets second, first"},
      {".calltargets g", ".calltargets f"},
      {".calltargets g", ".callprototype (.param .b32 _) _ (.param .b32 _)"},
      // instructions: words, guards, labels, lines
      {"mul.lo.s32", "mul.hi.s32"},
      {"setp.lt.and.s32", "setp.lt.or.s32"},
      {"fma.rn.f32", "fma.rz.f32"},
      {"@%p1 add", "@%p2 add"},
      {"@%p1 add", "@!%p1 add"},
      {"@%p1 add", "add"},
      {"bra second", "bra first"},
      {"second:\n@%p1 bra first;", "@%p1 bra first;\nsecond:"},
      {"second:\n", "second:\nthird:\n"},
      {".loc 1 10 3", ".loc 1 12 3"},
      {".loc 1 10 3", ".loc 2 10 3"},
      {".loc 2 11 3\n", ""},
      {"1; ret;", "1; trap;"},
      {"bra second;\n", "bra second;\nbra second;\n"},
      // operands
      {"[p]", "[n]"},
      {"%tid.x", "%tid.y"},
      {"%tid.x", "%ctaid.x"},
      {"%tid.x", "7"},
      {"%r2, %r1, -7", "%r2, %r1, -8"},
      {"%r2, %r1, -7", "%r2, %r3, -7"},
      {"%r2, %r1, -7", "%r2, -7, %r1"},
      {"%r2, single", "%r2, %r5"},
      {"!%p3", "%p3"},
      {"%p1|%p2", "%p1|_"},
      {"%f2, _, %f4}", "%f2, %f3, %f4}"},
      {"[%rd1+16]", "[%rd1+32]"},
      {"[%rd1+16]", "[%rd2+16]"},
      {"0f3F800000, 1.5", "0f3F800001, 1.5"},
      {"0f3F800000, 1.5", "0f3F800000, 1.25"},
      {"0f3F800000, 1.5", "1.0, 1.5"},
      {"0d3FF0000000000000", "0dBFF0000000000000"},
      {"%v1.y", "%v1.z"},
      {"{%f5, %f6}", "{%f6, %f5}"},
      {"tile+4", "tile+8"},
      {"tile+4", "frame+4"},
      {"tile[1]", "tile[2]"},
      {"_, [%rd1], 1", "%r6, [%rd1], 1"},
      {"call (%r5), f, (%r1)", "call (%r5), f, (%r2)"},
      {"call (%r5), f, (%r1)", "call (%r6), f, (%r1)"},
      {"call (a), %rd1, (a), callees", "call (a), %rd1, (a), proto"},
      {"[a], %r1", "[a], %r2"},
  };
  for (const auto& [from, to] : changes) {
    INFO(from << " -> " << to);
    const ptx::Module other = changed(from, to);
    CHECK(difference(original, other) != "");
    CHECK(print(other) != text);
    CHECK(changed_by_printing(other) == "");
  }
}

TEST_CASE("a change of any number, or of a name's number, is a difference") {
  int found = 0;
  for (const auto& file : test::files_in("samples")) {
    const std::string text = test::text_of(file);
    if (text.size() > 6000) continue;
    const ptx::Module original = *test::parse(text);
    for (const auto& [place, token] : numbers(text)) {
      std::string changed = text;
      changed.replace(place, token.size(), token == "1" ? "2" : "1");
      const auto other = test::parse(changed);
      if (!other.ok()) continue;  // "%r1" may be of another type than "%r2"
      INFO(file << ", '" << token << "' at byte " << place << " of\n" << changed);
      CHECK(difference(original, *other) != "");
      ++found;
    }
  }
  CHECK(found > 3000);
}

TEST_CASE("blanks, comments, columns and blocks make no difference") {
  const ptx::Module original = module_of(everything);
  const std::pair<const char*, const char*> changes[] = {
      {"{0f3F800000, -2.5}", "{ 0f3F800000,// one\n -2.5 /* and */}"},
      {".loc 1 10 3", ".loc 1 9 1\n.loc 1 10 4, function_name $L, inlined_at 1 4 5"},
      {"setp.lt.and.s32 ", "setp .lt .and.s32\n"},
      {"-7", "(1 - 8)"},
      {"bra second;", "{ bra second; }"},
      {"tile[1]", "[tile+4]"},
  };
  for (const auto& [from, to] : changes) {
    INFO(from << " -> " << to);
    CHECK(difference(original, changed(from, to)) == "");
  }
}

TEST_CASE("what blocks tell apart has names of its own") {
  const ptx::Module module = module_of(
      ".global .u32 g;\n.func h() { ret; }\n" +
      kernel("{ .reg .b32 %r<20>; .reg .b32 x; mov.b32 %r11, 1; mov.b32 x, 1; bra L; L: }\n"
             "{ .reg .b32 %r<3>; .reg .b32 x; .reg .b32 %r2<2>; mov.b32 %r1, 2; mov.b32 x, %r21; bra L; L: }\n"
             "{ .reg .b32 g, h; mov.b32 g, h; } ld.global.u32 %r1, [g]; call h; add.s32 %r2, %r3+4, 1;"));
  CHECK(changed_by_printing(module) == "");
  const std::string text = print(module);
  for (const char* line : {"mov.b32 %r$2_11, 1;", "mov.b32 x, 1;", "bra L;", "mov.b32 %r$3_1, 2;",
                           "mov.b32 x$2_, %r2$2_1;", "bra L$2_;", "mov.b32 g$2_, h$2_;", "ld.global.u32 %r1, [g];",
                           "call h;", "add.s32 %sum, %r3, 4;", "add.s32 %r2, %sum, 1;"}) {
    INFO(text);
    CHECK(text.find(std::string("  ") + line + "\n") != text.npos);
  }
}
