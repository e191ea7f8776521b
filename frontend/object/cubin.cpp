// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/cubin.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "frontend/object/elf.hpp"
#include "frontend/object/function_attributes.hpp"

namespace warpspan::object {

namespace {

using support::Diagnostic;
using support::Result;

constexpr std::string_view code_prefix = ".text.", attributes_prefix = ".nv.info.", shared_prefix = ".nv.shared.",
                           constant_prefix = ".nv.constant";
constexpr size_t nowhere = ~size_t{0};

// What follows the prefix; nothing if the name does not begin with it.
std::optional<std::string_view> after(std::string_view name, std::string_view prefix) {
  if (name.substr(0, prefix.size()) != prefix) return {};
  return name.substr(prefix.size());
}

// "2" and "K" of ".nv.constant2.K"; nothing for other names.
std::optional<ConstantBank> bank_of(std::string_view name) {
  const auto rest = after(name, constant_prefix);
  if (!rest) return {};
  ConstantBank bank;
  const char* const end = rest->data() + rest->size();
  const auto number = std::from_chars(rest->data(), end, bank.bank);
  if (number.ec != std::errc() || (number.ptr != end && *number.ptr != '.')) return {};
  if (number.ptr != end) bank.name = rest->substr(static_cast<size_t>(number.ptr - rest->data()) + 1);
  return bank;
}

// Reads one cubin, step by step; each step returns what is wrong, if something is.
class Reader {
 public:
  Reader(const Input& input, const ElfFile& elf)
      : input_(input),
        elf_(elf),
        allowance_(input.bytes.size()),
        function_of_section_(elf.sections.size(), nowhere),
        bank_of_section_(elf.sections.size(), nowhere) {}

  Result<Cubin> read() {
    cubin_.architecture = architecture_of(elf_);
    cubin_.abi_version = elf_.abi_version;
    cubin_.relocatable = elf_.type == relocatable_file;
    for (const auto step : {&Reader::read_code, &Reader::read_all_symbols, &Reader::read_belongings,
                            &Reader::read_module, &Reader::read_relocations}) {
      if (auto error = (this->*step)()) return *error;
    }
    find_constant_variables();
    for (Function& function : cubin_.functions) complete(function);
    return std::move(cubin_);
  }

 private:
  uint64_t offset_of(const Section& section) const { return offset_in(input_.bytes, section.bytes); }

  std::optional<Diagnostic> read_code() {
    for (size_t i = 0; i < elf_.sections.size(); ++i) {
      const Section& section = elf_.sections[i];
      const auto name = after(section.name, code_prefix);
      if (!name) continue;
      Function function;
      function.name = *name;
      function.section = static_cast<uint32_t>(i);
      function.code = section.bytes;
      function.code_offset = offset_of(section);
      if (!is_whole(section)) return not_whole(section);
      const auto [named, first] = function_named_.emplace(*name, cubin_.functions.size());
      if (!first) named->second = nowhere;
      function_of_section_[i] = cubin_.functions.size();
      section_of_function_.push_back(&section);
      cubin_.functions.push_back(std::move(function));
    }
    return {};
  }

  std::optional<Diagnostic> read_all_symbols() {
    Result<std::vector<Symbol>> symbols = read_symbols(input_, elf_, allowance_);
    if (!symbols) return symbols.errors().front();
    symbols_ = std::move(*symbols);
    subroutine_of_symbol_.assign(symbols_.size(), nowhere);
    for (size_t i = 0; i < symbols_.size(); ++i) {
      Function* const function = function_with(symbols_[i]);
      if (function == nullptr || symbols_[i].type != symbol_of_function) continue;
      if (auto error = add_symbol(i, *function)) return error;
    }
    return {};
  }

  std::optional<Diagnostic> add_symbol(size_t index, Function& function) {
    const Symbol& symbol = symbols_[index];
    if (!within(symbol.value, symbol.size, function.code.size())) {
      return broken(input_, function.code_offset,
                    "the symbol '" + std::string(symbol.name) + "' reaches out of its section");
    }
    if (symbol.name == function.name) {
      function.entry = function.entry || (symbol.other & symbol_of_entry) != 0;
    } else {
      subroutine_of_symbol_[index] = function.subroutines.size();
      function.subroutines.push_back({symbol.name, symbol.value, symbol.value + symbol.size, {}});
    }
    return {};
  }

  // The function in whose section a symbol is; null if it is in none.
  Function* function_with(const Symbol& symbol) {
    if (symbol.section >= function_of_section_.size()) return nullptr;
    const size_t function = function_of_section_[symbol.section];
    return function == nowhere ? nullptr : &cubin_.functions[function];
  }

  // Attributes, constant banks and shared memory.
  std::optional<Diagnostic> read_belongings() {
    for (size_t i = 0; i < elf_.sections.size(); ++i) {
      const Section& section = elf_.sections[i];
      if (auto bank = bank_of(section.name)) {
        if (!is_whole(section)) return not_whole(section);
        bank->bytes = section.bytes;
        const size_t function = owner_of(section, bank->name);
        if (function != nowhere) bank->function = function;
        bank_of_section_[i] = cubin_.constants.size();
        cubin_.constants.push_back(std::move(*bank));
      } else if (const auto name = after(section.name, attributes_prefix)) {
        const size_t function = owner_of(section, *name);
        if (function == nowhere) continue;
        if (!is_whole(section)) return not_whole(section);
        if (!allowance_.take(section.bytes.size())) return overlapping(section);
        if (auto error = read_function_attributes(input_, section.bytes, cubin_.functions[function])) return error;
      } else if (const auto owner = after(section.name, shared_prefix)) {
        const size_t function = owner_of(section, *owner);
        if (function == nowhere) continue;
        uint64_t& bytes = cubin_.functions[function].shared_bytes;
        bytes = std::max(bytes, section.size);
      }
    }
    return {};
  }

  void find_constant_variables() {
    for (const Symbol& symbol : symbols_) {
      if (symbol.type != symbol_of_variable || symbol.section >= bank_of_section_.size()) continue;
      const size_t index = bank_of_section_[symbol.section];
      if (index == nowhere || !cubin_.constants[index].name.empty()) continue;
      const ConstantBank& bank = cubin_.constants[index];
      if (!within(symbol.value, symbol.size, bank.bytes.size())) continue;
      cubin_.constant_variables.push_back({symbol.name, bank.bank, symbol.value, symbol.size});
    }
  }

  // The function that a section belongs to, by a name that stands in its own: the one that its header names, or else
  // the only one of the name.
  size_t owner_of(const Section& section, std::string_view name) const {
    if (section.info < function_of_section_.size()) {
      const size_t function = function_of_section_[section.info];
      if (function != nowhere && cubin_.functions[function].name == name) return function;
    }
    const auto found = function_named_.find(name);
    return found == function_named_.end() ? nowhere : found->second;
  }

  Diagnostic not_whole(const Section& section) const {
    return broken(input_, section.offset, "the section '" + std::string(section.name) + "' has no bytes in the file");
  }

  Diagnostic overlapping(const Section& section) const {
    return broken(input_, offset_of(section), "sections overlap: '" + std::string(section.name) + "' with others");
  }

  std::optional<Diagnostic> read_module() {
    const Section* const section = elf_.find(".nv.info");
    if (section == nullptr) return {};
    if (!is_whole(*section)) return not_whole(*section);
    if (!allowance_.take(section->bytes.size())) return overlapping(*section);
    const auto owner_of_symbol = [this](uint32_t symbol) -> std::optional<Owner> {
      if (symbol >= symbols_.size()) return {};
      Owner owner;
      owner.function = function_with(symbols_[symbol]);
      const size_t subroutine = subroutine_of_symbol_[symbol];
      if (subroutine != nowhere) owner.subroutine = &owner.function->subroutines[subroutine];
      return owner;
    };
    return read_module_attributes(input_, section->bytes, owner_of_symbol, cubin_);
  }

  std::optional<Diagnostic> read_relocations() {
    for (const Section& section : elf_.sections) {
      const bool addends = section.type == section_holds_references_with_addends;
      if (!addends && section.type != section_holds_references) continue;
      if (section.info >= elf_.sections.size()) {
        return broken(input_, offset_of(section), "relocations are for a section that does not exist");
      }
      std::vector<Relocation>* const relocations = relocations_of(section.info);
      if (relocations == nullptr) continue;
      Result<std::vector<SymbolReference>> references = read_references(input_, section, symbols_.size(), allowance_);
      if (!references) return references.errors().front();
      const uint64_t size = elf_.sections[section.info].bytes.size();
      for (const SymbolReference& reference : *references) {
        if (reference.offset >= size) {
          return broken(input_, offset_of(section), "a relocation is for a place outside of its section");
        }
        const Symbol& symbol = symbols_[reference.symbol];
        Relocation made{reference.offset, reference.type, symbol.name, {}, {}, symbol.value, {}};
        if (addends) made.addend = reference.addend;
        if (symbol.section < function_of_section_.size() && function_of_section_[symbol.section] != nowhere) {
          made.function = function_of_section_[symbol.section];
        }
        made.variable = global_variable(reference.symbol);
        relocations->push_back(made);
      }
    }
    return {};
  }

  // The variable in global memory that a symbol is; nothing if it is none of this file.
  std::optional<size_t> global_variable(uint32_t index) {
    const Symbol& symbol = symbols_[index];
    if (symbol.type != symbol_of_variable || symbol.size == 0 || symbol.section >= elf_.sections.size()) return {};
    const Section& section = elf_.sections[symbol.section];
    if (section.name != ".nv.global" && section.name != ".nv.global.init") return {};
    if (!within(symbol.value, symbol.size, section.size)) return {};
    const auto [known, fresh] = variable_of_symbol_.emplace(index, cubin_.global_variables.size());
    if (fresh) cubin_.global_variables.push_back({symbol.name, symbol.size});
    return known->second;
  }

  // Null for a section that is neither code nor constants.
  std::vector<Relocation>* relocations_of(uint32_t section) {
    if (function_of_section_[section] != nowhere) return &cubin_.functions[function_of_section_[section]].relocations;
    if (bank_of_section_[section] != nowhere) return &cubin_.constants[bank_of_section_[section]].relocations;
    return nullptr;
  }

  // Figures that former versions kept elsewhere: registers in the top byte of sh_info (up to sm_89, all versions),
  // barriers in sh_flags from bit 20 on (ABI version 7).
  void complete(Function& function) {
    constexpr uint8_t first_abi_with_barrier_attribute = 8;
    constexpr uint64_t most_barriers = 0x7f;
    const Section& section = *section_of_function_[static_cast<size_t>(&function - cubin_.functions.data())];
    if (!function.registers && section.info >> 24 != 0) function.registers = section.info >> 24;
    if (!function.barriers && elf_.abi_version < first_abi_with_barrier_attribute) {
      function.barriers = static_cast<uint32_t>((section.flags >> 20) & most_barriers);
    }
    std::stable_sort(function.subroutines.begin(), function.subroutines.end(),
                     [](const Subroutine& a, const Subroutine& b) { return a.begin < b.begin; });
    std::stable_sort(function.relocations.begin(), function.relocations.end(),
                     [](const Relocation& a, const Relocation& b) { return a.offset < b.offset; });
  }

  const Input& input_;
  const ElfFile& elf_;
  Allowance allowance_;
  Cubin cubin_;
  std::vector<Symbol> symbols_;
  std::vector<size_t> subroutine_of_symbol_;                 // its index in its function
  std::unordered_map<uint32_t, size_t> variable_of_symbol_;  // of global memory
  std::vector<size_t> function_of_section_, bank_of_section_;
  std::vector<const Section*> section_of_function_;
  std::unordered_map<std::string_view, size_t> function_named_;  // nowhere for a name of several
};

}  // namespace

int64_t without_reserved(int64_t architecture, int64_t shared_bytes) {
  constexpr int64_t first_with_reserved = 90, reserved = 1024;
  return shared_bytes - (architecture >= first_with_reserved && shared_bytes >= reserved ? reserved : 0);
}

int64_t own_shared_bytes(const Cubin& cubin, const Function& function) {
  return without_reserved(cubin.architecture.number, static_cast<int64_t>(function.shared_bytes));
}

Result<Cubin> read_cubin(const Input& input) {
  Result<ElfFile> elf = read_elf(input);
  if (!elf) return elf.errors();
  if (elf->machine != machine_of_cubins) {
    return refused(input, "this is no cubin but an ELF file for another machine",
                   "give one of the images inside of it, if it has any");
  }
  return Reader(input, *elf).read();
}

}  // namespace warpspan::object
