// SPDX-License-Identifier: GPL-3.0-or-later
// What is written of a kernel, and its fingerprint.
#include <catch2/catch.hpp>

#include "frontend/frontend.hpp"

using namespace warpspan;

namespace {

const std::string callee = ".func (.reg .b32 %o) f(.reg .b32 %i)\n{\nadd.s32 %o, %i, 1;\nret;\n}\n";
const std::string unused = ".func g()\n{\nret;\n}\n";
const std::string kernel =
    ".visible .entry k(.param .u64 p, .param .align 4 .b8 s[12])\n{\n.reg .b32 %r<4>;\n.loc 1 3 0\n"
    "mov.u32 %r1, %tid.x;\n.loc 1 4 7, function_name $L__info0+3, inlined_at 1 9 1\ncall (%r2), f, (%r1);\n"
    "// done\nL:\nret;\n}\n";

std::string head() { return ".version 8.0\n.target sm_80\n.address_size 64\n"; }

frontend::Reading read(const std::string& text, const frontend::Inquiry& inquiry) {
  ir::Launch launch;
  launch.block = ir::Extent{32, 1, 1};
  return frontend::read_kernels(std::make_shared<const support::SourceFile>("t.ptx", head() + text), {}, launch,
                                inquiry);
}

ir::KernelCode code(const std::string& text) {
  frontend::Inquiry inquiry;
  inquiry.fingerprints = true;
  frontend::Reading reading = read(text, inquiry);
  REQUIRE(reading.codes.size() == 1);
  return std::move(reading.codes.front());
}

std::string without(std::string text, const std::string& part, const std::string& instead = "") {
  REQUIRE(text.find(part) != std::string::npos);
  return text.replace(text.find(part), part.size(), instead);
}

}  // namespace

TEST_CASE("what is written of a kernel") {
  const ir::KernelCode found = code(callee + unused + kernel);
  CHECK(found.name == "k");
  CHECK(found.instructions == 5);
  REQUIRE(found.parameters.size() == 2);
  CHECK(ir::remembered(found.parameters[0]) == "u64 p");
  CHECK(found.parameters[0].is_integer);
  CHECK(ir::remembered(found.parameters[1]) == "b8[12] s");
  CHECK(!found.parameters[1].is_integer);
  CHECK(found.external_functions.empty());
  CHECK(found.sha256.size() == 64);
}

TEST_CASE("the fingerprint is that of the words") {
  const std::string known = code(callee + kernel).sha256;
  CHECK(code(callee + unused + "// moved\n\n" + kernel).sha256 == known);
  CHECK(code(callee + without(kernel, "// done\n")).sha256 == known);
  CHECK(code(callee + without(kernel, ".loc 1 3 0\n")).sha256 == known);
  CHECK(code(callee + without(kernel, ", function_name $L__info0+3, inlined_at 1 9 1")).sha256 == known);
  CHECK(code(callee + without(kernel, "mov.u32 %r1, %tid.x;", "mov.u32\t%r1 , %tid.x ;")).sha256 == known);
  const std::vector<std::string> changed = {callee + without(kernel, "%tid.x", "%tid.y"),
                                            callee + without(kernel, "L:\n"),
                                            callee + without(kernel, "L:", "M:"),
                                            callee + without(kernel, "s[12]", "s[16]"),
                                            without(callee, "%i, 1", "%i, 2") + kernel,
                                            callee + without(kernel, "k(", "j("),
                                            callee + without(kernel, ".b32 %r<4>", ".b32 %r<5>")};
  for (const std::string& text : changed) CHECK(code(text).sha256 != known);
}

TEST_CASE("the fingerprint has the variables that the code names, and their values") {
  const std::string reads = without(kernel, "// done\n", "mov.u32 %r3, limit;\nld.global.u32 %r3, [place];\n");
  const std::string limit = ".const .align 4 .b8 limit[8] = {16, 0, 0, 0, 3};\n";
  const std::string table = ".visible .global .u32 table[2] = {1, 2};\n";
  const std::string place = ".global .align 8 .u64 place = generic(table);\n";
  const std::string other = ".global .u32 other[2] = {1, 2};\n";
  const std::string known = code(limit + table + place + callee + reads).sha256;
  CHECK(code(limit + table + other + callee + place + reads).sha256 == known);
  CHECK(code(".file 1 \"k.cu\"\n" + limit + table + place + callee + unused + reads).sha256 == known);
  const std::vector<std::string> changed = {without(limit, "16", "64") + table + place + callee + reads,
                                            limit + without(table, "2}", "3}") + place + callee + reads,
                                            without(limit, ".const", ".global") + table + place + callee + reads};
  for (const std::string& text : changed) CHECK(code(text).sha256 != known);
}

TEST_CASE("functions without a body are told, and are no errors where bounds may be missing") {
  frontend::Inquiry inquiry;
  inquiry.unbounded_loops = true;
  const frontend::Reading reading = read(".extern .func (.reg .b32 %o) f(.reg .b32 %i);\n" + kernel, inquiry);
  CHECK(reading.errors.empty());
  CHECK(reading.kernels.empty());
  REQUIRE(reading.codes.size() == 1);
  CHECK(reading.codes[0].external_functions == std::vector<std::string>{"f"});
  CHECK(reading.codes[0].loops);
  CHECK(reading.codes[0].sha256.empty());
}

TEST_CASE("a kernel that is refused is not bounded") {
  frontend::Inquiry inquiry;
  support::Diagnostic no;
  no.message = "no";
  inquiry.refuse = [&no](const ir::KernelCode& asked) {
    return asked.loops ? support::Diagnostics{no} : support::Diagnostics{};
  };
  const frontend::Reading reading = read(callee + kernel, inquiry);
  REQUIRE(reading.errors.size() == 1);
  CHECK(reading.errors[0].message == "no");
  CHECK(reading.kernels.empty());
  CHECK(reading.codes.at(0).refused);
}
