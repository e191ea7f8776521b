#include "app/cli/option_groups.hpp"

#include <memory>
#include <set>

#include "app/cli/memory.hpp"
#include "app/cli/option_values.hpp"
#include "app/reports/readable.hpp"
#include "support/shell_words.hpp"

namespace warpspan::app {

namespace {

using support::Result;

// What an option says of a place is added to a list; to name the place twice is an error. place_of(value, text).
template <typename Parse, typename Place, typename Value>
void each_place(OptionSet& options, const char* name, const char* value, const std::string& help, Parse parse,
                Place place_of, std::vector<Value>& to) {
  options.each(name, value, help, parse,
               [&options, &to, name, place_of, seen = std::set<std::string>()](const Value& given,
                                                                               const std::string& text) mutable {
                 const std::string place = place_of(given, text);
                 if (!seen.insert(place).second) options.twice(std::string(name) + " " + place);
                 to.push_back(given);
               });
}

std::string place_of_loops(const ir::LoopBound& bound, const std::string&) { return ir::place_of(bound); }

void add_arguments(OptionSet& options, ir::Launch& launch) {
  each_place(
      options, "--arg", "NAME=VALUE",
      "Value of a kernel parameter, by name or index, or a range: n=1..4096; of bytes of a struct: "
      "s+8=u32:VALUE; of a member, where debug information names it: s.n=VALUE; repeatable",
      parse_argument, [](const ir::Argument&, const std::string& text) { return text.substr(0, text.find('=')); },
      launch.arguments);
}

void add_globals(OptionSet& options, ir::Launch& launch) {
  each_place(
      options, "--global", "NAME=VALUE",
      "What a __constant__ or __device__ variable holds as long as the kernel runs: N=1024; of an array: "
      "table[3]=u32:7 or table+12=u32:7; repeatable",
      parse_global, [](const ir::Argument&, const std::string& text) { return text.substr(0, text.rfind('=')); },
      launch.globals);
  options.flag("--trust-initialisers",
               "Variables that the file never stores to hold what it initialises them with: nobody else writes them",
               launch.trust_initialisers);
}

void add_buffers(OptionSet& options, ir::Launch& launch) {
  each_place(
      options, "--buffer", "NAME=BYTES",
      "Size of the array that a parameter points to: x=64M; in a struct: s+8=64M or s.data=64M. K, M, G, T, also as MB "
      "or MiB, are 1024 of the one before; repeatable",
      parse_buffer, [](const ir::Buffer& buffer, const std::string&) { return buffer.parameter; }, launch.buffers);
}

void add_call_costs(OptionSet& options, ir::Launch& launch) {
  each_place(
      options, "--call-cost", "NAME=TIME",
      "Longest time of one call of a warp of a function without a body, which keeps all others waiting: "
      "vprintf=20us, malloc=5000 for cycles; repeatable",
      parse_call_cost, [](const ir::CallCost& cost, const std::string&) { return cost.function; }, launch.call_costs);
}

void add_recursions(OptionSet& options, ir::Launch& launch) {
  each_place(
      options, "--recursion", "NAME=DEPTH",
      "Most activations of a recursive function that are on a thread's stack at the same time: fibonacci=16; "
      "repeatable",
      parse_recursion, [](const ir::Recursion& recursion, const std::string&) { return recursion.function; },
      launch.recursions);
}

void add_loop_bounds(OptionSet& options, ir::Launch& launch) {
  each_place(options, "--loop-bound", "PLACE=N",
             "Most turns, each time it is entered, of the loop at LABEL, line:63 or k.cu:42; repeatable",
             parse_loop_bound, place_of_loops, launch.loop_bounds);
  each_place(options, "--wait", "PLACE=TIME",
             "Longest time, each time it is entered, that a thread waits in the loop at PLACE: 2us; repeatable",
             parse_wait, place_of_loops, launch.loop_bounds);
}

std::string assumption_names() {
  const std::vector<std::string_view> names = timing::assumption_names();
  return joined({names.begin(), names.end()});
}

void add_assumptions(OptionSet& options, timing::AssumptionSet& granted) {
  const auto use = [&granted](const std::vector<timing::Assumption>& named, const std::string&) {
    for (const timing::Assumption assumption : named) granted.assume(assumption);
  };
  options.each("--assume", "NAME[,NAME]", "Grant what PTX cannot show: " + assumption_names(), parse_assumptions, use);
}

}  // namespace

void add_kernels(OptionSet& options, KernelRequest& to) {
  add_files(options, to, true);
  add_launch(options, to);
}

void add_files(OptionSet& options, KernelRequest& to, bool required) {
  options.positional("FILE",
                     "PTX, cubins, objects and fatbins that hold either, LLVM IR as .ll or .bc, folders, patterns; - "
                     "is PTX on standard input",
                     [&options, &to, required](const std::vector<std::string>& files) {
                       to.files = files;
                       if (files.empty() && required)
                         options.usage("no file is given", "give at least one file, or - for standard input");
                     });
  add_reading(options, to);
  const auto parse_flags = [](const std::string&, const std::string& text) { return support::shell_words(text); };
  options.value("--flags", "WORDS", "How .ll and .bc files are compiled: -O0 to -O3, -mcpu=sm_80, -mattr=+ptx75",
                parse_flags, to.compilation.flags);
}

void add_assembler(OptionSet& options, std::vector<std::string>& to) {
  options.value(
      "--assemble", "COMMAND",
      "Bound the machine code that this assembler makes of PTX: 'ptxas -O3'; -arch, unless it has one, -o and the "
      "files "
      "are added",
      [](const std::string& option, const std::string& text) -> support::Result<std::vector<std::string>> {
        auto words = support::shell_words(text);
        if (words && words->empty()) {
          return support::usage_error(option + ": no command is given", "give its words, as in 'ptxas -O3'");
        }
        return words;
      },
      to);
}

void add_reading(OptionSet& options, KernelRequest& to) {
  options.text("--arch", "TARGET", "Which PTX, or machine code, of a file that holds several, such as sm_80",
               to.compilation.target);
  const auto is_alone = std::make_shared<bool>(false), is_left_out = std::make_shared<bool>(false);
  options.flag("--machine-code", "Bound machine code only, and leave out its PTX, which explains it", *is_alone);
  options.flag("--ptx", "Bound the PTX of files that have some, as if no machine code were at hand", *is_left_out);
  add_assembler(options, to.compilation.assembler);
  options.check([&options, &to, is_alone, is_left_out] {
    to.compilation.wanted = *is_alone ? Wanted::machine_code : *is_left_out ? Wanted::ptx : Wanted::machine_code_if_any;
    if (*is_alone && *is_left_out) options.usage("--machine-code and --ptx exclude each other", "give one of them");
  });
  const std::vector<std::string> unknown = {"error", "worst"};
  options.value(
      "--unknown-opcodes", joined(unknown, "|"),
      "Machine instructions that are not known: refused, or as dear as any; default: error",
      [unknown](const std::string& option, const std::string& text) -> support::Result<bool> {
        const auto name = parse_name(unknown, option, text);
        if (!name) return name.errors();
        return *name == unknown.back();
      },
      to.unknown_opcodes);
}

void add_kernel_names(OptionSet& options, std::vector<std::string>& to) {
  options.each("--kernel", "NAME",
               "Only these kernels: a name as in the file or demangled, also without the arguments of a template, '*' "
               "for any characters; repeatable",
               parse_text, [&to](const std::string& name, const std::string&) { to.push_back(name); });
}

void add_block(OptionSet& options, ir::Launch& to) {
  options.value("--block", "X[,Y[,Z]]", "Threads of a block; default: the file's .reqntid, else its .maxntid",
                parse_extent, to.block);
  options.check([&] {
    if (to.block && too_many_threads(*to.block)) options.usage("--block: more than 2147483647 threads in a block");
  });
}

void add_launch(OptionSet& options, KernelRequest& to) {
  add_kernel_names(options, to.kernels);
  add_block(options, to.launch);
  options.value("--grid", "X[,Y[,Z]]", "Blocks of the grid; default: one block, alone on the GPU", parse_extent,
                to.launch.grid);
  add_arguments(options, to.launch);
  add_globals(options, to.launch);
  add_buffers(options, to.launch);
  add_loop_bounds(options, to.launch);
  add_call_costs(options, to.launch);
  add_recursions(options, to.launch);
  options.text(
      "--facts", "FILE",
      "Loop bounds, arguments, buffers, times of calls and depths of recursion, as 'warpspan facts' writes them to be "
      "filled in",
      to.facts);
}

void add_bounds(OptionSet& options, BoundRequest& to) {
  add_kernels(options, to.kernels);
  add_machine(options, to);
  options.value("--time-limit", "SECONDS",
                "Most time for searches of the string model, for all kernels together; default: 10", parse_seconds,
                to.limits.seconds);
}

void add_machine_name(OptionSet& options, std::string& to) {
  options.text("--machine", "NAME|FILE",
               "Machine model: name, target, board or file; default: the one for the file's .target", to);
}

void add_block_needs(OptionSet& options, ir::Launch& to) {
  options.value(
      "--registers", "N",
      "Registers of a thread; PTX that may need more, and so spill, needs --ptxas-log or --assume no-spills too",
      parse_registers, to.registers);
  options.value(
      "--shared", "BYTES",
      "Shared memory that the launch gives each block beside what the file declares: 49152, or 48K with K for 1024",
      parse_bytes, to.dynamic_shared);
}

void add_machine(OptionSet& options, BoundRequest& to) {
  add_machine_name(options, to.machine);
  add_block_needs(options, to.kernels.launch);
  options.value("--interference", "SHARE",
                "Part of the time for which others that use the memory, such as the CPU of an integrated GPU, keep the "
                "kernel's requests waiting at most: 0.3 or 3/10",
                parse_interference, to.kernels.launch.interference);
  add_assumptions(options, to.granted);
}

void add_models(OptionSet& options, BoundRequest& to) {
  const std::vector<std::string> names = {"pipeline", "string", "all"};
  const auto model = std::make_shared<std::string>(names.front());
  options.value(
      "--model", joined(names, "|"), "What to bound: the time, the units alone (searches), or both; default: pipeline",
      [names](const std::string& option, const std::string& text) { return parse_name(names, option, text); }, *model);
  options.check([model, &to] {
    to.pipeline_model = *model != "string";
    to.string_model = *model != "pipeline";
  });
}

void add_memory(OptionSet& options, int64_t& to) {
  to = default_memory();
  options.value("--memory", "SIZE",
                "Most memory for everything, as in 512M; default: 4G, or 3/4 of the machine's if less", parse_size, to);
}

void add_logs(OptionSet& options, std::vector<std::string>& to) {
  options.each("--ptxas-log", "FILE", "What 'nvcc -Xptxas -v' printed: registers, spills, stack, shared; repeatable",
               parse_text, [&to](const std::string& path, const std::string&) { to.push_back(path); });
}

void add_format(OptionSet& options, const std::vector<std::string>& names, const std::string& what, std::string& to) {
  to = names.front();
  const auto parse = [names](const std::string& option, const std::string& text) {
    return parse_name(names, option, text);
  };
  options.value("--format", joined(names, "|"), "Form of the " + what + "; default: " + names.front(), parse, to);
  options.not_deciding("--format");
}

}  // namespace warpspan::app
