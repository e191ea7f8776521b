// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/kernel_names.hpp"

#include <algorithm>

#include "frontend/object/elf.hpp"

namespace warpspan::object {

namespace {

constexpr std::string_view directive = ".entry", blanks = " \t\r\n\v\f";

bool is_name_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         c == '%' || c == '.';
}

// Past blanks and comments, which may stand between any two words.
size_t next_word(std::string_view text, size_t at) {
  for (;;) {
    at = text.find_first_not_of(blanks, at);
    if (at == std::string_view::npos) return text.size();
    const std::string_view rest = text.substr(at);
    const std::string_view end = rest.substr(0, 2) == "//" ? "\n" : rest.substr(0, 2) == "/*" ? "*/" : "";
    if (end.empty()) return at;
    at = text.find(end, at + 2);
    if (at == std::string_view::npos) return text.size();
    at += end.size();
  }
}

}  // namespace

support::Result<std::vector<std::string>> kernels_of_cubin(const Input& cubin) {
  constexpr std::string_view code = ".text.";
  const auto elf = read_elf(cubin);
  if (!elf) return elf.errors();
  Allowance allowance(cubin.bytes.size());
  const auto symbols = read_symbols(cubin, *elf, allowance);
  if (!symbols) return symbols.errors();
  std::vector<std::string> names;
  for (const Symbol& symbol : *symbols) {
    if (symbol.type != symbol_of_function || (symbol.other & symbol_of_entry) == 0) continue;
    if (symbol.section >= elf->sections.size()) continue;
    const std::string_view section = elf->sections[symbol.section].name;
    if (section.substr(0, code.size()) == code && section.substr(code.size()) == symbol.name) {
      names.emplace_back(symbol.name);
    }
  }
  return names;
}

std::vector<std::string> words_behind_entry(std::string_view ptx) {
  std::vector<std::string> words;
  for (size_t at = ptx.find(directive); at != std::string_view::npos; at = ptx.find(directive, at)) {
    at += directive.size();
    const size_t begin = next_word(ptx, at);
    const size_t end = static_cast<size_t>(
        std::find_if_not(ptx.begin() + static_cast<ptrdiff_t>(begin), ptx.end(), is_name_character) - ptx.begin());
    const std::string word(ptx.substr(begin, end - begin));
    if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
  return words;
}

}  // namespace warpspan::object
