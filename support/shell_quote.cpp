// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/shell_quote.hpp"

#include <algorithm>

namespace warpspan::support {

namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-+=:,./%@").find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_quoted(std::string_view text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace warpspan::support
