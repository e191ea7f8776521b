#include "frontend/machine_code.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "frontend/kernel_launch.hpp"
#include "frontend/kernel_reader.hpp"
#include "frontend/lift/flow_facts.hpp"
#include "frontend/object/cubin.hpp"
#include "frontend/object/lines.hpp"
#include "frontend/sass/control_flow.hpp"
#include "frontend/sass/decode.hpp"
#include "frontend/sass/lower.hpp"
#include "frontend/sass/print.hpp"
#include "frontend/sass/reconvergence.hpp"
#include "support/digits.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::frontend {

namespace {

using support::Diagnostic;
using support::Result;

constexpr uint32_t first_with_reserved_shared = 90;
constexpr int64_t reserved_shared_bytes = 1024;  // ptxas counts them from sm_90 on (docs/containers.md)

ir::Extent extent_of(const std::optional<std::array<uint32_t, 3>>& threads) {
  if (!threads) return {0, 0, 0};
  return {(*threads)[0], (*threads)[1], (*threads)[2]};
}

ir::LaunchBounds bounds_of(const object::Function& function) {
  ir::LaunchBounds bounds;
  bounds.required = extent_of(function.required_threads);
  bounds.maximum = extent_of(function.max_threads);
  return bounds;
}

// Without what the system takes.
int64_t shared_bytes(const object::Cubin& cubin, const object::Function& function) {
  const auto bytes = static_cast<int64_t>(function.shared_bytes);
  const bool reserved = cubin.architecture.number >= first_with_reserved_shared && bytes >= reserved_shared_bytes;
  return bytes - (reserved ? reserved_shared_bytes : 0);
}

void add_lines(const object::Lines& lines, const object::Function& function, sass::Code& code) {
  if (lines.source.functions.empty()) return;
  for (const object::FileName& file : lines.source.files) {
    const std::string folder = file.directory.empty() ? "" : std::string(file.directory) + "/";
    code.source_files.push_back(folder + std::string(file.name));
  }
  code.lines.resize(code.instructions.size());
  for (size_t i = 0; i < code.instructions.size(); ++i) {
    const uint64_t offset = code.instructions[i].offset;
    const object::FunctionLines* own = lines.source.find(function.section, offset);
    const object::LineRow* row = own == nullptr ? nullptr : own->row_at(offset);
    const bool known = row != nullptr && row->file < code.source_files.size();
    if (known) code.lines[i] = {static_cast<uint16_t>(row->file), row->line};
  }
}

// What reports show of the code. ptx: of the function's section.
std::vector<ir::ListedInstruction> listed(const sass::Code& code, const object::LineTable& ptx, uint32_t section) {
  std::vector<ir::ListedInstruction> all;
  for (size_t i = 0; i < code.instructions.size(); ++i) {
    const sass::Instruction& instruction = code.instructions[i];
    ir::ListedInstruction entry{code.listing.first_line + static_cast<uint32_t>(i), instruction.offset,
                                sass::to_string(instruction), sass::control_text(instruction)};
    if (!code.lines.empty() && code.lines[i].line > 0) {
      entry.source_file = code.source_files[code.lines[i].file];
      entry.source_line = code.lines[i].line;
    }
    const object::FunctionLines* own = ptx.find(section, instruction.offset);
    const object::LineRow* row = own == nullptr ? nullptr : own->row_at(instruction.offset);
    if (row != nullptr) entry.ptx_line = row->line;
    all.push_back(std::move(entry));
  }
  return all;
}

struct Decoded {
  std::vector<sass::Instruction> instructions;
  sass::Listing listing;
};

// By function. Errors: instructions that are not known, or an architecture that is not.
Result<std::vector<Decoded>> decode(const std::string& name, const object::Cubin& cubin,
                                    const std::vector<const object::Function*>& kernels, sass::UnknownOpcodes unknown) {
  std::vector<Decoded> all;
  std::string text;
  uint32_t line = 1;
  for (const object::Function* function : kernels) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(function->code.data());
    auto instructions =
        sass::decode_bytes({bytes, function->code.size()}, static_cast<int>(cubin.architecture.number), unknown);
    if (!instructions) return instructions.errors();
    Decoded decoded{std::move(*instructions), {nullptr, line, {}}};
    for (const sass::Instruction& instruction : decoded.instructions) {
      decoded.listing.offsets.push_back(static_cast<uint32_t>(text.size()));
      text += "/*" + support::hexadecimal(instruction.offset, 4) + "*/ " + sass::to_string(instruction) + "\n";
      ++line;
    }
    all.push_back(std::move(decoded));
  }
  const auto source = std::make_shared<support::SourceFile>(name, std::move(text));
  for (Decoded& decoded : all) decoded.listing.source = source;
  return all;
}

sass::Code code_of(const std::string& file, const object::Cubin& cubin, const object::Lines& lines,
                   const object::Function& function, const Decoded& decoded) {
  sass::Code code;
  code.file = file;
  code.name = function.name;
  code.architecture = static_cast<int>(cubin.architecture.number);
  code.instructions = decoded.instructions;
  code.listing = decoded.listing;
  for (const object::IndirectBranch& branch : function.indirect_branches) {
    code.indirect_branches.push_back({branch.offset, {branch.targets.begin(), branch.targets.end()}});
  }
  const int64_t area = function.parameter_area ? function.parameter_area->offset : 0;
  for (const object::Parameter& parameter : function.parameters) {
    code.parameters.push_back({area + parameter.offset, parameter.size});
  }
  code.parameter_bytes = function.parameter_area ? function.parameter_area->size : 0;
  code.launch_bounds = bounds_of(function);
  code.shared_bytes = shared_bytes(cubin, function);
  code.barriers = function.barriers.value_or(0);
  add_lines(lines, function, code);
  return code;
}

KernelHead head_of(const object::Function& function, const sass::Listing& listing) {
  KernelHead head{std::string(function.name), bounds_of(function), {}, {}};
  head.at.location = {listing.source->name(), listing.first_line, 1};
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    head.parameters.push_back(head.name + "_param_" + std::to_string(i));
  }
  return head;
}

ir::KernelCode written_of(const object::Function& function, const support::Location& at) {
  ir::KernelCode code;
  code.name = function.name;
  code.location = at;
  code.instructions = static_cast<int64_t>(function.code.size() / sass::word_bytes);
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    const int64_t bytes = function.parameters[i].size;
    const bool whole = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    code.parameters.push_back({code.name + "_param_" + std::to_string(i),
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
  std::vector<HeaderPlace> headers;
  for (const ir::Loop& loop : flow.loops) {
    const uint32_t offset = listing.offsets[loop.line - listing.first_line];
    headers.push_back({loop.line, loop.line, offset, {kernel.blocks[loop.header].label}});
  }
  return headers;
}

Result<FoundKernel> find_kernel(const sass::Code& code, const KernelHead& head, const ir::Launch& launch,
                                std::optional<uint32_t> registers, bool declared_only) {
  FoundKernel found;
  AnalyzedKernel& result = found.analyzed;
  result.launch = launch;
  if (!result.launch.registers && registers) {
    result.launch.registers = *registers;
    result.launch.registers_from = code.file;
  }
  if (auto error = choose_block(head, result)) return *error;
  const auto blocks = sass::find_blocks(code);
  if (!blocks) return blocks.errors();
  auto lowered = sass::lower(code, *blocks);
  if (!lowered) return lowered.errors();
  const sass::Reconvergence reconvergence(code, *blocks);
  lowered->program.bodies.front().joins = reconvergence.joins();
  found.file = lowered->program.source;
  if (!declared_only) {
    auto facts = lift::find_facts(lowered->program, result.launch);
    if (!facts) return facts.errors();
    result.flow = sass::facts_of_kernel(*lowered, std::move(*facts));
    complete_flow(lowered->kernel, result.flow);
    reconvergence.spread_accesses(lowered->kernel, result.flow);
    reconvergence.add_arrivals(lowered->kernel, result.flow);
  }
  result.kernel = std::move(lowered->kernel);
  result.assumptions = std::move(lowered->assumptions);
  found.headers = headers_of(result.kernel, result.flow, code.listing);
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
  std::vector<const object::Function*> kernels;
  for (const object::Function& function : cubin->functions) {
    if (!function.entry) continue;
    reader.reading.names.emplace_back(function.name);
    if (!support::is_chosen(patterns, std::string(function.name))) continue;
    kernels.push_back(&function);
  }
  if (reader.reading.names.empty()) reader.reading.errors.push_back(no_kernel(file));
  const auto unknown = inquiry.unknown_opcodes ? sass::UnknownOpcodes::are_kept : sass::UnknownOpcodes::are_errors;
  const auto decoded = decode(listing_name, *cubin, kernels, unknown);
  if (!decoded) {
    reader.reading.errors = decoded.errors();
    return std::move(reader.reading);
  }
  std::vector<KernelHead> heads;
  for (size_t i = 0; i < kernels.size(); ++i) heads.push_back(head_of(*kernels[i], (*decoded)[i].listing));
  if (!decoded->empty()) reader.reading.listing = decoded->front().listing.source;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const object::Function& function = *kernels[i];
    const OwnLaunch own = launch_of(heads[i], heads, launch);
    reader.read({heads[i].name, heads[i].at.location,
                 [&]() -> Result<ir::KernelCode> { return written_of(function, heads[i].at.location); },
                 [&]() -> Result<FoundKernel> {
                   const sass::Code code = code_of(file, *cubin, *lines, function, (*decoded)[i]);
                   auto found = find_kernel(code, heads[i], own.launch, function.registers, inquiry.declared_only);
                   if (found) found->analyzed.listing = listed(code, lines->ptx, function.section);
                   return found;
                 }},
                own);
  }
  return std::move(reader.reading);
}

}  // namespace warpspan::frontend
