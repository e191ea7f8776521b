// Numbers written with digits alone.
#pragma once

#include <charconv>
#include <optional>
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

}  // namespace warpspan::support
