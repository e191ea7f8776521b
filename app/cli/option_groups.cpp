#include "app/cli/option_groups.hpp"

#include <algorithm>
#include <set>

#include "app/cli/memory.hpp"
#include "app/cli/option_values.hpp"
#include "support/nearest.hpp"

namespace warpspan::app {

namespace {

using support::Result;

template <typename Words>
std::string joined(const Words& words, const char* separator) {
  std::string all;
  for (const auto& word : words) all.append(all.empty() ? "" : separator).append(word);
  return all;
}

void add_arguments(OptionSet& options, ir::Launch& launch) {
  const auto use = [&options, &launch, seen = std::set<std::string>()](const ir::Argument& argument,
                                                                       const std::string& text) mutable {
    const std::string place = text.substr(0, text.find('='));
    if (!seen.insert(place).second) options.twice("--arg " + place);
    launch.arguments.push_back(argument);
  };
  options.each("--arg", "NAME=VALUE",
               "Value of a kernel parameter, by name or index; of its bytes: s+8:4=VALUE; repeatable", parse_argument,
               use);
}

void add_loop_bounds(OptionSet& options, ir::Launch& launch) {
  const auto use = [&options, &launch, seen = std::set<std::string>()](const ir::LoopBound& bound,
                                                                       const std::string&) mutable {
    const std::string place = ir::place_of(bound);
    if (!seen.insert(place).second) options.twice("--loop-bound " + place);
    launch.loop_bounds.push_back(bound);
  };
  options.each("--loop-bound", "PLACE=N",
               "The most times the code at a label, at line:63 or at kernel.cu:42 runs each time its loop is entered; "
               "KERNEL:PLACE=N for one kernel; repeatable",
               parse_loop_bound, use);
}

void add_assumptions(OptionSet& options, timing::AssumptionSet& granted) {
  const auto use = [&granted](const std::vector<timing::Assumption>& named, const std::string&) {
    for (const timing::Assumption assumption : named) granted.grant(assumption);
  };
  options.each("--assume", "NAME[,NAME]", "Grant what PTX cannot show: " + joined(timing::assumption_names(), ", "),
               parse_assumptions, use);
}

}  // namespace

void add_kernels(OptionSet& options, KernelRequest& to) {
  options.positional("FILE", "PTX files; - is standard input", [&](const std::vector<std::string>& files) {
    to.files = files;
    if (files.empty()) options.usage("no file is given", "give at least one file, or - for standard input");
  });
  options.each("--kernel", "NAME",
               "Only these kernels: a name as in the file or demangled, '*' for any characters; repeatable", parse_text,
               [&to](const std::string& name, const std::string&) { to.kernels.push_back(name); });
  options.value("--block", "X[,Y[,Z]]", "Threads of a block; default: the file's .reqntid, else its .maxntid",
                parse_extent, to.launch.block);
  options.value("--grid", "X[,Y[,Z]]", "Blocks of the grid; default: one block, alone on the GPU", parse_extent,
                to.launch.grid);
  options.check([&] {
    if (to.launch.block && too_many_threads(*to.launch.block))
      options.usage("--block: more than 2147483647 threads in a block");
  });
  add_arguments(options, to.launch);
  add_loop_bounds(options, to.launch);
  options.text("--facts", "FILE", "Loop bounds and arguments, as 'warpspan facts' writes them to be filled in",
               to.facts);
}

void add_bounds(OptionSet& options, BoundRequest& to) {
  add_kernels(options, to.kernels);
  options.text("--machine", "NAME|FILE", "Machine model; default: the one for the file's .target", to.machine);
  options.value("--registers", "N", "Registers of a thread, as 'ptxas -v' prints them; default: any number allowed",
                parse_registers, to.kernels.launch.registers);
  options.value("--shared", "BYTES", "Shared memory that the launch gives each block beside what the file declares",
                parse_bytes, to.kernels.launch.dynamic_shared);
  add_assumptions(options, to.granted);
  options.value("--time-limit", "SECONDS", "Most time for searches, for all kernels together; default: 10",
                parse_seconds, to.limits.seconds);
}

void add_memory(OptionSet& options, int64_t& to) {
  to = default_memory();
  options.value("--memory", "SIZE",
                "Most memory for everything, as in 512M; default: 4G, or 3/4 of the machine's if less", parse_size, to);
}

void add_format(OptionSet& options, const std::vector<std::string>& names, const std::string& what, std::string& to) {
  to = names.front();
  const auto parse = [names](const std::string& option, const std::string& text) -> Result<std::string> {
    if (std::find(names.begin(), names.end(), text) != names.end()) return text;
    return support::usage_error(option + ": expected " + support::alternatives(names) + ", got '" + text + "'");
  };
  options.value("--format", joined(names, "|"), "Form of the " + what + "; default: " + names.front(), parse, to);
}

}  // namespace warpspan::app
