#include "app/requests/compare_kernels.hpp"

#include <algorithm>
#include <charconv>

#include "app/requests/compare_changes.hpp"
#include "app/requests/compare_match.hpp"
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

std::string text_of(const std::vector<std::string>& options) {
  std::string text;
  for (const std::string& option : options) text += (text.empty() ? "" : " ") + option;
  return text.empty() ? "none" : text;
}

class Comparison {
 public:
  Comparison(const std::vector<CompareSide>& sides, const std::optional<Allowance>& allowed)
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
  const std::optional<Allowance>& allowed_;
  CompareReport report_;
};

std::optional<int64_t> number(std::string_view digits) {
  int64_t value = 0;
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size() ? std::optional(value) : std::nullopt;
}

}  // namespace

std::vector<std::string> deciding_options(const std::vector<std::string>& words) {
  constexpr std::string_view names[] = {
      "--arg=", "--loop-bound=", "--facts=", "--registers=", "--shared=", "--assume="};
  std::vector<std::string> options;
  for (const std::string& word : words) {
    const auto begins = [&word](std::string_view name) { return word.starts_with(name); };
    if (std::any_of(std::begin(names), std::end(names), begins)) options.push_back(word);
  }
  std::sort(options.begin(), options.end());
  return options;
}

support::Result<Allowance> parse_allowance(const std::string& option, const std::string& text) {
  constexpr size_t decimals = 7;  // of a percentage in billionths
  const Diagnostic error =
      support::usage_error(option + ": expected a percentage such as 5% or 2.5%, got '" + text + "'");
  if (text.empty() || text.back() != '%') return error;
  const std::string_view digits = std::string_view(text).substr(0, text.size() - 1);
  const size_t point = digits.find('.');
  std::string fraction(point == std::string_view::npos ? "0" : digits.substr(point + 1));
  if (fraction.empty() || fraction.size() > decimals) return error;
  fraction.resize(decimals, '0');
  const auto percents = number(digits.substr(0, point)), parts = number(fraction);
  if (!percents || !parts || *percents > 1'000'000'000) return error;
  return Allowance{*percents * (Allowance::whole / 100) + *parts, text};
}

// after - before > floor(before * billionths / 10^9), whose factors are taken apart: before = q 10^9 + r with r < 10^9,
// so that it is q * billionths + floor(r * billionths / 10^9). Of whole numbers, to exceed a fraction is to exceed its
// floor. The allowance fits if it is at most 10^16; r * billionths is taken apart in the same way. A sum beyond 64 bits
// is more than any bound rises.
bool exceeds(int64_t before, int64_t after, const Allowance& allowed) {
  if (after <= before) return false;
  const int64_t q = before / Allowance::whole, r = before % Allowance::whole;
  const int64_t full = allowed.billionths / Allowance::whole, rest = allowed.billionths % Allowance::whole;
  const auto most =
      (support::Integer(q) * allowed.billionths + support::Integer(r) * full + r * rest / Allowance::whole).value();
  return most && after - before > *most;
}

CompareReport compare_kernels(const std::vector<CompareSide>& sides, const std::optional<Allowance>& allowed) {
  Comparison comparison(sides, allowed);
  for (size_t side = 1; side < sides.size(); ++side) comparison.add(side);
  return comparison.take();
}

}  // namespace warpspan::app
