// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/check/check_kernel.hpp"

#include <algorithm>
#include <filesystem>

#include "app/facts/spelling.hpp"
#include "app/reports/analyze/brief.hpp"
#include "app/reports/analyze/report_sections.hpp"
#include "app/reports/diagnostics.hpp"
#include "app/reports/source_root.hpp"
#include "app/requests/bound_kernels.hpp"
#include "app/requests/kernels/compiled_code.hpp"
#include "app/requests/request_key.hpp"
#include "support/nearest.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Result;
using Quantity = CheckedLimit::Quantity;

class KernelCheck {
 public:
  KernelCheck(const CheckRequest& request, const Budget& budget, const KernelPlace& kernel, MachineShelf& machines,
              RunRecord& run)
      : request_(request), budget_(budget), kernel_(kernel), machines_(machines), run_(run) {
    result_.file = kernel.file;
    result_.kernel = kernel.name;
    result_.entry = budget.at;
    result_.location = kernel.location;
    result_.target = kernel.target;
  }

  CheckResult run(const Result<timing::Machine>& machine) {
    if (!budget_.has_limit() && !request_.for_update && !request_.growth) {
      add(at_budget(budget_, "the budget of '" + budget_.kernel + "' limits nothing",
                    "write max = \"80 us\", or let 'warpspan check --update' write what is true today"));
    } else if (!machine) {
      for (const Diagnostic& error : machine.errors()) add(error);
    } else {
      find_compiled(*machine);
      if (result_.errors.empty() && bounds_time()) bound();
      refuse_other(*machine);
      limit_time(*machine);
      limit_expected(*machine);
      limit_counts();
      note_figures();
    }
    result_.verdict = verdict_of(result_);
    if (report_ && request_.brief && result_.verdict == Verdict::pass) keep_headlines(*report_);
    // With a baseline it may still turn out to have grown.
    if (report_ && result_.verdict == Verdict::pass && !request_.growth) report_->code.reset();
    if (report_) result_.report = std::move(*report_);
    return std::move(result_);
  }

 private:
  bool bounds_time() const {
    if (budget_.time || budget_.expected) return true;
    return !budget_.has_limit() && !request_.writes_counts;
  }

  void add(Diagnostic error) {
    name_keys(error, budget_.at);
    result_.errors.push_back(std::move(error));
  }

  void find_compiled(const timing::Machine& machine) {
    architectures_ = architectures_of(machine, kernel_.target);
    compiled_ = request_.compiled.find(architectures_, kernel_.name);
    if (!compiled_) return take_figures();
    const auto& registers = budget_.launch.registers;
    if (registers && compiled_->registers && registers != known_registers(*compiled_)) {
      add(at_budget(budget_,
                    "kernel '" + kernel_.name + "' has " + reported_registers(*compiled_) + " registers by " +
                        logs_of(*compiled_) + ", not " + std::to_string(*registers),
                    "leave the key 'registers' out: the log tells them"));
    }
    if (!bounds_time() && !budget_.assumed.has(timing::Assumption::no_spills)) return;
    if (auto error = spill_in_log(*compiled_, kernel_.name, kernel_.location)) add(std::move(*error));
  }

  Compilation compilation() const {
    Compilation how = budget_.compilation;
    how.cancel = request_.cancel;
    return how;
  }

  // Machine code says by itself what a log would.
  void take_figures() {
    const auto is_limited = [](const auto& most) { return most.has_value(); };
    if (!request_.wants_figures && !request_.writes_counts &&
        std::none_of(budget_.most.begin(), budget_.most.end(), is_limited)) {
      return;
    }
    const CompiledKernels* of_all = kernel_.figures ? kernel_.figures() : nullptr;
    if (of_all != nullptr) {
      compiled_ = of_all->find(of_all->architectures_of(kernel_.name), kernel_.name);
      return;
    }
    const auto devices = devices_of(budget_, machines_);
    const std::string key = key_of_figures(request_.fleet, kernel_.file, compilation(), devices, {kernel_.name});
    compiled_ =
        made_or_kept<std::optional<CompiledKernel>>(request_.fleet, key, [&]() -> std::optional<CompiledKernel> {
          const auto figures = figures_of_file(kernel_.file, compilation(), devices, {kernel_.name});
          if (!figures) return std::nullopt;  // bounding it says why
          return figures->find(figures->architectures_of(kernel_.name), kernel_.name);
        });
  }

  void bound() {
    BoundRequest request;
    request.kernels.files = {kernel_.file};
    request.kernels.compilation = compilation();
    request.kernels.kernels = {kernel_.name};
    request.kernels.launch = budget_.launch;
    request.kernels.facts = budget_.facts;
    request.machine = budget_.machine;
    request.assumed = budget_.assumed;
    request.string_model = false;
    request.expects = true;
    request.effort = request_.effort;
    request.source_root = request_.source_root;
    request.brief = request_.brief;
    request.with_code = request_.with_code;
    request.limits.memory = request_.memory;
    request.limits.cancel = request_.cancel;
    request.fleet.cache = request_.fleet.cache;
    request.fleet.pool.cancel = request_.cancel;
    if (compiled_ && !compiled_->is_code) request.compiled = request_.compiled;
    AnalyzeReport found = bound_kernels(request, machines_);
    run_.add(found.run);
    for (Diagnostic& error : found.errors) add(std::move(error));
    // Several units of a file may have it: the budget is for each.
    std::optional<size_t> most;
    int64_t most_cycles = 0;
    for (size_t i = 0; i < found.kernels.size(); ++i) {
      const auto one = found.kernels.at(i);
      if (one->name != kernel_.name) continue;
      const int64_t cycles = *headline_bound(one->analysis)->makespan;
      if (most && cycles <= most_cycles) continue;
      most = i;
      most_cycles = cycles;
    }
    if (!most) {
      if (!has_error(result_.errors)) add(vanished());
      return;
    }
    report_ = std::move(found.kernels.edit(*most));
    if (!report_->elsewhere.empty()) add(elsewhere());
    for (auto* lines : {&report_->lines, &report_->expected_lines}) {
      for (LineCost& line : *lines) shorten(line);
    }
    result_.limited_by = limited_by(*headline_bound(report_->analysis));
  }

  Diagnostic elsewhere() const {
    Diagnostic warning;
    warning.severity = support::Severity::warning;
    warning.location = kernel_.location;
    warning.message = report_->elsewhere.substr(0, report_->elsewhere.rfind('.'));
    warning.help = "give a machine that runs it, or the code for this one";
    return warning;
  }

  // A source file is called as in the project, on whatever machine it was compiled.
  void shorten(LineCost& line) const {
    if (request_.source_root.empty() || line.file == report_->file) return;
    std::error_code unknown;
    if (!std::filesystem::path(line.path).is_absolute() && !std::filesystem::exists(line.path, unknown)) return;
    if (auto path = path_below(request_.source_root, line.path)) line.file = std::move(*path);
  }

  // The file is read once more for the bound, and may be of another target by then.
  void refuse_other(const timing::Machine& machine) {
    if (!report_) return;
    const MachineSummary& used = report_->machine;
    if (used.name == machine.name && used.clock_khz == machine.clock_khz) return;
    Diagnostic error = support::usage_error("the machine of kernel '" + kernel_.name + "' changed while it was checked",
                                            "run the check again once nothing writes the files");
    error.location = kernel_.location;
    add(std::move(error));
    report_.reset();
    result_.limited_by.clear();
  }

  Diagnostic vanished() const {
    Diagnostic error = support::usage_error("kernel '" + kernel_.name + "' is no longer in the file",
                                            "run the check again once nothing writes the file");
    error.location = kernel_.location;
    return error;
  }

  std::optional<int64_t> makespan() const {
    return report_ ? headline_bound(report_->analysis)->makespan : std::nullopt;
  }

  void limit_time(const timing::Machine& machine) {
    if (!budget_.time && (budget_.has_limit() || !request_.for_update || request_.writes_counts)) return;
    CheckedLimit limit;
    limit.value = makespan();
    if (budget_.time) {
      limit.text = budget_.time->text;
      const auto most = most_cycles(*budget_.time, machine.clock_khz);
      if (!most) {
        add(at_budget(budget_, "the budget '" + limit.text + "' exceeds 2^63 - 1 cycles", "give a smaller one"));
        limit.value.reset();
      }
      limit.most = most.value_or(0);
    } else if (limit.value) {
      limit.most = *limit.value;  // of an update
    }
    add_limit(limit, budget_.time ? as_written(limit.value, machine.clock_khz, *budget_.time) : limit.value);
  }

  // A time by the formula tells no change of a kernel: it is none that is expected.
  void limit_expected(const timing::Machine& machine) {
    if (!budget_.expected) return;
    CheckedLimit limit;
    limit.quantity = Quantity::expected;
    limit.text = budget_.expected->text;
    limit.tolerance = budget_.tolerance.text;
    const auto cycles = most_cycles(*budget_.expected, machine.clock_khz);
    const auto most = cycles ? with_tolerance(*cycles, budget_.tolerance) : std::nullopt;
    if (!most)
      add(at_budget(budget_, "'expect' of '" + limit.text + "' exceeds 2^63 - 1 cycles", "give a smaller one"));
    limit.most = most.value_or(0);
    const ExpectedTime* expected = report_ && report_->expected ? &*report_->expected : nullptr;
    if (expected != nullptr && expected->method == ExpectedTime::Method::simulated) {
      if (most) limit.value = expected->cycles;
    } else if (report_) {
      add(at_budget(budget_, "the expected time of kernel '" + kernel_.name + "' is not known: it was not simulated",
                    expected == nullptr ? "leave 'expect' out" : expected->not_simulated));
    }
    limit.verdict = Verdict::pass;
    if (!limit.value) {
      limit.verdict = Verdict::unbounded;
    } else if (*limit.value > limit.most) {
      limit.verdict = Verdict::slower;
    } else if (request_.ratchet &&
               is_below(*as_written(limit.value, machine.clock_khz, *budget_.expected), *cycles, *request_.ratchet)) {
      limit.verdict = Verdict::fell;
    }
    result_.limits.push_back(std::move(limit));
  }

  void limit_counts() {
    for (const Quantity quantity :
         {Quantity::registers, Quantity::spill, Quantity::stack, Quantity::shared, Quantity::constant}) {
      const auto& most = budget_.most[static_cast<size_t>(quantity)];
      const auto value = compiled_value(quantity);
      if (!most && (!request_.writes_counts || !value)) continue;
      CheckedLimit limit;
      limit.quantity = quantity;
      limit.most = most ? most->most : *value;
      limit.text = std::to_string(limit.most);
      limit.value = value;
      if (!limit.value) add(untold(quantity));
      add_limit(limit, limit.value);
    }
    if (result_.limits.empty() && request_.writes_counts) add(untold(Quantity::registers));
  }

  void note_figures() {
    const auto at = [this](Quantity quantity) -> std::optional<int64_t>& {
      return result_.figures[static_cast<size_t>(quantity)];
    };
    for (const Quantity quantity :
         {Quantity::registers, Quantity::spill, Quantity::stack, Quantity::shared, Quantity::constant}) {
      at(quantity) = compiled_value(quantity);
    }
    if (!report_) return;
    at(Quantity::makespan) = makespan();
    const auto& expected = report_->expected;
    if (expected && expected->method == ExpectedTime::Method::simulated) at(Quantity::expected) = expected->cycles;
  }

  std::optional<int64_t> compiled_value(Quantity quantity) const {
    if (!compiled_) return std::nullopt;
    switch (quantity) {
      case Quantity::registers: return compiled_->registers;
      case Quantity::spill: return compiled_->spill;
      case Quantity::stack: return compiled_->stack;
      case Quantity::shared: return compiled_->shared;
      case Quantity::constant: return compiled_->constant;
      case Quantity::makespan:
      case Quantity::usual:
      case Quantity::expected: break;
    }
    return std::nullopt;
  }

  Diagnostic untold(Quantity quantity) const {
    const std::string wanted = support::alternatives(architectures_);
    const std::vector<std::string> others = request_.compiled.architectures_of(kernel_.name);
    std::string message = "no log tells max_" + std::string(to_string(quantity)) + " of kernel '" + kernel_.name +
                          "' for " + (wanted.empty() ? "an unknown target" : wanted);
    if (!compiled_ && !others.empty()) message += ": it was compiled for " + support::enumeration(others);
    return at_budget(budget_, std::move(message),
                     "give --ptxas-log FILE with what 'nvcc -Xptxas -v' printed for this target");
  }

  // The cycles that end within the limit that an update writes, which may be rounded to a nanosecond.
  static std::optional<int64_t> as_written(std::optional<int64_t> cycles, int64_t clock_khz, const TimeLimit& time) {
    if (!cycles) return cycles;
    const auto limit = limit_of(*cycles, clock_khz, time.unit, time.unit_text);
    return limit ? most_cycles(*limit, clock_khz) : cycles;
  }

  void add_limit(CheckedLimit limit, std::optional<int64_t> written) {
    limit.verdict = Verdict::pass;
    if (!limit.value) {
      limit.verdict = Verdict::unbounded;
    } else if (*limit.value > limit.most) {
      limit.verdict = Verdict::over;
    } else if (request_.ratchet && written && is_below(*written, limit.most, *request_.ratchet)) {
      limit.verdict = Verdict::fell;
    }
    result_.limits.push_back(std::move(limit));
  }

  const CheckRequest& request_;
  const Budget& budget_;
  const KernelPlace& kernel_;
  MachineShelf& machines_;
  RunRecord& run_;
  std::vector<std::string> architectures_;
  std::optional<CompiledKernel> compiled_;
  std::optional<KernelReport> report_;  // becomes the result's
  CheckResult result_;
};

}  // namespace

std::vector<std::string> devices_of(const Budget& budget, MachineShelf& machines) {
  if (budget.machine.empty()) return {};
  const auto& machine = machines.find(budget.machine, "");
  return machine ? machine->targets : std::vector<std::string>();
}

CheckResult check_kernel(const CheckRequest& request, const Budget& budget, const KernelPlace& kernel,
                         MachineShelf& machines, RunRecord& run) {
  const auto& machine = machines.find(budget.machine, kernel.target);
  if (machine) machines.record(*machine, run);
  return KernelCheck(request, budget, kernel, machines, run).run(machine);
}

}  // namespace warpspan::app
