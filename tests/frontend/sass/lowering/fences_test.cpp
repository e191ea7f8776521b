// SPDX-License-Identifier: GPL-3.0-or-later
// What fences of machine code are to timing.
#include <catch2/catch.hpp>

#include "frontend/sass/lowering/lower.hpp"
#include "tests/frontend/sass/lowering/code_of_words.hpp"

using namespace warpspan;
using sass::Word;

namespace {

constexpr Word fence{0x0000000000007992, 0x000fea000000b000};           // MEMBAR.ALL.SYS
constexpr Word fence_of_block{0x0000000000007992, 0x000fc00000008000};  // MEMBAR.ALL.CTA
constexpr Word fence_if_p0{0x0000000000000992, 0x000fea000000b000};     // @P0 MEMBAR.ALL.SYS
constexpr Word error_barrier{0x00000000000079ab, 0x000fc00000000000};   // ERRBAR
constexpr Word no_operation{0x0000000000007918, 0x000fc00000000000};    // NOP
constexpr Word exit_here{0x000000000000794d, 0x000fea0003800000};       // EXIT

// The words by which the machine's file has figures of the error barriers, one behind the other.
std::vector<std::vector<std::string>> of_error_barriers(const std::vector<Word>& words) {
  const sass::Lowered lowered = test::lowered_of_words(words);
  std::vector<std::vector<std::string>> found;
  for (const ir::Instruction& instruction : lowered.kernel.instructions) {
    const ir::Operation& operation = lowered.kernel.operation(instruction);
    if (operation.key.opcode != "ERRBAR") continue;
    CHECK(operation.kind == ir::OperationKind::fence);
    found.push_back(operation.key.modifiers);
  }
  return found;
}

using Found = std::vector<std::vector<std::string>>;

}  // namespace

TEST_CASE("sass: error barriers directly behind a fence wait for nothing else") {
  const Found of_block = {{"cta"}}, of_system = {{}};
  CHECK(of_error_barriers({fence, error_barrier, exit_here}) == of_block);
  CHECK(of_error_barriers({fence, error_barrier, error_barrier, exit_here}) == Found{{"cta"}, {"cta"}});
  CHECK(of_error_barriers({error_barrier, exit_here}) == of_system);
  CHECK(of_error_barriers({fence, no_operation, error_barrier, exit_here}) == of_system);
  CHECK(of_error_barriers({fence_of_block, error_barrier, exit_here}) == of_system);
  CHECK(of_error_barriers({fence_if_p0, error_barrier, exit_here}) == of_system);  // some warps have not waited
}
