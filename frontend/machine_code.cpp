// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/machine_code.hpp"

#include <map>
#include <optional>
#include <utility>

#include "frontend/lift/flow_facts.hpp"
#include "frontend/object/cubin.hpp"
#include "frontend/object/lines.hpp"
#include "frontend/pointer_targets.hpp"
#include "frontend/ptx_beside.hpp"
#include "frontend/reading/cubin_code.hpp"
#include "frontend/reading/given_calls.hpp"
#include "frontend/reading/kernel_launch.hpp"
#include "frontend/reading/kernel_reader.hpp"
#include "frontend/sass/execution/executor.hpp"
#include "frontend/sass/lowering/control_flow.hpp"
#include "frontend/sass/lowering/elections.hpp"
#include "frontend/sass/lowering/lower.hpp"
#include "frontend/sass/lowering/machine_details.hpp"
#include "frontend/sass/lowering/outside_calls.hpp"
#include "frontend/sass/lowering/reconvergence.hpp"
#include "frontend/sass/words/decode.hpp"
#include "ir/sizes.hpp"
#include "support/digits.hpp"
#include "support/sha256.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::frontend {

namespace {

using support::Diagnostic;
using support::Result;

KernelHead head_of(const object::Function& function, const std::string& listing, uint32_t line,
                   const Inquiry& inquiry) {
  KernelHead head{std::string(function.name), bounds_of(function), {}, {}};
  head.at.location = {listing, line, 1};
  const auto known = inquiry.parameters.find(head.name);
  if (known != inquiry.parameters.end() && known->second.size() == function.parameters.size()) {
    head.parameters = known->second;
    return head;
  }
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    head.parameters.push_back(head.name + "_param_" + std::to_string(i));
  }
  return head;
}

// Of all instructions that the kernel may execute, where they stand in their sections, and its parameters.
std::string fingerprint(const std::vector<ir::ListedInstruction>& code,
                        const std::vector<ir::KernelParameter>& parameters) {
  std::string words;
  for (const ir::KernelParameter& parameter : parameters) words += parameter.type + " " + parameter.name + "\n";
  for (const ir::ListedInstruction& instruction : code) {
    words += instruction.function + " " + std::to_string(instruction.offset) + " " +
             support::hexadecimal(instruction.word[1], 16) + support::hexadecimal(instruction.word[0], 16) + "\n";
  }
  return support::sha256(words);
}

ir::KernelCode written_of(const object::Function& function, const KernelHead& head) {
  ir::KernelCode code;
  code.name = function.name;
  code.location = head.at.location;
  code.instructions = static_cast<int64_t>(function.code.size() / sass::word_bytes);
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    const int64_t bytes = function.parameters[i].size;
    const bool whole = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    code.parameters.push_back({head.parameters[i],
                               whole ? "b" + std::to_string(bytes * 8) : "b8[" + std::to_string(bytes) + "]", bytes,
                               whole});
  }
  return code;
}

Diagnostic no_kernel(const std::string& file) {
  Diagnostic error;
  error.location.file = file;
  error.message = "the file has no kernel";
  return error;
}

std::vector<HeaderPlace> headers_of(const ir::Kernel& kernel, const ir::Flow& flow, const sass::Listing& listing) {
  std::map<uint32_t, uint32_t> offsets;
  for (size_t i = 0; i < listing.lines.size(); ++i) offsets[listing.lines[i]] = listing.offsets[i];
  std::vector<HeaderPlace> headers;
  for (const ir::Loop& loop : flow.loops) {
    headers.push_back({loop.line, loop.line, offsets.at(loop.line), {kernel.blocks[loop.header].label}, {}});
  }
  return headers;
}

// What the file states is what runs.
std::optional<Diagnostic> take_registers(const KernelHead& head, std::optional<uint32_t> stated,
                                         const std::string& file, ir::Launch& launch) {
  if (!stated) return std::nullopt;
  if (launch.registers && *launch.registers != *stated) {
    Diagnostic error = head.at;
    error.cause = support::Cause::usage;
    error.message = launch.registers_from + ": kernel " + support::quoted_symbol(head.name) + " has " +
                    std::to_string(*stated) + " registers by " + file + ", not " + std::to_string(*launch.registers);
    error.help = "leave {registers} out: the machine code states them";
    return error;
  }
  launch.registers = *stated;
  launch.registers_from = file;
  return std::nullopt;
}

// Finds the variables of which the launch gives something, and keeps these; they get the names that they have in the
// file. Machine code names those in constant memory, but neither others nor functions.
support::Diagnostics take_names(const KernelHead& head, ir::Launch& launch, sass::Code& code) {
  support::Diagnostics errors;
  std::vector<sass::Code::Variable> named;
  for (ir::Argument& given : launch.globals) {
    const auto is_meant = [&](const sass::Code::Variable& variable) {
      return support::names_symbol(given.parameter, variable.name);
    };
    const auto found = std::find_if(code.variables.begin(), code.variables.end(), is_meant);
    const auto others = std::count_if(code.variables.begin(), code.variables.end(), is_meant);
    if (others == 1) {
      given.parameter = found->name;
      const bool is_new =
          std::none_of(named.begin(), named.end(), [&](const auto& v) { return v.name == found->name; });
      if (is_new) named.push_back(*found);
      continue;
    }
    Diagnostic error = head.at;
    error.cause = support::Cause::usage;
    error.message = "what variable '" + given.parameter + "' holds (" + ir::to_string(given.origin) +
                    ") cannot be given to this machine code: " +
                    (others == 0 ? "no variable in constant memory is called so, and of others it has no names"
                                 : "several in constant memory are called so");
    error.help = "give the PTX, or leave it out and give {loop_bound}";
    errors.push_back(std::move(error));
  }
  code.variables = std::move(named);
  for (const ir::Recursion& given : launch.recursions) {
    Diagnostic error = head.at;
    error.cause = support::Cause::usage;
    error.message = "how deep calls of '" + given.function + "' are nested (" + ir::to_string(given.origin) +
                    ") cannot be known to machine code, which does not name what it calls";
    error.help = "give the PTX, or leave it out";
    errors.push_back(std::move(error));
  }
  return errors;
}

// By instruction of the code: the first of the kernel that is a copy of it, but for those that stand for the arrival of
// lanes elsewhere. before: Reconvergence::add_arrivals; empty: there are none.
std::vector<ir::InstructionId> kernel_instructions(const sass::Code& code, const ir::Kernel& kernel,
                                                   const std::vector<ir::InstructionId>& before) {
  std::map<uint32_t, ir::InstructionId> of_line;
  ir::InstructionId next = 0;  // the others have their order
  for (ir::InstructionId id = 0; id < kernel.instructions.size(); ++id) {
    if (!before.empty() && before[id] != next) continue;
    ++next;
    of_line.emplace(kernel.instructions[id].line, id);
  }
  std::vector<ir::InstructionId> ids;
  for (const uint32_t line : code.listing.lines) {
    const auto found = of_line.find(line);
    ids.push_back(found == of_line.end() ? ir::no_instruction : found->second);
  }
  return ids;
}

// Of a kernel's code only its words are kept until it is executed: a library may have thousands.
std::function<Result<ir::BlockExecution>(const ir::ExecutionOptions&)> execution_of(
    sass::Code code, const AnalyzedKernel& kernel, const std::vector<ir::InstructionId>& before) {
  std::vector<sass::Word> words;
  for (const sass::Instruction& instruction : code.instructions) words.push_back(instruction.word);
  std::vector<ir::InstructionId> ids = kernel_instructions(code, kernel.kernel, before);
  code.instructions = {};
  code.lines = {};
  code.listing = {};
  return [rest = std::move(code), words = std::move(words), ids = std::move(ids),
          launch = kernel.launch](const ir::ExecutionOptions& options) -> Result<ir::BlockExecution> {
    auto whole = std::make_shared<sass::Code>(rest);
    auto instructions = sass::decode(words, rest.architecture, sass::UnknownOpcodes::are_kept);
    if (!instructions) return instructions.errors();
    whole->instructions = std::move(*instructions);
    auto made = execution::Executor::make(whole, ids, launch, options);
    if (!made) return made.errors();
    const std::shared_ptr<execution::Executor> executor = std::move(*made);
    return ir::BlockExecution{
        [executor](int64_t block) { return executor->run(block); },
        [executor](uint64_t first, int64_t count) { return executor->memory().bytes(first, count); },
        executor->arrays()};
  };
}

// What reading a kernel takes besides its code.
struct Beside {
  const PtxTexts& texts;
  std::vector<CubinCode::PtxPlace> places;

  // What the PTX tells of the code's calls; whether it was anything.
  bool narrow(sass::Code& code, const Inquiry& inquiry) const {
    return !inquiry.code_alone && narrow_pointer_calls(code, places, texts, inquiry.ptx);
  }
};

Result<FoundKernel> find_kernel(sass::Code code, const KernelHead& head, const ir::Launch& launch,
                                std::optional<uint32_t> registers, const Inquiry& inquiry, const Beside& beside) {
  FoundKernel found;
  AnalyzedKernel& result = found.analyzed;
  result.launch = launch;
  for (size_t i = 0; i < head.parameters.size(); ++i) code.parameters[i].name = head.parameters[i];
  const bool pointers_are_narrowed = beside.narrow(code, inquiry);
  if (auto errors = take_names(head, result.launch, code); !errors.empty()) return errors;
  if (auto error = take_registers(head, registers, code.file, result.launch)) return *error;
  if (!inquiry.declared_only || has_block(head, launch)) {
    if (auto error = choose_block(head, result)) return *error;
  }
  const auto outside = sass::outside_functions(code);
  if (!outside) return outside.errors();
  auto times = call_times(*outside, launch);
  if (!times) return times.errors();
  code.call_times = std::move(*times);
  if (inquiry.declared_only || inquiry.unbounded_loops) {
    found.lacks_facts = code.call_times.size() < outside->size();
    for (const std::string& function : *outside) code.call_times.try_emplace(function);
  }
  const auto blocks = sass::find_blocks(code);
  if (!blocks) return blocks.errors();
  auto lowered = sass::lower(code, *blocks);
  if (!lowered) return lowered.errors();
  const sass::Reconvergence reconvergence(code, *blocks);
  lowered->program.bodies.front().is_machine_code = true;
  lowered->program.bodies.front().reconvergence_points = reconvergence.points();
  found.file = lowered->program.source;
  std::vector<std::string> sentences;
  std::vector<ir::InstructionId> before;
  if (!inquiry.declared_only) {
    PtxBeside ptx(*lowered, beside.places, head.parameters);
    if (!inquiry.code_alone) ptx.read(beside.texts, result.launch);
    auto facts = lift::find_facts(lowered->program, result.launch, lift::OfUnbounded::all, [&](ir::Flow& flow) {
      sass::add_elections(code, *blocks, flow);
      ptx.add_trips(flow);
    });
    if (!facts) return facts.errors();
    sass::limit_elections(code, *blocks, lowered->program.bodies.front().kernel, *facts);
    result.flow = sass::facts_of_kernel(*lowered, std::move(*facts));
    ptx.add_accesses(result.flow);
    sentences = ptx.sentences();
    found.uses = ptx.uses();
    complete_flow(lowered->kernel, result.flow);
    const auto threads = result.launch.block ? result.launch.block->count().value() : std::nullopt;
    if (threads && *threads % ir::warp_lanes == 0) reconvergence.join_questions(result.flow);
    reconvergence.spread_accesses(lowered->kernel, result.flow);
    before = reconvergence.add_arrivals(lowered->kernel, result.flow);
    std::vector<uint32_t> instructions;
    for (const ir::InstructionId each : before) instructions.push_back(lowered->instructions[each]);
    lowered->instructions = std::move(instructions);
  }
  result.details = sass::machine_details(code, lowered->instructions);
  result.kernel = std::move(lowered->kernel);
  result.assumptions = call_assumptions(*outside, launch);
  result.assumptions.insert(result.assumptions.end(), lowered->assumptions.begin(), lowered->assumptions.end());
  if (pointers_are_narrowed) result.assumptions.emplace_back(pointers_as_in_ptx);
  result.assumptions.insert(result.assumptions.end(), sentences.begin(), sentences.end());
  found.headers = headers_of(result.kernel, result.flow, code.listing);
  result.execution = execution_of(std::move(code), result, before);
  return found;
}

}  // namespace

Reading read_machine_code(const object::Input& input, const std::vector<std::string>& patterns,
                          const ir::Launch& launch, const Inquiry& inquiry) {
  KernelReader reader(inquiry);
  const std::string file(input.name);
  const std::string listing_name = "<machine code of " + file + ">";
  const auto cubin = object::read_cubin(input);
  const auto lines = object::read_lines(input);
  if (!cubin || !lines) {
    reader.reading.errors = cubin ? lines.errors() : cubin.errors();
    return std::move(reader.reading);
  }
  std::vector<size_t> kernels;
  for (size_t i = 0; i < cubin->functions.size(); ++i) {
    const object::Function& function = cubin->functions[i];
    if (!function.entry) continue;
    reader.reading.names.emplace_back(function.name);
    if (support::is_chosen(patterns, std::string(function.name))) kernels.push_back(i);
  }
  if (reader.reading.names.empty()) reader.reading.errors.push_back(no_kernel(file));
  const auto unknown = inquiry.unknown_opcodes ? sass::UnknownOpcodes::are_kept : sass::UnknownOpcodes::are_errors;
  auto code = CubinCode::decode(*cubin, kernels, listing_name, unknown);
  if (!code && kernels.size() > 1) {  // others than those with unknown instructions can be read
    std::erase_if(kernels, [&](size_t kernel) {
      const auto alone = CubinCode::decode(*cubin, {kernel}, listing_name, unknown);
      if (!alone) reader.refuse(std::string(cubin->functions[kernel].name), alone.errors());
      return !alone;
    });
    code = CubinCode::decode(*cubin, kernels, listing_name, unknown);
  }
  if (!code) {
    reader.reading.errors = code.errors();
    return std::move(reader.reading);
  }
  const PtxTexts texts(*lines, file);
  std::vector<KernelHead> heads;
  for (const size_t kernel : kernels) {
    heads.push_back(head_of(cubin->functions[kernel], listing_name, code->first_line(kernel), inquiry));
  }
  if (!kernels.empty()) reader.reading.listing = code->listing();
  std::vector<KernelSource> sources;
  for (size_t i = 0; i < kernels.size(); ++i) {
    sources.push_back({heads[i].name, heads[i].at.location, launch_of(heads[i], heads, launch),
                       [&, i](const ir::Launch&) -> Result<ir::KernelCode> {
                         ir::KernelCode written = written_of(cubin->functions[kernels[i]], heads[i]);
                         sass::Code own = code->code_of(kernels[i], *lines, file);
                         if (!own.pointer_calls.empty())
                           Beside{texts, code->ptx_places(kernels[i], *lines)}.narrow(own, inquiry);
                         const auto outside = sass::outside_functions(own);
                         if (outside) written.external_functions = *outside;
                         if (inquiry.fingerprints) {
                           written.sha256 = fingerprint(code->listed(kernels[i], *lines), written.parameters);
                         }
                         return written;
                       },
                       [&, i](const ir::Launch& own) -> Result<FoundKernel> {
                         auto found = find_kernel(code->code_of(kernels[i], *lines, file), heads[i], own,
                                                  code->registers_of(kernels[i]), inquiry,
                                                  {texts, code->ptx_places(kernels[i], *lines)});
                         if (found) found->analyzed.listing = code->listed(kernels[i], *lines);
                         return found;
                       }});
  }
  reader.read(sources, [](size_t, const ir::KernelCode&) {});
  return std::move(reader.reading);
}

}  // namespace warpspan::frontend
