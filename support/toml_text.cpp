// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/toml_text.hpp"

#include "support/digits.hpp"

namespace warpspan::support {

std::string toml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    if (byte < 0x20 || byte == 0x7f) {
      out += "\\u" + hexadecimal(byte, 4);
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string toml_key(std::string_view name) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  const bool is_plain = !name.empty() && name.find_first_not_of(plain) == std::string_view::npos;
  return is_plain ? std::string(name) : toml_text(name);
}

}  // namespace warpspan::support
