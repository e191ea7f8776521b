// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/option_groups.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include "app/cli/memory.hpp"
#include "app/cli/option_values.hpp"
#include "app/facts/fact_kind.hpp"
#include "app/reports/readable.hpp"
#include "support/shell_words.hpp"

namespace warpspan::app {

namespace {

using support::Result;

// An option that is given once for each of what it names.
void add_pairs(OptionSet& options, const FactKind& kind, ir::Launch& launch) {
  const auto read = [&options, &kind, &launch, seen = std::set<std::string>()](const std::string& text) mutable {
    support::Diagnostics errors = kind.read({kind.option, text, {kind.option}}, launch);
    if (!errors.empty()) return errors;
    const std::string named = kind.named_by(text);
    if (!seen.insert(named).second) options.twice(std::string(kind.option) + " " + named);
    return errors;
  };
  options.each_text(kind.option, kind.value, kind.help, read);
}

void add_fact(OptionSet& options, const FactKind& kind, ir::Launch& launch) {
  const auto read = [&kind, &launch](const std::string& text) {
    return kind.read({kind.option, text, {kind.option}}, launch);
  };
  switch (kind.form) {
    case FactKind::Form::value: return options.last_text(kind.option, kind.value, kind.help, read);
    case FactKind::Form::flag: return options.flag(kind.option, kind.help, read);
    case FactKind::Form::pairs: return add_pairs(options, kind, launch);
  }
}

void add_facts(OptionSet& options, FactKind::Group group, ir::Launch& launch) {
  for (const FactKind& kind : fact_kinds()) {
    if (kind.group == group) add_fact(options, kind, launch);
  }
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
  options.flag("--machine-code", "Bound machine code by itself, and leave out its PTX, which tells more of it",
               *is_alone);
  options.flag("--ptx", "Bound the PTX of files that have some, as if no machine code were at hand", *is_left_out);
  add_assembler(options, to.compilation.assembler);
  options.check([&options, &to, is_alone, is_left_out] {
    to.compilation.wanted = *is_alone ? Wanted::machine_code : *is_left_out ? Wanted::ptx : Wanted::machine_code_if_any;
    if (*is_alone && *is_left_out) options.usage("--machine-code and --ptx exclude each other", "give one of them");
  });
  const std::vector<std::string> unknown = {"error", "worst"};
  options.value(
      "--unknown-opcodes", joined(unknown, "|"),
      "Machine instructions that are not known: refused, or as expensive as any; default: error",
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

void add_block(OptionSet& options, ir::Launch& to) { add_fact(options, kind_of(ir::UserFact::block), to); }

void add_launch(OptionSet& options, KernelRequest& to) {
  add_kernel_names(options, to.kernels);
  add_facts(options, FactKind::Group::launch, to.launch);
  options.text(
      "--facts", "FILE",
      "Loop bounds, arguments, buffers, times of calls and depths of recursion, as 'warpspan facts' writes them to be "
      "filled in",
      to.facts);
}

// "none" takes back what stands before it.
void add_assumptions(OptionSet& options, timing::Grant& assumed) {
  const std::vector<std::string_view> names = names_to_assume();
  const auto use = [&assumed](const timing::Grant& more, const std::string&) {
    if (more == timing::Grant()) assumed = {};
    assumed.add(more);
  };
  options.each("--assume", "NAME[,NAME]",
               "Grant what no file shows: " + joined({names.begin(), names.end()}) +
                   "; usual: what runs of the machine back, all: the whole ladder",
               parse_assumptions, use);
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

void add_block_needs(OptionSet& options, ir::Launch& to) { add_facts(options, FactKind::Group::block_needs, to); }

void add_machine(OptionSet& options, BoundRequest& to) {
  add_machine_name(options, to.machine);
  add_block_needs(options, to.kernels.launch);
  add_facts(options, FactKind::Group::machine, to.kernels.launch);
  add_assumptions(options, to.assumed);
}

void add_effort(OptionSet& options, SimulationEffort& to) {
  add_choice(options, "--simulate", {"never", "quick", "full"},
             "How much of machine code is simulated for the expected time, an estimate; default: quick", to);
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
  options.each("--ptxas-log", "FILE",
               "What 'nvcc -Xptxas -v' printed, or the cubin that was made: registers, spills, stack, shared; "
               "repeatable",
               parse_text, [&to](const std::string& path, const std::string&) { to.push_back(path); });
}

void add_format(OptionSet& options, const std::vector<FormatName>& forms, const std::string& what, std::string& to) {
  to = forms.front().name;
  const auto parse = [forms](const std::string& option, const std::string& text) {
    return parse_form(forms, option, text);
  };
  options.value("--format", joined(names_of(forms), "|"), "Form of the " + what + "; default: " + to, parse, to);
  options.not_deciding("--format");
}

}  // namespace warpspan::app
