// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/glob.hpp"

namespace warpspan::support {

bool matches(std::string_view pattern, std::string_view text) {
  size_t star = std::string_view::npos, resume = 0, p = 0, t = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace warpspan::support
