// SPDX-License-Identifier: GPL-3.0-or-later
// How LLVM is to make PTX of its intermediate representation, in the words of its tools.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/result.hpp"

namespace warpspan::llvm_ir {

struct Flags {
  // -O0 to -O3: the passes of 'opt' and the code generation of 'llc' at that level. Nothing: no passes, and code
  // generation as 'llc' does it by itself (-O2).
  std::optional<int> level;
  std::string target;       // -mcpu: "sm_80"; empty: what the functions of the module say
  std::string ptx_version;  // -mattr: "ptx75"; empty: what the functions say, else the first that has the target
};

// The last word of a kind counts, as with compilers. Any other word is a usage error that lists those there are.
support::Result<Flags> parse_flags(const std::vector<std::string>& words);

}  // namespace warpspan::llvm_ir
