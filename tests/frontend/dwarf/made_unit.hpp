// SPDX-License-Identifier: GPL-3.0-or-later
// DWARF sections made entry by entry, for what compilers do not write.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/dwarf/parameters.hpp"

namespace warpspan::test {

inline std::string little_endian(uint64_t value, unsigned bytes) {
  std::string text;
  for (unsigned i = 0; i < bytes; ++i) text.push_back(static_cast<char>(value >> (8 * i)));
  return text;
}

struct Attribute {
  uint8_t name = 0;  // DWARF 5, table 7.5
  uint8_t form = 0;  // table 7.6
  std::string bytes;
};
inline Attribute name(const std::string& text) { return {0x03, 0x08, text + '\0'}; }
inline Attribute linkage_name(const std::string& text) { return {0x6e, 0x08, text + '\0'}; }
inline Attribute size(uint8_t bytes) { return {0x0b, 0x0b, little_endian(bytes, 1)}; }
inline Attribute encoding(uint8_t kind) { return {0x3e, 0x0b, little_endian(kind, 1)}; }
inline Attribute type(uint32_t offset) { return {0x49, 0x13, little_endian(offset, 4)}; }
inline Attribute count(uint8_t elements) { return {0x37, 0x0b, little_endian(elements, 1)}; }
inline Attribute at_byte(uint8_t offset) { return {0x38, 0x0b, little_endian(offset, 1)}; }
inline Attribute flag(uint8_t attribute) { return {attribute, 0x0c, "\1"}; }

inline constexpr uint8_t array = 0x01, enumeration = 0x04, formal = 0x05, member = 0x0d, pointer = 0x0f,
                         structure = 0x13, type_definition = 0x16, union_type = 0x17, inheritance = 0x1c,
                         subrange = 0x21, base_type = 0x24, subprogram = 0x2e, name_space = 0x39;
inline constexpr uint8_t cpp = 0x04, fortran = 0x08;  // languages

class MadeUnit {
 public:
  explicit MadeUnit(uint8_t language = cpp, uint16_t version = 2) : version_(version) {
    begin(0x11, {{0x13, 0x0b, little_endian(language, 1)}});
  }

  // An entry; `begin` has the ones up to end() in it. The result is what type() takes.
  uint32_t add(uint8_t tag, const std::vector<Attribute>& attributes) { return put(tag, false, attributes); }
  uint32_t begin(uint8_t tag, const std::vector<Attribute>& attributes) { return put(tag, true, attributes); }
  void end() { entries_.push_back('\0'); }

  uint32_t next() const { return static_cast<uint32_t>(header_bytes + entries_.size()); }

  // With the end of the unit's own entry.
  dwarf::Sections sections() const {
    const std::string body = little_endian(version_, 2) + little_endian(0, 4) + "\x08" + entries_ + '\0';
    return {{".debug_info", little_endian(body.size(), 4) + body}, {".debug_abbrev", abbreviations_ + '\0'}};
  }

 private:
  static constexpr size_t header_bytes = 11;  // before version 5

  uint32_t put(uint8_t tag, bool has_children, const std::vector<Attribute>& attributes) {
    const uint32_t offset = next();
    const std::string code(1, static_cast<char>(++codes_));  // at most 127 entries
    abbreviations_ += code + static_cast<char>(tag) + static_cast<char>(has_children ? 1 : 0);
    entries_ += code;
    for (const Attribute& attribute : attributes) {
      abbreviations_ += {static_cast<char>(attribute.name), static_cast<char>(attribute.form)};
      entries_ += attribute.bytes;
    }
    abbreviations_ += std::string(2, '\0');
    return offset;
  }

  uint16_t version_;
  int codes_ = 0;
  std::string entries_, abbreviations_;
};

}  // namespace warpspan::test
