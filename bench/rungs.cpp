// SPDX-License-Identifier: GPL-3.0-or-later
// What each assumption buys: for every launch of the budgets in samples/budgets.toml, every file that they name and
// every built-in machine that can run it (those with a .target of their own), the bound on each rung of the ladder;
// then how many times less each rung is than the one before, as geometric means. Two tables in Markdown. Run it from
// the root of the repository; bench_rungs [--summary] [MACHINE...]: only the second table, only these machines.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/files/budgets_file.hpp"
#include "app/reports/readable.hpp"
#include "app/requests/bound_kernels.hpp"
#include "app/requests/kernels/input_files.hpp"
#include "support/source_file.hpp"
#include "support/symbol_name.hpp"

namespace {

using namespace warpspan;
using timing::Assumption;

constexpr const char* budgets_file = "samples/budgets.toml";

// One kernel under one launch on one machine.
struct Case {
  std::string kernel, file, launch, machine;
  std::vector<timing::Rung> ladder;  // each with a makespan
};

std::string launch_text(const ir::Launch& launch) {
  std::string text = launch.block ? app::extent(*launch.block) : "of the file";
  if (launch.grid) text += " x " + app::extent(*launch.grid);
  for (const ir::Argument& argument : launch.arguments) text += ", " + argument.parameter + "=" + argument.value;
  return text;
}

// The architecture of a target: 80 of "sm_80"; 0 if it is none.
int architecture(const std::string& target) {
  int number = 0;
  for (const char c : target) {
    if (c >= '0' && c <= '9') number = 10 * number + (c - '0');
  }
  return number;
}

// PTX runs on its own target and on later ones.
bool can_run(const timing::Machine& machine, const std::string& target) {
  return std::any_of(machine.targets.begin(), machine.targets.end(),
                     [&](const std::string& own) { return architecture(own) >= architecture(target); });
}

// The first rung is the bound itself where nothing helps.
std::vector<timing::Rung> rungs_of(const timing::Analysis& analysis) {
  std::vector<timing::Rung> rungs;
  for (const timing::Rung& rung : analysis.ladder) {
    if (rung.makespan && *rung.makespan > 0) rungs.push_back(rung);
  }
  const solver::Bound* headline = app::headline_bound(analysis);
  if (rungs.empty() && headline != nullptr) rungs.push_back({std::nullopt, headline->makespan, {}});
  return rungs;
}

class Benchmark {
 public:
  explicit Benchmark(std::vector<std::string> machines) : machines_(std::move(machines)) {}

  // False if a budget names no file.
  bool run(const std::vector<app::Budget>& budgets) {
    for (const app::Budget& budget : budgets) {
      const auto files = app::input_files(budget.files, budget.folder);
      if (!files) return false;
      for (const std::string& file : *files) {
        for (const std::string& machine : machines_) bound(budget, file, machine);
      }
    }
    return true;
  }

  const std::vector<Case>& cases() const { return cases_; }
  int64_t failed() const { return failed_; }

 private:
  void bound(const app::Budget& budget, const std::string& file, const std::string& machine) {
    app::BoundRequest request;
    request.kernels.files = {file};
    request.kernels.kernels = {budget.kernel};
    request.kernels.launch = budget.launch;
    request.machine = machine;
    request.assumed = budget.assumed;
    request.string_model = false;
    const std::string launch = launch_text(budget.launch);
    const auto target = target_of(file);
    const auto& found = shelf_.find(machine, "");
    if (!target || !found || !can_run(*found, *target)) return;
    if (!seen_.insert(budget.kernel + "\n" + file + "\n" + launch + "\n" + machine).second) return;
    const app::AnalyzeReport report = app::bound_kernels(request, shelf_);
    failed_ += static_cast<int64_t>(report.failed.size());
    for (const app::KernelReport& kernel : report.kernels) {
      cases_.push_back({support::short_name(kernel.name), file.substr(file.find_last_of('/') + 1), launch, machine,
                        rungs_of(kernel.analysis)});
    }
  }

  std::optional<std::string> target_of(const std::string& file) {
    const auto known = targets_.find(file);
    if (known != targets_.end()) return known->second;
    std::optional<std::string> target;
    if (auto source = support::read_source(file)) {
      const auto contents = frontend::contents_of(std::make_shared<const support::SourceFile>(std::move(*source)));
      if (contents) target = contents->target;
    }
    return targets_.emplace(file, target).first->second;
  }

  std::vector<std::string> machines_;
  app::MachineShelf shelf_;
  std::map<std::string, std::optional<std::string>> targets_;
  std::set<std::string> seen_;  // one launch stands in the file once for each of its machines
  std::vector<Case> cases_;
  int64_t failed_ = 0;
};

// All assumptions of the ladders, one before another if it is so in any of them; the table's order decides else.
// Nothing if ladders have them in different orders.
std::optional<std::vector<Assumption>> order_of(const std::vector<Case>& cases) {
  std::map<Assumption, std::set<Assumption>> before;  // those that stand before each
  for (const Case& one : cases) {
    std::set<Assumption> seen;
    for (const timing::Rung& rung : one.ladder) {
      if (!rung.assumption) continue;
      before[*rung.assumption].insert(seen.begin(), seen.end());
      seen.insert(*rung.assumption);
    }
  }
  std::vector<Assumption> order;
  while (order.size() < before.size()) {
    const auto is_next = [&order](const auto& entry) {
      const auto is_placed = [&order](Assumption a) { return std::find(order.begin(), order.end(), a) != order.end(); };
      return !is_placed(entry.first) && std::all_of(entry.second.begin(), entry.second.end(), is_placed);
    };
    const auto next = std::find_if(before.begin(), before.end(), is_next);
    if (next == before.end()) return std::nullopt;
    order.push_back(next->first);
  }
  return order;
}

// The bound with an assumption and all before it: a rung that is left out changes nothing.
std::vector<int64_t> makespans(const Case& one, const std::vector<Assumption>& order) {
  std::vector<int64_t> all = {one.ladder.front().makespan.value()};
  for (const Assumption assumption : order) {
    const auto is_it = [assumption](const timing::Rung& rung) { return rung.assumption == assumption; };
    const auto rung = std::find_if(one.ladder.begin(), one.ladder.end(), is_it);
    all.push_back(rung == one.ladder.end() ? all.back() : rung->makespan.value());
  }
  return all;
}

void print_cases(const std::vector<Case>& cases, const std::vector<Assumption>& order) {
  fmt::print("| kernel | file | launch | machine | nothing |");
  for (const Assumption assumption : order) fmt::print(" + {} |", name_of(assumption));
  fmt::print("\n|---|---|---|---|--:|");
  for (size_t i = 0; i < order.size(); ++i) fmt::print("--:|");
  fmt::print("\n");
  for (const Case& one : cases) {
    fmt::print("| `{}` | {} | {} | {} |", one.kernel, one.file, one.launch, one.machine);
    for (const int64_t makespan : makespans(one, order)) fmt::print(" {} |", app::thousands(makespan));
    fmt::print("\n");
  }
  fmt::print("\n");
}

double ratio(int64_t before, int64_t makespan) { return static_cast<double>(before) / static_cast<double>(makespan); }

// Geometric means over all cases, and over those that the rung changes; the largest factor of any.
void print_summary(const std::vector<Case>& cases, const std::vector<Assumption>& order) {
  fmt::print(
      "| `--assume` | changes | times less, all bounds | those it changes | at most | less than with nothing |\n");
  fmt::print("|---|--:|--:|--:|--:|--:|\n");
  for (size_t i = 0; i < order.size(); ++i) {
    double sum = 0, total = 0, largest = 1;
    size_t changed = 0;
    for (const Case& one : cases) {
      const std::vector<int64_t> all = makespans(one, order);
      const double factor = ratio(all[i], all[i + 1]);
      sum += std::log(factor);
      total += std::log(ratio(all.front(), all[i + 1]));
      largest = std::max(largest, factor);
      if (all[i] != all[i + 1]) ++changed;
    }
    const auto count = static_cast<double>(cases.size());
    const auto own = static_cast<double>(std::max<size_t>(changed, 1));
    fmt::print("| + `{}` | {:.0f} % | {:.2f} | {:.2f} | {:.1f} | {:.2f} |\n", name_of(order[i]),
               100 * static_cast<double>(changed) / count, std::exp(sum / count), std::exp(sum / own), largest,
               std::exp(total / count));
  }
}

int fail(const std::string& message) {
  fmt::print(stderr, "{}\n", message);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> machines(argv + 1, argv + argc);
  const bool only_summary = std::erase(machines, "--summary") > 0;
  if (machines.empty()) machines = timing::builtin_machines();
  for (const std::string& machine : machines) {
    const auto found = timing::load_machine(machine);
    if (!found) return fail(found.errors().front().message);
  }
  const std::string name = budgets_file;
  const auto text = support::read_source(name);
  if (!text) return fail(name + " cannot be read: run it from the root of the repository");
  const auto budgets = app::parse_budgets(name, text->text());
  Benchmark benchmark(machines);
  if (!budgets || !benchmark.run(*budgets) || benchmark.cases().empty()) return fail(name + " has nothing to bound");
  const std::vector<Case>& cases = benchmark.cases();
  const auto order = order_of(cases);
  if (!order) return fail("the ladders have their rungs in different orders");
  if (!only_summary) print_cases(cases, *order);
  print_summary(cases, *order);
  fmt::print("\n{} bounds, {} kernels without one\n", cases.size(), benchmark.failed());
  return 0;
}
