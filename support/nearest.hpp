// SPDX-License-Identifier: GPL-3.0-or-later
// What a misspelt word was perhaps meant to be.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpspan::support {

// How many letters must be put in, taken out or replaced to make one word the other.
size_t edit_distance(std::string_view a, std::string_view b);

// The candidate that differs least from the word, the first of them if several do; empty if none is near. At most a
// third of the word's letters may differ, or `forgiven` letters if that is more, and never all of them.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates, size_t forgiven = 1);

// "a, b or c".
std::string alternatives(const std::vector<std::string>& words);

// "a, b and c".
std::string enumeration(const std::vector<std::string>& words);

}  // namespace warpspan::support
