// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/words/text.hpp"

#include <catch2/catch.hpp>

using namespace warpspan;

namespace {

constexpr std::string_view nvdisasm = R"(	.target	sm_90a

//--------------------- .text.first               --------------------------
	.section	.text.first,"ax",@progbits
	.sectioninfo	@"SHI_REGISTERS=32"
        .global         first
first:
.text.first:
        /*0000*/                   BRX R6 -0x160   (*"BRANCH_TARGETS .L_x_5,.L_x_6,.L_x_5"*); /* 0xfffffea006007949 */  // |  1 ^
                                                                                              /* 0x000fea000383ffff */  // |
.L_x_5:                                                                                                                 // +...
        /*0010*/              @!P0 EXIT ;                                                     /* 0x000000000000894d */
                                                                                              /* 0x000fea0003800000 */
.L_x_6:
        /*0020*/                   NOP;                                                       /* 0x0000000000007918 */
                                                                                              /* 0x000fc00000000000 */
.L_x_7:

	.section	.nv.constant0.first,"a",@progbits
)";

constexpr std::string_view cuobjdump = R"(
Fatbin elf code:
================
arch = sm_80
code version = [1,8]

	code for sm_80
		Function : _Z3mixj
	.headerflags	@"EF_CUDA_SM80"
        /*0000*/                   EXIT ;    /* 0x000000000000794d */
                                             /* 0x000fea0003800000 */
		..........


		Function : other
        /*0000*/                   NOP;      /* 0x0000000000007918 */
                                             /* 0x000fc00000000000 */
		..........
)";

std::string first_error(std::string_view text) {
  const auto functions = sass::read_disassembly(text, "k.sass");
  REQUIRE_FALSE(functions);
  const auto& error = functions.errors().front();
  return std::to_string(error.location.line) + ": " + error.message;
}

}  // namespace

TEST_CASE("sass: text of nvdisasm -c -hex") {
  REQUIRE(sass::is_disassembly(nvdisasm));
  const auto functions = sass::read_disassembly(nvdisasm, "k.sass");
  REQUIRE(functions);
  REQUIRE(functions->size() == 1);
  const sass::FunctionText& first = functions->front();
  CHECK(first.name == "first");
  CHECK(first.architecture == 90);
  CHECK(first.line == 4);
  REQUIRE(first.words.size() == 3);
  CHECK(first.words[0] == sass::Word{0xfffffea006007949, 0x000fea000383ffff});
  CHECK(first.words[2] == sass::Word{0x0000000000007918, 0x000fc00000000000});
  REQUIRE(first.indirect_targets.size() == 1);
  CHECK(first.indirect_targets[0].offset == 0);
  CHECK(first.indirect_targets[0].targets == std::vector<uint64_t>{0x10, 0x20});
}

TEST_CASE("sass: text of nvdisasm of a cubin older than 13.0 has the architecture in its flags") {
  const std::string flags =
      "\t.headerflags\t@\"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM75 "
      "EF_CUDA_VIRTUAL_SM(EF_CUDA_SM70)\"\n";
  const std::string older = flags + std::string(nvdisasm.substr(nvdisasm.find('\n') + 1));
  const auto functions = sass::read_disassembly(older, "k.sass");
  REQUIRE(functions);
  REQUIRE(functions->size() == 1);
  CHECK(functions->front().architecture == 75);
  CHECK(functions->front().words.size() == 3);
}

TEST_CASE("sass: text of cuobjdump -sass") {
  REQUIRE(sass::is_disassembly(cuobjdump));
  const auto functions = sass::read_disassembly(cuobjdump, "k.sass");
  REQUIRE(functions);
  REQUIRE(functions->size() == 2);
  CHECK(functions->front().name == "_Z3mixj");
  CHECK(functions->front().architecture == 80);
  CHECK(functions->back().name == "other");
  CHECK(functions->back().words.size() == 1);
}

TEST_CASE("sass: text without encodings is refused with what to run instead") {
  const auto functions =
      sass::read_disassembly("\tcode for sm_80\n\t\tFunction : f\n        /*0000*/  EXIT ;\n", "k.sass");
  REQUIRE_FALSE(functions);
  CHECK(functions.errors().front().message ==
        "an instruction without its encoding, so without stall counts and scoreboards");
  CHECK(functions.errors().front().help == "print encodings: nvdisasm -c -hex FILE, or cuobjdump -sass FILE");
  CHECK(functions.errors().front().location.line == 3);
}

TEST_CASE("sass: an instruction that the disassembler does not know keeps its place") {
  const auto functions = sass::read_disassembly(
      "code for sm_75\nFunction : f\n /*0000*/ NOP; /* 0x0000000000007918 */\n /* 0x0 */\n"
      "   /* 0x00000000ff00723e */\n   /* 0x004fce000001e0ff */\n /*0020*/ EXIT ; /* 0x000000000000794d */\n /* 0x0 "
      "*/\n",
      "k.sass");
  REQUIRE(functions);
  REQUIRE(functions->front().words.size() == 3);
  CHECK(functions->front().words[1] == sass::Word{0x00000000ff00723e, 0x004fce000001e0ff});
}

TEST_CASE("sass: text that is broken") {
  CHECK(first_error("") == "0: no machine code of a function");
  CHECK(first_error("\t\tFunction : f\n") == "1: the architecture of function f is not known");
  CHECK(first_error(
            "code for sm_80\nFunction : f\n /*0000*/ NOP; /* 0x0000000000007918 */\n /*0010*/ NOP; /* 0x1 */\n") ==
        "4: the upper 64 bits of an instruction are missing");
  CHECK(first_error("code for sm_80\nFunction : f\n /*0000*/ NOP; /* 0x0000000000007918 */\n") ==
        "3: the upper 64 bits of the last instruction are missing");
  CHECK(first_error("code for sm_80\nFunction : f\n /*0010*/ NOP; /* 0x0000000000007918 */\n /* 0x0 */\n") ==
        "3: an instruction at an unexpected offset: not 16 bytes behind the one before it");
  CHECK(first_error("code for sm_80\n /*0000*/ NOP; /* 0x0000000000007918 */\n") ==
        "2: an instruction outside of a function");
  CHECK(
      first_error(
          "code for sm_80\nFunction : f\n /*0000*/ BRX R0 (*\"BRANCH_TARGETS .L_x_9\"*); /* 0x7949 */\n /* 0x0 */\n") ==
      "3: a target of an indirect branch is no label of the function: .L_x_9");
}
