// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of pages and pictures ask of their text.
#pragma once

#include <cstdlib>
#include <string>

#include "tests/files.hpp"

namespace warpspan::test {

inline size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

// Only what xmllint finds is left out where there is none.
inline bool is_well_formed(const std::string& text) {
  if (std::string(XMLLINT).empty()) return true;
  const TemporaryFolder folder;
  write_file(folder.file("document"), text);
  return std::system((XMLLINT " --huge --noout --nonet " + folder.file("document")).c_str()) == 0;
}

}  // namespace warpspan::test
