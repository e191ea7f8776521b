#include "app/cli/option_reader.hpp"

#include <set>

#include "app/cli/memory.hpp"

namespace warpspan::app {

using support::Result;

void OptionReader::twice(const std::string& option) { usage(option + ": given twice"); }

void OptionReader::usage(std::string message, std::string help) {
  errors_.push_back(support::usage_error(std::move(message), std::move(help)));
}

std::string OptionReader::once(const std::string& option, const std::vector<std::string>& values) {
  if (values.size() > 1) twice(option);
  if (!values.empty() && values.front().empty()) usage(option + ": expected a value, got an empty one");
  return values.empty() ? std::string() : values.front();
}

std::optional<ir::Extent> OptionReader::extent(const std::string& option, const std::vector<std::string>& values) {
  std::optional<ir::Extent> extent;
  if (values.size() > 1) twice(option);
  if (!values.empty()) keep(parse_extent(option, values.front()), [&](const ir::Extent& e) { extent = e; });
  return extent;
}

// No GPU is near this; the limit keeps products of extents far from overflow.
void OptionReader::check_threads(const ir::Launch& launch) {
  if (!launch.block) return;
  const int64_t plane = launch.block->x * launch.block->y;  // below 2^62
  if (plane > INT32_MAX || plane * launch.block->z > INT32_MAX) {
    usage("--block: more than 2147483647 threads in a block");
  }
}

Format OptionReader::format() {
  Format format = Format::text;
  if (words_.format.size() > 1) twice("--format");
  if (!words_.format.empty()) {
    keep(parse_format("--format", words_.format.front()), [&](Format f) { format = f; });
  }
  return format;
}

int64_t OptionReader::memory() { return read("--memory", words_.memory, parse_size).value_or(default_memory()); }

Input OptionReader::input() {
  Input input{words_.files, once("--kernel", words_.kernel), {}, memory()};
  if (input.files.empty()) usage("no file is given", "give at least one file, or - for standard input");
  input.launch.block = extent("--block", words_.block);
  input.launch.grid = extent("--grid", words_.grid);
  check_threads(input.launch);
  std::set<std::string> seen;
  for (const std::string& text : words_.arguments) {
    keep(parse_argument("--arg", text), [&](const ir::Argument& argument) {
      const std::string place = text.substr(0, text.find('='));
      if (!seen.insert(place).second) twice("--arg " + place);
      input.launch.arguments.push_back(argument);
    });
  }
  seen.clear();
  for (const std::string& text : words_.loop_bounds) {
    keep(parse_loop_bound("--loop-bound", text), [&](const ir::LoopBound& bound) {
      if (!seen.insert(bound.label).second) twice("--loop-bound " + bound.label);
      input.launch.loop_bounds.push_back(bound);
    });
  }
  return input;
}

AnalyzeOptions OptionReader::analyze() {
  AnalyzeOptions options;
  options.input = input();
  options.machine = once("--machine", words_.machine);
  options.input.launch.registers = read("--registers", words_.registers, parse_registers);
  options.input.launch.dynamic_shared = read("--shared", words_.shared, parse_bytes);
  for (const std::string& text : words_.assume) {
    keep(parse_assumptions("--assume", text), [&](const auto& named) {
      for (const timing::Assumption assumption : named) options.granted.grant(assumption);
    });
  }
  options.output = once("--output", words_.output);
  options.format = format();
  if (!words_.time_limit.empty()) {
    keep(parse_seconds("--time-limit", once("--time-limit", words_.time_limit)),
         [&](double seconds) { options.time_limit = seconds; });
  }
  return options;
}

StringOptions OptionReader::string() { return {input(), format()}; }

MachinesOptions OptionReader::machines() {
  if (words_.machine.size() > 1) usage("give one machine at a time");
  MachinesOptions options;
  if (!words_.machine.empty()) options.name = words_.machine.front();
  options.format = once("--format", words_.format);
  options.check = words_.check;
  if (!options.format.empty() && options.format != "text" && options.format != "toml" && options.format != "json") {
    usage("--format: unknown format '" + options.format + "'", "write text, toml or json");
  }
  if (options.name.empty() && (options.check || !options.format.empty())) {
    usage("no machine is given", "give a machine's name or file");
  }
  if (options.check && !options.format.empty()) usage("--check has no --format");
  return options;
}

ProblemSettings OptionReader::problem() {
  ProblemSettings settings;
  settings.string = read("--string", words_.string, parse_string);
  settings.warps = read("--warps", words_.warps, parse_warps);
  settings.sigma = read("--sigma", words_.sigma, parse_sigma).value_or(Sigma{});
  settings.methods = read("--method", words_.methods, parse_methods);
  settings.horizon = read("--horizon", words_.horizon, parse_horizon);
  settings.target = read("--target", words_.target, parse_count);
  if (!words_.time_limit.empty()) {
    keep(parse_seconds("--time-limit", once("--time-limit", words_.time_limit)),
         [&](double seconds) { settings.time_limit = seconds; });
  }
  if (words_.schedule) settings.schedule = true;
  return settings;
}

// No two texts go to one place.
void OptionReader::check_files(const SolveOptions& options) {
  const std::string report = options.output.empty() ? "-" : options.output;
  if (options.lp == report) {
    usage("--lp: the report goes to '" + report + "' too", "give --output another file");
  }
  if (options.certificate == report) {
    usage("--certificate: the report goes to '" + report + "' too", "give --output another file");
  }
  if (!options.lp.empty() && options.lp == options.certificate) usage("--lp and --certificate name the same file");
}

SolveOptions OptionReader::solve() {
  SolveOptions options;
  if (words_.files.size() > 1) usage("give one problem file at a time");
  if (!words_.files.empty()) options.problem_file = words_.files.front();
  options.settings = problem();
  options.memory = memory();
  options.format = format();
  options.output = once("--output", words_.output);
  options.lp = once("--lp", words_.lp);
  options.certificate = once("--certificate", words_.certificate);
  check_files(options);
  if (options.problem_file.empty()) {
    if (words_.string.empty()) usage("no problem is given", "give --string and --warps, or a problem file");
    if (!words_.string.empty() && words_.warps.empty()) usage("--warps is missing", "give --warps 4, or a range 1..48");
  }
  return options;
}

VerifyOptions OptionReader::verify() {
  VerifyOptions options;
  if (words_.files.size() != 1) {
    usage(words_.files.empty() ? "no certificate is given" : "give one certificate at a time",
          "'warpspan solve' writes one with --certificate FILE; - is standard input");
  } else {
    options.file = words_.files.front();
  }
  options.warps = read("--warps", words_.warps, parse_count);
  if (options.warps == 1) usage("--warps: a certificate holds from 2 warps on, got '1'");
  options.format = format();
  return options;
}

Result<Command> OptionReader::finish(Command command) const {
  if (!errors_.empty()) return errors_;
  return command;
}

}  // namespace warpspan::app
