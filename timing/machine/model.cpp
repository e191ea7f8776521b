#include "timing/machine/model.hpp"

#include <algorithm>

#include "support/embedded_file.hpp"
#include "support/source_file.hpp"

namespace warpspan::timing {

extern const support::EmbeddedFile embedded_machines[];  // cmake/embed.cmake: timing/machine/data/*.toml, by name
extern const size_t embedded_machines_count;

namespace {

std::string list_of_machines() {
  std::string list;
  for (const std::string& name : builtin_machines()) list += (list.empty() ? "" : ", ") + name;
  return list;
}

support::Result<Machine> parse_builtin(const support::EmbeddedFile& file) {
  support::Result<Machine> machine =
      parse_machine("timing/machine/data/" + std::string(file.name) + ".toml", file.text);
  if (machine) return machine;
  support::Diagnostics errors = machine.errors();
  for (support::Diagnostic& error : errors) error.cause = support::Cause::internal;
  return errors;
}

// Cycles for a number of transactions are never less than either's.
Hold safe_for_both(const Hold& a, const Hold& b) {
  Hold both = a;
  both.first = std::max(a.first, b.first);
  both.per_transaction = a.per_transaction || b.per_transaction;
  both.cycles = std::max(a.cycles, b.cycles);
  return both;
}

bool is_path(const std::string& name) {
  constexpr std::string_view extension = ".toml";
  const bool toml =
      name.size() >= extension.size() && name.compare(name.size() - extension.size(), extension.size(), extension) == 0;
  return toml || name.find('/') != std::string::npos;
}

}  // namespace

std::string_view to_string(Evidence evidence) {
  switch (evidence) {
    case Evidence::official: return "official";
    case Evidence::measured: return "measured";
    case Evidence::simulator: return "simulator";
    case Evidence::assumed: return "assumed";
  }
  return "assumed";
}

std::string_view to_string(ResourceFigures::Sharing sharing) {
  switch (sharing) {
    case ResourceFigures::Sharing::scheduler: return "scheduler";
    case ResourceFigures::Sharing::multiprocessor: return "multiprocessor";
    case ResourceFigures::Sharing::device: return "device";
  }
  return "device";
}

support::Integer cycles_held(const Hold& hold, int64_t transactions) {
  if (!hold.per_transaction) return hold.cycles;
  return support::Integer(hold.first) + support::Integer(hold.cycles) * std::max<int64_t>(0, transactions - 1);
}

OperationFigures safe_for_both(const OperationFigures& a, const OperationFigures& b) {
  OperationFigures both = a;
  both.latency = {std::min(a.latency.best, b.latency.best), std::max(a.latency.average, b.latency.average),
                  std::max(a.latency.worst, b.latency.worst)};
  both.gap = std::max(a.gap, b.gap);
  both.instructions = std::max(a.instructions, b.instructions);
  both.per_transaction = std::max(a.per_transaction, b.per_transaction);
  for (const Hold& hold : b.holds) {
    const auto at = std::lower_bound(both.holds.begin(), both.holds.end(), hold,
                                     [](const Hold& x, const Hold& y) { return x.resource < y.resource; });
    if (at == both.holds.end() || at->resource != hold.resource) {
      both.holds.insert(at, hold);
    } else {
      *at = safe_for_both(*at, hold);
    }
  }
  both.evidence = std::max(a.evidence, b.evidence);
  if (a.source != b.source) both.source += "; " + b.source;
  return both;
}

bool matches(std::string_view pattern, std::string_view text) {
  size_t star = std::string_view::npos, resume = 0, p = 0, t = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

const OperationFigures* Machine::figures(const ir::Operation& operation) const {
  for (const FormFigures& some : form_figures) {
    if (some.kind != operation.kind) continue;
    const auto fits = [&operation](const std::string& form) { return matches(form, operation.text); };
    if (std::any_of(some.forms.begin(), some.forms.end(), fits)) return &some.figures;
  }
  const auto& other = otherwise[static_cast<size_t>(operation.kind)];
  return other ? &*other : nullptr;
}

support::Result<Machine> load_machine(const std::string& name) {
  if (is_path(name)) {
    const support::Result<support::SourceFile> file = support::read_source(name);
    if (!file) return file.errors();
    return parse_machine(name, file->text());
  }
  for (size_t i = 0; i < embedded_machines_count; ++i) {
    if (embedded_machines[i].name == name) return parse_builtin(embedded_machines[i]);
  }
  return support::usage_error(
      "unknown machine '" + name + "'",
      "known are " + list_of_machines() + "; a machine file is given by its path, such as my.toml");
}

support::Result<Machine> machine_for_target(std::string_view target) {
  std::string base(target);
  if (!base.empty() && (base.back() == 'a' || base.back() == 'f')) base.pop_back();
  for (size_t i = 0; i < embedded_machines_count; ++i) {
    if (embedded_machines[i].text.find('"' + base + '"') == std::string_view::npos)
      continue;  // most are not worth parsing
    support::Result<Machine> machine = parse_builtin(embedded_machines[i]);
    if (!machine) return machine;
    const auto& targets = machine->targets;
    if (std::find(targets.begin(), targets.end(), base) != targets.end()) return machine;
  }
  auto error = support::usage_error("no machine for target '" + std::string(target) + "'",
                                    "choose one with --machine NAME|FILE; known are " + list_of_machines());
  error.cause = support::Cause::input;  // the command is right; it is the file that cannot be bounded as it stands
  return error;
}

std::vector<std::string> builtin_machines() {
  std::vector<std::string> names;
  for (size_t i = 0; i < embedded_machines_count; ++i) names.emplace_back(embedded_machines[i].name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace warpspan::timing
