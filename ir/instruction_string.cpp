// SPDX-License-Identifier: GPL-3.0-or-later
#include "ir/instruction_string.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "support/source_file.hpp"

namespace warpspan::ir {

namespace {

constexpr int64_t largest = std::numeric_limits<int64_t>::max();
constexpr int deepest_group = 200;
constexpr size_t longest_text = 10'000'000;

bool same_content(const StringTerm& a, const StringTerm& b) {
  if ((a.group == nullptr) != (b.group == nullptr)) return false;
  if (a.group == nullptr) return a.unit == b.unit;
  return a.group == b.group || *a.group == *b.group;
}

bool same_term(const StringTerm& a, const StringTerm& b) { return a.repeat == b.repeat && same_content(a, b); }

}  // namespace

bool operator==(const InstructionString& a, const InstructionString& b) {
  return std::equal(a.terms_.begin(), a.terms_.end(), b.terms_.begin(), b.terms_.end(), same_term);
}

void InstructionString::append_term(StringTerm term) {
  if (!terms_.empty() && same_content(terms_.back(), term)) {
    const auto sum = (support::Integer(terms_.back().repeat) + support::Integer(term.repeat)).value();
    if (sum) {
      terms_.back().repeat = *sum;
      return;
    }
  }
  if (term.group != nullptr) groups_.push_back(terms_.size());
  terms_.push_back(std::move(term));
  fold_last_round();
}

// Makes of "(LC)^3LC" "(LC)^4": what a loop's last, separately written iteration looks like.
void InstructionString::fold_last_round() {
  constexpr size_t longest_iteration = 2000;  // terms; longer ones stay as they are
  for (auto group = groups_.rbegin(); group != groups_.rend(); ++group) {
    const size_t tail = terms_.size() - 1 - *group;
    if (tail > longest_iteration) return;
    StringTerm& candidate = terms_[*group];
    if (tail == 0 || candidate.group->terms_.size() != tail) continue;
    const std::vector<StringTerm>& round = candidate.group->terms_;
    const bool same = std::equal(round.begin(), round.end(), terms_.end() - static_cast<ptrdiff_t>(tail), same_term);
    if (!same || candidate.repeat == largest) continue;
    ++candidate.repeat;
    terms_.resize(terms_.size() - tail);
    while (groups_.back() >= terms_.size()) groups_.pop_back();
    return;
  }
}

void InstructionString::append(UnitClass unit, int64_t repeat) {
  if (repeat > 0) append_term({unit, nullptr, repeat});
}

void InstructionString::append(const InstructionString& other) {
  const std::vector<StringTerm> terms = other.terms_;  // `other` may be this string
  for (const StringTerm& term : terms) append_term(term);
}

void InstructionString::append_repeated(const InstructionString& group, int64_t repeat) {
  if (repeat <= 0 || group.empty()) return;
  if (repeat == 1) return append(group);
  if (group.terms_.size() == 1) {
    StringTerm term = group.terms_.front();
    if (const auto product = (support::Integer(term.repeat) * support::Integer(repeat)).value()) {
      term.repeat = *product;
      return append_term(std::move(term));
    }
  }
  append_term({UnitClass::core, std::make_shared<const InstructionString>(group), repeat});
}

UnitCounts InstructionString::counts() const {
  UnitCounts total{};
  for (const StringTerm& term : terms_) {
    if (term.group == nullptr) {
      total[static_cast<size_t>(term.unit)] += term.repeat;
    } else {
      const UnitCounts inner = term.group->counts();
      for (size_t k = 0; k < total.size(); ++k) total[k] += inner[k] * support::Integer(term.repeat);
    }
  }
  return total;
}

support::Integer InstructionString::length() const {
  support::Integer total;
  for (const support::Integer count : counts()) total += count;
  return total;
}

std::string to_string(const InstructionString& string) {
  std::string text;
  for (const StringTerm& term : string.terms()) {
    if (term.group == nullptr) {
      text += symbol(term.unit);
      if (term.repeat > 1) text += std::to_string(term.repeat);
    } else {
      text += "(" + to_string(*term.group) + ")^" + std::to_string(term.repeat);
    }
  }
  return text;
}

namespace {

class StringParser {
 public:
  explicit StringParser(const support::SourceFile& source) : source_(source), text_(source.text()) {}

  support::Result<InstructionString> run() {
    InstructionString result;
    if (text_.size() > longest_text) {
      return source_.error_at(0, "the instruction string is longer than ten million characters",
                              "write repetitions as numbers: L1000 or (LLC)^1000");
    }
    if (!parse_sequence(result, 0)) return *error_;
    if (position_ < text_.size()) return source_.error_at(position_, "')' without '('");
    return result;
  }

 private:
  bool fail(size_t at, std::string message, std::string help = {}) {
    error_ = source_.error_at(at, std::move(message), std::move(help));
    return false;
  }
  void skip_blanks() {
    while (position_ < text_.size() && std::string_view(" \t\r\n").find(text_[position_]) != std::string_view::npos) {
      ++position_;
    }
  }
  bool at_digit() const { return position_ < text_.size() && text_[position_] >= '0' && text_[position_] <= '9'; }

  std::optional<int64_t> parse_count() {
    int64_t value = 0;
    const char* begin = text_.data() + position_;
    const auto [rest, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc() || value < 1) {
      fail(position_, "a repetition is a number from 1 to " + std::to_string(largest));
      return std::nullopt;
    }
    position_ += static_cast<size_t>(rest - begin);
    return value;
  }

  // Symbols and groups up to the end or an unmatched ')'.
  bool parse_sequence(InstructionString& out, int depth) {
    for (skip_blanks(); position_ < text_.size() && text_[position_] != ')'; skip_blanks()) {
      if (!(text_[position_] == '(' ? parse_group(out, depth) : parse_symbol(out))) return false;
    }
    return true;
  }

  bool parse_group(InstructionString& out, int depth) {
    const size_t opening = position_++;
    if (depth >= deepest_group) return fail(opening, "groups are nested too deeply");
    InstructionString group;
    if (!parse_sequence(group, depth + 1)) return false;
    if (position_ >= text_.size()) return fail(opening, "'(' is never closed");
    ++position_;
    skip_blanks();
    if (position_ >= text_.size() || text_[position_] != '^') {
      return fail(std::min(position_, text_.size()), "expected '^' and a number after ')'", "write (LLC)^20");
    }
    ++position_;
    skip_blanks();
    const auto repeat = parse_count();
    if (repeat) out.append_repeated(group, *repeat);
    return repeat.has_value();
  }

  bool parse_symbol(InstructionString& out) {
    static constexpr std::string_view symbols = "LCS";
    const size_t found = symbols.find(text_[position_]);
    if (found == std::string_view::npos) {
      return fail(position_, "unknown symbol '" + std::string(1, text_[position_]) + "' in an instruction string",
                  "the symbols are L (load/store), C (core) and S (special function)");
    }
    ++position_;
    std::optional<int64_t> repeat = 1;
    if (at_digit()) repeat = parse_count();
    if (repeat) out.append(static_cast<UnitClass>(found), *repeat);
    return repeat.has_value();
  }

  const support::SourceFile& source_;
  std::string_view text_;
  size_t position_ = 0;
  std::optional<support::Diagnostic> error_;
};

InstructionString widen(const InstructionString& string, const std::array<int64_t, unit_classes>& copies) {
  InstructionString result;
  for (const StringTerm& term : string.terms()) {
    if (term.group != nullptr) {
      result.append_repeated(widen(*term.group, copies), term.repeat);
      continue;
    }
    const int64_t each = copies[static_cast<size_t>(term.unit)];
    if (const auto product = (support::Integer(each) * support::Integer(term.repeat)).value()) {
      result.append(term.unit, *product);
      continue;
    }
    InstructionString symbols;
    symbols.append(term.unit, each);
    result.append_repeated(symbols, term.repeat);
  }
  return result;
}

}  // namespace

support::Result<InstructionString> parse_instruction_string(const std::string& name, std::string_view text) {
  const support::SourceFile source(name, std::string(text));
  return StringParser(source).run();
}

support::Result<TransformedString> transform(const InstructionString& string,
                                             const std::array<support::Rational, unit_classes>& widths) {
  TransformedString result;
  std::array<int64_t, unit_classes> copies{1, 1, 1};
  for (size_t k = 0; k < widths.size(); ++k) {
    const support::Rational& width = widths[k];
    if (width.numerator < 1 || (width.denominator != 1 && width.numerator != 1)) {
      return support::usage_error("the width " + to_string(width) + " of class " + symbol(static_cast<UnitClass>(k)) +
                                      " is neither a whole number of warps nor 1/n of a warp",
                                  "give 1, 2, ... or 1/2, 1/4, ...");
    }
    copies[k] = width.denominator;
    result.servers[k] = width.numerator;
  }
  result.string = widen(string, copies);
  if (result.string.length().overflowed()) return support::usage_error("the instruction string is too long to count");
  return result;
}

}  // namespace warpspan::ir
