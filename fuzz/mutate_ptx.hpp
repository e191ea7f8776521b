// SPDX-License-Identifier: GPL-3.0-or-later
// Mutants of PTX text that stay close to PTX: its words, operands, lines, labels, guards and numbers are deleted,
// repeated, exchanged and replaced. The same text and seed give the same mutant on every machine.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace warpspan::fuzz {

class PtxMutator {
 public:
  PtxMutator(std::string_view text, uint64_t seed) : random_(seed) { split(text); }

  // One to eight changes, few more often than many.
  std::string run() {
    size_t changes = 1;
    while (changes < 8 && below(2) == 0) ++changes;
    for (size_t i = 0; i < changes; ++i) change();
    std::string text;
    for (const Line& line : lines_) {
      for (const std::string& token : line) text += token;
    }
    if (!mild_ && below(20) == 0 && !text.empty()) text.resize(below(text.size()));
    if (!mild_ && below(20) == 0 && !text.empty()) text[below(text.size())] = static_cast<char>(below(256));
    return text;
  }

 private:
  using Line = std::vector<std::string>;  // words, punctuation and blanks; all of them together are the line

  // Standard distributions differ from library to library.
  size_t below(size_t count) { return static_cast<size_t>(random_() % std::max<size_t>(count, 1)); }
  template <typename List>
  auto& any(List& list) {
    return list[below(list.size())];
  }

  static bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }
  static bool is_word(const std::string& token) { return in_word(token.back()); }
  static bool is_number(const std::string& token) {
    return std::isdigit(static_cast<unsigned char>(token.front())) != 0;
  }
  // What a token looks like: "%rd12" is "%rd", "$L__BB0_2" is "$", other words are by themselves.
  static std::string shape(const std::string& token) {
    if (is_number(token)) return "0";
    if (token.front() == '$' || token.front() == '.') return token.substr(0, 1);
    if (token.front() != '%') return "";
    return token.substr(0, token.find_first_of("0123456789"));
  }

  void split(std::string_view text) {
    lines_.emplace_back();
    for (size_t i = 0; i < text.size();) {
      size_t end = i + 1;
      if (in_word(text[i]) || text[i] == '%' || text[i] == '.') {
        while (end < text.size() && in_word(text[end])) ++end;
      }
      lines_.back().emplace_back(text.substr(i, end - i));
      if (text[i] == '\n') lines_.emplace_back();
      i = end;
    }
  }

  // Any token; words more often than blanks.
  std::string& any_token() {
    static thread_local std::string none;
    for (int tries = 0; tries < 50; ++tries) {
      Line& line = any(lines_);
      if (line.empty()) continue;
      std::string& token = any(line);
      if (!token.empty() && (is_word(token) || below(8) == 0)) return token;
    }
    return none = "x";
  }
  std::string any_token_like(const std::string& model) {
    const auto alike = [&](const std::string& token) {
      return !token.empty() && is_word(token) && shape(token) == shape(model);
    };
    for (int tries = 0; tries < 200; ++tries) {
      const std::string& token = any_token();
      if (alike(token)) return token;
    }
    return model;
  }

  // Where the operands of a line are: [begin, end) between its commas.
  static std::vector<std::pair<size_t, size_t>> operands(const Line& line) {
    std::vector<std::pair<size_t, size_t>> found;
    size_t begin = 0;
    for (size_t i = 0; i < line.size(); ++i) {
      if (line[i] == "," || line[i] == ";") {
        found.emplace_back(begin, i);
        begin = i + 1;
      }
    }
    return found;
  }

  // Half of the mutants have only changes after which most texts are PTX still.
  void change() {
    switch (mild_ ? mild_changes[below(mild_changes.size())] : below(16)) {
      case 0: any_token().clear(); break;
      case 1: {
        std::string& token = any_token();
        token += (below(2) == 0 ? " " : "") + std::string(token);
        break;
      }
      case 2: std::swap(any_token(), any_token()); break;
      case 3:
      case 4:
      case 5: {
        std::string& token = any_token();
        if (!token.empty()) token = any_token_like(token);
        break;
      }
      case 6: change_number(); break;
      case 7: change_line(); break;
      case 8: change_operands(); break;
      case 9: change_guard(); break;
      case 10: insert(any_snippet()); break;
      case 11: insert("\tbra " + any_label() + ";\n"); break;
      case 12: insert(any_label() + ":\n"); break;
      case 13: change_type(); break;
      case 14: copy_lines(); break;
      default: any_token() = any(punctuation); break;
    }
  }

  void change_number() {
    for (int tries = 0; tries < 50; ++tries) {
      std::string& token = any_token();
      if (!token.empty() && is_number(token)) {
        token = any(numbers);
        return;
      }
    }
  }

  void change_line() {
    const size_t from = below(lines_.size());
    const size_t to = below(lines_.size());
    const auto at = [this](size_t i) { return lines_.begin() + static_cast<ptrdiff_t>(i); };
    switch (below(4)) {
      case 0: lines_[from].clear(); break;
      case 1: {
        const Line line = lines_[from];
        lines_.insert(at(to), line);
        break;
      }
      case 2: std::swap(lines_[from], lines_[to]); break;
      default: lines_[from].insert(lines_[from].end(), lines_[to].begin(), lines_[to].end()); break;
    }
  }

  void change_operands() {
    Line& line = any(lines_);
    const auto places = operands(line);
    if (places.empty()) return;
    const auto [begin, end] = any(places);
    const auto at = [&line](size_t i) { return line.begin() + static_cast<ptrdiff_t>(i); };
    const Line operand(at(begin), at(end));
    switch (below(3)) {
      case 0: line.erase(at(begin), at(std::min(end + 1, line.size()))); break;
      case 1:
        line.insert(at(begin), ",");
        line.insert(at(begin), operand.begin(), operand.end());
        break;
      default: {
        const auto [other_begin, other_end] = any(places);
        if (other_end > begin) return;
        const Line other(at(other_begin), at(other_end));
        line.erase(at(begin), at(end));
        line.insert(at(begin), other.begin(), other.end());
      }
    }
  }

  void change_guard() {
    Line& line = any(lines_);
    const auto guard = std::find(line.begin(), line.end(), "@");
    if (guard != line.end() && below(2) == 0) {
      line.erase(guard, std::min(guard + 2, line.end()));
    } else {
      line.insert(line.begin(), below(2) == 0 ? "\t@%p1 " : "\t@!%p1 ");
    }
  }

  void change_type() {
    for (int tries = 0; tries < 50; ++tries) {
      std::string& token = any_token();
      if (token.size() < 3 || token.front() != '.' || !std::isdigit(static_cast<unsigned char>(token.back()))) continue;
      token = any(types);
      return;
    }
  }

  void copy_lines() {
    const size_t from = below(lines_.size());
    const size_t count = std::min(1 + below(12), lines_.size() - from);
    const std::vector<Line> copy(lines_.begin() + static_cast<ptrdiff_t>(from),
                                 lines_.begin() + static_cast<ptrdiff_t>(from + count));
    lines_.insert(lines_.begin() + static_cast<ptrdiff_t>(below(lines_.size())), copy.begin(), copy.end());
  }

  void insert(const std::string& line) {
    lines_.insert(lines_.begin() + static_cast<ptrdiff_t>(below(lines_.size())), Line{line});
  }

  std::string any_label() {
    for (int tries = 0; tries < 200; ++tries) {
      const Line& line = any(lines_);
      if (line.size() > 1 && line[1] == ":" && !line[0].empty() && in_word(line[0].front())) return line[0];
    }
    return below(2) == 0 ? "L" : "$L__BB0_2";
  }

  std::string any_snippet() {
    const std::string label = any_label();
    const std::array<std::string, 24> snippets = {"\tbra 7;\n",
                                                  "\tbra %r1;\n",
                                                  "T: .branchtargets " + label + ", " + label + ";\n",
                                                  "\tbrx.idx %r1, T;\n",
                                                  "T: .branchtargets ;\n",
                                                  "T: .calltargets f, ;\n",
                                                  "P: .callprototype _ ();\n",
                                                  "\tcall %rd1, P;\n",
                                                  "\tcall f;\n",
                                                  "\tcall (%r1), f, (%r2);\n",
                                                  ".func f() { call f; ret; }\n",
                                                  ".func (.reg .b32 r) f(.reg .b32 a) { add.s32 r, a, 1; @%p1 ret; }\n",
                                                  "{\n",
                                                  "}\n",
                                                  "\tret;\n",
                                                  "\texit;\n",
                                                  "\t.reg .b32 %r<5>;\n",
                                                  "\t.reg .b128 %q<3>;\n",
                                                  "\t.shared .b8 s[1099511627776];\n",
                                                  "\tadd.s32 %r1, %r1+2147483647, %r1+1;\n",
                                                  "\tsetp.lt.u32 %p1|%p2, %r1, %r2;\n",
                                                  "\tbar.sync 0;\n",
                                                  "\tmov.b64 {%r1, %r1}, %rd1;\n",
                                                  "\tdiv.u32 %r1, %r1, 0;\n"};
    return snippets[below(snippets.size())];
  }

  static constexpr std::array<const char*, 16> numbers = {"0",
                                                          "1",
                                                          "-1",
                                                          "2",
                                                          "31",
                                                          "32",
                                                          "33",
                                                          "255",
                                                          "2147483647",
                                                          "2147483648",
                                                          "4294967295",
                                                          "4294967296",
                                                          "0x7fffffffffffffff",
                                                          "0x8000000000000000",
                                                          "18446744073709551615",
                                                          "99999999999999999999999"};
  static constexpr std::array<const char*, 16> types = {".b8",  ".b16", ".b32",   ".b64", ".b128", ".u8",
                                                        ".u16", ".u64", ".s16",   ".s32", ".s64",  ".f16",
                                                        ".f32", ".f64", ".f16x2", ".bf16"};
  static constexpr std::array<const char*, 16> punctuation = {",", ";", "{", "}", "(", ")", "[", "]",
                                                              "+", "-", ":", "@", "!", "|", "<", "_"};

  static constexpr std::array<size_t, 9> mild_changes = {3, 4, 5, 6, 7, 9, 11, 12, 14};

  std::mt19937_64 random_;
  bool mild_ = below(2) == 0;
  std::vector<Line> lines_;
};

inline std::string mutate_ptx(std::string_view text, uint64_t seed) { return PtxMutator(text, seed).run(); }

}  // namespace warpspan::fuzz
