#include "app/cli/option_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "app/cli/memory.hpp"
#include "app/requests/kernels/fact_values.hpp"
#include "support/digits.hpp"
#include "support/nearest.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::parse_digits;
using support::Result;

constexpr int64_t largest_extent = INT32_MAX;
constexpr int64_t largest_memory = int64_t{1} << 50;

Diagnostic expected(const std::string& option, const std::string& what, std::string_view got) {
  return support::usage_error(option + ": expected " + what + ", got '" + std::string(got) + "'");
}

}  // namespace

Result<std::string> parse_name(const std::vector<std::string>& names, const std::string& option,
                               const std::string& text, size_t forgiven) {
  if (std::find(names.begin(), names.end(), text) != names.end()) return text;
  const std::string_view meant = support::nearest(text, {names.begin(), names.end()}, forgiven);
  return support::usage_error(option + ": expected " + support::alternatives(names) + ", got '" + text + "'",
                              meant.empty() ? "" : "did you mean '" + std::string(meant) + "'?");
}

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
  if (sign == 0 || sign == std::string::npos) {
    return expected(option, "NAME=VALUE with a decimal or hexadecimal integer", text);
  }
  auto argument = argument_at(std::string_view(text).substr(0, sign));
  if (!argument) {
    return expected(option, "NAME+OFFSET:BYTES=VALUE with 1, 2, 4 or 8 bytes of the parameter, such as s+8:4=100",
                    text);
  }
  if (auto wrong = give_value(*argument, std::string_view(text).substr(sign + 1))) {
    wrong->message = option + ": " + text + ": " + wrong->message;
    return *wrong;
  }
  argument->origin = {option};
  return *argument;
}

Result<ir::Argument> parse_global(const std::string& option, const std::string& text) {
  const size_t sign = text.rfind('=');
  auto global = sign == std::string::npos ? std::nullopt : global_at(std::string_view(text).substr(0, sign));
  if (!global) {
    return expected(option, "NAME=VALUE, NAME[3]=VALUE or NAME+OFFSET=TYPE:VALUE, such as N=1024 or table+12=u32:7",
                    text);
  }
  if (auto wrong = give_value(*global, std::string_view(text).substr(sign + 1))) {
    wrong->message = option + ": " + text + ": " + wrong->message;
    return *wrong;
  }
  global->origin = {option};
  return *global;
}

Result<ir::Buffer> parse_buffer(const std::string& option, const std::string& text) {
  const size_t sign = text.find('=');
  const auto bytes =
      sign == 0 || sign == std::string::npos ? std::nullopt : bytes_in(std::string_view(text).substr(sign + 1));
  if (!bytes || *bytes < 1) {
    return expected(option, "NAME=BYTES with a number from 1, such as x=4096 or x=64MB", text);
  }
  return ir::Buffer{text.substr(0, sign), *bytes, {}, {option}};
}

Result<ir::CallCost> parse_call_cost(const std::string& option, const std::string& text) {
  const size_t sign = text.rfind('=');
  if (sign == 0 || sign == std::string::npos) {
    return expected(option, "NAME=TIME, such as vprintf=20us or malloc=5000 for cycles", text);
  }
  ir::CallCost cost{text.substr(0, sign), {}, {}, {}, {option}};
  if (auto wrong = give_time(cost, text.substr(sign + 1))) {
    wrong->message = option + ": " + text + ": " + wrong->message;
    return *wrong;
  }
  if (cost.time.amount == 0) return expected(option, "a time above 0", text);
  return cost;
}

Result<ir::Recursion> parse_recursion(const std::string& option, const std::string& text) {
  const size_t sign = text.rfind('=');
  const auto depth = sign == 0 || sign == std::string::npos
                         ? std::nullopt
                         : parse_digits<int64_t>(std::string_view(text).substr(sign + 1));
  if (!depth || *depth < 1) return expected(option, "NAME=DEPTH with a number from 1, such as fibonacci=16", text);
  return ir::Recursion{text.substr(0, sign), *depth, {}, {option}};
}

// What a place may be, with an example of the option's value behind it.
static std::string places_of_loops(const std::string& option, const std::string& value) {
  return "a place is a label, such as 0x1a0 in machine code, line:63 or kernel.cu:42, with the kernel before it if it "
         "is only for that one: " +
         option + " 'KERNEL:line:63=" + value + "'; of a function that is called, with the call behind it: " + option +
         " 'kernel.cu:42 from kernel.cu:9=" + value + "'";
}

Result<ir::LoopBound> parse_loop_bound(const std::string& option, const std::string& text) {
  const size_t sign = text.rfind('=');
  auto bound = sign == std::string::npos ? std::nullopt : loops_at(std::string_view(text).substr(0, sign));
  const auto number = bound ? parse_digits<int64_t>(std::string_view(text).substr(sign + 1)) : std::nullopt;
  if (!number || *number < 1) {
    return support::usage_error(option + ": expected PLACE=N with a number from 1, got '" + text + "'",
                                places_of_loops(option, "16"));
  }
  bound->trip_count = *number;
  bound->origin = {option};
  return *bound;
}

Result<ir::LoopBound> parse_wait(const std::string& option, const std::string& text) {
  const size_t sign = text.rfind('=');
  auto bound = sign == std::string::npos ? std::nullopt : loops_at(std::string_view(text).substr(0, sign));
  if (bound) bound->wait = nanoseconds_in(std::string_view(text).substr(sign + 1));
  if (!bound || !bound->wait) {
    return support::usage_error(
        option + ": expected PLACE=TIME with a time such as 2us, 1.5ms or 500ns, got '" + text + "'",
        places_of_loops(option, "2us"));
  }
  bound->origin = {option};
  return *bound;
}

Result<int64_t> parse_registers(const std::string& option, std::string_view text) {
  const auto number = parse_digits<int64_t>(text);
  if (!number || *number < 1 || *number > 65536) return expected(option, "a number of registers from 1 to 65536", text);
  return *number;
}

// "0.3" is 3/10.
static std::optional<support::Rational> decimal(std::string_view text) {
  const size_t point = text.find('.');
  if (point == std::string_view::npos) return support::parse_rational(text);
  const std::string_view behind = text.substr(point + 1);
  const auto whole = parse_digits<int64_t>(text.substr(0, point));
  const auto part = parse_digits<int64_t>(behind);
  constexpr size_t most_digits = 9;
  if (!whole || *whole > INT32_MAX || !part || behind.size() > most_digits) return std::nullopt;
  int64_t power = 1;
  for (size_t i = 0; i < behind.size(); ++i) power *= 10;
  return support::make_rational(*whole * power + *part, power);
}

Result<ir::Interference> parse_interference(const std::string& option, std::string_view text) {
  const auto share = decimal(text);
  if (!share || share->numerator < 0 || share->numerator >= share->denominator) {
    return support::usage_error(
        option + ": expected a share from 0 to less than 1, such as 0.3 or 3/10, got '" + std::string(text) + "'",
        "where a kernel is seen to take f times as long beside others as alone, it is 1 - 1/f: 1/2 for twice as long");
  }
  return ir::Interference{*share, std::string(text), {option}};
}

Result<int64_t> parse_bytes(const std::string& option, std::string_view text) {
  const auto bytes = bytes_in(text);
  if (!bytes || *bytes > INT32_MAX) return expected(option, "bytes from 0 to 2147483647, such as 49152 or 48KB", text);
  return *bytes;
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
  const bool has_unit = text.find_first_not_of("0123456789") != std::string_view::npos;
  const auto bytes = has_unit ? bytes_in(text) : std::nullopt;
  if (!bytes || *bytes < least_memory || *bytes > largest_memory) {
    return expected(option, "a size from 64M to 1024T, such as 512M or 8G", text);
  }
  return *bytes;
}

}  // namespace warpspan::app
