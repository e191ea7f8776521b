// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/frontend.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "frontend/lift/flow_facts.hpp"
#include "frontend/ptx/calls/call_graph.hpp"
#include "frontend/ptx/calls/expand_calls.hpp"
#include "frontend/ptx/calls/indirect_calls.hpp"
#include "frontend/ptx/calls/recursion.hpp"
#include "frontend/ptx/lowering/lower.hpp"
#include "frontend/ptx/syntax/parser.hpp"
#include "frontend/reading/given_calls.hpp"
#include "frontend/reading/given_variables.hpp"
#include "frontend/reading/kernel_code.hpp"
#include "frontend/reading/kernel_launch.hpp"
#include "frontend/reading/kernel_reader.hpp"
#include "frontend/reading/loop_bounds.hpp"
#include "frontend/reading/loop_places.hpp"
#include "frontend/reading/source_names.hpp"
#include "ir/sentences.hpp"
#include "ir/sync_points.hpp"
#include "support/isolated.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::frontend {

namespace {

using support::Diagnostic;
using support::Diagnostics;
using support::Result;

KernelHead head_of(const ptx::Module& module, const ptx::Function& kernel, const SourceNames& names) {
  KernelHead head{std::string(kernel.name), kernel.launch_bounds, {}, module.source->error_at(kernel.offset, {})};
  head.source_names = [&names, &kernel] { return names.of(kernel).get(); };
  for (const auto& parameter : kernel.parameters)
    head.parameters.emplace_back(module.variables[parameter.variable].name);
  return head;
}

// Of an entry that calls no recursive functions, but those that lack a depth.
Result<FoundKernel> find_bounded(const ptx::Module& module, const ptx::Function& entry, const KernelHead& head,
                                 const ir::Launch& launch, const Inquiry& inquiry) {
  const bool declared_only = inquiry.declared_only;
  FoundKernel found;
  AnalyzedKernel& result = found.analyzed;
  result.launch = launch;
  if (!declared_only || has_block(head, launch)) {
    if (auto error = choose_block(head, result)) return *error;
  }
  auto facts = call_facts(module, launch);
  if (!facts) return facts.errors();
  facts->may_lack_times = declared_only || inquiry.unbounded_loops;
  auto expanded = ptx::expand_calls(module, entry, {}, *facts);
  if (!expanded) return expanded.errors();
  found.lacks_facts = lacks_times(*expanded);
  result.assumptions = call_assumptions(outside_functions(module, *expanded), launch);
  if (auto assumption = pointer_assumption(module, *expanded)) result.assumptions.push_back(std::move(*assumption));
  if (expanded->has_assertions) result.assumptions.emplace_back(ir::assertions_hold);
  if (declared_only) {
    result.kernel = ptx::lower(module, *expanded);
    return found;
  }
  found.file = module.source;
  if (auto errors = name_globals(module, result.launch); !errors.empty()) return errors;
  ir::Program program = ptx::lower_program(module, *expanded);
  program.parameter_names = head.source_names;
  if (launch.trust_initialisers) add_initial_bytes(module, program);
  // A loop that nothing bounds refuses the kernel. Whether accesses stay in buffers is asked before.
  const bool may_be_bounded = inquiry.keeps_unbounded || !launch.loop_bounds.empty() || !launch.buffers.empty();
  const auto of_unbounded = may_be_bounded ? lift::OfUnbounded::all : lift::OfUnbounded::loops_only;
  const auto groups = inquiry.any_groups ? lift::Groups::any : lift::Groups::as_declared;
  auto flow = lift::find_facts(program, result.launch, of_unbounded, {}, groups);
  if (!flow) return flow.errors();
  result.flow = std::move(*flow);
  const bool is_whole = program.bodies.size() == 1;  // else the bodies have to be put behind one another
  result.kernel = is_whole ? std::move(program.bodies.front().kernel) : ptx::lower(module, *expanded);
  complete_flow(result.kernel, result.flow);
  result.kernel.frames = ptx::frames_of(module, entry);
  found.headers = find_header_places(module, *expanded, result.kernel, result.flow);
  return found;
}

// Each function once, with one activation: what is live over a call is saved by what is called.
Result<std::shared_ptr<const ir::Kernel>> each_function_once(const ptx::Module& module, const ptx::Function& entry,
                                                             size_t index, ptx::Depths depths) {
  for (auto& [function, depth] : depths) depth = 1;
  const auto once = ptx::without_recursion(module, entry, depths);
  if (!once) return once.errors();
  const ptx::CallFacts facts = {.may_lack_times = true};
  const auto expanded = ptx::expand_calls(**once, (*once)->functions[index], ptx::SharingLimits{0, 0}, facts);
  if (!expanded) return expanded.errors();
  return std::make_shared<const ir::Kernel>(ptx::lower(**once, *expanded));
}

Result<FoundKernel> find_kernel(const ptx::Module& module, const ptx::Function& entry, const KernelHead& head,
                                const ir::Launch& launch, const Inquiry& inquiry) {
  auto depths = depths_of(module, launch);
  if (!depths) return depths.errors();
  bool lacks_depths = false;
  for (const auto& [function, lacks] : ptx::recursive_functions(module, entry, *depths)) {
    if (!lacks || !(inquiry.declared_only || inquiry.unbounded_loops)) continue;
    depths->emplace(function, 1);
    lacks_depths = true;
  }
  const auto bounded = ptx::without_recursion(module, entry, *depths);
  if (!bounded) return bounded.errors();
  if (!*bounded) return find_bounded(module, entry, head, launch, inquiry);
  const auto is_entry = [&entry](const ptx::Function& function) { return &function == &entry; };
  const auto first = std::find_if(module.functions.begin(), module.functions.end(), is_entry);
  const auto index = static_cast<size_t>(first - module.functions.begin());
  auto found = find_bounded(**bounded, (*bounded)->functions[index], head, launch, inquiry);
  if (!found) return found;
  found->lacks_facts = found->lacks_facts || lacks_depths;
  std::vector<std::string>& assumptions = found->analyzed.assumptions;
  const std::vector<std::string> more = recursion_assumptions(module, entry, launch);
  assumptions.insert(assumptions.begin(), more.begin(), more.end());
  auto once = each_function_once(module, entry, index, *depths);
  if (!once) return once.errors();
  found->analyzed.kernel.each_function_once = std::move(*once);
  return found;
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

}  // namespace

struct PtxFile::Parsed {
  explicit Parsed(const std::shared_ptr<const support::SourceFile>& source) : module(parse(source)) {
    if (module) indirect_calls = ptx::make_calls_direct(*module);
  }

  Result<ptx::Module> module;
  std::vector<ptx::IndirectCall> indirect_calls;
};

std::shared_ptr<const PtxFile::Parsed> PtxFile::parsed() const {
  std::shared_ptr<const Parsed> parsed = parsed_.load();
  if (parsed == nullptr) {
    parsed = std::make_shared<Parsed>(source_);
    parsed_.store(parsed);
  }
  return parsed;
}

Result<Contents> PtxFile::contents() const {
  const std::shared_ptr<const Parsed> parsed = this->parsed();
  const Result<ptx::Module>& module = parsed->module;
  if (!module) return module.errors();
  Contents contents;
  for (const ptx::Function* kernel : kernels_of(*module)) {
    contents.kernels.push_back({std::string(kernel->name), source_->locate(kernel->offset)});
    for (const auto& parameter : kernel->parameters) {
      contents.kernels.back().parameters.emplace_back(module->variables[parameter.variable].name);
    }
  }
  if (!module->targets.empty()) contents.target = module->targets.front();
  return contents;
}

std::optional<PtxFile::PointerCalls> PtxFile::pointer_calls(const std::string& kernel) const {
  const std::shared_ptr<const Parsed> parsed = this->parsed();
  if (!parsed->module) return std::nullopt;
  const ptx::Module& module = *parsed->module;
  const auto is_meant = [&](const ptx::Function& f) { return f.is_entry && f.has_body && f.name == kernel; };
  const auto entry = std::find_if(module.functions.begin(), module.functions.end(), is_meant);
  if (entry == module.functions.end()) return std::nullopt;
  std::vector<uint32_t> reached = {static_cast<uint32_t>(entry - module.functions.begin())};
  for (size_t i = 0; i < reached.size(); ++i) {
    for (const uint32_t callee : ptx::called_functions(module, module.functions[reached[i]])) {
      if (std::find(reached.begin(), reached.end(), callee) == reached.end()) reached.push_back(callee);
    }
  }
  PointerCalls found;
  for (const ptx::Function& function : module.functions) {
    if (function.has_body && !function.is_entry) found.functions.emplace(function.name);
  }
  for (const ptx::IndirectCall& call : parsed->indirect_calls) {
    if (std::find(reached.begin(), reached.end(), call.caller) == reached.end()) continue;
    PointerCalls::Call& made = found.calls.emplace_back(PointerCalls::Call{call.first_line, call.end_line, {}});
    for (const uint32_t target : call.targets) made.targets.emplace(module.functions[target].name);
  }
  return found;
}

Reading PtxFile::read(const std::vector<std::string>& patterns, const ir::Launch& launch,
                      const Inquiry& inquiry) const {
  const std::shared_ptr<const Parsed> parsed = this->parsed();
  const Result<ptx::Module>& module = parsed->module;
  if (!module) {
    Reading reading;
    reading.errors = module.errors();
    return reading;
  }
  std::vector<const ptx::Function*> kernels = kernels_of(*module);
  KernelReader reader(inquiry);
  for (const ptx::Function* kernel : kernels) reader.reading.names.emplace_back(kernel->name);
  if (kernels.empty()) reader.reading.errors.push_back(no_kernel(*source_));
  std::erase_if(kernels,
                [&](const ptx::Function* kernel) { return !support::is_chosen(patterns, std::string(kernel->name)); });
  std::vector<KernelHead> heads;
  const SourceNames names(*module);
  for (const ptx::Function* kernel : kernels) heads.push_back(head_of(*module, *kernel, names));
  std::vector<KernelSource> sources;
  for (size_t i = 0; i < kernels.size(); ++i) {
    sources.push_back(
        {heads[i].name, module->source->locate(kernels[i]->offset), launch_of(heads[i], heads, launch),
         [&, i](const ir::Launch& own) -> Result<ir::KernelCode> {
           if (inquiry.unbounded_loops) names.of(*kernels[i]);
           return code_of(*module, *kernels[i], own, inquiry.fingerprints);
         },
         [&, i](const ir::Launch& own) { return find_kernel(*module, *kernels[i], heads[i], own, inquiry); }});
  }
  // All code has names, or none.
  reader.read(sources, [&](size_t i, ir::KernelCode& code) {
    if (names.is_read()) code.names = names.of(*kernels[i]);
  });
  return std::move(reader.reading);
}

Result<Contents> contents_of(std::shared_ptr<const support::SourceFile> source) {
  return PtxFile(std::move(source)).contents();
}

Reading read_kernels(std::shared_ptr<const support::SourceFile> source, const std::vector<std::string>& patterns,
                     const ir::Launch& launch, const Inquiry& inquiry) {
  return PtxFile(std::move(source)).read(patterns, launch, inquiry);
}

}  // namespace warpspan::frontend
