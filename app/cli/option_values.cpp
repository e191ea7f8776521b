// SPDX-License-Identifier: GPL-3.0-or-later
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

Result<std::string> parse_form(const std::vector<FormatName>& forms, const std::string& option, const std::string& text,
                               size_t forgiven) {
  auto parsed = parse_name(names_of(forms), option, text, forgiven);
  const auto meant =
      std::find_if(forms.begin(), forms.end(), [&](const FormatName& form) { return form.has_ending("." + text); });
  if (parsed || meant == forms.end()) return parsed;
  Diagnostic error = parsed.errors().front();
  error.help = "did you mean '" + meant->name + "'?";
  return error;
}

Result<double> parse_seconds(const std::string& option, const std::string& text) {
  const Diagnostic error = expected(option, "seconds from 0 to 1000000", text);
  double seconds = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (failed != std::errc() || end != text.data() + text.size()) return error;
  if (!std::isfinite(seconds) || std::signbit(seconds) || seconds > most_seconds) return error;
  return seconds;
}

// The words that stand for several come first, as most want one of them.
std::vector<std::string_view> names_to_assume() {
  std::vector<std::string_view> names = {timing::usual_name, timing::all_name, timing::none_name};
  for (const std::string_view name : timing::assumption_names()) names.push_back(name);
  return names;
}

Result<timing::Grant> parse_assumptions(const std::string& option, const std::string& text) {
  timing::Grant result;
  for (std::string_view rest = text;;) {
    const size_t comma = rest.find(',');
    const std::string_view word = rest.substr(0, comma);
    if (word == timing::usual_name) {
      result.assume_usual();
    } else if (word == timing::all_name) {
      result.add(timing::all_rungs());
    } else if (const auto named = timing::assumption_named(word)) {
      result.assume(*named);
    } else if (word == timing::none_name) {
      if (word != text) {
        return support::usage_error(option + ": 'none' stands among names of assumptions",
                                    "give 'none' by itself, or the names alone");
      }
    } else {
      const std::vector<std::string_view> names = names_to_assume();
      const std::string_view meant = support::nearest(word, names);
      return support::usage_error(option + ": nothing is called '" + std::string(word) + "'",
                                  meant.empty() ? "one can assume " + support::enumeration({names.begin(), names.end()})
                                                : "did you mean '" + std::string(meant) + "'?");
    }
    if (comma == std::string_view::npos) return result;
    rest.remove_prefix(comma + 1);
  }
}

std::string text_of(const timing::Grant& grant) {
  std::string text(grant.is_usual() ? timing::usual_name : "");
  for (const std::string_view name : timing::assumption_names()) {
    if (grant.has(*timing::assumption_named(name))) text += (text.empty() ? "" : ",") + std::string(name);
  }
  return text.empty() ? std::string(timing::none_name) : text;
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
