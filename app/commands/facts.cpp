// warpspan facts: a file of facts to be filled in, for the kernels of the files.
#include <algorithm>
#include <memory>

#include "app/cli/command.hpp"
#include "app/cli/memory.hpp"
#include "app/cli/option_groups.hpp"
#include "app/reports/errors_document.hpp"
#include "app/reports/facts/facts_formats.hpp"
#include "app/requests/kernels/buffer_uses.hpp"
#include "app/requests/kernels/kernel_files.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

constexpr const char* footer =
    "Write the facts into a file, fill in what is missing, and give it to the other commands with --facts.\n"
    "\nExamples:\n"
    "  warpspan facts samples/spmv.ptx --block 128 --output spmv.facts.toml\n"
    "  warpspan facts samples/matmul_tiled.nvcc-sm_80-lineinfo.ptx --block 16,16 --format json\n";

struct FactsOptions {
  KernelRequest request;
  int64_t memory = 0;  // bytes for everything
  std::string format;
  std::string output;  // file; empty: standard output
};

bool is_for(const std::string& pattern, const ir::KernelCode& code) {
  return pattern.empty() || support::names_symbol(pattern, code.name);
}

// What was given for the parameters of the kernel, by their names.
std::vector<ir::Argument> arguments_for(const ir::KernelCode& code, const std::vector<ir::Argument>& all) {
  std::vector<ir::Argument> own;
  for (ir::Argument argument : all) {
    if (!is_for(argument.kernel, code)) continue;
    if (code.names != nullptr) code.names->place(argument);
    for (size_t i = 0; i < code.parameters.size(); ++i) {
      const std::string& name = code.parameters[i].name;
      if (argument.parameter != name && argument.parameter != std::to_string(i)) continue;
      argument.parameter = name;
      own.push_back(argument);
    }
  }
  return own;
}

std::vector<ir::Argument> globals_for(const ir::KernelCode& code, const std::vector<ir::Argument>& all) {
  std::vector<ir::Argument> own;
  std::copy_if(all.begin(), all.end(), std::back_inserter(own),
               [&](const ir::Argument& global) { return is_for(global.kernel, code); });
  return own;
}

std::vector<ir::Buffer> buffers_for(const ir::KernelCode& code, const std::vector<ir::Buffer>& all) {
  std::vector<ir::Buffer> own;
  for (ir::Buffer buffer : all) {
    const auto name = is_for(buffer.kernel, code) ? pointer_named(code, buffer.parameter) : std::nullopt;
    if (!name) continue;
    if (code.names != nullptr) code.names->place(buffer);
    buffer.parameter = *name;
    own.push_back(buffer);
  }
  return own;
}

std::vector<FunctionTime> calls_of(const ir::KernelCode& code, const std::vector<ir::CallCost>& all) {
  std::vector<FunctionTime> calls;
  for (const std::string& function : code.external_functions) {
    const auto is_of = [&](const ir::CallCost& cost) {
      return is_for(cost.kernel, code) && support::names_symbol(cost.function, function);
    };
    const auto cost = std::find_if(all.begin(), all.end(), is_of);
    calls.push_back({function, cost == all.end() ? std::string() : cost->text});
  }
  return calls;
}

// Those that were given, and those that have to be.
std::vector<FunctionDepth> depths_of(const ir::KernelCode& code, const std::vector<ir::Recursion>& all) {
  std::vector<FunctionDepth> depths;
  for (const ir::RecursiveFunction& function : code.recursive_functions) {
    const auto is_of = [&](const ir::Recursion& recursion) {
      return is_for(recursion.kernel, code) && support::names_symbol(recursion.function, function.name);
    };
    const auto given = std::find_if(all.begin(), all.end(), is_of);
    if (given != all.end() || function.lacks_depth) {
      depths.push_back({function.name, given == all.end() ? std::nullopt : std::optional(given->depth)});
    }
  }
  return depths;
}

// The same kernel in several files has one table; facts cannot tell kernels of one name with other code apart.
bool is_there_already(FactsReport& report, const std::string& file, const ir::KernelCode& code) {
  for (const KernelFactsReport& known : report.kernels) {
    if (known.code.name != code.name) continue;
    if (known.code.sha256 != code.sha256) {
      report.errors.push_back(
          support::usage_error("kernel '" + code.name + "' of " + file + " has other code than that of " + known.file,
                               "write the facts of each file by themselves"));
    }
    return true;
  }
  return false;
}

FactsReport facts_of(const KernelRequest& request) {
  FactsReport report;
  const auto [files, launch] = read_files(request, LoopsAre::perhaps_unbounded);
  for (const KernelFile& file : files) {
    for (const ir::KernelCode& code : file.codes) {
      if (code.refused || is_there_already(report, file.name, code)) continue;
      report.kernels.push_back({file.name, code, arguments_for(code, launch.arguments),
                                globals_for(code, launch.globals), buffers_for(code, launch.buffers),
                                calls_of(code, launch.call_costs), depths_of(code, launch.recursions)});
    }
  }
  const support::Diagnostics errors = all_errors(files);
  report.errors.insert(report.errors.begin(), errors.begin(), errors.end());
  return report;
}

Outcome write_facts(const FactsOptions& options) {
  limit_memory(options.memory);
  FactsReport report = facts_of(options.request);
  std::string text = render(facts_formats, report, options.format, options.output, style_of(options.output));
  return {std::move(text), std::move(report.errors), options.output};
}

Run declare(OptionSet& set) {
  const auto options = std::make_shared<FactsOptions>();
  add_kernels(set, options->request);
  add_memory(set, options->memory);
  add_format(set, names_of(facts_formats), "facts", options->format);
  set.text("--output", "FILE", "Write the facts to this file; default: standard output", options->output);
  return [options] { return write_facts(*options); };
}

}  // namespace

Command facts_command() {
  return {"facts", "Write a file of facts to fill in: loop bounds, arguments", footer, declare,
          report_of_errors<FactsReport>};
}

}  // namespace warpspan::app
