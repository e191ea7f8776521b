// SPDX-License-Identifier: GPL-3.0-or-later
// What the kinds of facts have in common where they are written into a file to be filled in.
#pragma once

#include <string>

#include "ir/kernel_code.hpp"
#include "support/printable.hpp"
#include "support/symbol_name.hpp"
#include "support/toml_text.hpp"

namespace warpspan::app {

// What a terminal might act on stands as \xNN.
inline std::string toml_text(const std::string& text) { return support::toml_text(support::printable(text)); }
inline std::string toml_key(const std::string& name) { return support::toml_key(support::printable(name)); }
inline std::string toml_comment(const std::string& text) { return "# " + support::printable(text) + "\n"; }

// Whether a fact may be for the kernel.
template <typename Fact>
bool is_for(const Fact& fact, const ir::KernelCode& code) {
  return fact.kernel.empty() || support::names_symbol(fact.kernel, code.name);
}

}  // namespace warpspan::app
