// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/printable.hpp"

#include <algorithm>
#include <cstdint>

namespace warpspan::support {

namespace {

struct Character {
  uint32_t code = 0;
  size_t bytes = 0;  // 0: no UTF-8
};

// The character that begins the text, which is not empty. Unicode 15, table 3-7: no overlong forms, no surrogates.
Character first_character(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  uint32_t code = lead & (0xffU >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  if (overlong || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {};
  return {code, bytes};
}

bool acts_on_terminal(uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool separator = code == 0x2028 || code == 0x2029;
  const bool direction = code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
                         (code >= 0x2066 && code <= 0x2069);
  return control || separator || direction;
}

std::string escaped(char c) {
  static constexpr char digits[] = "0123456789abcdef";
  const auto value = static_cast<unsigned char>(c);
  return {'\\', 'x', digits[value >> 4], digits[value & 15]};
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Character character = first_character(text);
    const size_t bytes = std::max<size_t>(character.bytes, 1);
    if (character.bytes > 0 && !acts_on_terminal(character.code)) {
      out += text.substr(0, bytes);
    } else {
      for (const char c : text.substr(0, bytes)) out += escaped(c);
    }
    text.remove_prefix(bytes);
  }
  return out;
}

std::string ascii(std::string_view text) {
  std::string out;
  for (const char c : text) out += c >= ' ' && c <= '~' ? std::string(1, c) : escaped(c);
  return out;
}

}  // namespace warpspan::support
