// SPDX-License-Identifier: GPL-3.0-or-later
// References between elements of a model.
#pragma once

#include <string_view>
#include <vector>

#include "frontend/amalthea/model.hpp"

namespace warpspan::amalthea {

// "Lane+Detection?type=Task" is Task "Lane Detection"; "amlt:/#Lane+Detection?type=Task" is, too.
Reference reference_of(std::string_view text, size_t at);

// Of the attribute, separated by blanks, and of the children of that name with a href.
std::vector<Reference> references_of(const Element& element, std::string_view key);

}  // namespace warpspan::amalthea
