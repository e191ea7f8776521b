// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/reading/cubin_code.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "frontend/object/bytes.hpp"
#include "frontend/sass/lowering/outside_calls.hpp"
#include "frontend/sass/words/decode.hpp"
#include "frontend/sass/words/print.hpp"
#include "frontend/sass/words/spelling.hpp"
#include "support/digits.hpp"
#include "support/source_file.hpp"

namespace warpspan::frontend {

namespace {

using Reference = sass::Code::Reference;
using support::Result;

ir::Extent extent_of(const std::optional<std::array<uint32_t, 3>>& threads) {
  if (!threads) return {0, 0, 0};
  return {(*threads)[0], (*threads)[1], (*threads)[2]};
}

// These and the functions that relocations of their code, and of those, name.
std::vector<size_t> with_callees(const object::Cubin& cubin, std::vector<size_t> functions) {
  std::set<size_t> known(functions.begin(), functions.end());
  for (size_t i = 0; i < functions.size(); ++i) {
    for (const object::Relocation& relocation : cubin.functions[functions[i]].relocations) {
      if (relocation.function && known.insert(*relocation.function).second) functions.push_back(*relocation.function);
    }
  }
  return functions;
}

// Linked files may have several functions of one name.
std::string section_name(const object::Cubin& cubin, size_t function) {
  const std::string name(cubin.functions[function].name);
  const auto of_that_name = [&name](const object::Function& other) { return other.name == name; };
  const auto count = std::count_if(cubin.functions.begin(), cubin.functions.end(), of_that_name);
  return count > 1 ? name + "#" + std::to_string(cubin.functions[function].section) : name;
}

Reference::Kind kind_of(const object::Relocation& relocation) {
  switch (relocation.type) {
    case object::relocation::low_half: return Reference::Kind::low_half;
    case object::relocation::high_half: return Reference::Kind::high_half;
    case object::relocation::call:
    case object::relocation::late_call: return Reference::Kind::call;
    default: return Reference::Kind::unknown;
  }
}

// The bank that the assembler puts constants into of its own, which no program can name.
constexpr uint32_t own_constants = 2;

void add_own_constants(const object::ConstantBank& bank, sass::Code& code) {
  constexpr size_t word = 4, address = 8;
  for (size_t at = 0; at + word <= bank.bytes.size(); at += word) {
    uint32_t value = 0;
    for (size_t i = word; i-- > 0;) value = value << 8 | static_cast<uint8_t>(bank.bytes[at + i]);
    const auto is_filled_in = [at](const object::Relocation& relocation) {
      return relocation.offset < at + word && at < relocation.offset + address;
    };
    if (std::none_of(bank.relocations.begin(), bank.relocations.end(), is_filled_in)) {
      code.own_constants[{bank.bank, static_cast<int64_t>(at)}] = value;
    }
  }
}

// A call of the first forms has its addend in the word, where ptxas leaves 0.
bool has_no_target(const sass::Instruction& call) {
  constexpr uint64_t target_of_high = 0x1ffff;
  return call.mnemonic() == "CALL.ABS" && call.word.low >> 16 == 0 && (call.word.high & target_of_high) == 0;
}

// nullptr if the table does not say it.
const object::LineRow* row_of(const object::LineTable& table, const object::Function& function, uint64_t offset) {
  const object::FunctionLines* own = table.find(function.section, offset);
  const object::LineRow* row = own == nullptr ? nullptr : own->row_at(offset);
  return row != nullptr && row->file < table.files.size() ? row : nullptr;
}

std::string path_of(const object::FileName& file) {
  return (file.directory.empty() ? "" : std::string(file.directory) + "/") + std::string(file.name);
}

// The calls that the code of a row was inlined for, the innermost first: each is of a row before it.
std::vector<ir::SourceLine> calls_of(const object::LineTable& table, const object::Function& function,
                                     uint64_t offset) {
  std::vector<ir::SourceLine> calls;
  const object::FunctionLines* own = table.find(function.section, offset);
  const object::LineRow* row = own == nullptr ? nullptr : own->row_at(offset);
  while (row != nullptr && row->inlined_at) {
    const object::LineRow* outer = &own->rows[*row->inlined_at];
    if (outer >= row) break;
    row = outer;
    if (row->file < table.files.size() && row->line > 0) calls.push_back({path_of(table.files[row->file]), row->line});
  }
  return calls;
}

// ptxas calls the copy of a function that stands in the section of a kernel $kernel$function.
std::string name_in_ptx(std::string_view symbol, std::string_view kernel) {
  const std::string prefix = "$" + std::string(kernel) + "$";
  return symbol.starts_with(prefix) ? std::string(symbol.substr(prefix.size())) : std::string();
}

void add_source_lines(const object::Lines& lines, const object::Function& function, uint32_t first, sass::Code& code) {
  if (lines.source.functions.empty()) return;
  code.lines.resize(code.instructions.size());
  for (size_t i = first; i < code.instructions.size(); ++i) {
    const object::LineRow* row = row_of(lines.source, function, (i - first) * sass::word_bytes);
    if (row != nullptr) code.lines[i] = {static_cast<uint16_t>(row->file), row->line};
  }
}

}  // namespace

ir::LaunchBounds bounds_of(const object::Function& function) {
  ir::LaunchBounds bounds;
  bounds.required = extent_of(function.required_threads);
  bounds.maximum = extent_of(function.max_threads);
  bounds.cluster = extent_of(function.cluster_blocks);
  bounds.in_clusters = function.blocks_are_clusters;
  bounds.clusters = function.explicit_cluster || bounds.cluster.x > 1 || bounds.cluster.y > 1 || bounds.cluster.z > 1;
  return bounds;
}

Result<CubinCode> CubinCode::decode(const object::Cubin& cubin, const std::vector<size_t>& kernels,
                                    const std::string& listing_name, sass::UnknownOpcodes unknown) {
  CubinCode made(cubin);
  for (const object::ConstantBank& bank : cubin.constants) {
    if (!bank.function) made.module_banks_.emplace(bank.bank, std::make_shared<const std::string>(bank.bytes));
  }
  std::string text;
  uint32_t line = 1;
  for (const size_t index : with_callees(cubin, kernels)) {
    const object::Function& function = cubin.functions[index];
    const auto* bytes = reinterpret_cast<const uint8_t*>(function.code.data());
    auto instructions =
        sass::decode_bytes({bytes, function.code.size()}, static_cast<int>(cubin.architecture.number), unknown);
    if (!instructions) return instructions.errors();
    const bool is_kernel = std::find(kernels.begin(), kernels.end(), index) != kernels.end();
    const std::string before = is_kernel ? "" : section_name(cubin, index) + "+";
    Decoded decoded{std::move(*instructions), line, {}};
    for (const sass::Instruction& instruction : decoded.instructions) {
      decoded.text_offsets.push_back(static_cast<uint32_t>(text.size()));
      text += "/*" + before + support::hexadecimal(instruction.offset, 4) + "*/ " +
              sass::spelled(instruction, static_cast<int>(cubin.architecture.number)) + "\n";
      ++line;
    }
    made.decoded_.emplace(index, std::move(decoded));
  }
  made.listing_ = std::make_shared<support::SourceFile>(listing_name, std::move(text));
  return made;
}

std::optional<uint32_t> CubinCode::registers_of(size_t kernel) const {
  uint32_t most = 0;
  for (const size_t each : with_callees(*cubin_, {kernel})) {
    const auto& registers = cubin_->functions[each].registers;
    if (!registers) return std::nullopt;
    most = std::max(most, *registers);
  }
  return most;
}

void CubinCode::add_section(size_t function, const object::Lines& lines, sass::Code& code) const {
  const object::Function& from = cubin_->functions[function];
  const Decoded& decoded = decoded_.at(function);
  const auto first = static_cast<uint32_t>(code.instructions.size());
  const uint64_t shift = first * sass::word_bytes;
  code.sections.push_back({section_name(*cubin_, function), first, static_cast<uint32_t>(decoded.instructions.size())});
  for (sass::Instruction instruction : decoded.instructions) {
    instruction.offset += shift;
    for (size_t i = 0; i < instruction.operand_count; ++i) {
      sass::Operand& operand = instruction.operand_values[i];
      if (operand.kind == sass::OperandKind::label) operand.value += static_cast<int64_t>(shift);
    }
    code.instructions.push_back(instruction);
  }
  for (size_t i = 0; i < decoded.text_offsets.size(); ++i) {
    code.listing.lines.push_back(decoded.first_line + static_cast<uint32_t>(i));
    code.listing.offsets.push_back(decoded.text_offsets[i]);
  }
  for (const object::IndirectBranch& branch : from.indirect_branches) {
    code.indirect_branches.push_back({branch.offset + shift, {}});
    for (const uint32_t target : branch.targets) code.indirect_branches.back().targets.push_back(target + shift);
  }
  code.barriers = std::max<int64_t>(code.barriers, from.barriers.value_or(0));
  add_source_lines(lines, from, first, code);
}

// `begins`: by function, its first instruction. What is not understood stays unknown, and so does what is filled in
// twice.
void CubinCode::add_references(size_t function, const std::map<size_t, uint32_t>& begins, sass::Code& code) const {
  const uint32_t first = begins.at(function);
  const size_t own = decoded_.at(function).instructions.size();
  for (const object::Relocation& relocation : cubin_->functions[function].relocations) {
    const uint64_t place = relocation.offset / sass::word_bytes;
    if (place >= own) continue;
    const uint32_t index = first + static_cast<uint32_t>(place);
    const auto [made, fresh] = code.references.emplace(index, Reference{});
    if (!fresh) {
      made->second = {};
      continue;
    }
    const Reference::Kind kind = kind_of(relocation);
    const bool is_call = kind == Reference::Kind::call;
    if (is_call && !relocation.function && !relocation.symbol.empty()) code.outside_calls[index] = relocation.symbol;
    if (!relocation.function || relocation.offset % sass::word_bytes != 0) continue;
    if (is_call ? !has_no_target(code.instructions[index]) : !relocation.addend) continue;
    const uint64_t target = relocation.value + static_cast<uint64_t>(relocation.addend.value_or(0));
    const uint64_t number = target / sass::word_bytes;
    if (target % sass::word_bytes != 0 || number >= decoded_.at(*relocation.function).instructions.size()) continue;
    made->second = {kind, begins.at(*relocation.function) + static_cast<uint32_t>(number)};
  }
}

// In constants of the module and of these functions: of variables in global memory, and of what does not stand in the
// file.
void CubinCode::add_addresses(const std::vector<size_t>& functions, sass::Code& code) const {
  for (const object::ConstantBank& bank : cubin_->constants) {
    const bool is_of_module = bank.name.empty();
    const bool is_own =
        bank.function && std::find(functions.begin(), functions.end(), *bank.function) != functions.end();
    if (!is_of_module && !is_own) continue;
    for (const object::Relocation& relocation : bank.relocations) {
      const bool is_plain = relocation.type == object::relocation::whole && relocation.addend.value_or(0) == 0;
      if (!is_plain || relocation.function || relocation.symbol.empty()) continue;
      const std::pair<int64_t, int64_t> place = {bank.bank, static_cast<int64_t>(relocation.offset)};
      if (relocation.variable) code.variable_addresses[place] = static_cast<uint32_t>(*relocation.variable);
      code.function_addresses[place] = relocation.symbol;
    }
  }
}

// Each word of the kernel's constant bank 2 that is the offset of a function.
void CubinCode::add_pointed_functions(size_t kernel, sass::Code& code) const {
  constexpr uint32_t bank_of_pointers = 2;
  constexpr size_t word = 4;
  std::set<uint64_t> offsets;
  for (const object::ConstantBank& bank : cubin_->constants) {
    if (bank.bank != bank_of_pointers || bank.function != kernel || !bank.relocations.empty()) continue;
    for (size_t at = 0; at + 2 * word <= bank.bytes.size(); at += word) {
      offsets.insert(object::Cursor(bank.bytes, at).u64());
    }
  }
  for (const object::Subroutine& subroutine : cubin_->functions[kernel].subroutines) {
    if (subroutine.begin % sass::word_bytes != 0 || !offsets.contains(subroutine.begin)) continue;
    code.pointed_functions.push_back({static_cast<uint32_t>(subroutine.begin / sass::word_bytes),
                                      name_in_ptx(subroutine.name, cubin_->functions[kernel].name)});
  }
}

sass::Code CubinCode::code_of(size_t kernel, const object::Lines& lines, const std::string& file) const {
  const object::Function& function = cubin_->functions[kernel];
  sass::Code code;
  code.file = file;
  code.name = function.name;
  code.architecture = static_cast<int>(cubin_->architecture.number);
  code.listing.source = listing_;
  for (const object::FileName& name : lines.source.files) code.source_files.push_back(path_of(name));
  const std::vector<size_t> functions = with_callees(*cubin_, {kernel});
  std::map<size_t, uint32_t> begins;
  for (const size_t each : functions) {
    begins[each] = static_cast<uint32_t>(code.instructions.size());
    add_section(each, lines, code);
  }
  for (const size_t each : functions) add_references(each, begins, code);
  add_addresses(functions, code);
  add_pointed_functions(kernel, code);
  sass::find_outside_calls(code);
  const int64_t area = function.parameter_area ? function.parameter_area->offset : 0;
  for (const object::Parameter& parameter : function.parameters) {
    code.parameters.push_back({area + parameter.offset, parameter.size});
  }
  code.parameter_bytes = function.parameter_area ? function.parameter_area->size : 0;
  for (const object::ConstantBank& bank : cubin_->constants) {
    if (bank.function && *bank.function != kernel) continue;
    code.constant_bytes[bank.bank] += static_cast<int64_t>(bank.bytes.size());
    if (bank.bank == 0) continue;  // what is in it comes with the launch
    code.constants[bank.bank] =
        bank.function ? std::make_shared<const std::string>(bank.bytes) : module_banks_.at(bank.bank);
    if (bank.bank == own_constants && bank.function && functions.size() == 1) add_own_constants(bank, code);
  }
  for (const object::ConstantVariable& variable : cubin_->constant_variables) {
    code.variables.push_back({std::string(variable.name), variable.bank, static_cast<int64_t>(variable.offset),
                              static_cast<int64_t>(variable.bytes)});
  }
  for (const object::GlobalVariable& variable : cubin_->global_variables) {
    code.global_variables.push_back({std::string(variable.name), static_cast<int64_t>(variable.bytes)});
  }
  code.launch_bounds = bounds_of(function);
  code.shared_bytes = object::own_shared_bytes(*cubin_, function);
  return code;
}

std::vector<CubinCode::PtxPlace> CubinCode::ptx_places(size_t kernel, const object::Lines& lines) const {
  std::vector<PtxPlace> places;
  for (const size_t index : with_callees(*cubin_, {kernel})) {
    for (const sass::Instruction& instruction : decoded_.at(index).instructions) {
      const object::LineRow* row = row_of(lines.ptx, cubin_->functions[index], instruction.offset);
      places.push_back(row == nullptr ? PtxPlace{} : PtxPlace{row->file, row->line});
    }
  }
  return places;
}

std::vector<ir::ListedInstruction> CubinCode::listed(size_t kernel, const object::Lines& lines) const {
  std::vector<ir::ListedInstruction> all;
  for (const size_t index : with_callees(*cubin_, {kernel})) {
    const object::Function& function = cubin_->functions[index];
    const std::string name = section_name(*cubin_, index);
    uint32_t line = decoded_.at(index).first_line;
    for (const sass::Instruction& instruction : decoded_.at(index).instructions) {
      ir::ListedInstruction entry;
      entry.line = line++;
      entry.function = name;
      entry.offset = instruction.offset;
      entry.text = sass::spelled(instruction, static_cast<int>(cubin_->architecture.number));
      entry.word = {instruction.word.low, instruction.word.high};
      entry.control = sass::control_text(instruction);
      entry.waits = sass::wait_text(instruction);
      if (const object::LineRow* row = row_of(lines.source, function, instruction.offset); row != nullptr) {
        entry.source_file = path_of(lines.source.files[row->file]);
        entry.source_line = row->line;
        entry.calls = calls_of(lines.source, function, instruction.offset);
      }
      const object::LineRow* ptx = row_of(lines.ptx, function, instruction.offset);
      if (ptx != nullptr) entry.ptx_line = ptx->line;
      all.push_back(std::move(entry));
    }
  }
  return all;
}

}  // namespace warpspan::frontend
