// SPDX-License-Identifier: GPL-3.0-or-later
// Dependency files as make and ninja read them.
#pragma once

#include <set>
#include <string>

namespace warpspan::app {

// "TARGET: FILE FILE ...\n", with blanks and what else has a meaning there escaped.
std::string dependency_rule(const std::string& target, const std::set<std::string>& files);

}  // namespace warpspan::app
