// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/llvm_ir/flags.hpp"

#include <algorithm>
#include <string_view>

namespace warpspan::llvm_ir {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The name behind the prefix, such as "sm_80" of "-mcpu=sm_80": `stem`, digits, and a letter at most. Empty if it is
// anything else.
std::string name_in(std::string_view word, std::string_view prefix, std::string_view stem) {
  if (!word.starts_with(prefix)) return {};
  word.remove_prefix(prefix.size());
  if (!word.starts_with(stem)) return {};
  std::string_view number = word.substr(stem.size());
  if (!number.empty() && number.back() >= 'a' && number.back() <= 'z') number.remove_suffix(1);
  return !number.empty() && std::all_of(number.begin(), number.end(), is_digit) ? std::string(word) : std::string();
}

}  // namespace

support::Result<Flags> parse_flags(const std::vector<std::string>& words) {
  Flags flags;
  for (const std::string& word : words) {
    const std::string target = name_in(word, "-mcpu=", "sm_");
    const std::string ptx_version = name_in(word, "-mattr=+", "ptx");
    if (word.size() == 3 && word.starts_with("-O") && word[2] >= '0' && word[2] <= '3') {
      flags.level = word[2] - '0';
    } else if (!target.empty()) {
      flags.target = target;
    } else if (!ptx_version.empty()) {
      flags.ptx_version = ptx_version;
    } else {
      return support::usage_error("{flags}: LLVM IR is not compiled with '" + word + "'",
                                  "its flags are -O0, -O1, -O2, -O3, -mcpu=sm_80 and -mattr=+ptx75 with other numbers");
    }
  }
  return flags;
}

}  // namespace warpspan::llvm_ir
