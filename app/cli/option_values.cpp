#include "app/cli/option_values.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "app/cli/memory.hpp"
#include "support/nearest.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Result;

constexpr int64_t largest_extent = INT32_MAX;
constexpr int64_t largest_memory = int64_t{1} << 50;

Diagnostic expected(const std::string& option, const std::string& what, std::string_view got) {
  return support::usage_error(option + ": expected " + what + ", got '" + std::string(got) + "'");
}

// The whole text as a number without sign; nothing if it is anything else or out of range.
template <typename Number>
std::optional<Number> parse_digits(std::string_view text, int base = 10) {
  Number value = 0;
  if (text.empty() || text.front() == '-') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// A decimal or 0x integer that fits a 64-bit parameter, signed or not.
bool is_argument_value(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  const bool hexadecimal = text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X";
  const auto magnitude = parse_digits<uint64_t>(hexadecimal ? text.substr(2) : text, hexadecimal ? 16 : 10);
  return magnitude && (!negative || *magnitude <= uint64_t{1} << 63);
}

// "OFFSET:BYTES"
std::optional<ir::ByteRange> parse_bytes(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto offset = parse_digits<uint32_t>(text.substr(0, colon));
  const auto count = parse_digits<uint32_t>(text.substr(colon + 1));
  if (!offset || !count || *count > 8 || !std::has_single_bit(*count)) return std::nullopt;
  return ir::ByteRange{*offset, *count};
}

}  // namespace

Result<ir::Extent> parse_extent(const std::string& option, const std::string& text) {
  const Diagnostic error = expected(option, "X[,Y[,Z]] with numbers from 1", text);
  std::array<int64_t, 3> extents{1, 1, 1};
  std::string_view rest = text;
  for (size_t i = 0; i < extents.size(); ++i) {
    const size_t comma = rest.find(',');
    const auto number = parse_digits<int64_t>(rest.substr(0, comma));
    if (!number || *number < 1 || *number > largest_extent) return error;
    extents[i] = *number;
    if (comma == std::string_view::npos) return ir::Extent{extents[0], extents[1], extents[2]};
    rest.remove_prefix(comma + 1);
  }
  return error;  // a fourth number
}

bool too_many_threads(const ir::Extent& block) {
  const int64_t plane = block.x * block.y;  // below 2^62
  return plane > INT32_MAX || plane * block.z > INT32_MAX;
}

Result<ir::Argument> parse_argument(const std::string& option, const std::string& text) {
  const size_t sign = text.find('=');
  if (sign == 0 || sign == std::string::npos || !is_argument_value(std::string_view(text).substr(sign + 1))) {
    return expected(option, "NAME=VALUE with a decimal or hexadecimal integer", text);
  }
  const std::string place = text.substr(0, sign);
  const size_t plus = place.find('+');
  ir::Argument argument{place.substr(0, plus), text.substr(sign + 1)};
  if (plus == std::string::npos) return argument;
  argument.bytes = parse_bytes(std::string_view(place).substr(plus + 1));
  if (argument.parameter.empty() || !argument.bytes) {
    return expected(option, "NAME+OFFSET:BYTES=VALUE with 1, 2, 4 or 8 bytes of the parameter, such as s+8:4=100",
                    text);
  }
  return argument;
}

Result<ir::LoopBound> parse_loop_bound(const std::string& option, const std::string& text) {
  const size_t sign = text.find('=');
  const Diagnostic error = expected(option, "LABEL=N with a number from 1", text);
  if (sign == 0 || sign == std::string::npos) return error;
  const auto number = parse_digits<int64_t>(std::string_view(text).substr(sign + 1));
  if (!number || *number < 1) return error;
  return ir::LoopBound{text.substr(0, sign), *number};
}

Result<int64_t> parse_registers(const std::string& option, std::string_view text) {
  const auto number = parse_digits<int64_t>(text);
  if (!number || *number < 1 || *number > 65536) return expected(option, "a number of registers from 1 to 65536", text);
  return *number;
}

Result<int64_t> parse_bytes(const std::string& option, std::string_view text) {
  const auto number = parse_digits<int64_t>(text);
  if (!number || *number > INT32_MAX) return expected(option, "bytes from 0 to 2147483647", text);
  return *number;
}

Result<double> parse_seconds(const std::string& option, const std::string& text) {
  const Diagnostic error = expected(option, "seconds from 0 to 1000000", text);
  double seconds = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (failed != std::errc() || end != text.data() + text.size()) return error;
  if (!std::isfinite(seconds) || std::signbit(seconds) || seconds > most_seconds) return error;
  return seconds;
}

Result<std::vector<timing::Assumption>> parse_assumptions(const std::string& option, const std::string& text) {
  std::vector<timing::Assumption> result;
  for (std::string_view rest = text;;) {
    const size_t comma = rest.find(',');
    const std::string_view word = rest.substr(0, comma);
    const auto named = timing::assumption_named(word);
    if (!named) {
      const std::vector<std::string_view> names = timing::assumption_names();
      const std::string_view meant = support::nearest(word, names);
      return support::usage_error(option + ": nothing is called '" + std::string(word) + "'",
                                  meant.empty() ? "one can assume " + support::enumeration({names.begin(), names.end()})
                                                : "did you mean '" + std::string(meant) + "'?");
    }
    result.push_back(*named);
    if (comma == std::string_view::npos) return result;
    rest.remove_prefix(comma + 1);
  }
}

Result<int64_t> parse_size(const std::string& option, std::string_view text) {
  constexpr std::string_view units = "KMGT";
  const Diagnostic error = expected(option, "a size from 64M to 1024T, such as 512M or 8G", text);
  const size_t unit = text.empty() ? std::string_view::npos : units.find(text.back());
  if (unit == std::string_view::npos) return error;
  const auto number = parse_digits<int64_t>(text.substr(0, text.size() - 1));
  const int64_t bytes_of_one = int64_t{1} << (10 * (unit + 1));
  if (!number || *number > largest_memory / bytes_of_one || *number * bytes_of_one < least_memory) return error;
  return *number * bytes_of_one;
}

}  // namespace warpspan::app
