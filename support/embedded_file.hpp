// SPDX-License-Identifier: GPL-3.0-or-later
// A text file compiled into the program (cmake/embed.cmake).
#pragma once

#include <string_view>

namespace warpspan::support {

struct EmbeddedFile {
  std::string_view name;  // without folder and extension
  std::string_view text;
};

}  // namespace warpspan::support
