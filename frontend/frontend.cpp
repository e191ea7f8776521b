#include "frontend/frontend.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "frontend/lift/flow_facts.hpp"
#include "frontend/loop_bounds.hpp"
#include "frontend/ptx/expand_calls.hpp"
#include "frontend/ptx/lower.hpp"
#include "frontend/ptx/parser.hpp"
#include "support/isolated.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::frontend {

namespace {

using support::Diagnostic;
using support::Diagnostics;
using support::Result;

std::string to_text(const ir::Extent& e) {
  std::string text = std::to_string(e.x);
  if (e.y != 1 || e.z != 1) text += "," + std::to_string(e.y);
  if (e.z != 1) text += "," + std::to_string(e.z);
  return text;
}

int64_t volume(const ir::Extent& e) { return e.x * e.y * e.z; }

Diagnostic at_kernel(const ptx::Module& module, const ptx::Function& function, std::string message, std::string help) {
  return module.source->error_at(function.offset, std::move(message), std::move(help));
}

// Checks the block against what the file states, or takes it from there.
std::optional<Diagnostic> choose_block(const ptx::Module& module, const ptx::Function& function,
                                       AnalyzedKernel& result) {
  const std::string name(function.name);
  const ir::Extent& required = function.launch_bounds.required;
  const ir::Extent& maximum = function.launch_bounds.maximum;
  if (!result.launch.block) {
    if (required.x == 0 && maximum.x == 0) {
      return at_kernel(module, function, "the block of kernel '" + name + "' is not known",
                       "give --block X[,Y[,Z]], or compile with __launch_bounds__");
    }
    result.launch.block = required.x != 0 ? required : maximum;
    result.block_from_file = true;
    return std::nullopt;
  }
  const ir::Extent& block = *result.launch.block;
  if (required.x != 0 && (block.x != required.x || block.y != required.y || block.z != required.z)) {
    return at_kernel(
        module, function,
        "kernel '" + name + "' must be launched with blocks of " + to_text(required) + ", not " + to_text(block),
        "give --block " + to_text(required));
  }
  if (required.x == 0 && maximum.x != 0 && volume(block) > volume(maximum)) {
    return at_kernel(module, function,
                     "kernel '" + name + "' allows at most " + std::to_string(volume(maximum)) +
                         " threads in a block, not " + std::to_string(volume(block)),
                     "give a smaller --block, or compile with a larger __launch_bounds__");
  }
  return std::nullopt;
}

Result<AnalyzedKernel> read_kernel(const ptx::Module& module, const ptx::Function& entry, const ir::Launch& launch) {
  AnalyzedKernel result;
  result.launch = launch;
  if (auto error = choose_block(module, entry, result)) return *error;
  auto expanded = ptx::expand_calls(module, entry);
  if (!expanded) return expanded.errors();
  ir::Program program = ptx::lower_program(module, *expanded);
  auto flow = lift::find_facts(program, result.launch);
  if (!flow) return flow.errors();
  result.flow = std::move(*flow);
  const bool is_whole = program.bodies.size() == 1;  // else the bodies have to be put behind one another
  result.kernel = is_whole ? std::move(program.bodies.front().kernel) : ptx::lower(module, *expanded);
  Diagnostics errors = apply_loop_bounds(*module.source, *expanded, result.kernel, launch.loop_bounds, result.flow);
  if (!errors.empty()) return errors;
  return result;
}

// A bound for a label that no kernel has would otherwise be ignored without a word.
void check_labels(const ptx::Module& module, const ir::Launch& launch, Diagnostics& errors) {
  std::set<std::string_view> labels;
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Label& label : function.labels) labels.insert(label.name);
  }
  for (const ir::LoopBound& bound : launch.loop_bounds) {
    if (labels.count(bound.label) > 0) continue;
    errors.push_back(
        support::usage_error("--loop-bound: '" + module.source->name() + "' has no label '" + bound.label + "'",
                             "give a label as it stands in the file, such as $L__BB0_2"));
  }
}

bool has_parameter(const ptx::Module& module, const ptx::Function& function, const std::string& wanted) {
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    if (wanted == std::to_string(i) || wanted == module.variables[function.parameters[i].variable].name) return true;
  }
  return false;
}

// Of a launch for several kernels, what concerns one: parameter names differ from kernel to kernel. An argument that
// none of them has is left in for all, so that it is reported.
ir::Launch launch_of(const ptx::Module& module, const ptx::Function& kernel,
                     const std::vector<const ptx::Function*>& kernels, const ir::Launch& launch) {
  ir::Launch own = launch;
  std::erase_if(own.arguments, [&](const ir::Argument& argument) {
    const auto has = [&](const ptx::Function* k) { return has_parameter(module, *k, argument.parameter); };
    return !has(&kernel) && std::any_of(kernels.begin(), kernels.end(), has);
  });
  return own;
}

Diagnostic no_kernel(const support::SourceFile& source) {
  Diagnostic error;
  error.location.file = source.name();
  error.message = "the file has no kernel (.entry with a body)";
  return error;
}

Result<ptx::Module> parse(const std::shared_ptr<const support::SourceFile>& source) {
  return support::isolated({source->name()}, "while the file was read", [&] { return ptx::parse(source); });
}

std::vector<const ptx::Function*> kernels_of(const ptx::Module& module) {
  std::vector<const ptx::Function*> kernels;
  for (const ptx::Function& function : module.functions) {
    if (function.is_entry && function.has_body) kernels.push_back(&function);
  }
  return kernels;
}

bool is_chosen(const std::vector<std::string>& patterns, const std::string& name) {
  const auto names_it = [&name](const std::string& pattern) { return support::names_symbol(pattern, name); };
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), names_it);
}

}  // namespace

Result<Contents> contents_of(std::shared_ptr<const support::SourceFile> source) {
  const auto module = parse(source);
  if (!module) return module.errors();
  Contents contents;
  for (const ptx::Function* kernel : kernels_of(*module)) {
    contents.kernels.push_back({std::string(kernel->name), source->locate(kernel->offset)});
  }
  if (contents.kernels.empty()) return no_kernel(*source);
  if (!module->targets.empty()) contents.target = module->targets.front();
  return contents;
}

Result<std::vector<std::string>> kernel_names(std::shared_ptr<const support::SourceFile> source) {
  const auto contents = contents_of(std::move(source));
  if (!contents) return contents.errors();
  std::vector<std::string> names;
  for (const Contents::Entry& kernel : contents->kernels) names.push_back(kernel.name);
  return names;
}

Reading read_kernels(std::shared_ptr<const support::SourceFile> source, const std::vector<std::string>& patterns,
                     const ir::Launch& launch) {
  Reading reading;
  const auto module = parse(source);
  if (!module) {
    reading.errors = module.errors();
    return reading;
  }
  check_labels(*module, launch, reading.errors);
  if (!reading.errors.empty()) return reading;
  std::vector<const ptx::Function*> kernels = kernels_of(*module);
  for (const ptx::Function* kernel : kernels) reading.names.emplace_back(kernel->name);
  if (kernels.empty()) reading.errors.push_back(no_kernel(*source));
  std::erase_if(kernels, [&](const ptx::Function* kernel) { return !is_chosen(patterns, std::string(kernel->name)); });
  for (const ptx::Function* function : kernels) {
    const std::string task = "in the analysis of kernel '" + std::string(function->name) + "'";
    auto kernel = support::isolated(source->locate(function->offset), task, [&] {
      return read_kernel(*module, *function, launch_of(*module, *function, kernels, launch));
    });
    if (kernel) {
      reading.kernels.push_back(std::move(*kernel));
    } else {
      reading.errors.insert(reading.errors.end(), kernel.errors().begin(), kernel.errors().end());
    }
  }
  return reading;
}

}  // namespace warpspan::frontend
