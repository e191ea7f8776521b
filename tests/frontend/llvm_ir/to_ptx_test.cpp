// SPDX-License-Identifier: GPL-3.0-or-later
// LLVM IR to PTX: what comes out is PTX that the front-end reads, and nothing that goes in ends this program.
#include "frontend/llvm_ir/to_ptx.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>

#include "frontend/frontend.hpp"
#include "tests/files.hpp"
#include "tests/paths.hpp"

using namespace warpspan;
using namespace warpspan::llvm_ir;

namespace {

using support::Result;
using support::SourceFile;
using warpspan::test::contains;

std::string sample(const std::string& name) {
  std::ifstream file(warpspan::test::source_dir() + "/tests/samples/llvm_ir/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Result<std::string> compile(const std::string& text, const std::vector<std::string>& words = {}) {
  return to_ptx(SourceFile("k.ll", text), parse_flags(words).value(), {});
}

std::string error_of(const std::string& text, const std::vector<std::string>& words = {}) {
  const auto ptx = compile(text, words);
  return ptx ? "no error" : ptx.errors().front().message;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

const std::string head =
    "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n";
const std::string annotation =
    "!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !\"kernel\", i32 1}\nattributes #0 = { \"target-cpu\"=\"sm_75\" }\n";

}  // namespace

TEST_CASE("text and bitcode of a module give the same PTX, which is read") {
  const auto from_text = compile(sample("saxpy.ll"));
  REQUIRE(from_text);
  CHECK(contains(*from_text, ".target sm_80"));
  const auto from_bitcode = compile(sample("saxpy.bc"));
  REQUIRE(from_bitcode);
  CHECK(*from_text == *from_bitcode);
  const auto contents = frontend::contents_of(std::make_shared<SourceFile>("k.ll", *from_text));
  REQUIRE(contents);
  CHECK(contents->kernels.size() == 1);
}

TEST_CASE("a function is called by its alias") {
  const auto ptx = compile(sample("alias.ll"));
  REQUIRE(ptx);
  CHECK(contains(*ptx, ".alias other, impl;"));
  const auto contents = frontend::contents_of(std::make_shared<SourceFile>("k.ll", *ptx));
  REQUIRE(contents);
  CHECK(contents->kernels.size() == 1);
}

TEST_CASE("flags choose target, version of PTX and passes") {
  const std::string text = sample("saxpy.ll");
  CHECK(contains(*compile(text, {"-mcpu=sm_90"}), ".target sm_90"));
  CHECK(contains(*compile(text, {"-mattr=+ptx80"}), ".version 8.0"));
  // Passes inline a function; the code generation of -O0 leaves a variable in memory.
  const std::string module = head +
                             "define internal i32 @f(i32 %x) #0 {\n  %y = mul i32 %x, %x\n  ret i32 %y\n}\n"
                             "define void @k(ptr %p) #0 {\n  %a = alloca i32\n  store i32 7, ptr %a\n  %v = load i32, "
                             "ptr %a\n  %w = call i32 @f(i32 %v)\n  store i32 %w, ptr %p\n  ret void\n}\n" +
                             annotation;
  const std::string by_itself = *compile(module), unoptimized = *compile(module, {"-O0"}),
                    optimized = *compile(module, {"-O3"});
  CHECK(contains(by_itself, "call.uni"));
  CHECK_FALSE(contains(by_itself, ".local"));
  CHECK(contains(unoptimized, "call.uni"));
  CHECK(contains(unoptimized, ".local"));
  CHECK_FALSE(contains(optimized, "call.uni"));
}

TEST_CASE("what LLVM refuses is an error at its line") {
  const auto wrong = compile(head + "define void @k() {\n  %a = add i32 1, %b\n  ret void\n}\n");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.errors().front().message == "LLVM cannot read it: use of undefined value '%b'");
  CHECK(wrong.errors().front().location.file == "k.ll");
  CHECK(wrong.errors().front().location.line == 4);
  CHECK(wrong.errors().front().source_line == "  %a = add i32 1, %b");
  CHECK(contains(error_of(head + "define void @k() {\n  br label %l\nl:\n  %a = add i32 %c, 1\n  %c = add i32 %a, 1\n  "
                                 "ret void\n}\n"),
                 "breaks a rule of LLVM IR: Instruction does not dominate all uses!"));
  CHECK(contains(error_of(""), "target triple"));
  CHECK(contains(error_of(".version 7.0\n"), "LLVM cannot read it: "));
}

TEST_CASE("a module for something else is refused") {
  const std::string text = sample("saxpy.ll");
  CHECK(error_of(replaced(text, "nvptx64-nvidia-cuda", "x86_64-pc-linux-gnu")) ==
        "the module is for 'x86_64-pc-linux-gnu'");
  CHECK(contains(error_of(replaced(text, "e-i64:64", "E-i64:64")), "which is not that of nvptx64-nvidia-cuda"));
  CHECK(error_of(head + "define void @k() { ret void }\n") == "the module does not say which GPU it is for");
  CHECK(error_of(head + "define void @k() { ret void }\n", {"-mcpu=sm_70"}) == "no error");
  const std::string two =
      "attributes #0 = { \"target-cpu\"=\"sm_75\" }\nattributes #1 = { \"target-cpu\"=\"sm_80\" }\n";
  CHECK(error_of(head + "define void @a() #0 { ret void }\ndefine void @b() #1 { ret void }\n" + two) ==
        "its functions are for several GPUs: sm_75, sm_80");
  const auto unknown = compile(text, {"-mcpu=sm_999"});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.errors().front().cause == support::Cause::usage);
  CHECK(contains(unknown.errors().front().message, "knows no target 'sm_999'"));
  CHECK(contains(error_of(text, {"-mattr=+ptx999"}), "knows no 'ptx999'"));
}

TEST_CASE("what LLVM's backend cannot do, and what it dies of, is an error") {
  // No NVPTX instruction does it: LLVM calls its handler of fatal errors, which would abort.
  const std::string fatal = head +
                            "declare i8 @llvm.nvvm.nothing.like.this()\ndefine i8 @k() #0 {\n  %v = call i8 asm "
                            "\"x\", \"=Q\"()\n  ret i8 %v\n}\n" +
                            annotation;
  CHECK(contains(error_of(fatal), "LLVM"));
  // A recursion deeper than any stack.
  std::string deep = "define void @k() { ret void }\n@g = global i64 ";
  for (int i = 0; i < 400'000; ++i) deep += "add (i64 1, i64 ";
  CHECK(contains(error_of(head + deep), "LLVM"));
}

TEST_CASE("mutants of bitcode and of text end in PTX or an error") {
  std::mt19937 random(20'240'901);
  size_t refused = 0;
  for (const char* name : {"saxpy.bc", "saxpy.ll"}) {
    const std::string original = sample(name);
    for (int round = 0; round < 150; ++round) {
      std::string mutant = original;
      for (int change = 0; change <= round % 4; ++change) {
        mutant[random() % mutant.size()] = static_cast<char>(random() % 256);
      }
      if (round % 8 == 7) mutant.resize(random() % mutant.size());
      const auto ptx = compile(mutant);
      if (!ptx) ++refused;
      if (!ptx) CHECK_FALSE(ptx.errors().front().message.empty());
    }
  }
  CHECK(refused > 60);
}
