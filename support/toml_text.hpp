// SPDX-License-Identifier: GPL-3.0-or-later
// What is written into files of TOML.
#pragma once

#include <string>
#include <string_view>

namespace warpspan::support {

// The text in quotes, on one line: what TOML reads back is the same. Valid UTF-8 is the caller's business.
std::string toml_text(std::string_view text);

// The name as a key, in quotes only if it needs them.
std::string toml_key(std::string_view name);

}  // namespace warpspan::support
