// SPDX-License-Identifier: GPL-3.0-or-later
// Custom properties that say what AMALTHEA has no element for. Each is a key of a tasks file with "warpspan." before
// it, and means what it means there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace warpspan::amalthea {

struct Picoseconds {
  int64_t value = 0;
};
struct Path {
  std::string text;  // as in the model: relative to it
};
using Pairs = std::vector<std::pair<std::string, std::string>>;

// The value of a key of a tasks file.
using Value =
    std::variant<int64_t, bool, std::string, Path, Picoseconds, std::vector<int64_t>, Pairs, std::vector<std::string>>;

enum class Owner : uint8_t { task, runnable, label, definition };

// What a property of this text means; nothing if it is none of its key. expected_of tells what would be.
std::optional<Value> parse_property(Owner owner, std::string_view key, const std::string& text);
std::string expected_of(Owner owner, std::string_view key);

// Why an element cannot have a property of this key, as a help; empty if it can. type: its xsi:type without "am:".
std::string wrong_property(std::string_view element, std::string_view type, std::string_view key);

// "write <customProperties key=...><value .../></customProperties> in WHERE".
std::string property_help(std::string_view key, std::string_view value, const std::string& where);

}  // namespace warpspan::amalthea
