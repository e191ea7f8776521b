// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that a thread visits one after another, and that a block asks for by several accesses.
#include "tests/frontend/lift/accesses/described_accesses.hpp"

using namespace warpspan;
using namespace warpspan::test::described;
using test::with_argument;

namespace {

// Of the accesses, in order; "-": of which nothing is known.
template <typename TextOf>
std::string texts_of(const std::string& body, const ir::Launch& launch, const TextOf& text_of) {
  const ir::Flow flow = test::facts_of(start + body + "ret;", launch);
  const ir::InstructionId first = flow.accesses[0].instruction;
  std::string text;
  for (const ir::Access& access : flow.accesses) {
    const std::optional<std::string> own = text_of(access, first);
    text += (text.empty() ? "" : "; ") + own.value_or("-");
  }
  return text;
}

// "visits, open, with which".
std::string walks_of(const std::string& body, const ir::Launch& launch = large) {
  return texts_of(body, launch, [](const ir::Access& access, ir::InstructionId first) -> std::optional<std::string> {
    if (!access.walk) return std::nullopt;
    const auto& [visits, open, with] = *access.walk;
    return std::to_string(visits) + ", " + std::to_string(open) + ", " + std::to_string(with - first);
  });
}

// %r6 from 0 in steps, so often; p[4096 * thread + %r6] and what follows it.
std::string along(const std::string& turns, int64_t step, const std::string& more = "") {
  return "mov.u32 %r6, 0;\nmov.u32 %r8, 0;\n$L:\nmad.lo.s32 %r9, %r3, 4096, %r6;\n" + load + more +
         "add.s32 %r6, %r6, " + std::to_string(step) + ";\nadd.s32 %r8, %r8, 1;\nsetp.lt.s32 %p1, %r8, " + turns +
         ";\n@%p1 bra $L;\n";
}

}  // namespace

TEST_CASE("threads that walk along rows visit each line once") {
  CHECK(walks_of(along("4096", 1)) == "129, 1, 0");
  CHECK(walks_of(along("1024", 4, "ld.global.u32 %r10, [%d3+4];\nld.global.v2.u32 {%r11, %r12}, [%d3+8];\n")) ==
        "129, 2, 0; 129, 2, 0; 129, 2, 0");
  CHECK(walks_of(along("100", 1024)) == "100, 1, 0");  // each time another line
  CHECK(walks_of("mov.u32 %r9, %r3;\n" + load + "ld.global.u32 %r11, [%d3+1024];\n") == "9, 9, 0; 9, 9, 0");
  // How long the rows are is not known; what the loop adds is, where it adds nothing.
  CHECK(walks_of(along("%r4", 1)) == "-");
  CHECK(walks_of(along("%r4", 0)) == "1, 1, 0");
  CHECK(walks_of(along("%r4", 1), with_argument(large, "n", "100")) == "5, 1, 0");
  // No sum; one of two; a number that may be another one each time.
  CHECK(walks_of("mul.lo.s32 %r9, %r3, %r3;\nadd.s32 %r9, %r9, %r4;\n" + load) == "-");
  CHECK(walks_of(either("add.s32 %r9, %r9, 0x4000;\n")) == "-");
  // Other rows, and a row of another object.
  CHECK(walks_of(along("4096", 1,
                       "mad.lo.s32 %r11, %r3, 2048, %r6;\nmul.wide.s32 %d4, %r11, 4;\nadd.s64 %d5, %d1, %d4;\n"
                       "ld.global.u32 %r10, [%d5];\n")) == "129, 1, 0; 129, 1, 4");
}

TEST_CASE("a row is walked along anew each time its loop is entered") {
  const std::string rows =
      "mov.u32 %r7, 0;\n$O:\n" + along("64", 1) + "add.s32 %r7, %r7, 1;\nsetp.lt.s32 %p2, %r7, 10;\n@%p2 bra $O;\n";
  CHECK(walks_of(rows) == "30, 1, 0");
  // In the loop, and behind it: the second stays where the first ended.
  CHECK(walks_of(along("64", 1) + "ld.global.u32 %r10, [%d3];\n") == "3, 1, 0; -");
}

namespace {

// "lines, with which" of a block.
std::string of_blocks(const std::string& body, const ir::Launch& launch = large) {
  return texts_of(body, launch, [](const ir::Access& access, ir::InstructionId first) -> std::optional<std::string> {
    if (!access.of_block) return std::nullopt;
    const auto& [lines, with] = *access.of_block;
    return std::to_string(lines) + ", " + std::to_string(with - first);
  });
}

}  // namespace

TEST_CASE("lines that a block asks for by several accesses together: those around its own are counted once") {
  const std::string own = "mov.u32 %r9, %r3;\n" + load;
  CHECK(of_blocks(own) == "9, 0");
  CHECK(of_blocks(own + "ld.global.u32 %r10, [%d3+4];\nld.global.u32 %r10, [%d3+-4];\n") == "10, 0; 10, 0; 10, 0");
  CHECK(of_blocks(own + "ld.global.u32 %r10, [%d3+8192];\n") == "18, 0; 18, 0");
  // In a loop, with all of its iterations; of which nothing is known.
  CHECK(of_blocks(along("4", 65536)) == "2048, 0");
  CHECK(of_blocks(along("%r4", 1)) == "-");
  // Where other blocks are elsewhere, or all of them at one place.
  CHECK(of_blocks(own + "mul.wide.s32 %d4, %r1, 4;\nadd.s64 %d5, %d1, %d4;\nld.global.u32 %r10, [%d5];\n") ==
        "9, 0; 9, 3");
  // What is one of two for each thread is either; no sum.
  CHECK(of_blocks(either("add.s32 %r9, %r9, 0x4000;\n")) == "18, 0");
  CHECK(of_blocks("mul.lo.s32 %r9, %r3, %r3;\nadd.s32 %r9, %r9, %r4;\n" + load) == "-");
}
