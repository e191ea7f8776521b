// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers written with digits alone.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace warpspan::support {

// The whole text as a number without sign; nothing if it is anything else or out of range.
template <typename Number>
std::optional<Number> parse_digits(std::string_view text, int base = 10) {
  Number value = 0;
  if (text.empty() || text.front() == '-') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "-1,234,567".
inline std::string thousands(int64_t value) {
  std::string digits = std::to_string(value);
  const size_t first = value < 0 ? 1 : 0;
  for (size_t i = digits.size(); i > first + 3;) {
    i -= 3;
    digits.insert(i, ",");
  }
  return digits;
}

// The number in base 16, in small letters and without 0x, with zeros in front up to so many digits.
inline std::string hexadecimal(uint64_t value, size_t digits = 1) {
  std::array<char, 16> buffer;
  const std::string text(buffer.data(), std::to_chars(buffer.begin(), buffer.end(), value, 16).ptr);
  return std::string(text.size() < digits ? digits - text.size() : 0, '0') + text;
}

}  // namespace warpspan::support
