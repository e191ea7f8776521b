// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/schedules/string.hpp"

#include <string>

namespace warpspan::solver {

using support::Diagnostic;
using support::Diagnostics;
using support::Integer;
using support::usage_error;

namespace {

// Calls visit(term, times, depth) for every term of the string, where `times` is how often the group that contains it
// is executed and `depth` how many groups it stands in, and goes into a group only if visit returns true. The groups
// yet to be visited lie in a vector, so that no nesting can exhaust the stack.
template <typename Visit>
void walk(const String& string, Visit visit) {
  struct Level {
    const String* terms;
    Integer times;
    int64_t depth;
  };
  std::vector<Level> pending{{&string, 1, 0}};
  while (!pending.empty()) {
    const Level level = pending.back();
    pending.pop_back();
    for (const Term& term : *level.terms) {
      if (visit(term, level.times, level.depth)) {
        pending.push_back({&term.body, level.times * Integer(term.repeat), level.depth + 1});
      }
    }
  }
}

bool is_group(const Term& term) { return term.symbol == -1; }

std::optional<Diagnostic> error_in(const Term& term, int64_t depth, size_t classes) {
  if (term.repeat < 1) {
    return usage_error("a repetition of " + std::to_string(term.repeat) + " times in the string",
                       "repeat at least once, or leave the part out");
  }
  if (is_group(term)) {
    if (term.body.empty()) return usage_error("an empty group in the string", "leave it out");
    if (depth >= deepest_nesting) {
      return usage_error("groups of the string are nested more than " + std::to_string(deepest_nesting) + " deep");
    }
    return std::nullopt;
  }
  if (term.symbol < 0 || static_cast<size_t>(term.symbol) >= classes) {
    return usage_error("symbol " + std::to_string(term.symbol) + " of the string is none of the " +
                           std::to_string(classes) + " classes",
                       "give servers for its class");
  }
  if (!term.body.empty()) return usage_error("a term of the string is both a symbol and a group");
  return std::nullopt;
}

std::optional<Diagnostic> error_in(const String& string, size_t classes) {
  if (string.empty()) return usage_error("the string is empty", "give at least one symbol");
  std::optional<Diagnostic> error;
  walk(string, [&](const Term& term, Integer, int64_t depth) {
    if (!error) error = error_in(term, depth, classes);
    return !error && is_group(term);
  });
  return error;
}

std::optional<Diagnostic> error_in(const std::vector<int64_t>& servers) {
  for (size_t k = 0; k < servers.size(); ++k) {
    if (servers[k] < 1) {
      return usage_error("class " + std::to_string(k) + " has " + std::to_string(servers[k]) + " servers",
                         "give at least 1");
    }
  }
  return std::nullopt;
}

// Appends copies of symbols[begin ..] until they stand there `times` times.
void repeat_tail(std::vector<int>& symbols, size_t begin, int64_t times) {
  const size_t length = symbols.size() - begin;
  for (int64_t i = 1; i < times; ++i) {
    for (size_t j = 0; j < length; ++j) symbols.push_back(symbols[begin + j]);
  }
}

Integer length_of(const String& string) {
  Integer length;
  walk(string, [&](const Term& term, Integer times, int64_t) {
    if (is_group(term)) return true;
    length += times * Integer(term.repeat);
    return false;
  });
  return length;
}

}  // namespace

support::Result<SymbolCounts> validate(const StringProblem& problem) {
  Diagnostics errors;
  if (auto error = error_in(problem.string, problem.servers.size())) errors.push_back(std::move(*error));
  if (problem.workers < 1) {
    errors.push_back(usage_error("there are " + std::to_string(problem.workers) + " workers", "give at least 1"));
  }
  if (auto error = error_in(problem.servers)) errors.push_back(std::move(*error));
  if (!errors.empty()) return errors;
  return count_symbols(problem.string, problem.servers.size());
}

SymbolCounts count_symbols(const String& string, size_t classes) {
  SymbolCounts counts{std::vector<Integer>(classes), length_of(string)};
  walk(string, [&](const Term& term, Integer times, int64_t) {
    if (is_group(term)) return true;
    counts.of_class[static_cast<size_t>(term.symbol)] += times * Integer(term.repeat);
    return false;
  });
  return counts;
}

std::optional<std::vector<int>> expand(const String& string, int64_t limit) {
  const auto length = length_of(string).value();
  if (!length || *length > limit) return std::nullopt;
  std::vector<int> symbols;
  symbols.reserve(static_cast<size_t>(*length));
  struct Open {
    const String* terms;
    size_t next;
    int64_t repeat;
    size_t begin;  // where its first iteration stands in symbols
  };
  std::vector<Open> open{{&string, 0, 1, 0}};
  while (!open.empty()) {
    Open& top = open.back();
    if (top.next == top.terms->size()) {
      repeat_tail(symbols, top.begin, top.repeat);
      open.pop_back();
      continue;
    }
    const Term& term = (*top.terms)[top.next++];
    if (is_group(term)) {
      open.push_back({&term.body, 0, term.repeat, symbols.size()});
    } else {
      symbols.insert(symbols.end(), static_cast<size_t>(term.repeat), term.symbol);
    }
  }
  return symbols;
}

}  // namespace warpspan::solver
