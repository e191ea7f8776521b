// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in the sections of a module: debug information, as lists of bytes and words. PTX ISA 9.0, section 11.5.2.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "frontend/ptx/syntax/ast.hpp"

namespace warpspan::ptx {

// The bytes of the sections of these names, such as ".debug_info"; those of one name follow each other. A word that
// names a section is 0, one that names a label of one of these sections the label's offset in it, both perhaps with a
// number added. What other labels and variables are at is not known, and is 0. Nothing if there are no such sections,
// or one of them contains anything else than such lists. Cost: linear in the text.
std::optional<std::map<std::string, std::string, std::less<>>> section_data(const Module& module,
                                                                            std::span<const std::string_view> names);

}  // namespace warpspan::ptx
