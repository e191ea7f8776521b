// SPDX-License-Identifier: GPL-3.0-or-later
// Accesses with one index in each thread, as PTX for the kernel of find_facts.hpp.
#pragma once

#include <string>

namespace warpspan::test {

// %d1 is p, a pointer of unknown alignment, %r5 n; %r1 and %r2 are the thread's position, %r3 and %r4 number and size
// of its block along x.
inline const std::string start =
    "ld.param.u64 %d1, [p];\nld.param.u32 %r5, [n];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\nmov.u32 %r3, "
    "%ctaid.x;\n"
    "mov.u32 %r4, %ntid.x;\n";

// p[%r9], of elements of that many bytes; behind the start, the index computes %r9.
inline std::string global(const std::string& index, const std::string& type = "u32", int bytes = 4,
                          const std::string& extension = "u32") {
  return start + index + "\nmul.wide." + extension + " %d2, %r9, " + std::to_string(bytes) +
         ";\nadd.s64 %d3, %d1, %d2;\n" +
         (type == "u32" ? "ld.global.u32 %r10, [%d3];" : "ld.global." + type + " %d10, [%d3];") + "\nret;";
}

// tile[%r9], of 4 bytes.
inline std::string shared(const std::string& index) {
  return start + index +
         "\nshl.b32 %r9, %r9, 2;\nmov.u32 %r8, tile;\nadd.s32 %r8, %r8, %r9;\nld.shared.u32 %r10, [%r8];\nret;";
}

}  // namespace warpspan::test
