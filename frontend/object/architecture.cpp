// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/architecture.hpp"

namespace warpspan::object {

namespace {

constexpr uint8_t abi_with_shifted_number = 8;
constexpr uint32_t old_flag_of_accelerators = 0x800, flag_of_accelerators = 0x8;
constexpr uint8_t compatibility_target = 9;  // the entry of .nv.compat

bool is_word_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// The 'a' or 'f' that follows the word "sm_90" in text; none if something else follows everywhere.
char suffix_in(std::string_view text, const std::string& name) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::string_view rest = text.substr(at + name.size());
    if (rest.empty() || (rest[0] != 'a' && rest[0] != 'f')) continue;
    if (rest.size() == 1 || !is_word_character(rest[1])) return rest[0];
  }
  return '\0';
}

// Records of .nv.compat are those of attributes: format, number, and a value of two bytes, or a size and its bytes.
bool says_one_architecture_only(std::string_view compatibility) {
  constexpr uint8_t sized = 4;
  for (Cursor at(compatibility); !at.at_end();) {
    const uint8_t format = at.u8(), number = at.u8();
    const uint16_t value = at.u16();
    if (format == sized) at.take(value);
    if (!at.failed() && format != sized && number == compatibility_target) return (value & 0xff) == 1;
  }
  return false;
}

}  // namespace

std::string to_string(const Architecture& architecture) {
  std::string name = "sm_" + std::to_string(architecture.number);
  if (architecture.suffix != '\0') name += architecture.suffix;
  return name;
}

Architecture architecture_of(const ElfFile& cubin) {
  if (cubin.abi_version < abi_with_shifted_number) {
    return {cubin.flags & 0xff, (cubin.flags & old_flag_of_accelerators) != 0 ? 'a' : '\0'};
  }
  Architecture architecture{(cubin.flags >> 8) & 0xff};
  const Section* const compatibility = cubin.find(".nv.compat");
  const Section* const note = cubin.find(".note.nv.tkinfo");
  const bool flagged = (cubin.flags & flag_of_accelerators) != 0;
  if (flagged || (compatibility != nullptr && says_one_architecture_only(compatibility->bytes))) {
    architecture.suffix = 'a';
  } else if (note != nullptr) {
    architecture.suffix = suffix_in(note->bytes, to_string(architecture));
  }
  return architecture;
}

Architecture architecture_of_entry(uint32_t number, uint64_t flags) {
  constexpr uint64_t this_one_only = 0x100000, its_family = 0x200000;
  return {number, (flags & this_one_only) != 0 ? 'a' : (flags & its_family) != 0 ? 'f' : '\0'};
}

}  // namespace warpspan::object
