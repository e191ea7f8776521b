// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of functions of the system through a register, on words that ptxas wrote for sm_80.
#include "frontend/sass/lowering/outside_calls.hpp"

#include <catch2/catch.hpp>

#include "frontend/sass/lowering/control_flow.hpp"
#include "tests/frontend/sass/lowering/code_of_words.hpp"

using namespace warpspan;
using sass::Word;

namespace {

constexpr Word number{0x0000000000027802, 0x000fe20000000f00};        // MOV R2, 0x0
constexpr Word load{0x0100000002027b82, 0x000e220000000a00};          // LDC.64 R2, c[0x4][R2]
constexpr Word call{0x0000000002007343, 0x003fec0003c00000};          // CALL.ABS.NOINC R2
constexpr Word other_number{0x0000000100037802, 0x000fe20000000f00};  // MOV R3, 0x1
constexpr Word no_operation{0x0000000000007918, 0x000fc00000000000};
constexpr Word exit_here{0x000000000000794d, 0x000fea0003800000};

// @P0 BRA over `instructions` instructions.
constexpr Word branch_over(uint64_t instructions) {
  return {0x0000000000000947 | instructions * sass::word_bytes << 32, 0x000fea0003800000};
}

sass::Code code_of(const std::vector<Word>& words, const std::string& name = "__assertfail") {
  sass::Code code = test::code_of_words(words);
  code.function_addresses[{4, 0}] = name;
  sass::find_outside_calls(code);
  return code;
}

std::string error_of(const sass::Code& code) {
  const auto blocks = sass::find_blocks(code);
  REQUIRE_FALSE(blocks);
  return blocks.errors().front().message;
}

}  // namespace

TEST_CASE("sass: a failed assertion ends the thread, and the branch around it is always taken") {
  const sass::Code code = code_of({branch_over(3), number, load, call, exit_here});
  REQUIRE(code.reports_failed_assertion(3));
  const auto blocks = sass::find_blocks(code);
  REQUIRE(blocks);
  const sass::CodeBlock& first = blocks->front();
  CHECK(first.next == UINT32_MAX);
  REQUIRE(first.targets.size() == 1);
  CHECK((*blocks)[first.targets.front()].first == 4);
}

TEST_CASE("sass: a kernel that always fails an assertion still has its blocks") {
  const auto blocks = sass::find_blocks(code_of({number, load, call, exit_here}));
  REQUIRE(blocks);
  CHECK(blocks->size() == 1);
  CHECK(blocks->front().targets.empty());
}

TEST_CASE("sass: another function of the system is refused by its name") {
  CHECK(error_of(code_of({number, load, call, exit_here}, "vprintf")) ==
        "kernel 'k': 'vprintf' has no body in this file, so its time cannot be bounded");
}

TEST_CASE("sass: control comes back from another function of the system whose time is given") {
  constexpr Word return_address{0x0000004000147802, 0x000fe20000000f00};  // MOV R20, 0x40
  sass::Code code = code_of({return_address, number, load, call, exit_here}, "vprintf");
  code.call_times["vprintf"] = {5000, true};
  REQUIRE(code.call_time(3) != nullptr);
  CHECK(code.call_time(2) == nullptr);
  const auto blocks = sass::find_blocks(code);
  REQUIRE(blocks);
  REQUIRE(blocks->size() == 2);
  CHECK(blocks->front().next == 1);
  CHECK(sass::outside_functions(code, *blocks) == std::vector<std::string>{"vprintf"});
  sass::Code elsewhere = code_of({number, load, call, exit_here}, "vprintf");
  elsewhere.call_times = code.call_times;
  CHECK(error_of(elsewhere) == "kernel 'k': where the function returns to is not found before it");
  // R2 is restored by what is called, and R3 is not.
  const sass::Code twice = code_of({number, load, call, number, load, call, load, call, exit_here}, "vprintf");
  CHECK(twice.outside_calls.size() == 2);
}

TEST_CASE("sass: a call through a register that is loaded from constant bank 2") {
  constexpr Word load_pointer{0x0080000002027b82, 0x000e220000000a00};    // LDC.64 R2, c[0x2][R2]
  constexpr Word call_pointer{0x0000000002007344, 0x003fde0003c00000};    // CALL.REL.NOINC R2
  constexpr Word return_address{0x0000003000147802, 0x000fe20000000f00};  // MOV R20, 0x30
  constexpr Word return_here{0x0000000014007950, 0x000fea0003c00000};     // RET.REL.NODEC R20
  const std::vector<Word> words = {return_address, load_pointer, call_pointer, exit_here, return_here, return_here};
  sass::Code code = code_of(words);
  CHECK(error_of(code) == "kernel 'k': it calls through a register");
  code.pointed_functions = {{4, "f"}, {5, "g"}};
  sass::find_outside_calls(code);
  CHECK(code.pointer_calls == std::map<uint32_t, std::vector<uint32_t>>{{2, {4, 5}}});
  const auto blocks = sass::find_blocks(code);
  REQUIRE(blocks);
  REQUIRE(blocks->front().targets.size() == 2);
  for (const uint32_t target : blocks->front().targets) {
    REQUIRE((*blocks)[target].targets.size() == 1);
    CHECK((*blocks)[(*blocks)[target].targets.front()].first == 3);
  }
}

TEST_CASE("sass: a register that may contain something else calls nobody knows what") {
  const std::string unknown = "kernel 'k': it calls through a register";
  CHECK(error_of(code_of({number, load, other_number, call, exit_here})) == unknown);
  CHECK(error_of(code_of({no_operation, load, call, exit_here})) == unknown);
  // Something leads in between.
  CHECK(error_of(code_of({branch_over(2), number, load, call, exit_here})) == unknown);
  CHECK(error_of(code_of({branch_over(1), number, load, call, exit_here})) == unknown);
}
