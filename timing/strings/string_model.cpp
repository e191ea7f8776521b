// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/strings/string_model.hpp"

#include <algorithm>

#include "ir/execution.hpp"
#include "solver/makespan/problem.hpp"
#include "solver/strings/bounds/raravi.hpp"
#include "solver/strings/solve.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/assumptions/errors.hpp"
#include "timing/bounds/load_bounds.hpp"
#include "timing/strings/solver_string.hpp"

namespace warpspan::timing {

namespace {

using support::Result;

constexpr const char* one_string = "Every warp executes the instruction string shown.";
constexpr const char* no_latency =
    "The string model: every instruction takes one cycle of its unit; latencies are left out.";
constexpr const char* other_strings = "a warp on another path may finish later";

// A result for the string shown holds for the kernel only if no warp can execute another one: a shorter string can take
// longer among others.
void assume_one_string(solver::Bound& bound, bool only_one) {
  bound.assumptions.insert(bound.assumptions.begin(), one_string);
  if (!only_one && bound.safe) bound = not_safe(std::move(bound), other_strings);
}

// The closed form counts groups of half a warp, for which the units are twice as wide.
solver::Bound raravi(const WarpString& string, const Load& load, const Machine& machine) {
  constexpr auto l = static_cast<size_t>(ir::UnitClass::load_store);
  constexpr auto c = static_cast<size_t>(ir::UnitClass::core);
  solver::StringProblem problem;
  problem.string = to_solver_string(string.string);
  problem.workers = 2 * load.warps;
  problem.servers.assign(ir::unit_classes, 1);
  for (const size_t k : {l, c}) {
    const support::Rational& width = machine.unit_width[k];
    problem.servers[k] = std::max<int64_t>(1, 2 * width.numerator / width.denominator);
  }
  return solver::raravi_bound(problem, {static_cast<int>(l), static_cast<int>(c)});
}

solver::Bound list_bound(const WarpString& string, const SymbolTotals& totals, const Load& load,
                         const Machine& machine) {
  solver::PathMaxima maxima;
  maxima.length = totals.length;
  maxima.symbols.assign(totals.symbols.begin(), totals.symbols.end());
  maxima.servers.assign(string.servers.begin(), string.servers.end());
  return string_list_bound(load, machine, maxima);
}

// The methods that need more than the maxima of all paths. Where blocks run one after another the worst case of one
// string is another problem than theirs.
std::vector<solver::Method> methods_for(const Load& load) {
  if (load.blocks > 1) return {solver::Method::published};
  return {solver::Method::witness, solver::Method::exact, solver::Method::certificate, solver::Method::published};
}

Result<solver::Solution> solve(const WarpString& string, const Load& load, const Limits& limits) {
  solver::SolveOptions options;
  options.methods = methods_for(load);
  options.seconds = limits.seconds;
  options.memory = limits.memory;
  options.cancel = limits.cancel;
  options.thorough = false;
  const std::vector<int64_t> servers(string.servers.begin(), string.servers.end());
  return solver::solve({to_solver_string(string.transformed), load.warps, servers}, options);
}

}  // namespace

Result<WarpString> warp_string(const ir::Kernel& kernel, const ir::Flow& flow, const Machine& machine) {
  std::array<int64_t, ir::unit_classes> symbols_each{};
  for (size_t k = 0; k < symbols_each.size(); ++k) symbols_each[k] = machine.unit_width[k].denominator;
  auto worst = ir::worst_string(kernel, flow, symbols_each);
  if (!worst) return exceeds_64_bits(kernel, "its regions");
  WarpString result;
  if (worst->string) result.string = std::move(*worst->string);
  auto transformed = ir::transform(result.string, machine.unit_width);
  if (!transformed) return transformed.errors();
  result.transformed = std::move(transformed->string);
  result.servers = transformed->servers;
  result.only_one = worst->only_one;
  for (size_t k = 0; k < ir::unit_classes; ++k) {
    const auto count = worst->counts[k].value();
    if (!count) return exceeds_64_bits(kernel, "the instructions of one warp");
    result.instructions[k] = *count;
  }
  return result;
}

Result<StringModel> string_model(const WarpString& string, const SymbolTotals& totals, bool only_one, const Load& load,
                                 const Machine& machine, const Limits& limits) {
  StringModel model;
  model.bounds.push_back(list_bound(string, totals, load, machine));
  if (!string.transformed.empty()) {
    auto solution = solve(string, load, limits);
    if (!solution) return solution.errors();
    model.witness = solution->lower;
    for (solver::Bound& bound : solution->results) model.bounds.push_back(std::move(bound));
    model.bounds.push_back(raravi(string, load, machine));
  }
  for (size_t i = 0; i < model.bounds.size(); ++i) {
    solver::Bound& bound = model.bounds[i];
    if (i > 0) assume_one_string(bound, only_one);
    bound.assumptions.insert(bound.assumptions.begin(), no_latency);
    if (i > 0) add_assumptions(bound, round_robin(load));
  }
  return model;
}

}  // namespace warpspan::timing
