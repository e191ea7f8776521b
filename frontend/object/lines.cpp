// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/lines.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "frontend/object/elf.hpp"

namespace warpspan::object {

namespace {

using support::Diagnostic;
using support::Result;

constexpr std::string_view code_prefix = ".text.", ptx_name = ".nv_debug_ptx_txt";

// A code address: a section, and an offset in it.
struct Target {
  uint32_t section = 0;
  uint64_t offset = 0;
};

class Reader {
 public:
  Reader(const Input& input, const ElfFile& elf) : input_(input), elf_(elf), allowance_(input.bytes.size()) {}

  Result<Lines> read() {
    Result<std::vector<Symbol>> symbols = read_symbols(input_, elf_, allowance_);
    if (!symbols) return symbols.errors();
    symbols_ = std::move(*symbols);
    Lines lines;
    if (auto error = read_table(".debug_line", lines.source)) return *error;
    if (auto error = read_table(".nv_debug_line_sass", lines.ptx)) return *error;
    if (auto error = read_texts(lines.texts)) return *error;
    name_only_text(lines);
    return lines;
  }

 private:
  Diagnostic wrong(std::string_view bytes, const std::string& what) const {
    return broken(input_, offset_in(input_.bytes, bytes), what);
  }

  std::optional<Diagnostic> read_table(std::string_view name, LineTable& table) {
    uint32_t index = 0;
    while (index < elf_.sections.size() && elf_.sections[index].name != name) ++index;
    if (index == elf_.sections.size()) return {};
    const Section& section = elf_.sections[index];
    if (!allowance_.take(section.bytes.size())) return wrong(section.bytes, "sections overlap");
    targets_.clear();
    if (auto error = read_targets(index)) return error;
    Result<LineProgram> program = read_line_programs(input_, section.bytes);
    if (!program) return program.errors().front();
    table.files = std::move(program->files);
    for (LineSequence& sequence : program->sequences) {
      if (auto error = add(section, sequence, table)) return error;
    }
    std::stable_sort(table.functions.begin(), table.functions.end(),
                     [](const FunctionLines& a, const FunctionLines& b) {
                       return std::pair(a.section, a.begin) < std::pair(b.section, b.begin);
                     });
    return {};
  }

  // What relocations say of the addresses in the section.
  std::optional<Diagnostic> read_targets(uint32_t index) {
    for (const Section& section : elf_.sections) {
      const bool addends = section.type == section_holds_references_with_addends;
      if ((!addends && section.type != section_holds_references) || section.info != index) continue;
      Result<std::vector<SymbolReference>> references = read_references(input_, section, symbols_.size(), allowance_);
      if (!references) return references.errors().front();
      for (const SymbolReference& reference : *references) {
        const Symbol& symbol = symbols_[reference.symbol];
        targets_[reference.offset] = {symbol.section, symbol.value + static_cast<uint64_t>(reference.addend)};
      }
    }
    return {};
  }

  std::optional<Diagnostic> add(const Section& section, LineSequence& sequence, LineTable& table) {
    const auto found = targets_.find(sequence.address_place);
    if (found == targets_.end() || found->second.section >= elf_.sections.size()) {
      ++table.without_function;
      return {};
    }
    const Section& code = elf_.sections[found->second.section];
    if (code.name.substr(0, code_prefix.size()) != code_prefix) {
      ++table.without_function;
      return {};
    }
    const uint64_t begin = found->second.offset + sequence.address;
    if (!within(begin, sequence.end, code.bytes.size())) {
      return wrong(section.bytes.substr(sequence.address_place), "a line table leads out of the code");
    }
    uint64_t last = 0;
    for (LineRow& row : sequence.rows) {
      if (row.offset < last || row.offset > sequence.end) {
        return wrong(section.bytes.substr(sequence.address_place), "the addresses of a line table do not rise");
      }
      last = row.offset;
      row.offset += begin;
    }
    table.functions.push_back({code.name.substr(code_prefix.size()), found->second.section, begin, begin + sequence.end,
                               std::move(sequence.rows)});
    return {};
  }

  // Each line of the PTX ends with a zero byte.
  std::optional<Diagnostic> read_texts(std::vector<PtxText>& texts) {
    for (const Section& section : elf_.sections) {
      if (section.name.substr(0, ptx_name.size()) != ptx_name) continue;
      if (!allowance_.take(section.bytes.size())) return wrong(section.bytes, "sections overlap");
      PtxText text{section.name, {}};
      for (Cursor at(section.bytes); !at.at_end();) {
        const std::string_view rest = section.bytes.substr(at.position());
        const std::string_view line = at.text();
        text.lines.push_back(at.failed() ? rest : line);
      }
      texts.push_back(std::move(text));
    }
    return {};
  }

  // ptxas does not name the file if there is only one.
  static void name_only_text(Lines& lines) {
    if (lines.texts.size() != 1 || !lines.ptx.files.empty()) return;
    lines.ptx.files.push_back({{}, lines.texts.front().name});
    for (FunctionLines& function : lines.ptx.functions) {
      for (LineRow& row : function.rows) row.file = 0;
    }
  }

  const Input& input_;
  const ElfFile& elf_;
  Allowance allowance_;
  std::vector<Symbol> symbols_;
  std::unordered_map<uint64_t, Target> targets_;  // by place in the section
};

}  // namespace

const LineRow* FunctionLines::row_at(uint64_t offset) const {
  if (offset < begin || offset >= end) return nullptr;
  const auto after =
      std::upper_bound(rows.begin(), rows.end(), offset, [](uint64_t o, const LineRow& row) { return o < row.offset; });
  return after == rows.begin() ? nullptr : &*(after - 1);
}

const FunctionLines* LineTable::find(uint32_t section, uint64_t offset) const {
  const auto after = std::upper_bound(
      functions.begin(), functions.end(), std::pair(section, offset),
      [](const auto& place, const FunctionLines& lines) { return place < std::pair(lines.section, lines.begin); });
  if (after == functions.begin()) return nullptr;
  const FunctionLines& lines = *(after - 1);
  return lines.section == section && offset < lines.end ? &lines : nullptr;
}

std::string_view Lines::ptx_line(const LineRow& row) const {
  if (row.file >= ptx.files.size() || row.line == 0) return {};
  for (const PtxText& text : texts) {
    if (text.name == ptx.files[row.file].name && row.line <= text.lines.size()) return text.lines[row.line - 1];
  }
  return {};
}

Result<Lines> read_lines(const Input& cubin) {
  Result<ElfFile> elf = read_elf(cubin);
  if (!elf) return elf.errors();
  return Reader(cubin, *elf).read();
}

}  // namespace warpspan::object
