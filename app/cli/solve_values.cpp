// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/solve_values.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "support/checked.hpp"
#include "support/nearest.hpp"

namespace warpspan::app {

namespace {

using solver::Method;
using support::Diagnostic;
using support::Result;

constexpr size_t most_problems = 10'000;
constexpr size_t longest_excerpt = 40;  // of a wrong value

std::string quoted(std::string_view text) {
  return "'" + std::string(text.substr(0, longest_excerpt)) + (text.size() > longest_excerpt ? "..." : "") + "'";
}

Diagnostic expected(const std::string& name, const std::string& what, std::string_view got, std::string help = {}) {
  return support::usage_error(name + ": expected " + what + ", got " + quoted(got), std::move(help));
}

// The parts of a list between commas; an empty text has one empty part.
std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  for (size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    parts.push_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  parts.push_back(text);
  return parts;
}

std::optional<int64_t> positive(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

bool all_digits(std::string_view text) { return text.find_first_not_of("0123456789") == std::string_view::npos; }

// A number too large for 64 bits is told apart from what is no number.
std::string number_expected(std::string_view text) {
  return !text.empty() && all_digits(text) && text.find_first_not_of('0') != std::string_view::npos
             ? "a number of warps up to " + std::to_string(std::numeric_limits<int64_t>::max())
             : "numbers of warps from 1, such as 4, 1,2,8 or 1..48";
}

std::vector<Method> methods_named(std::string_view word) {
  if (word == "all") return solver::all_methods();
  const auto named = solver::find_method(word);
  if (!named) return {};
  std::vector<Method> methods = {*named};
  for (const Method method : solver::all_methods()) {
    if (method.row().asked_with == word) methods.push_back(method);
  }
  return methods;
}

Diagnostic unknown_method(const std::string& name, std::string_view word) {
  std::vector<std::string_view> candidates = {"all"};
  for (const Method method : solver::all_methods()) candidates.push_back(to_string(method));
  const std::string_view meant = support::nearest(word, candidates, 2);
  const std::string list =
      "the methods are " + support::enumeration(std::vector<std::string>(candidates.begin(), candidates.end()));
  return support::usage_error(name + ": unknown method " + quoted(word),
                              meant.empty() ? list : "did you mean " + quoted(meant) + "? " + list);
}

std::optional<size_t> class_named(std::string_view letter) {
  for (size_t k = 0; k < ir::unit_classes; ++k) {
    if (letter.size() == 1 && letter.front() == ir::symbol(static_cast<ir::UnitClass>(k))) return k;
  }
  return std::nullopt;
}

}  // namespace

Result<ir::InstructionString> parse_string(const std::string& name, std::string_view text) {
  auto string = ir::parse_instruction_string(name, text);
  if (!string) {
    support::Diagnostics errors = string.errors();
    for (Diagnostic& error : errors) error.cause = support::Cause::usage;
    return errors;
  }
  if (string->empty()) {
    return support::usage_error(name + ": the instruction string is empty", "give at least one symbol, such as LLCLL");
  }
  if (string->length().overflowed()) {
    return support::usage_error(name + ": the instruction string has more than 2^63-1 symbols");
  }
  return string;
}

Result<std::vector<int64_t>> parse_warps(const std::string& name, std::string_view text) {
  std::vector<int64_t> all;
  for (const std::string_view part : parts_of(text)) {
    const size_t dots = part.find("..");
    const std::string_view first_text = part.substr(0, dots);
    const std::string_view last_text = dots == std::string_view::npos ? first_text : part.substr(dots + 2);
    const auto first = positive(first_text), last = positive(last_text);
    if (!first || !last) return expected(name, number_expected(!first ? first_text : last_text), part);
    if (*last < *first) return expected(name, "a range from the smaller to the larger number", part);
    if (*last - *first >= static_cast<int64_t>(most_problems - std::min(all.size(), most_problems))) {
      return support::usage_error(name + ": more than 10,000 numbers of warps",
                                  "give fewer, such as 1..48 or 1,10,100");
    }
    for (int64_t offset = 0; offset <= *last - *first; ++offset) all.push_back(*first + offset);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Result<int64_t> parse_count(const std::string& name, std::string_view text) {
  const auto value = positive(text);
  if (!value) return expected(name, "a number of warps from 1", text);
  return *value;
}

Result<support::Rational> parse_width(const std::string& name, std::string_view what, std::string_view text) {
  const auto value = support::parse_rational(text);
  const bool fits = value && value->numerator >= 1 && (value->numerator == 1 || value->denominator == 1);
  if (!fits) {
    return expected(name, "a whole number of warps from 1, or 1/n of a warp, for " + std::string(what), text);
  }
  return *value;
}

Result<Sigma> parse_sigma(const std::string& name, std::string_view text) {
  Sigma sigma;
  support::Diagnostics errors;
  for (const std::string_view part : parts_of(text)) {
    const size_t sign = part.find('=');
    if (sign == std::string_view::npos) return expected(name, "L=1,C=1/2 and the like", part);
    const auto k = class_named(part.substr(0, sign));
    if (!k) {
      errors.push_back(support::usage_error(name + ": unknown class " + quoted(part.substr(0, sign)),
                                            "the classes are L (load/store), C (core) and S (special function)"));
      continue;
    }
    const auto width = parse_width(name, part.substr(0, sign), part.substr(sign + 1));
    if (!width) {
      errors.insert(errors.end(), width.errors().begin(), width.errors().end());
    } else if (sigma[*k]) {
      errors.push_back(support::usage_error(name + ": class " + quoted(part.substr(0, sign)) + " is given twice"));
    } else {
      sigma[*k] = *width;
    }
  }
  if (!errors.empty()) return errors;
  return sigma;
}

Result<std::vector<Method>> parse_methods(const std::string& name, std::string_view text) {
  std::vector<Method> all;
  support::Diagnostics errors;
  for (const std::string_view part : parts_of(text)) {
    const std::vector<Method> named = methods_named(part);
    if (named.empty()) errors.push_back(unknown_method(name, part));
    all.insert(all.end(), named.begin(), named.end());
  }
  if (!errors.empty()) return errors;
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Result<solver::Horizon> parse_horizon(const std::string& name, std::string_view text) {
  if (text == "safe") return solver::Horizon::safe;
  if (text == "published") return solver::Horizon::published;
  return expected(name, "safe or published", text);
}

std::vector<Method> default_methods() {
  std::vector<Method> methods = solver::all_methods();
  std::erase_if(methods, [](Method method) { return !method.row().by_default; });
  return methods;
}

std::string methods_help() {
  std::string help;
  std::vector<std::string> not_default;
  for (const Method method : solver::all_methods()) {
    help += to_string(method);
    std::vector<std::string> with;
    for (const Method other : methods_named(to_string(method))) {
      if (other != method) with.emplace_back(to_string(other));
    }
    if (!with.empty()) help += " (with " + support::enumeration(with) + ")";
    help += ", ";
    if (!method.row().by_default) not_default.emplace_back(to_string(method));
  }
  return help + "or all; default: all but " + support::enumeration(not_default) + ", which can take long";
}

}  // namespace warpspan::app
