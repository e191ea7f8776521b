// SPDX-License-Identifier: GPL-3.0-or-later
// Constant expressions: C's operators and precedence, of 64 bits, wrapping. PTX ISA 9.0, 4.5.
//
// Where the ISA and ptxas 13.0 differ, this is what ptxas does: a number is unsigned if it has a U, if it does not fit
// the signed ones, behind (.u64) and ~, and if it is computed from such a one; & | ^ have the type of their operands,
// not always the unsigned one; % is one of unsigned numbers always; shifts are by the lowest six bits of the amount; a
// choice has the type of what is chosen.
#include <optional>

#include "frontend/ptx/syntax/parser_state.hpp"

namespace warpspan::ptx {

namespace {

struct Operator {
  std::string_view text;
  int precedence;
};

constexpr Operator operators[] = {{"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
                                  {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
                                  {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};

const Operator* find_operator(const Token& token) {
  if (token.kind != Token::Kind::punctuation) return nullptr;
  for (const Operator& candidate : operators) {
    if (candidate.text == token.text) return &candidate;
  }
  return nullptr;
}

// Nothing if it divides by zero, or overflows as only the smallest number by -1 does.
std::optional<uint64_t> quotient(uint64_t a, uint64_t b, bool is_unsigned) {
  if (b == 0) return std::nullopt;
  if (is_unsigned) return a / b;
  if (b == ~uint64_t{0} && a == uint64_t{1} << 63) return std::nullopt;
  return static_cast<uint64_t>(static_cast<int64_t>(a) / static_cast<int64_t>(b));
}

// What the operator makes of numbers of which one is unsigned, or none is.
std::optional<uint64_t> apply(std::string_view op, uint64_t a, uint64_t b, bool is_unsigned) {
  const auto is_below = [is_unsigned](uint64_t x, uint64_t y) {
    return is_unsigned ? x < y : static_cast<int64_t>(x) < static_cast<int64_t>(y);
  };
  if (op == "||") return a != 0 || b != 0;
  if (op == "&&") return a != 0 && b != 0;
  if (op == "|") return a | b;
  if (op == "^") return a ^ b;
  if (op == "&") return a & b;
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "<") return is_below(a, b);
  if (op == ">") return is_below(b, a);
  if (op == "<=") return !is_below(b, a);
  if (op == ">=") return !is_below(a, b);
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  if (op == "/") return quotient(a, b, is_unsigned);
  return b == 0 ? std::nullopt : std::optional(a % b);
}

}  // namespace

std::optional<int64_t> Parser::parse_integer() {
  const auto value = parse_expression(0, 0);
  return value ? std::optional(static_cast<int64_t>(value->bits)) : std::nullopt;
}

std::optional<int64_t> Parser::parse_negative() {
  const auto first = parse_unary(0);
  const auto value = first ? parse_operators({0 - first->bits, first->is_unsigned}, 0, 0) : std::nullopt;
  return value ? std::optional(static_cast<int64_t>(value->bits)) : std::nullopt;
}

std::optional<Parser::Number> Parser::parse_expression(int lowest_precedence, int depth) {
  if (depth > deepest_expression) {
    fail(token_.offset, "the expression is nested too deeply");
    return std::nullopt;
  }
  const auto left = parse_unary(depth + 1);
  return left ? parse_operators(*left, lowest_precedence, depth) : std::nullopt;
}

std::optional<Parser::Number> Parser::parse_operators(Number left, int lowest_precedence, int depth) {
  while (const Operator* op = find_operator(token_)) {
    if (op->precedence <= lowest_precedence) break;
    const size_t offset = token_.offset;
    advance();
    const auto right = parse_expression(op->precedence, depth + 1);
    if (!right) return std::nullopt;
    if (op->text == "<<" || op->text == ">>") {
      const auto by = static_cast<int>(right->bits % 64);
      const auto shifted = static_cast<uint64_t>(static_cast<int64_t>(left.bits) >> by);
      left.bits = op->text == "<<" ? left.bits << by : left.is_unsigned ? left.bits >> by : shifted;
      continue;
    }
    const bool is_unsigned = left.is_unsigned || right->is_unsigned || op->text == "%";
    const auto value = apply(op->text, left.bits, right->bits, is_unsigned);
    if (!value) {
      fail(offset, "division by zero in a constant expression");
      return std::nullopt;
    }
    const bool is_truth = op->precedence <= 2 || op->precedence == 6 || op->precedence == 7;
    left = {*value, is_unsigned && !is_truth};
  }
  if (lowest_precedence == 0 && accept('?')) {
    const auto yes = parse_expression(0, depth + 1);
    if (!yes || !expect(':', "the first choice of '?'")) return std::nullopt;
    const auto no = parse_expression(0, depth + 1);
    if (!no) return std::nullopt;
    return left.bits != 0 ? yes : no;
  }
  return left;
}

std::optional<Parser::Number> Parser::parse_unary(int depth) {
  if (depth > deepest_expression) {
    fail(token_.offset, "the expression is nested too deeply");
    return std::nullopt;
  }
  for (const char sign : {'+', '-', '!', '~'}) {
    if (!token_.is(sign)) continue;
    advance();
    const auto value = parse_unary(depth + 1);
    if (!value) return std::nullopt;
    switch (sign) {
      case '-': return Number{0 - value->bits, value->is_unsigned};
      case '!': return Number{value->bits == 0 ? uint64_t{1} : 0, false};
      case '~': return Number{~value->bits, true};
      default: return value;
    }
  }
  if (accept('(')) {
    const bool is_unsigned = token_.is(".u64");
    if (is_unsigned || token_.is(".s64")) {
      advance();
      if (!expect(')', "the type of a cast")) return std::nullopt;
      const auto value = parse_unary(depth + 1);
      return value ? std::optional(Number{value->bits, is_unsigned}) : std::nullopt;
    }
    const auto value = parse_expression(0, depth + 1);
    if (!value || !expect(')', "the expression")) return std::nullopt;
    return value;
  }
  if (token_.kind == Token::Kind::identifier && token_.text == "WARP_SZ") {
    advance();
    return Number{32, false};
  }
  if (token_.kind != Token::Kind::integer) {
    fail_here("an operand");
    return std::nullopt;
  }
  const Number value{token_.bits, token_.text.ends_with('U') || token_.bits > INT64_MAX};
  advance();
  return value;
}

}  // namespace warpspan::ptx
