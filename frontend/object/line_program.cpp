// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/line_program.hpp"

#include <string>

namespace warpspan::object {

namespace {

using support::Diagnostic;
using support::Result;

// DW_LNS_* and DW_LNE_*.
namespace standard {
constexpr uint8_t extended = 0, copy = 1, advance_pc = 2, advance_line = 3, set_file = 4, set_column = 5,
                  negate_statement = 6, set_basic_block = 7, const_add_pc = 8, fixed_advance_pc = 9,
                  set_prologue_end = 10, set_epilogue_begin = 11, set_isa = 12;
}
namespace extended {
constexpr uint8_t end_sequence = 1, set_address = 2, inlined_call = 0x90;
}

struct Header {
  uint16_t version = 0;
  uint8_t instruction_bytes = 0;
  int8_t line_base = 0;
  uint8_t line_range = 0;
  uint8_t opcode_base = 0;
  std::vector<uint8_t> operand_counts;  // of opcode 1 and so on
  size_t first_file = 0;                // the index of file 1 among all files
};

struct State {
  uint64_t offset = 0;
  uint64_t file = 1;
  uint64_t line = 1;
  uint64_t column = 0;
  uint64_t context = 0;
};

// Runs the programs of a section. Methods that can fail return what is wrong: "the line table ...".
class Runner {
 public:
  Runner(const Input& input, std::string_view section) : input_(input), section_(section) {}

  Result<LineProgram> run() {
    Cursor at(section_);
    while (!at.at_end()) {
      const uint64_t begin = at.position();
      const uint32_t size = at.u32();
      const std::string_view unit = at.take(size);
      if (at.failed()) return wrong(begin, "the line table is cut short");
      if (auto error = run_unit(unit)) return *error;
    }
    return std::move(program_);
  }

 private:
  using MaybeError = std::optional<Diagnostic>;

  Diagnostic wrong(uint64_t position, const std::string& what) const {
    return broken(input_, offset_in(input_.bytes, section_) + position, what);
  }

  MaybeError run_unit(std::string_view unit) {
    const uint64_t begin = offset_in(section_, unit);
    Cursor at(unit);
    header_ = {};
    header_.version = at.u16();
    const uint32_t header_bytes = at.u32();
    const uint64_t code = at.position() + uint64_t{header_bytes};
    if (at.failed() || code > unit.size()) return wrong(begin, "the header of a line table is cut short");
    if (header_.version < 2 || header_.version > 4) {
      return wrong(begin, "the line table is of DWARF " + std::to_string(header_.version) + ", not 2 to 4");
    }
    Cursor fields(unit.substr(0, code), at.position());
    read_header(fields);
    if (fields.failed()) return wrong(begin, "the header of a line table is cut short");
    if (header_.line_range == 0 || header_.opcode_base == 0) {
      return wrong(begin, "the header of a line table has an impossible range of lines or opcodes");
    }
    unit_ = unit;
    return run_opcodes(Cursor(unit, code));
  }

  void read_header(Cursor& at) {
    constexpr uint16_t first_with_bundles = 4;
    header_.instruction_bytes = at.u8();
    if (header_.version >= first_with_bundles) at.u8();  // operations of an instruction
    at.u8();                                             // default_is_stmt
    header_.line_base = static_cast<int8_t>(at.u8());
    header_.line_range = at.u8();
    header_.opcode_base = at.u8();
    for (unsigned i = 1; i < header_.opcode_base; ++i) header_.operand_counts.push_back(at.u8());
    read_names(at);
  }

  // Directories, then files, each list up to an empty name. ptxas lets other data follow.
  void read_names(Cursor& at) {
    std::vector<std::string_view> directories = {{}};
    for (std::string_view name = at.text(); !name.empty(); name = at.text()) directories.push_back(name);
    header_.first_file = program_.files.size();
    for (std::string_view name = at.text(); !name.empty(); name = at.text()) {
      const uint64_t directory = at.unsigned_leb();
      at.unsigned_leb();  // time of its last change
      at.unsigned_leb();  // its size
      program_.files.push_back({directory < directories.size() ? directories[directory] : std::string_view(), name});
    }
  }

  MaybeError run_opcodes(Cursor at) {
    state_ = {};
    sequence_ = {};
    placed_ = false;
    while (!at.at_end()) {
      const uint64_t place = offset_in(section_, unit_) + at.position();
      if (const auto what = run_opcode(at)) return wrong(place, "the line table " + *what);
      if (at.failed()) return wrong(place, "the line table is cut short");
    }
    if (!sequence_.rows.empty()) return wrong(offset_in(section_, unit_), "a sequence of the line table has no end");
    return {};
  }

  std::optional<std::string> run_opcode(Cursor& at) {
    const uint8_t opcode = at.u8();
    if (opcode >= header_.opcode_base) return run_special(opcode);
    switch (opcode) {
      case standard::extended: return run_extended(at);
      case standard::copy: return append_row();
      case standard::advance_pc: return advance(at.unsigned_leb());
      case standard::advance_line: state_.line += static_cast<uint64_t>(at.signed_leb()); return {};
      case standard::set_file: state_.file = at.unsigned_leb(); return {};
      case standard::set_column: state_.column = at.unsigned_leb(); return {};
      case standard::const_add_pc: return advance((255u - header_.opcode_base) / header_.line_range);
      case standard::fixed_advance_pc: state_.offset += at.u16(); return {};
      case standard::negate_statement:
      case standard::set_basic_block:
      case standard::set_prologue_end:
      case standard::set_epilogue_begin: return {};
      case standard::set_isa: at.unsigned_leb(); return {};
      default:
        for (unsigned i = 0; i < header_.operand_counts[opcode - 1u]; ++i) at.unsigned_leb();
        return {};
    }
  }

  std::optional<std::string> run_special(uint8_t opcode) {
    const unsigned adjusted = unsigned{opcode} - header_.opcode_base;
    state_.line += static_cast<uint64_t>(int64_t{header_.line_base} + adjusted % header_.line_range);
    if (auto what = advance(adjusted / header_.line_range)) return what;
    return append_row();
  }

  std::optional<std::string> advance(uint64_t instructions) {
    uint64_t bytes = 0;
    if (__builtin_mul_overflow(instructions, uint64_t{header_.instruction_bytes}, &bytes) ||
        __builtin_add_overflow(state_.offset, bytes, &state_.offset)) {
      return "has an impossible address";
    }
    return {};
  }

  std::optional<std::string> run_extended(Cursor& at) {
    const uint64_t size = at.unsigned_leb();
    const std::string_view operands = at.take(size);
    if (at.failed() || operands.empty()) return "has an empty opcode, or one that is cut short";
    Cursor inside(operands);
    switch (inside.u8()) {
      case extended::end_sequence: return end_sequence();
      case extended::set_address: return set_address(inside);
      case extended::inlined_call: state_.context = inside.unsigned_leb(); break;  // then a name in .debug_str
      default: break;
    }
    if (inside.failed()) return "has an opcode that is cut short";
    return {};
  }

  std::optional<std::string> set_address(Cursor& inside) {
    if (placed_) return "sets the address of a sequence twice";
    placed_ = true;
    const std::string_view address = inside.take(8);
    if (inside.failed()) return "has an address that is cut short";
    sequence_.address_place = offset_in(section_, address);
    sequence_.address = Cursor(address).u64();
    return {};
  }

  std::optional<std::string> append_row() {
    LineRow row;
    row.offset = state_.offset;
    row.line = number(state_.line);
    row.column = number(state_.column);
    row.file = LineRow::no_file;
    if (state_.file > program_.files.size() - header_.first_file) return "names a file that it does not have";
    if (state_.file != 0) row.file = static_cast<uint32_t>(header_.first_file + state_.file - 1);
    if (state_.context > sequence_.rows.size()) return "says inlining into a row that does not exist";
    if (state_.context != 0) row.inlined_at = static_cast<uint32_t>(state_.context - 1);
    sequence_.rows.push_back(row);
    return {};
  }

  // A number too large for a line or column is not one.
  static uint32_t number(uint64_t value) { return value > 0x7fffffff ? 0 : static_cast<uint32_t>(value); }

  std::optional<std::string> end_sequence() {
    if (!placed_ && !sequence_.rows.empty()) return "has a sequence without an address";
    sequence_.end = state_.offset;
    if (!sequence_.rows.empty()) program_.sequences.push_back(std::move(sequence_));
    state_ = {};
    sequence_ = {};
    placed_ = false;
    return {};
  }

  const Input& input_;
  std::string_view section_;
  LineProgram program_;
  Header header_;
  std::string_view unit_;
  State state_;
  LineSequence sequence_;
  bool placed_ = false;
};

}  // namespace

Result<LineProgram> read_line_programs(const Input& input, std::string_view section) {
  return Runner(input, section).run();
}

}  // namespace warpspan::object
