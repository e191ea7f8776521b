// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/elf.hpp"

#include <llvm/Object/ELF.h>

namespace warpspan::object {

namespace {

using support::Diagnostic;
using support::Result;
using File = llvm::object::ELFFile<llvm::object::ELF64LE>;

// Names may share bytes, in honest files too, but not often.
constexpr uint64_t name_sharing = 16;

std::string_view view(llvm::StringRef text) { return {text.data(), text.size()}; }

std::string_view view(llvm::ArrayRef<uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Diagnostic not_readable(const Input& input, llvm::Error error) {
  return refused(input, "the ELF file cannot be read: " + llvm::toString(std::move(error)),
                 "the file is damaged or cut short: make it again");
}

Diagnostic too_shared(const Input& input, uint64_t offset) {
  return broken(input, offset, "tables or names of the file overlap so often that reading them would not end soon");
}

Result<std::vector<Section>> read_sections(const Input& input, const File& file) {
  auto headers = file.sections();
  if (!headers) return not_readable(input, headers.takeError());
  auto names = file.getSectionStringTable(*headers);
  if (!names) return not_readable(input, names.takeError());
  Allowance allowance(name_sharing * input.bytes.size());
  std::vector<Section> sections;
  sections.reserve(headers->size());
  for (const auto& header : *headers) {
    const auto at = static_cast<uint64_t>(reinterpret_cast<const char*>(&header) - input.bytes.data());
    auto name = file.getSectionName(header, *names);
    if (!name) return not_readable(input, name.takeError());
    if (!allowance.take(name->size())) return too_shared(input, at);
    Section section;
    section.name = view(*name);
    section.type = header.sh_type;
    section.flags = header.sh_flags;
    section.link = header.sh_link;
    section.info = header.sh_info;
    section.offset = header.sh_offset;
    section.size = header.sh_size;
    const bool of_machine = section.type >= first_section_type_of_machines;
    const bool outside = !within(header.sh_offset, header.sh_size, input.bytes.size());
    if (section.type != section_without_bytes && section.type != 0 && !(of_machine && outside)) {
      auto bytes = file.getSectionContents(header);
      if (!bytes) return not_readable(input, bytes.takeError());
      section.bytes = view(*bytes);
    }
    sections.push_back(section);
  }
  return sections;
}

// The sections of symbols whose index does not fit 16 bits (SHN_XINDEX); empty if there is no such table.
std::string_view long_indices(const ElfFile& elf, uint32_t symbol_table) {
  for (const Section& section : elf.sections) {
    if (section.type == section_holds_long_indices && section.link == symbol_table) return section.bytes;
  }
  return {};
}

}  // namespace

const Section* ElfFile::find(std::string_view name) const {
  for (const Section& section : sections) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

bool looks_like_elf(std::string_view bytes) {
  return bytes.substr(0, 4) ==
         "\x7f"
         "ELF";
}

bool looks_like_elf64(std::string_view bytes) {
  return bytes.substr(0, 6) ==
         "\x7f"
         "ELF\2\1";
}

Result<ElfFile> read_elf(const Input& input) {
  if (!looks_like_elf64(input.bytes)) {
    return refused(input, "this is no ELF file of 64 bits and little-endian numbers",
                   "give a cubin, or an object, library or program for a 64-bit host");
  }
  auto file = File::create(llvm::StringRef(input.bytes.data(), input.bytes.size()));
  if (!file) return not_readable(input, file.takeError());
  auto program_headers = file->program_headers();  // at the end of cubins: one that was cut off lacks some
  if (!program_headers) return not_readable(input, program_headers.takeError());
  ElfFile elf;
  elf.type = file->getHeader().e_type;
  elf.machine = file->getHeader().e_machine;
  elf.abi_version = file->getHeader().e_ident[llvm::ELF::EI_ABIVERSION];
  elf.flags = file->getHeader().e_flags;
  Result<std::vector<Section>> sections = read_sections(input, *file);
  if (!sections) return sections.errors();
  elf.sections = std::move(*sections);
  return elf;
}

Result<std::vector<Symbol>> read_symbols(const Input& input, const ElfFile& elf, Allowance& allowance) {
  constexpr uint64_t entry_size = 24;
  constexpr uint32_t in_long_table = 0xffff, first_reserved = 0xff00;
  uint32_t index = 0;
  while (index < elf.sections.size() && elf.sections[index].type != section_holds_symbols) ++index;
  std::vector<Symbol> symbols;
  if (index == elf.sections.size()) return symbols;

  const Section& table = elf.sections[index];
  const uint64_t begin = offset_in(input.bytes, table.bytes);
  if (table.bytes.size() % entry_size != 0) return broken(input, begin, "the symbol table ends within an entry");
  if (!allowance.take(table.bytes.size())) return too_shared(input, begin);
  if (table.link >= elf.sections.size()) return broken(input, begin, "the symbol table has no section of names");
  const std::string_view names = elf.sections[table.link].bytes;
  Cursor longer(long_indices(elf, index));
  Allowance name_allowance(name_sharing * input.bytes.size());
  symbols.reserve(table.bytes.size() / entry_size);
  for (Cursor at(table.bytes); !at.at_end();) {
    const uint64_t entry = begin + at.position();
    Symbol symbol;
    Cursor name(names, at.u32());
    symbol.type = at.u8() & 0xf;
    symbol.other = at.u8();
    symbol.section = at.u16();
    symbol.value = at.u64();
    symbol.size = at.u64();
    const uint32_t long_index = longer.u32();
    if (symbol.section == in_long_table) {
      symbol.section = longer.failed() ? ~uint32_t{0} : long_index;
    } else if (symbol.section >= first_reserved) {
      symbol.section = ~uint32_t{0};
    }
    symbol.name = name.text();
    if (name.failed()) return broken(input, entry, "the name of a symbol lies outside of the names");
    if (!name_allowance.take(symbol.name.size())) return too_shared(input, entry);
    symbols.push_back(symbol);
  }
  return symbols;
}

Result<std::vector<SymbolReference>> read_references(const Input& input, const Section& section, size_t symbols,
                                                     Allowance& allowance) {
  const bool addends = section.type == section_holds_references_with_addends;
  const uint64_t entry_size = addends ? 24 : 16;
  const uint64_t begin = offset_in(input.bytes, section.bytes);
  if (section.bytes.size() % entry_size != 0) {
    return broken(input, begin, "the relocations '" + std::string(section.name) + "' end within an entry");
  }
  if (!allowance.take(section.bytes.size())) return too_shared(input, begin);
  std::vector<SymbolReference> references;
  references.reserve(section.bytes.size() / entry_size);
  for (Cursor at(section.bytes); !at.at_end();) {
    const uint64_t entry = begin + at.position();
    SymbolReference reference;
    reference.offset = at.u64();
    reference.type = at.u32();
    reference.symbol = at.u32();
    reference.addend = addends ? static_cast<int64_t>(at.u64()) : 0;
    if (reference.symbol >= symbols) return broken(input, entry, "a relocation names a symbol that does not exist");
    references.push_back(reference);
  }
  return references;
}

}  // namespace warpspan::object
