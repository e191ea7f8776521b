// SPDX-License-Identifier: GPL-3.0-or-later
// The built-in files that a machine file can be based on.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "timing/machine/model.hpp"

namespace warpspan::timing {

struct BaseFile {
  std::string name;  // for errors
  std::string_view text;
};

// A built-in machine or generation by name.
std::optional<BaseFile> builtin_base(std::string_view name);

// The names of all of them, the machines first.
std::vector<std::string> builtin_bases();

}  // namespace warpspan::timing
