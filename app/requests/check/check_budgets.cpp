// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/check/check_budgets.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <tuple>

#include "app/facts/spelling.hpp"
#include "app/reports/diagnostics.hpp"
#include "app/reports/readable.hpp"
#include "app/requests/check/check_kernel.hpp"
#include "app/requests/check/partial_warnings.hpp"
#include "app/requests/kernels/input_files.hpp"
#include "app/requests/kernels/kernel_files.hpp"
#include "app/requests/report_archive.hpp"
#include "app/requests/request_key.hpp"
#include "frontend/frontend.hpp"
#include "support/isolated.hpp"
#include "support/nearest.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

namespace fs = std::filesystem;
using support::Diagnostic;
using support::Diagnostics;
using support::Result;
using Files = std::vector<std::string>;
using frontend::Contents;

constexpr size_t most_listed = 8;    // kernels in an error
constexpr size_t most_together = 8;  // kernels of a file that one process checks

// Shorter where that names the same file: "samples/k.ptx" for "tests/../samples/k.ptx".
std::string shown(const std::string& path) {
  const std::string normal = fs::path(path).lexically_normal().string();
  std::error_code unknown;
  return fs::equivalent(normal, path, unknown) ? normal : path;
}

// With parameters, which tell overloads apart, unless that is too long to be read.
std::string written(const std::string& name) {
  const std::string brief = support::brief_name(name);
  return brief == support::short_name(name) ? support::demangled(name) : brief;
}

bool is_symbol(const std::string& pattern, const std::string& name) {
  return pattern == name || pattern == support::demangled(name) || pattern == support::short_name(name) ||
         pattern == support::brief_name(name);
}

// Those that a pattern names: the one of that very name, else those that are called so, else those that match.
std::vector<const Contents::Entry*> named(const std::string& pattern, const Contents& contents) {
  std::vector<const Contents::Entry*> same, called, matching;
  for (const Contents::Entry& kernel : contents.kernels) {
    if (pattern == kernel.name) same.push_back(&kernel);
  }
  if (!same.empty()) return same;  // names are taken apart only where that is needed: a library has thousands
  for (const Contents::Entry& kernel : contents.kernels) {
    if (is_symbol(pattern, kernel.name)) called.push_back(&kernel);
    if (support::names_symbol(pattern, kernel.name)) matching.push_back(&kernel);
  }
  return !called.empty() ? called : matching;
}

// What tells budgets for the same kernel apart, of each the part that is not the same for all: "orin, block 16x16".
// Where that does not, the line.
std::vector<std::string> labels_of(const std::vector<const Budget*>& budgets) {
  using Part = std::function<std::string(const Budget&)>;
  const auto text = [](const char* what, const std::optional<ir::Extent>& value) {
    return value ? std::string(what) + " " + extent(*value) : std::string();
  };
  const std::vector<Part> parts = {[](const Budget& one) { return one.machine; },
                                   [&](const Budget& one) { return text("block", one.launch.block); },
                                   [&](const Budget& one) { return text("grid", one.launch.grid); }};
  std::vector<std::string> labels(budgets.size());
  for (const Part& part : parts) {
    const auto same = [&](const Budget* one) { return part(*one) == part(*budgets.front()); };
    if (std::all_of(budgets.begin(), budgets.end(), same)) continue;
    for (size_t i = 0; i < budgets.size(); ++i) {
      const std::string word = part(*budgets[i]);
      if (!word.empty()) labels[i] += (labels[i].empty() ? "" : ", ") + word;
    }
  }
  const std::vector<std::string> parts_alone = labels;
  for (size_t i = 0; i < budgets.size() && budgets.size() > 1; ++i) {
    if (std::count(parts_alone.begin(), parts_alone.end(), labels[i]) == 1) continue;
    labels[i] += (labels[i].empty() ? "line " : ", line ") + std::to_string(budgets[i]->at.line);
  }
  return labels;
}

class BudgetCheck {
 public:
  BudgetCheck(const CheckRequest& request, CheckParts parts) : request_(request), parts_(std::move(parts)) {}

  Checked run() {
    if (request_.fleet.pool.processes > 1) find_parts({});
    for (const Budget& budget : request_.budgets) {
      if (!check(budget)) return std::move(checked_);
    }
    find_unused();
    check_command_line();
    add_labels();
    tell_apart();
    check_warnings(checked_);
    report().source_root = request_.source_root;
    if (request_.baseline) report().baseline = request_.baseline->name;
    hold_against_baseline(request_, checked_);
    collect_errors();
    return std::move(checked_);
  }

  std::optional<CheckParts> run_shard(const Shard& shard) {
    find_parts(shard);
    if (is_interrupted()) return std::nullopt;
    return std::move(parts_);
  }

 private:
  using Reading = CheckParts::Reading;
  template <typename T>
  using Found = CheckParts::Found<T>;

  // --- Parts, ahead of what needs them.

  // The files of the shard, in the order in which they are named first, and the budget that each is read for.
  std::vector<std::pair<std::string, const Budget*>> files_of(const Shard& shard) {
    static const Budget no_budget;
    std::map<std::string, size_t> numbers;
    std::vector<std::pair<std::string, const Budget*>> all;
    const auto add = [&](const Result<Files>& files, const Budget& budget) {
      if (!files) return;
      for (const std::string& file : *files) {
        const auto [known, fresh] = numbers.emplace(file, numbers.size());
        const bool is_looked_at = &budget != &no_budget || fresh;
        if (is_looked_at && shard.has(known->second)) all.emplace_back(file, &budget);
      }
    };
    for (const Budget& budget : request_.budgets) add(files_of(budget), budget);
    if (request_.unused_fails) add(expanded(request_.files, {}), no_budget);
    return all;
  }

  void find_parts(const Shard& shard) {
    const auto files = files_of(shard);
    find_contents(files);
    find_kernels(files);
  }

  void find_contents(const std::vector<std::pair<std::string, const Budget*>>& files) {
    std::vector<std::pair<std::string, const Budget*>> missing;
    std::set<Reading> known;
    for (const auto& [file, budget] : files) {
      const Reading reading = reading_of(file, *budget);
      if (parts_.contents.count(reading) == 0 && known.insert(reading).second) missing.emplace_back(file, budget);
    }
    using Contained = Found<Result<Contents>>;
    const std::function<Contained(size_t)> read = [&](size_t i) {
      return read_contents(missing[i].first, *missing[i].second);
    };
    make_each<Contained>(request_.fleet, "files", missing.size(), read, [&](size_t i, Contained found) {
      parts_.contents.emplace(reading_of(missing[i].first, *missing[i].second), std::move(found));
    });
  }

  // Several kernels of a file go together: it is read once for them.
  void find_kernels(const std::vector<std::pair<std::string, const Budget*>>& files) {
    struct Group {
      const Budget* budget;
      std::vector<KernelPlace> kernels;
    };
    std::vector<Group> groups;
    for (const auto& [file, budget] : files) {
      if (budget->kernel.empty()) continue;  // what no budget is for
      const auto contents = parts_.contents.find(reading_of(file, *budget));
      if (contents == parts_.contents.end() || !contents->second.first) continue;
      const Contents& known = *contents->second.first;
      const auto kernels = chosen(*budget, known);
      for (size_t k = 0; k < kernels.size(); ++k) {
        if (k % most_together == 0) groups.push_back({budget, {}});
        groups.back().kernels.push_back(place_of(file, *kernels[k], known, *budget));
      }
    }
    using Results = std::vector<Found<CheckResult>>;
    const std::function<Results(size_t)> check = [&](size_t i) {
      Results results;
      for (const KernelPlace& place : groups[i].kernels) results.push_back(checked(*groups[i].budget, place));
      return results;
    };
    // What is assembled is so once for all kernels, in this process.
    const bool assembles = std::any_of(groups.begin(), groups.end(),
                                       [](const Group& group) { return !group.budget->compilation.assembler.empty(); });
    Fleet fleet = request_.fleet;
    if (assembles) fleet.pool.processes = 1;
    make_each<Results>(fleet, "kernels", groups.size(), check, [&](size_t i, Results results) {
      for (size_t k = 0; k < results.size(); ++k) {
        const KernelPlace& place = groups[i].kernels[k];
        put_away(results[k].first);
        parts_.kernels.emplace(std::tuple(number_of(*groups[i].budget), place.file, place.name), std::move(results[k]));
      }
    });
  }

  // Those that are checked, not those among which the budget does not choose.
  static std::vector<const Contents::Entry*> chosen(const Budget& budget, const Contents& contents) {
    auto kernels = named(budget.kernel, contents);
    if (is_ambiguous(budget, kernels)) kernels.clear();
    return kernels;
  }

  static bool is_ambiguous(const Budget& budget, const std::vector<const Contents::Entry*>& kernels) {
    return kernels.size() > 1 && is_symbol(budget.kernel, kernels.front()->name);
  }

  KernelPlace place_of(const std::string& file, const Contents::Entry& kernel, const Contents& contents,
                       const Budget& budget) {
    return {file, kernel.name, contents.target, kernel.location,
            [this, file, &budget] { return figures_of(file, budget); }};
  }

  size_t number_of(const Budget& budget) const { return static_cast<size_t>(&budget - request_.budgets.data()); }

  Found<CheckResult> checked(const Budget& budget, const KernelPlace& place) {
    RunRecord run;
    CheckResult result = check_kernel(request_, budget, place, machines_, run);
    return {std::move(result), std::move(run)};
  }

  Found<CheckResult> result_of(const Budget& budget, const KernelPlace& place) {
    auto known = parts_.kernels.extract({number_of(budget), place.file, place.name});
    return known ? std::move(known.mapped()) : checked(budget, place);
  }

  CheckReport& report() { return checked_.report; }

  bool is_interrupted() {
    checked_.interrupted = request_.cancel != nullptr && *request_.cancel;
    return checked_.interrupted;
  }

  // Pages show the code of a file that several kernels share, which each of them would have for itself there.
  void put_away(CheckResult& result) const {
    if (!request_.with_code) result.report.put_away(shelf_);
  }

  void add(CheckResult result, const Budget* budget) {
    put_away(result);
    report().results.push_back(std::move(result));
    checked_.budgets.push_back(budget);
  }

  // A result without a value, of a file or of none.
  void add_failure(const Budget& budget, Verdict verdict, const std::string& file, const Diagnostics& errors) {
    CheckResult result;
    result.file = file;
    result.kernel = budget.kernel;
    result.entry = budget.at;
    result.location.file = file;
    result.verdict = verdict;
    result.errors = errors;
    for (Diagnostic& error : result.errors) {
      if (error.location.file.empty()) error = at_budget(budget, error.message, error.help);
    }
    add(std::move(result), &budget);
  }

  // False if the check was interrupted.
  bool check(const Budget& budget) {
    if (timing::is_machine_file(budget.machine)) checked_.read.insert(budget.machine);
    if (!budget.facts.empty()) checked_.read.insert(budget.facts);
    const Result<Files> files = files_of(budget);
    if (!files) {
      add_failure(budget, Verdict::missing, "", files.errors());
      return !is_interrupted();
    }
    const size_t before = report().results.size();
    for (const std::string& file : *files) {
      if (!check_file(budget, file, files->size() == 1)) return false;
    }
    if (report().results.size() == before) add_failure(budget, Verdict::missing, "", {names_none(budget, *files)});
    return true;
  }

  // Of several files, those without a kernel do not matter.
  bool check_file(const Budget& budget, const std::string& file, bool is_only) {
    const Result<Contents>& contents = contents_of(file, budget);
    if (!contents) {
      support::Diagnostics errors = contents.errors();
      for (Diagnostic& error : errors) name_keys(error, budget.at);
      add_failure(budget, Verdict::unbounded, file, errors);
      return !is_interrupted();
    }
    if (contents->kernels.empty() && is_only) {
      Diagnostic error;
      error.location.file = file;
      error.message = "the file has no kernel";
      add_failure(budget, Verdict::unbounded, file, {error});
      return !is_interrupted();
    }
    const auto kernels = named(budget.kernel, *contents);
    if (is_ambiguous(budget, kernels)) {
      add_failure(budget, Verdict::unbounded, file, {ambiguous(budget, file, kernels)});
      for (const Contents::Entry* kernel : kernels) used_.emplace(file, kernel->name);
      return !is_interrupted();
    }
    for (const Contents::Entry* kernel : kernels) {
      used_.emplace(file, kernel->name);
      if (is_interrupted()) return false;
      const KernelPlace place = place_of(file, *kernel, *contents, budget);
      auto [result, run] = result_of(budget, place);
      report().run.add(run);
      result.label = budget.label;
      add(std::move(result), &budget);
    }
    return !is_interrupted();
  }

  // --- Files.

  Result<Files> files_of(const Budget& budget) {
    if (budget.files.empty() && request_.files.empty()) {
      return at_budget(budget, "no file is given for the budget of '" + budget.kernel + "'",
                       "give FILE on the command line, or write file = \"k.ptx\"");
    }
    const Files& words = budget.files.empty() ? request_.files : budget.files;
    used_command_line_ |= budget.files.empty();
    return expanded(words, budget.files.empty() ? std::string() : budget.folder);
  }

  // Each folder and pattern is looked at once: what is written meanwhile is of no entry.
  const Result<Files>& expanded(const Files& words, const std::string& folder) {
    const auto known = parts_.named.find({folder, words});
    if (known != parts_.named.end()) return known->second;
    Result<Files> files = input_files(words, folder);
    if (files) std::transform(files->begin(), files->end(), files->begin(), shown);
    return parts_.named.emplace(std::pair(folder, words), std::move(files)).first->second;
  }

  // What is in it may depend on the machine, and on how the budget has it read.
  static Reading reading_of(const std::string& file, const Budget& budget) {
    const Compilation& how = budget.compilation;
    return {file, budget.machine, how.target, how.flags, how.assembler};
  }

  Found<Result<Contents>> read_contents(const std::string& file, const Budget& budget) {
    Compilation own = budget.compilation;
    own.cancel = request_.cancel;
    const auto devices = devices_of(budget, machines_);
    return made_or_kept<Found<Result<Contents>>>(
        request_.fleet, key_of_contents(request_.fleet, file, own, devices), [&] {
          RunRecord run;
          auto contents = support::isolated({file, 0, 0}, "while the file was read",
                                            [&] { return contents_of_file(file, own, devices, run); });
          return Found<Result<Contents>>(std::move(contents), std::move(run));
        });
  }

  const Result<Contents>& contents_of(const std::string& file, const Budget& budget) {
    const Reading reading = reading_of(file, budget);
    auto known = parts_.contents.find(reading);
    if (known == parts_.contents.end()) known = parts_.contents.emplace(reading, read_contents(file, budget)).first;
    if (used_contents_.insert(reading).second) {
      checked_.read.insert(file);
      report().run.add(known->second.second);
    }
    return known->second.first;
  }

  // Of all kernels of the file, which is read once for them.
  const CompiledKernels* figures_of(const std::string& file, const Budget& budget) {
    const auto [known, is_new] = figures_.try_emplace(reading_of(file, budget));
    if (is_new) {
      Compilation own = budget.compilation;
      own.cancel = request_.cancel;
      auto figures = figures_of_file(file, own, devices_of(budget, machines_), {});
      if (figures) known->second = std::move(*figures);
    }
    return known->second ? &*known->second : nullptr;
  }

  // --- Errors.

  Diagnostic names_none(const Budget& budget, const Files& files) {
    std::vector<std::string> names, listed;
    for (const std::string& file : files) {
      for (const Contents::Entry& kernel : contents_of(file, budget)->kernels) names.push_back(kernel.name);
    }
    for (const std::string& name : names) {
      if (listed.size() < most_listed) listed.push_back(support::brief_name(name));
    }
    const std::string meant = support::nearest_symbol(budget.kernel, names);
    return at_budget(budget,
                     "the budget names no kernel: '" + budget.kernel + "' is not in " +
                         (files.size() == 1 ? files.front() : std::to_string(files.size()) + " files"),
                     (meant.empty() ? "" : "did you mean '" + meant + "'? ") +
                         std::string(files.size() == 1 && names.size() <= most_listed ? "it has " : "there are ") +
                         support::enumeration(listed) + (names.size() > listed.size() ? " and others" : ""));
  }

  static Diagnostic ambiguous(const Budget& budget, const std::string& file,
                              const std::vector<const Contents::Entry*>& kernels) {
    std::vector<std::string> names;
    for (const Contents::Entry* kernel : kernels) {
      if (names.size() < most_listed) names.push_back("'" + written(kernel->name) + "'");
    }
    return at_budget(budget,
                     "'" + budget.kernel + "' is the name of " + std::to_string(kernels.size()) + " kernels of " + file,
                     "write one of " + support::alternatives(names) + ", or '" + budget.kernel + "*' for all");
  }

  // --- What no budget is for.

  void find_unused() {
    if (!request_.unused_fails) return;
    if (const auto& files = expanded(request_.files, {})) {
      for (const std::string& file : *files) {
        if (checked_.read.count(file) == 0) contents_of(file, Budget());
      }
    }
    for (const Reading& reading : used_contents_) {
      const std::string& file = std::get<0>(reading);
      const Result<Contents>& contents = parts_.contents.at(reading).first;
      if (!contents) {
        report().errors.insert(report().errors.end(), contents.errors().begin(), contents.errors().end());
        continue;
      }
      for (const Contents::Entry& kernel : contents->kernels) {
        if (used_.emplace(file, kernel.name).second) add_unused(file, kernel);
      }
    }
  }

  void add_unused(const std::string& file, const Contents::Entry& kernel) {
    const std::string name = support::short_name(kernel.name);
    CheckResult result;
    result.file = file;
    result.kernel = kernel.name;
    result.entry.file = request_.name;
    result.location = kernel.location;
    result.verdict = Verdict::unused;
    Diagnostic error = support::usage_error("no budget is for kernel '" + name + "'",
                                            "write an entry with kernel = \"" + name + "\" in " + request_.name);
    error.location = kernel.location;
    result.errors.push_back(std::move(error));
    add(std::move(result), nullptr);
  }

  void check_command_line() {
    if (request_.files.empty()) return;
    const auto& files = expanded(request_.files, {});
    if (!files) {
      report().errors.insert(report().errors.end(), files.errors().begin(), files.errors().end());
    } else if (!used_command_line_) {
      report().errors.push_back(support::usage_error(
          "no budget is for the files of the command line: all of " + request_.name + " have their own",
          "leave FILE out, or an entry's 'file'"));
    }
  }

  // --- Ends.

  void add_labels() {
    std::map<std::pair<std::string, std::string>, std::vector<size_t>> results_of;
    for (size_t i = 0; i < report().results.size(); ++i) {
      if (checked_.budgets[i] == nullptr) continue;
      results_of[{report().results[i].file, report().results[i].kernel}].push_back(i);
    }
    for (const auto& [kernel, indices] : results_of) {
      std::vector<const Budget*> budgets;
      for (const size_t i : indices) budgets.push_back(checked_.budgets[i]);
      const std::vector<std::string> labels = labels_of(budgets);
      for (size_t k = 0; k < indices.size(); ++k) {
        std::string& label = report().results[indices[k]].label;
        if (label.empty()) label = labels[k];
      }
    }
  }

  // Of kernels that are called alike.
  void tell_apart() {
    using Part = std::function<std::string(const CheckResult&)>;
    const std::vector<Part> parts = {
        [](const CheckResult& one) { return one.file; },
        [](const CheckResult& one) { return one.report ? one.report.get()->machine.name : std::string(); },
        [](const CheckResult& one) { return one.target; }};
    std::map<std::string, std::vector<CheckResult*>> results_of;
    for (CheckResult& one : report().results) results_of[support::short_name(one.kernel)].push_back(&one);
    for (const auto& [name, results] : results_of) {
      if (results.size() == 1) continue;
      for (const Part& part : parts) {
        const auto same = [&](const CheckResult* one) { return part(*one) == part(*results.front()); };
        if (std::all_of(results.begin(), results.end(), same)) continue;
        for (CheckResult* one : results) {
          const std::string word = part(*one);
          if (word.empty() || one->label.find(word) != std::string::npos) continue;
          one->apart += (one->apart.empty() ? "" : ", ") + word;
        }
      }
    }
  }

  void collect_errors() {
    report().budgets = request_.name;
    std::set<DiagnosticKey> known;
    Diagnostics all = std::move(report().errors);
    for (const CheckResult& result : report().results) {
      all.insert(all.end(), result.errors.begin(), result.errors.end());
    }
    report().errors.clear();
    for (Diagnostic& error : all) {
      if (known.insert(key_of(error)).second) report().errors.push_back(std::move(error));
    }
  }

  const CheckRequest& request_;
  Checked checked_;
  MachineShelf machines_;
  CheckParts parts_;
  const std::shared_ptr<Shelf<KernelReport>> shelf_ = new_shelf<KernelReport>();
  std::set<Reading> used_contents_;
  std::map<Reading, std::optional<CompiledKernels>> figures_;
  std::set<std::pair<std::string, std::string>> used_;  // files and their kernels that a budget is for
  bool used_command_line_ = false;
};

}  // namespace

Checked check_budgets(const CheckRequest& request, CheckParts parts) {
  return BudgetCheck(request, std::move(parts)).run();
}

std::optional<CheckParts> check_shard(const CheckRequest& request, const Shard& shard) {
  return BudgetCheck(request, {}).run_shard(shard);
}

}  // namespace warpspan::app
