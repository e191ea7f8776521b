// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/facts/fact_values.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <string>

#include "app/requests/numbers/time_limit.hpp"
#include "support/digits.hpp"
#include "support/shell_quote.hpp"
#include "support/written_integer.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::parse_digits;
using support::usage_error;

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

// "OFFSET:BYTES", or "OFFSET": no bytes.
std::optional<ir::ByteRange> parse_range(std::string_view text) {
  const size_t colon = text.find(':');
  const auto offset = parse_digits<uint32_t>(text.substr(0, colon));
  if (!offset) return std::nullopt;
  if (colon == std::string_view::npos) return ir::ByteRange{*offset, 0};
  const auto count = parse_digits<uint32_t>(text.substr(colon + 1));
  if (!count || *count > 8 || !std::has_single_bit(*count)) return std::nullopt;
  return ir::ByteRange{*offset, *count};
}

// What a load can have: "u32" and the like; of a floating-point type the bits are given.
struct ValueType {
  char kind = 'b';  // b, u, s or f
  int bits = 0;
};

std::optional<ValueType> parse_type(std::string_view text) {
  const auto bits = parse_digits<int>(text.substr(text.empty() ? 0 : 1));
  if (!bits || std::string_view("busf").find(text.front()) == std::string_view::npos) return std::nullopt;
  const bool is_width = *bits == 8 || *bits == 16 || *bits == 32 || *bits == 64;
  return is_width ? std::optional(ValueType{text.front(), *bits}) : std::nullopt;
}

bool has_value(const ValueType& type, const support::WrittenInteger& integer) {
  if (!support::in_bits(integer, type.bits)) return false;
  if (type.kind == 'u') return !integer.negative;
  return type.kind != 's' || integer.negative || integer.magnitude >> (type.bits - 1) == 0;
}

// "line:9", "FILE:9"
bool read_call(std::string_view text, ir::LoopBound& bound) {
  const Halves ends = split(text);
  if (!ends.before || ends.before->empty()) return false;
  const auto line = parse_digits<uint32_t>(ends.behind);
  if (!line || *line == 0) return false;
  bound.from_line = *line;
  if (*ends.before != "line") bound.from_file = *ends.before;
  return true;
}

}  // namespace

std::optional<int64_t> nanoseconds_in(std::string_view text) {
  const auto time = parse_time(std::string(text));
  const auto nanoseconds = time ? nanoseconds_at_most(*time) : std::nullopt;
  return nanoseconds.value_or(0) > 0 ? nanoseconds : std::nullopt;
}

std::optional<int64_t> bytes_in(std::string_view text) {
  constexpr std::string_view units = "KMGT";
  const std::string_view digits = text.substr(0, text.find_first_not_of("0123456789"));
  const std::string_view unit = text.substr(digits.size());
  const auto number = parse_digits<int64_t>(digits);
  if (!number || unit.empty()) return number;
  const size_t place = units.find(unit.front());
  const std::string_view behind = unit.substr(1);
  if (place == std::string_view::npos || !(behind.empty() || behind == "B" || behind == "iB")) return std::nullopt;
  const int64_t bytes_of_one = int64_t{1} << (10 * (place + 1));
  if (*number > INT64_MAX / bytes_of_one) return std::nullopt;
  return *number * bytes_of_one;
}

std::string amount_of(const ir::LoopBound& bound) {
  return bound.wait ? std::to_string(*bound.wait) + "ns" : std::to_string(bound.trip_count);
}

std::optional<ir::LoopBound> loops_at(std::string_view text) {
  ir::LoopBound bound;
  constexpr std::string_view from = " from ";
  const size_t call = text.rfind(from);
  if (call != std::string_view::npos && !read_call(text.substr(call + from.size()), bound)) return std::nullopt;
  const std::string_view place = text.substr(0, call);
  const Halves ends = split(place);
  constexpr int64_t no_line = -1;
  int64_t line = no_line;
  if (const auto number = parse_digits<uint32_t>(ends.behind); number && ends.before) line = *number;
  const Halves rest = line == no_line ? ends : split(*ends.before);
  if (line == 0 || rest.behind.empty() || (rest.before && rest.before->empty())) return std::nullopt;
  if (line == no_line) {
    if (!is_label(rest.behind)) return std::nullopt;
    bound.label = rest.behind;
  } else {
    bound.line = line;
    if (rest.behind != "line") bound.file = rest.behind;
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

std::optional<ir::Argument> global_at(std::string_view place) {
  const size_t bracket = place.ends_with(']') ? place.rfind('[') : std::string_view::npos;
  if (bracket != std::string_view::npos) {
    const auto element = parse_digits<uint32_t>(place.substr(bracket + 1, place.size() - bracket - 2));
    if (bracket == 0 || !element) return std::nullopt;
    ir::Argument global{std::string(place.substr(0, bracket)), {}};
    global.element = *element;
    return global;
  }
  return argument_at(place);
}

template <typename Real>
std::optional<Real> real_of(std::string_view text) {
  Real value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// What to write for a floating-point number, which is given by its bits; nothing if the text is none.
std::optional<std::string> bits_of_real(const ir::Argument& argument, std::string_view text) {
  if (text.ends_with('f')) text.remove_suffix(1);
  if (text.find_first_of(".eE") == std::string_view::npos) return std::nullopt;
  const auto single = real_of<float>(text);
  const auto twice = real_of<double>(text);
  if (!single || !twice) return std::nullopt;
  const std::string place = fmt::format("{}+{}", argument.parameter, argument.bytes ? argument.bytes->offset : 0);
  const std::string f32 = fmt::format("{}=f32:{:#010x}", place, std::bit_cast<uint32_t>(*single));
  const std::string f64 = fmt::format("{}=f64:{:#018x}", place, std::bit_cast<uint64_t>(*twice));
  return fmt::format("a floating-point number is given by its bits: {} as f32, {} as f64", support::shell_quoted(f32),
                     support::shell_quoted(f64));
}

std::optional<Diagnostic> give_value(ir::Argument& argument, std::string_view text) {
  const size_t colon = text.find(':');
  const bool has_type = colon != std::string_view::npos;
  const auto type = has_type ? parse_type(text.substr(0, colon)) : std::nullopt;
  const std::string value(text.substr(has_type ? colon + 1 : 0));
  const auto range = support::written_range(value);
  if (has_type && !type) {
    return usage_error("'" + std::string(text.substr(0, colon)) + "' is no type of a value",
                       "write one of b, u, s or f with 8, 16, 32 or 64 bits, as u32:100");
  }
  if (!range) {
    return usage_error(
        "'" + value + "' is neither an integer nor a range of them",
        bits_of_real(argument, value)
            .value_or("write it in decimal or as 0x followed by hexadecimal digits, and a range as 1..4096"));
  }
  if (range->last < range->first)
    return usage_error("the range " + value + " is empty", "write the smaller number first");
  if (type && !(has_value(*type, range->first) && has_value(*type, range->last))) {
    return usage_error(value + " is no value of type " + std::string(text.substr(0, colon)));
  }
  if (type) {
    ir::ByteRange& bytes = argument.bytes ? *argument.bytes : argument.bytes.emplace();
    if (bytes.count != 0 && bytes.count * 8 != type->bits) {
      return usage_error(
          std::to_string(bytes.count) + " bytes are not those of type " + std::string(text.substr(0, colon)),
          "leave one of them out");
    }
    bytes.count = type->bits / 8;
  }
  if (argument.bytes && argument.bytes->count == 0) {
    const std::string place = argument.parameter + "+" + std::to_string(argument.bytes->offset);
    return usage_error(
        "how many bytes of '" + argument.parameter + "' are given is not said",
        "write its type, as " + place + "=u32:" + value + ", or their number, as " + place + ":4=" + value);
  }
  argument.value = value;
  return std::nullopt;
}

std::optional<Diagnostic> give_time(ir::CallCost& cost, const std::string& text) {
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  const auto time = parse_time(is_number ? text + " cycles" : text);
  if (!time) {
    return usage_error("'" + text + "' is no time", "write a number and its unit, as 20us, or a number of cycles");
  }
  cost.time.in_cycles = time->unit == TimeLimit::Unit::cycles;
  const auto amount = cost.time.in_cycles ? std::optional(time->amount.digits) : whole_picoseconds(*time);
  if (!amount) {
    return usage_error("'" + text + "' is no whole number of picoseconds, or too long", "write it with fewer decimals");
  }
  cost.time.amount = *amount;
  cost.text = is_number ? text + (text == "1" ? " cycle" : " cycles") : text;
  return std::nullopt;
}

}  // namespace warpspan::app
