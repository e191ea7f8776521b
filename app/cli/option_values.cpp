#include "app/cli/option_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "app/cli/memory.hpp"
#include "app/facts/fact_kind.hpp"
#include "app/facts/fact_values.hpp"
#include "support/nearest.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Result;

constexpr int64_t largest_memory = int64_t{1} << 50;

}  // namespace

Result<std::string> parse_name(const std::vector<std::string>& names, const std::string& option,
                               const std::string& text, size_t forgiven) {
  if (std::find(names.begin(), names.end(), text) != names.end()) return text;
  const std::string_view meant = support::nearest(text, {names.begin(), names.end()}, forgiven);
  return support::usage_error(option + ": expected " + support::alternatives(names) + ", got '" + text + "'",
                              meant.empty() ? "" : "did you mean '" + std::string(meant) + "'?");
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
