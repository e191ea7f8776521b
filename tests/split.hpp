// SPDX-License-Identifier: GPL-3.0-or-later
// A text in parts.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace warpspan::test {

inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

}  // namespace warpspan::test
