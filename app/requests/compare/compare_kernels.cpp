// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/compare/compare_kernels.hpp"

#include <algorithm>

#include "app/facts/fact_kind.hpp"
#include "app/reports/readable.hpp"
#include "app/requests/compare/compare_changes.hpp"
#include "app/requests/compare/compare_match.hpp"
#include "support/checked.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;

Diagnostic at(const KernelFigures& kernel, const std::string& message, std::string help, support::Cause cause) {
  Diagnostic error;
  error.cause = cause;
  error.location.file = kernel.file;
  error.message = "kernel '" + kernel.name + "' " + message;
  error.help = std::move(help);
  return error;
}

std::string text_of(const std::vector<std::string>& options) { return options.empty() ? "none" : joined(options, " "); }

// How many times as long a kernel is expected to take, on the side on which it becomes slower most; 1 where no side
// tells.
std::pair<int64_t, int64_t> slowdown_of(const ComparedKernel& kernel) {
  std::pair<int64_t, int64_t> most = {1, 1};
  bool is_known = false;
  for (size_t side = 1; side < kernel.sides.size(); ++side) {
    if (!kernel.has_expected_change(side)) continue;
    const std::pair<int64_t, int64_t> own = {kernel.sides[side]->expected->cycles,
                                             kernel.sides.front()->expected->cycles};
    if (!is_known || support::Int128{own.first} * most.second > support::Int128{most.first} * own.second) most = own;
    is_known = true;
  }
  return most;
}

bool is_slower(const ComparedKernel& a, const ComparedKernel& b) {
  const auto of_a = slowdown_of(a), of_b = slowdown_of(b);
  return support::Int128{of_a.first} * of_b.second > support::Int128{of_b.first} * of_a.second;
}

class Comparison {
 public:
  Comparison(const std::vector<CompareSide>& sides, const std::optional<Percent>& allowed)
      : sides_(sides), allowed_(allowed) {
    for (const CompareSide& side : sides) report_.sides.push_back(side.name);
    if (allowed) report_.allowed = allowed->text;
    for (const KernelFigures& kernel : sides.front().kernels) {
      report_.kernels.push_back(row());
      report_.kernels.back().sides.front() = kernel;
    }
  }

  // Each side after the base.
  void add(size_t side) {
    check_options(sides_.front(), sides_[side]);
    const std::vector<KernelFigures>& kernels = sides_[side].kernels;
    KernelMatches matches = match_kernels(sides_.front().kernels, kernels);
    report_.errors.insert(report_.errors.end(), matches.errors.begin(), matches.errors.end());
    std::vector<bool> placed(kernels.size(), false);
    for (const KernelMatch& match : matches.pairs) {
      ComparedKernel& row = report_.kernels[match.base];
      row.sides[side] = kernels[match.other];
      row.changes[side] = compare(*row.sides.front(), kernels[match.other], match.how, sides_[side]);
      placed[match.other] = true;
    }
    for (size_t i = 0; i < kernels.size(); ++i) {
      if (!placed[i]) row_without_base(kernels[i], side).sides[side] = kernels[i];
    }
  }

  CompareReport take() {
    if (allowed_) {
      for (const ComparedKernel& row : report_.kernels) check_sides(row);
    }
    std::stable_sort(report_.kernels.begin(), report_.kernels.end(), is_slower);
    return std::move(report_);
  }

 private:
  ComparedKernel row() const {
    ComparedKernel kernel;
    kernel.sides.resize(sides_.size());
    kernel.changes.resize(sides_.size());
    return kernel;
  }

  // Whether a machine that the base and this side have by one name is another one.
  bool has_other_figures(const std::string& machine, const CompareSide& side) const {
    for (const Hashed& one : sides_.front().machines) {
      const auto differs = [&](const Hashed& other) { return other.name == one.name && other.sha256 != one.sha256; };
      if (one.name == machine && std::any_of(side.machines.begin(), side.machines.end(), differs)) return true;
    }
    return false;
  }

  void check_options(const CompareSide& base, const CompareSide& other) {
    Diagnostic error;
    if (!base.options || !other.options) {
      const std::string& unknown = base.options ? other.name : base.name;
      error = support::usage_error(
          "'" + unknown + "' does not tell the options it was made with: --arg and others may differ",
          "make it again with this version of warpspan");
      if (!allowed_) error.severity = support::Severity::warning;
    } else if (*base.options != *other.options) {
      error = support::usage_error("'" + base.name + "' and '" + other.name + "' were bounded with other options: " +
                                       text_of(*base.options) + " against " + text_of(*other.options),
                                   "give both the same");
    } else {
      return;
    }
    report_.errors.push_back(std::move(error));
  }

  // One row for kernels of a name that other sides have and the base has not.
  ComparedKernel& row_without_base(const KernelFigures& kernel, size_t side) {
    for (ComparedKernel& known : report_.kernels) {
      if (!known.sides.front() && !known.sides[side] && known.any().name == kernel.name) return known;
    }
    report_.kernels.push_back(row());
    return report_.kernels.back();
  }

  KernelChanges compare(const KernelFigures& before, const KernelFigures& after, MatchedBy how,
                        const CompareSide& side) {
    KernelChanges changes = changes_between(before, after);
    changes.matched = how;
    if (!changes.not_comparable.empty()) {
      report_.errors.push_back(at(after, "is bounded under another launch: " + changes.not_comparable,
                                  "give --block and --grid, or reports of the same launch", support::Cause::usage));
    } else if (allowed_ && changes.other_machine) {
      report_.errors.push_back(at(after, "is bounded on " + before.machine + " and on " + after.machine,
                                  "give --machine, or reports of the same machine", support::Cause::usage));
    } else if (allowed_ && how == MatchedBy::similarity) {
      report_.errors.push_back(
          at(after, "is like '" + before.name + "' in its name only: that one may be gone, and this one new",
             "choose the kernels that both have with --kernel, or make BASE anew", support::Cause::input));
    } else if (allowed_ && has_other_figures(before.machine, side)) {
      report_.errors.push_back(at(after, "is bounded on two versions of the machine " + before.machine,
                                  "make BASE anew with the figures of today", support::Cause::usage));
    } else if (allowed_ && exceeds(before.bound, after.bound, *allowed_)) {
      changes.regressed = true;
      report_.regression = true;
    }
    return changes;
  }

  void check_sides(const ComparedKernel& row) {
    for (size_t i = 0; i < sides_.size(); ++i) {
      if (row.sides[i]) continue;
      report_.errors.push_back(at(row.any(),
                                  "is missing in '" + sides_[i].name + "': it cannot be said not to have regressed",
                                  "choose the kernels that both have with --kernel", support::Cause::input));
    }
  }

  const std::vector<CompareSide>& sides_;
  const std::optional<Percent>& allowed_;
  CompareReport report_;
};

}  // namespace

std::vector<std::string> deciding_options(const std::vector<std::string>& words) {
  std::vector<std::string> names = {"--facts=", "--assume=", "--assemble="};
  for (const FactKind& kind : fact_kinds()) {
    if (kind.is_compared) names.push_back(kind.option + std::string(kind.form == FactKind::Form::flag ? "" : "="));
  }
  std::vector<std::string> options;
  for (const std::string& word : words) {
    const auto begins = [&word](const std::string& name) { return word.starts_with(name); };
    if (std::any_of(names.begin(), names.end(), begins)) options.push_back(word);
  }
  std::sort(options.begin(), options.end());
  return options;
}

CompareReport compare_kernels(const std::vector<CompareSide>& sides, const std::optional<Percent>& allowed) {
  Comparison comparison(sides, allowed);
  for (size_t side = 1; side < sides.size(); ++side) comparison.add(side);
  return comparison.take();
}

}  // namespace warpspan::app
