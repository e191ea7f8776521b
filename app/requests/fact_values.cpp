#include "app/requests/fact_values.hpp"

#include <bit>
#include <cstdint>
#include <string>

#include "support/digits.hpp"

namespace warpspan::app {

namespace {

using support::parse_digits;

// What stands before the last colon, and what behind it; without a colon, nothing and all.
struct Halves {
  std::optional<std::string_view> before;
  std::string_view behind;
};

Halves split(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return {std::nullopt, text};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

// "0x1a0", as a block of machine code is named.
bool is_address(std::string_view text) {
  return text.starts_with("0x") && text.size() > 2 &&
         text.find_first_not_of("0123456789abcdef", 2) == std::string_view::npos;
}

bool is_label(std::string_view text) {
  if (is_address(text)) return true;
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%";
  const bool begins_with_digit = !text.empty() && text.front() >= '0' && text.front() <= '9';
  return !text.empty() && !begins_with_digit && text.find_first_not_of(letters) == std::string_view::npos;
}

// "OFFSET:BYTES"
std::optional<ir::ByteRange> parse_range(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto offset = parse_digits<uint32_t>(text.substr(0, colon));
  const auto count = parse_digits<uint32_t>(text.substr(colon + 1));
  if (!offset || !count || *count > 8 || !std::has_single_bit(*count)) return std::nullopt;
  return ir::ByteRange{*offset, *count};
}

}  // namespace

std::optional<ir::LoopBound> loops_at(std::string_view place) {
  ir::LoopBound bound;
  const Halves ends = split(place);
  const auto line = ends.before ? parse_digits<uint32_t>(ends.behind) : std::nullopt;
  const Halves rest = line ? split(*ends.before) : ends;
  if (rest.behind.empty() || (rest.before && rest.before->empty())) return std::nullopt;
  if (line) {
    if (*line == 0) return std::nullopt;
    bound.line = *line;
    if (rest.behind != "line") bound.file = rest.behind;
  } else {
    if (!is_label(rest.behind)) return std::nullopt;
    bound.label = rest.behind;
  }
  if (rest.before) bound.kernel = *rest.before;
  return bound;
}

std::optional<ir::Argument> argument_at(std::string_view place) {
  const size_t plus = place.find('+');
  ir::Argument argument{std::string(place.substr(0, plus)), {}};
  if (argument.parameter.empty()) return std::nullopt;
  if (plus == std::string_view::npos) return argument;
  argument.bytes = parse_range(place.substr(plus + 1));
  return argument.bytes ? std::optional(argument) : std::nullopt;
}

bool is_argument_value(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  const bool hexadecimal = text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X";
  const auto magnitude = parse_digits<uint64_t>(hexadecimal ? text.substr(2) : text, hexadecimal ? 16 : 10);
  return magnitude && (!negative || *magnitude <= uint64_t{1} << 63);
}

}  // namespace warpspan::app
