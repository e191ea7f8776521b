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
#include "ir/meetings.hpp"
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
      return at_kernel(module, function, "the block of kernel " + support::quoted_symbol(name) + " is not known",
                       "give --block X[,Y[,Z]], or compile with __launch_bounds__");
    }
    result.launch.block = required.x != 0 ? required : maximum;
    result.block_from_file = true;
    return std::nullopt;
  }
  const ir::Extent& block = *result.launch.block;
  if (required.x != 0 && (block.x != required.x || block.y != required.y || block.z != required.z)) {
    return at_kernel(module, function,
                     "kernel " + support::quoted_symbol(name) + " must be launched with blocks of " +
                         to_text(required) + ", not " + to_text(block),
                     "give --block " + to_text(required));
  }
  if (required.x == 0 && maximum.x != 0 && volume(block) > volume(maximum)) {
    return at_kernel(module, function,
                     "kernel " + support::quoted_symbol(name) + " allows at most " + std::to_string(volume(maximum)) +
                         " threads in a block, not " + std::to_string(volume(block)),
                     "give a smaller --block, or compile with a larger __launch_bounds__");
  }
  return std::nullopt;
}

bool has_parameter(const ptx::Module& module, const ptx::Function& function, const std::string& wanted) {
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    if (wanted == std::to_string(i) || wanted == module.variables[function.parameters[i].variable].name) return true;
  }
  return false;
}

// The parameter that a buffer is at, or has its pointer in: PARAMETER or PARAMETER+8.
std::string parameter_of(const ir::Buffer& buffer) { return buffer.parameter.substr(0, buffer.parameter.find('+')); }

// Of facts that may name kernels, those that are for this one, by index. Facts of one kernel stand together.
template <typename Fact>
std::vector<size_t> facts_for(const std::string& kernel, const std::vector<Fact>& facts) {
  std::vector<size_t> own;
  const std::string* pattern = nullptr;
  bool is_own = false;
  for (size_t i = 0; i < facts.size(); ++i) {
    if (pattern == nullptr || *pattern != facts[i].kernel) {
      pattern = &facts[i].kernel;
      is_own = pattern->empty() || support::names_symbol(*pattern, kernel);
    }
    if (is_own) own.push_back(i);
  }
  return own;
}

// Of a launch for several kernels, what concerns one.
struct OwnLaunch {
  ir::Launch launch;
  std::vector<size_t> bounds;  // where its loop bounds stand in the launch for all
};

// rest: the launch without such facts. Parameter names differ from kernel to kernel. An argument that none of them has
// is left in for all, so that it is reported, unless it stands in a file: whoever read that tells it. So it is with all
// buffers.
OwnLaunch launch_of(const ptx::Module& module, const ptx::Function& kernel,
                    const std::vector<const ptx::Function*>& kernels, const ir::Launch& rest,
                    const ir::Launch& launch) {
  const std::string name(kernel.name);
  OwnLaunch own;
  own.launch = rest;
  own.bounds = facts_for(name, launch.loop_bounds);
  for (const size_t i : own.bounds) own.launch.loop_bounds.push_back(launch.loop_bounds[i]);
  // Whether a fact about a parameter is for this kernel.
  const auto is_own = [&](const std::string& parameter, const ir::Origin& origin) {
    const auto has = [&](const ptx::Function* k) { return has_parameter(module, *k, parameter); };
    return has(&kernel) || !(origin.is_file() || std::any_of(kernels.begin(), kernels.end(), has));
  };
  for (const size_t i : facts_for(name, launch.buffers)) {
    const ir::Buffer& buffer = launch.buffers[i];
    if (has_parameter(module, kernel, parameter_of(buffer))) own.launch.buffers.push_back(buffer);
  }
  for (const size_t i : facts_for(name, launch.arguments)) {
    const ir::Argument& argument = launch.arguments[i];
    if (is_own(argument.parameter, argument.origin)) own.launch.arguments.push_back(argument);
  }
  return own;
}

// A kernel before bounds of the user are applied.
struct FoundKernel {
  AnalyzedKernel analyzed;
  std::vector<HeaderPlace> headers;  // by loop
};

bool has_block(const ptx::Function& entry, const ir::Launch& launch) {
  return launch.block || entry.launch_bounds.required.x != 0 || entry.launch_bounds.maximum.x != 0;
}

Result<FoundKernel> find_kernel(const ptx::Module& module, const ptx::Function& entry, const ir::Launch& launch,
                                bool declared_only) {
  FoundKernel found;
  AnalyzedKernel& result = found.analyzed;
  result.launch = launch;
  if (!declared_only || has_block(entry, launch)) {
    if (auto error = choose_block(module, entry, result)) return *error;
  }
  auto expanded = ptx::expand_calls(module, entry);
  if (!expanded) return expanded.errors();
  if (declared_only) {
    result.kernel = ptx::lower(module, *expanded);
    return found;
  }
  ir::Program program = ptx::lower_program(module, *expanded);
  auto flow = lift::find_facts(program, result.launch);
  if (!flow) return flow.errors();
  result.flow = std::move(*flow);
  const bool is_whole = program.bodies.size() == 1;  // else the bodies have to be put behind one another
  result.kernel = is_whole ? std::move(program.bodies.front().kernel) : ptx::lower(module, *expanded);
  for (const ir::BlockId block : ir::find_meetings(result.kernel, result.flow).both_ways) {
    result.flow.blocks[block].divergent = true;
  }
  find_source_places(result.kernel, result.flow);
  found.headers = find_header_places(module, *expanded, result.kernel, result.flow);
  return found;
}

// Reads the chosen kernels of a module, one by one.
class KernelReader {
 public:
  KernelReader(const ptx::Module& module, const Inquiry& inquiry) : module_(module), inquiry_(inquiry) {}

  void read(const ptx::Function& entry, const OwnLaunch& own) {
    const std::string name(entry.name);
    const std::string task = "in the analysis of kernel " + support::quoted_symbol(name);
    const support::Location at = module_.source->locate(entry.offset);
    auto written = support::isolated(
        at, task, [&]() -> Result<ir::KernelCode> { return code_of(module_, entry, inquiry_.fingerprints); });
    if (!written) return fail(name, written.errors());
    ir::KernelCode& code = *written;
    auto kernel =
        support::isolated(at, task, [&] { return find_kernel(module_, entry, own.launch, inquiry_.declared_only); });
    if (kernel) code.loops = kernel->analyzed.flow.loops;
    const Diagnostics refusal = inquiry_.refuse ? inquiry_.refuse(code) : Diagnostics{};
    code.refused = !refusal.empty();
    if (refusal.empty() && kernel) apply_bounds(*kernel, own.bounds, code);
    if (!refusal.empty()) {
      fail(name, refusal);
    } else if (!kernel) {
      fail(name, kernel.errors());
    }
    reading.codes.push_back(std::move(code));
  }

  Reading reading;

 private:
  void fail(const std::string& kernel, const Diagnostics& errors) {
    reading.errors.insert(reading.errors.end(), errors.begin(), errors.end());
    reading.failed.push_back({kernel, errors});
  }

  // numbers: of the kernel's bounds in the launch for all kernels.
  void apply_bounds(FoundKernel& found, const std::vector<size_t>& numbers, ir::KernelCode& code) {
    auto& [kernel, headers] = found;
    AppliedBounds applied =
        apply_loop_bounds(*module_.source, kernel.kernel, headers, kernel.launch.loop_bounds, kernel.flow);
    code.loops = kernel.flow.loops;
    for (ir::LoopBoundUse& use : applied.uses) use.bound = numbers[use.bound];
    reading.uses.insert(reading.uses.end(), applied.uses.begin(), applied.uses.end());
    Diagnostics missing = check_loop_bounds(*module_.source, kernel.kernel, headers, kernel.flow);
    if (applied.errors.empty() && missing.empty()) {
      reading.kernels.push_back(std::move(kernel));
      return;
    }
    if (inquiry_.unbounded_loops) missing.clear();
    Diagnostics errors = std::move(applied.errors);
    errors.insert(errors.end(), missing.begin(), missing.end());
    if (!errors.empty()) fail(kernel.kernel.name, errors);
  }

  const ptx::Module& module_;
  const Inquiry& inquiry_;
};

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
  std::erase_if(kernels,
                [&](const ptx::Function* kernel) { return !support::is_chosen(patterns, std::string(kernel->name)); });
  ir::Launch rest = launch;
  rest.loop_bounds.clear();
  rest.arguments.clear();
  rest.buffers.clear();
  for (const ptx::Function* kernel : kernels) reader.read(*kernel, launch_of(*module, *kernel, kernels, rest, launch));
  return std::move(reader.reading);
}

}  // namespace warpspan::frontend
