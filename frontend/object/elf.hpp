// SPDX-License-Identifier: GPL-3.0-or-later
// What is needed of an ELF file (System V ABI, chapter 4): sections, symbols, relocations; 64 bits, little-endian.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/object/bytes.hpp"
#include "support/result.hpp"

namespace warpspan::object {

struct Section {
  std::string_view name;
  uint32_t type = 0;
  uint64_t flags = 0;
  uint32_t link = 0;
  uint32_t info = 0;
  uint64_t offset = 0;     // in the file, as its header says
  uint64_t size = 0;       // bytes, also of one that takes no room in the file
  std::string_view bytes;  // empty for such a one; see read_elf
};

struct Symbol {
  std::string_view name;
  uint64_t value = 0;
  uint64_t size = 0;
  uint32_t section = 0;  // its index; one that does not exist for symbols that are in none
  uint8_t type = 0;      // STT_*
  uint8_t other = 0;     // visibility, and what a machine adds
};

struct SymbolReference {
  uint64_t offset = 0;  // in the section that is changed
  uint32_t type = 0;
  uint32_t symbol = 0;  // an index that exists
  int64_t addend = 0;   // 0 if it stands in the section
};

struct ElfFile {
  uint16_t type = 0;     // ET_*
  uint16_t machine = 0;  // EM_*
  uint8_t abi_version = 0;
  uint32_t flags = 0;
  std::vector<Section> sections;

  const Section* find(std::string_view name) const;
};

// False for a section that has bytes, according to its header, which are not in the file.
inline bool is_whole(const Section& section) { return section.bytes.size() == section.size; }

// Section types and flags, symbol types, machines and file types of the ABI.
constexpr uint32_t section_holds_symbols = 2, section_holds_references_with_addends = 4, section_without_bytes = 8,
                   section_holds_references = 9, section_holds_long_indices = 18;
constexpr uint32_t first_section_type_of_machines = 0x70000000;
constexpr uint8_t symbol_of_variable = 1, symbol_of_function = 2;
constexpr uint8_t symbol_of_entry = 0x10;  // STO_CUDA_ENTRY, in `other` of a kernel's symbol
constexpr uint16_t relocatable_file = 1;
constexpr uint16_t machine_of_cubins = 190;  // EM_CUDA

// True if the bytes begin as an ELF file of 64 bits and little-endian numbers does; `looks_like_elf`: of any kind.
bool looks_like_elf64(std::string_view bytes);
bool looks_like_elf(std::string_view bytes);

// The file and its sections. Errors: not such a file; a section table, name or section that reaches past the end. Not
// an error is a section of a type that belongs to the machine and reaches past the end: it has no bytes. Some of those
// types take no room in the file (0x7000000a and 0x70000015 do not, in output of ptxas and nvlink 13.0).
support::Result<ElfFile> read_elf(const Input& input);

// The symbols of the symbol table; none if it has none. Errors: a table cut short; a name past the end; a table that
// is larger than what `allowance` has left.
support::Result<std::vector<Symbol>> read_symbols(const Input& input, const ElfFile& elf, Allowance& allowance);

// The entries of a section of relocations, for a table of `symbols` symbols. Errors: as above; a symbol that does not
// exist.
support::Result<std::vector<SymbolReference>> read_references(const Input& input, const Section& section,
                                                              size_t symbols, Allowance& allowance);

}  // namespace warpspan::object
