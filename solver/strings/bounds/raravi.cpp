// SPDX-License-Identifier: GPL-3.0-or-later
// The template is a regular language, so an automaton of five states recognises it. A symbol is a map from states to
// states, a group is the composition of its parts, a repetition is a power, found by squaring: the string is never
// written out. All strings of the language with r sub-blocks have r + 1 symbols C, which gives r.
//
// What the formula is worth. The paper proves nothing; fairness means that a symbol of an earlier sub-block goes before
// one of a later, where the first C counts to sub-block 1 and the last L to sub-block r. Searching all such schedules
// confirms it for two workers and more. For one worker and r >= 2 it is below the 3r + 2 symbols of the worker. Without
// fairness, exact search gives (2r + 1)n + r + 1 for three workers and more, which is r - 1 above it, in all instances
// up to r = 5, n = 8; for two workers it gives more than the formula from r = 3 on (17 instead of 16).
#include "solver/strings/bounds/raravi.hpp"

#include <array>
#include <string>
#include <utility>

#include "solver/makespan/assumptions.hpp"
#include "solver/strings/schedules/string.hpp"
#include "support/checked.hpp"

namespace warpspan::solver {

using support::Integer;

namespace {

enum State : uint8_t { start, after_c, after_l, after_ll, dead };
using Move = std::array<State, 5>;  // where each state leads to

constexpr Move stay{start, after_c, after_l, after_ll, dead};
constexpr Move read_c{after_c, dead, dead, after_c, dead};
constexpr Move read_l{dead, after_l, after_ll, dead, dead};
constexpr Move read_other{dead, dead, dead, dead, dead};

Move then(const Move& first, const Move& second) {
  Move both{};
  for (size_t s = 0; s < both.size(); ++s) both[s] = second[first[s]];
  return both;
}

Move power(Move base, int64_t exponent) {
  Move result = stay;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = then(result, base);
    base = then(base, base);
  }
  return result;
}

Move move_of(const String& string, TemplateRoles roles) {
  Move all = stay;
  for (const Term& term : string) {
    Move one = read_other;
    if (term.symbol == -1) one = move_of(term.body, roles);
    if (term.symbol == roles.c) one = read_c;
    if (term.symbol == roles.l) one = read_l;
    all = then(all, power(one, term.repeat));
  }
  return all;
}

// Empty if the problem is an instance of the template.
std::string difference(const StringProblem& problem, const SymbolCounts& counts, TemplateRoles roles) {
  const auto is_class = [&](int k) { return k >= 0 && static_cast<size_t>(k) < problem.servers.size(); };
  if (!is_class(roles.l) || !is_class(roles.c) || roles.l == roles.c)
    return "L and C are not two classes of the problem";
  const auto l = static_cast<size_t>(roles.l);
  const auto c = static_cast<size_t>(roles.c);
  if (problem.servers[l] != 1 || problem.servers[c] != 2) {
    return "it needs 1 server for L and 2 for C, there are " + std::to_string(problem.servers[l]) + " and " +
           std::to_string(problem.servers[c]);
  }
  for (size_t k = 0; k < counts.of_class.size(); ++k) {
    if (k != l && k != c && !(counts.of_class[k] == Integer(0))) return "the string has symbols other than L and C";
  }
  if (move_of(problem.string, roles)[start] != after_l) return "the string is not of the form C (LLC)^r L";
  if (counts.of_class[c] == Integer(1)) return "the string is CL, without a sub-block LLC";
  return {};
}

std::string text(Integer number) { return std::to_string(number.value().value_or(0)); }

// What is known about the formula's value for r sub-blocks and n workers, where it does not overflow.
std::string remark_on(Integer r, int64_t n) {
  const std::string remark = "conjectured for schedules that are fair to sub-blocks";
  if (r == Integer(1) && n < 3) return remark;
  if (n == 1) return remark + "; below the " + text(Integer(3) * r + Integer(2)) + " symbols that one worker executes";
  if (n == 2) return remark + "; without fairness too small from r = 3 on (a schedule takes 17 there, not 16)";
  const Integer unfair = (Integer(2) * r + Integer(1)) * Integer(n) + r + Integer(1);
  return remark + "; without fairness exact search gives (2r + 1)n + r + 1" +
         (unfair.overflowed() ? "" : ", here " + text(unfair));
}

}  // namespace

Bound raravi_bound(const StringProblem& problem, TemplateRoles roles) {
  Bound bound;
  bound.method = "raravi";
  bound.kind = Kind::published;
  bound.assumptions = string_model();
  bound.assumptions.emplace_back("A symbol of an earlier sub-block is executed before one of a later.");
  const auto counts = validate(problem);
  if (!counts) return without_value(std::move(bound), Status::not_applicable, counts.errors().front().message);
  if (std::string reason = difference(problem, *counts, roles); !reason.empty()) {
    return without_value(std::move(bound), Status::not_applicable, std::move(reason));
  }
  const Integer r = counts->of_class[static_cast<size_t>(roles.c)] - Integer(1);
  const Integer n = problem.workers;
  const Integer finish = Integer(3) * n + Integer(2) + Integer(2) * n * (r - Integer(1));
  if (!finish.overflowed()) bound.remark = remark_on(r, problem.workers);
  return with_value(std::move(bound), finish);
}

}  // namespace warpspan::solver
