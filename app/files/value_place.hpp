// SPDX-License-Identifier: GPL-3.0-or-later
// Where values of a TOML text stand, in bytes of it, and where new ones may.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

#include "app/requests/check/budgets.hpp"

namespace warpspan::app {

// The value, its quotes with it.
ValuePlace place_of(std::string_view text, const toml::node& value);

// For a value of a key that the table, which is of this text, does not have: in an inline table behind its brace, else
// in a line of its own behind that of its 'kernel', or behind its heading.
ValuePlace place_for(std::string_view text, const toml::table& table, const std::string& key);

// A table that begins with a heading, up to the last line that is part of it; nothing of another.
ValuePlace place_of_entry(std::string_view text, const toml::table& table);

}  // namespace warpspan::app
