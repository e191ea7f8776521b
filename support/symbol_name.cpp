// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/symbol_name.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>

#include "support/glob.hpp"
#include "support/nearest.hpp"
#include "support/sha256.hpp"

namespace warpspan::support {

namespace {

constexpr size_t longest_shown = 100, longest_template = 60, digest_digits = 10;

bool opens(char c) { return c == '(' || c == '<'; }
bool closes(char c) { return c == ')' || c == '>'; }

// Where the bracket opens that the last character closes; npos if it closes none.
size_t opening_of_last(std::string_view text) {
  int depth = 0;
  for (size_t i = text.size(); i-- > 0;) {
    if (closes(text[i])) ++depth;
    if (opens(text[i])) --depth;
    if (depth == 0) return i;
  }
  return std::string_view::npos;
}

// What follows the last blank outside of brackets.
std::string_view last_word(std::string_view text) {
  int depth = 0;
  for (size_t i = text.size(); i-- > 0;) {
    if (closes(text[i])) ++depth;
    if (opens(text[i])) --depth;
    if (depth == 0 && text[i] == ' ') return text.substr(i + 1);
  }
  return text;
}

// Where the name begins that follows the last "::" outside of brackets.
size_t last_scope(std::string_view text) {
  int depth = 0;
  for (size_t i = text.size(); i-- > 1;) {
    if (closes(text[i])) ++depth;
    if (opens(text[i])) --depth;
    if (depth == 0 && text[i] == ':' && text[i - 1] == ':') return i + 1;
  }
  return 0;
}

// "reduce" of "reduce<512>"; other names as they are.
std::string_view without_arguments(std::string_view shown) {
  const size_t arguments = shown.empty() || shown.back() != '>' ? std::string_view::npos : opening_of_last(shown);
  return shown.substr(0, arguments);
}

// The short name of what is demangled.
std::string shortened(const std::string& name, const std::string& whole) {
  if (whole == name || whole.empty() || whole.back() != ')') return whole;
  const size_t parameters = opening_of_last(whole);
  return parameters == std::string::npos ? whole
                                         : std::string(last_word(std::string_view(whole).substr(0, parameters)));
}

}  // namespace

std::string demangled(const std::string& name) {
  if (name.compare(0, 2, "_Z") != 0) return name;  // also "i" is the mangled name of a type
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 ? std::string(text.get()) : name;
}

std::string short_name(const std::string& name) { return shortened(name, demangled(name)); }

std::string brief_name(const std::string& name) {
  std::string shown = short_name(name);
  if (shown.size() <= longest_shown) return shown;
  std::string_view head = without_arguments(shown);
  if (head.size() > longest_template) head = head.substr(last_scope(head));
  return std::string(head.substr(0, longest_template)) + "@" + sha256(name).substr(0, digest_digits);
}

std::string quoted_symbol(const std::string& name) {
  const std::string shown = brief_name(name);
  return "'" + shown + "'" + (shown == name || name.size() > longest_shown ? "" : " (" + name + ")");
}

bool names_symbol(std::string_view pattern, const std::string& name) {
  if (pattern == name) return true;
  const bool is_mangled = pattern.substr(0, 2) == "_Z" && pattern.find('*') == std::string_view::npos;
  if (is_mangled) return false;  // demangling many names takes long
  const std::string whole = demangled(name), shown = shortened(name, whole);
  const std::string_view names[] = {name, whole, shown, without_arguments(shown)};
  if (pattern.find('@') != std::string_view::npos && pattern == brief_name(name)) return true;
  return std::any_of(std::begin(names), std::end(names),
                     [&](std::string_view known) { return pattern == known || matches(pattern, known); });
}

bool is_chosen(const std::vector<std::string>& patterns, const std::string& name) {
  const auto names_it = [&name](const std::string& pattern) { return names_symbol(pattern, name); };
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), names_it);
}

std::string nearest_symbol(std::string_view pattern, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const std::string& name : names) {
    known.push_back(brief_name(name));
    known.push_back(name);
  }
  return std::string(nearest(pattern, {known.begin(), known.end()}, 2));
}

}  // namespace warpspan::support
