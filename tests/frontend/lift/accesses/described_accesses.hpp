// SPDX-License-Identifier: GPL-3.0-or-later
// Flow::accesses in words, of kernels that begin alike.
#pragma once

#include "tests/frontend/lift/find_facts.hpp"

namespace warpspan::test::described {

// %r1: thread, %r2: block, %r3: number of the thread in the grid, %r4: n.
inline const std::string start =
    "ld.param.u64 %d1, [p];\nld.param.u32 %r4, [n];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
    "mov.u32 %r5, %ntid.x;\nmad.lo.s32 %r3, %r2, %r5, %r1;\n";

// p[%r9 + more] of 4 bytes.
inline const std::string load = "mul.wide.s32 %d2, %r9, 4;\nadd.s64 %d3, %d1, %d2;\nld.global.u32 %r10, [%d3];\n";

// "p: 4 * threadIdx.x [0,1024) 2 9 9 dense": object, form, span, lines of a warp, a block and the grid.
inline std::string text_of(const ir::Access& access, const ir::Flow& flow) {
  std::string text = access.object == ir::no_object ? "?" : flow.objects[access.object].name;
  text += ":";
  if (!access.form.empty()) text += " " + access.form;
  if (access.span) text += " [" + std::to_string(access.span->first) + "," + std::to_string(access.span->end) + ")";
  for (const auto& lines : {access.warp_lines, access.block_lines, access.grid_lines}) {
    text += lines ? " " + std::to_string(*lines) : " -";
  }
  return text + (access.dense ? " dense" : "");
}

inline std::vector<std::string> accesses_of(const std::string& body, const ir::Launch& launch) {
  const ir::Flow flow = facts_of(start + body + "ret;", launch);
  std::vector<std::string> result;
  for (const ir::Access& access : flow.accesses) result.push_back(text_of(access, flow));
  return result;
}

inline std::string access_of(const std::string& body, const ir::Launch& launch) {
  const auto all = accesses_of(body, launch);
  REQUIRE(all.size() == 1);
  return all.front();
}

inline const ir::Launch large = with_grid(block_of(256), 64);  // 16384 threads: 64 KiB of 4 bytes each

// p[%r9], where %r9 is the thread's number, or more by what `otherwise` adds: as n is 0 or not, or a word in memory.
inline std::string either(const std::string& otherwise, const std::string& decided_by = "%r4") {
  return "ld.shared.u32 %r8, [tile];\nsetp.eq.s32 %p1, " + decided_by + ", 0;\nmov.u32 %r9, %r3;\n@%p1 bra J;\n" +
         otherwise + "J:\n" + load;
}

}  // namespace warpspan::test::described
