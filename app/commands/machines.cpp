// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan machines: the machine models, or all figures of one with their standing and source.
#include <memory>

#include "app/cli/command.hpp"
#include "app/cli/option_groups.hpp"
#include "app/cli/report_files.hpp"
#include "app/reports/machine_reports.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/report_format.hpp"
#include "timing/machine/write.hpp"

namespace warpspan::app {

namespace {

using timing::Machine;

constexpr const char* footer =
    "Examples:\n"
    "  warpspan machines\n"
    "  warpspan machines fermi\n"
    "  warpspan machines ampere --format toml\n"
    "  warpspan machines orin --output orin.toml\n"
    "  warpspan machines ./my-board.toml --check\n";

constexpr ReportFormat<Machine> machine_formats[] = {
    {"text",
     [](const Machine& machine, const TextStyle& style) -> LongText { return machine_text(machine, style.width); }},
    {"toml", [](const Machine& machine, const TextStyle&) -> LongText { return timing::to_toml(machine); }, ".toml"},
    {"json", [](const Machine& machine, const TextStyle&) -> LongText { return machine_json(machine); }, ".json"},
};

struct MachinesOptions {
  std::string name;  // name or file; empty: list all
  std::string format, output;
  bool check = false;  // what the machine covers and what looks doubtful, instead of its figures
};

// A line for each built-in machine.
Outcome list(const std::string& output) {
  Outcome outcome;
  outcome.path = output;
  std::vector<Row> rows = {{"name", "targets", "description"}};
  for (const std::string& name : timing::builtin_machines()) {
    const auto machine = timing::load_machine(name);
    if (machine) {
      rows.push_back({name, joined(machine->targets), machine->description});
    } else {
      outcome.errors.insert(outcome.errors.end(), machine.errors().begin(), machine.errors().end());
    }
  }
  outcome.report = table({Align::left, Align::left, Align::left}, rows, 0);
  return outcome;
}

Outcome machines(const MachinesOptions& options) {
  if (options.name.empty()) return list(options.output);
  const auto machine = timing::load_machine(options.name);
  if (!machine) return {{}, machine.errors(), {}};
  const TextStyle style = style_of(options.output);
  if (options.check) return {machine_check_text(*machine, style.width), {}, options.output};
  return {render(machine_formats, *machine, options.format, style), {}, options.output};
}

Run declare(OptionSet& set) {
  const auto options = std::make_shared<MachinesOptions>();
  set.positional("NAME", "A machine's name, or a machine file",
                 [&set, to = options.get()](const std::vector<std::string>& names) {
                   if (names.size() > 1) set.usage("give one machine at a time");
                   if (!names.empty()) to->name = names.front();
                 });
  add_format(set, forms_of(machine_formats), "figures", options->format);
  set.flag("--check", "Report what it covers and what looks doubtful", options->check);
  add_output(set, forms_of(machine_formats), "figures", options->format, options->output);
  set.check([&set, to = options.get()] {
    const bool form = set.is_given("--format") || to->format != machine_formats[0].name;
    if (to->name.empty() && (to->check || form)) set.usage("no machine is given", "give a machine's name or file");
    if (to->check && form)
      set.usage("--check is text only", "leave out --format, and give --output a name without the ending of a format");
  });
  return [options] { return machines(*options); };
}

}  // namespace

Command machines_command() {
  return {"machines", "List the machine models, or show one with all its figures", footer, declare};
}

}  // namespace warpspan::app
