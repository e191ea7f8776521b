// SPDX-License-Identifier: GPL-3.0-or-later
// What mnemonics stand for.
#pragma once

#include <string_view>

namespace warpspan::execution {

template <typename Meaning>
struct Row {
  std::string_view mnemonic;
  Meaning meaning;
};

// nullptr: no row has it.
template <typename Meaning, size_t count>
Meaning find_row(const Row<Meaning> (&rows)[count], std::string_view mnemonic) {
  for (const Row<Meaning>& row : rows) {
    if (row.mnemonic == mnemonic) return row.meaning;
  }
  return nullptr;
}

}  // namespace warpspan::execution
