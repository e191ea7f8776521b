#include "frontend/frontend.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "frontend/kernel_code.hpp"
#include "frontend/lift/flow_facts.hpp"
#include "frontend/loop_bounds.hpp"
#include "frontend/loop_places.hpp"
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

// A kernel before bounds of the user are applied.
struct FoundKernel {
  AnalyzedKernel analyzed;
  std::vector<HeaderPlace> headers;  // by loop
};

Result<FoundKernel> find_kernel(const ptx::Module& module, const ptx::Function& entry, const ir::Launch& launch) {
  FoundKernel found;
  AnalyzedKernel& result = found.analyzed;
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
  find_source_places(result.kernel, result.flow);
  found.headers = find_header_places(module, *expanded, result.kernel, result.flow);
  return found;
}

// Reads the chosen kernels of a module, one by one.
class KernelReader {
 public:
  KernelReader(const ptx::Module& module, const Inquiry& inquiry) : module_(module), inquiry_(inquiry) {}

  void read(const ptx::Function& entry, const ir::Launch& launch) {
    const std::string task = "in the analysis of kernel '" + std::string(entry.name) + "'";
    const support::Location at = module_.source->locate(entry.offset);
    auto written = support::isolated(
        at, task, [&]() -> Result<ir::KernelCode> { return code_of(module_, entry, inquiry_.fingerprints); });
    if (!written) return fail(written.errors());
    ir::KernelCode& code = *written;
    auto kernel = support::isolated(at, task, [&] { return find_kernel(module_, entry, launch); });
    if (kernel) code.loops = kernel->analyzed.flow.loops;
    const Diagnostics refusal = inquiry_.refuse ? inquiry_.refuse(code) : Diagnostics{};
    code.refused = !refusal.empty();
    if (refusal.empty() && kernel) apply_bounds(*kernel, code);
    if (!refusal.empty()) {
      fail(refusal);
    } else if (!kernel) {
      fail(kernel.errors());
    }
    reading.codes.push_back(std::move(code));
  }

  Reading reading;

 private:
  void fail(const Diagnostics& errors) { reading.errors.insert(reading.errors.end(), errors.begin(), errors.end()); }

  void apply_bounds(FoundKernel& found, ir::KernelCode& code) {
    auto& [kernel, headers] = found;
    AppliedBounds applied =
        apply_loop_bounds(*module_.source, kernel.kernel, headers, kernel.launch.loop_bounds, kernel.flow);
    code.loops = kernel.flow.loops;
    reading.uses.insert(reading.uses.end(), applied.uses.begin(), applied.uses.end());
    Diagnostics missing = check_loop_bounds(*module_.source, kernel.kernel, headers, kernel.flow);
    const bool is_bounded = applied.errors.empty() && missing.empty();
    fail(applied.errors);
    if (!inquiry_.unbounded_loops) fail(missing);
    if (is_bounded) reading.kernels.push_back(std::move(kernel));
  }

  const ptx::Module& module_;
  const Inquiry& inquiry_;
};

bool has_parameter(const ptx::Module& module, const ptx::Function& function, const std::string& wanted) {
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    if (wanted == std::to_string(i) || wanted == module.variables[function.parameters[i].variable].name) return true;
  }
  return false;
}

// Of a launch for several kernels, what concerns one: parameter names differ from kernel to kernel. An argument that
// none of them has is left in for all, so that it is reported, unless it stands in a file: whoever read that tells it.
ir::Launch launch_of(const ptx::Module& module, const ptx::Function& kernel,
                     const std::vector<const ptx::Function*>& kernels, const ir::Launch& launch) {
  ir::Launch own = launch;
  const auto is_for_others = [name = std::string(kernel.name)](const auto& fact) {
    return !fact.kernel.empty() && !support::names_symbol(fact.kernel, name);
  };
  std::erase_if(own.buffers, is_for_others);
  std::erase_if(own.arguments, is_for_others);
  std::erase_if(own.arguments, [&](const ir::Argument& argument) {
    const auto has = [&](const ptx::Function* k) { return has_parameter(module, *k, argument.parameter); };
    return !has(&kernel) && (argument.origin.is_file() || std::any_of(kernels.begin(), kernels.end(), has));
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
                     const ir::Launch& launch, const Inquiry& inquiry) {
  Reading reading;
  const auto module = parse(source);
  if (!module) {
    reading.errors = module.errors();
    return reading;
  }
  std::vector<const ptx::Function*> kernels = kernels_of(*module);
  KernelReader reader(*module, inquiry);
  for (const ptx::Function* kernel : kernels) reader.reading.names.emplace_back(kernel->name);
  if (kernels.empty()) reader.reading.errors.push_back(no_kernel(*source));
  std::erase_if(kernels, [&](const ptx::Function* kernel) { return !is_chosen(patterns, std::string(kernel->name)); });
  for (const ptx::Function* kernel : kernels) reader.read(*kernel, launch_of(*module, *kernel, kernels, launch));
  return std::move(reader.reading);
}

}  // namespace warpspan::frontend
