// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reference/generators/float_writer.hpp"

#include <bit>
#include <cstdint>
#include <cstdio>
#include <limits>

namespace warpspan::reference {

std::string FloatWriter::literal(double value) const {
  char text[24];
  if (is_double_)
    std::snprintf(text, sizeof(text), "0d%016llX", static_cast<unsigned long long>(std::bit_cast<uint64_t>(value)));
  else
    std::snprintf(text, sizeof(text), "0f%08X", std::bit_cast<uint32_t>(static_cast<float>(value)));
  return text;
}

double FloatWriter::small_number() {
  switch (random_.below(6)) {
    case 0: return static_cast<double>(random_.between(1, 9)) / 8;
    case 1: return static_cast<double>(random_.between(1, 30)) / 10;
    case 2: return 1;
    case 3: return static_cast<double>(random_.between(1, 999)) / 333;
    default: return static_cast<double>(random_.between(1, 5));
  }
}

// Of 1 to 2, with all bits that there are.
double FloatWriter::ragged_number() {
  return 1 + static_cast<double>(random_.below(uint64_t{1} << 52)) / static_cast<double>(uint64_t{1} << 52);
}

double FloatWriter::any_number() {
  using limits = std::numeric_limits<float>;
  const double sign = random_.chance(30) ? -1 : 1;
  switch (random_.below(28)) {
    case 0:
      return sign * random_.pick<double>({0, limits::min(), limits::denorm_min(), limits::max(), limits::infinity(),
                                          limits::quiet_NaN(), 1e-320, 1e308});
    case 1:
      return sign * random_.pick<double>({16777216, 16777200, 8388607.5, 9007199254740992, 2147483648, 4294967296});
    case 2: return std::bit_cast<float>(static_cast<uint32_t>(random_.next()));
    case 3: return sign * std::bit_cast<double>(0x3000000000000000 + random_.below(0x1fffffffffffffff));
    case 4: return 0;
    case 5:
    case 6: return sign * static_cast<double>(random_.between(1, random_.chance(50) ? 50 : 2000)) / 10;
    default: return sign * static_cast<double>(random_.between(0, 60));
  }
}

std::string FloatWriter::copy(const std::string& from) {
  const std::string r = fresh();
  change(r, from);
  return r;
}

// A register: something that there is, something new, or a number of the thread.
std::string FloatWriter::value() {
  auto& known = known_[is_double_ ? 1 : 0];
  if (!known.empty() && random_.chance(12)) return random_.of(known);
  if (random_.chance(25)) {
    const std::string r = fresh(), word = random_.chance(50) ? thread_ : few_;
    body_.line(
        {"cvt.", random_.pick({"rn", "rz", "rp"}), ".", type(), random_.pick({".s32 ", ".u32 "}), r, ", ", word});
    known.push_back(r);
    return r;
  }
  if (!is_double_ && random_.chance(10)) return given_;
  return copy(literal(any_number()));
}

std::string FloatWriter::rounding() {
  const bool may_be_none = random_.chance(50);
  return may_be_none ? "" : random_.pick({".rn", ".rn", ".rz", ".rm", ".rp"});
}

std::string FloatWriter::result(const std::string& opcode, std::initializer_list<std::string> operands) {
  const std::string r = fresh();
  std::string text = opcode + "." + type() + " " + r;
  for (const std::string& operand : operands) text += ", " + operand;
  body_.line({text});
  return r;
}

// a * b + c, rounded once, twice, or as the assembler likes it.
std::string FloatWriter::fused(const std::string& a, const std::string& b, const std::string& c) {
  if (random_.chance(40)) return result("fma" + std::string(random_.pick({".rn", ".rz", ".rp"})) + flush(), {a, b, c});
  const std::string flushes = flush();
  const bool is_fixed = random_.chance(30);
  const std::string product = result((is_fixed ? "mul.rn" : "mul") + flushes, {a, b});
  if (fuses_ && !is_fixed) return result("fma.rn" + flushes, {a, b, c});
  return result("add" + flushes, {product, c});
}

// There and back.
std::string FloatWriter::converted(const std::string& x) {
  const std::string r = fresh();
  switch (random_.below(3)) {
    case 0: {
      const std::string whole = body_.word(), kind = random_.pick({"s32", "u32"});
      body_.line(
          {"cvt.", random_.pick({"rni", "rzi", "rmi", "rpi"}), flush(), ".", kind, ".", type(), " ", whole, ", ", x});
      body_.line({"cvt.rn.", type(), ".", kind, " ", r, ", ", whole});
      return r;
    }
    case 1:
      body_.line(
          {"cvt.", random_.pick({"rni", "rzi", "rmi", "rpi"}), flush(), ".", type(), ".", type(), " ", r, ", ", x});
      return r;
    default: {
      const std::string other = is_double_ ? body_.word() : body_.wide();
      const std::string how = random_.pick({".rn", ".rz", ".rm", ".rp"});
      body_.line({is_double_ ? "cvt" + how + ".f32.f64 " : "cvt.f64.f32 ", other, ", ", x});
      body_.line({is_double_ ? "cvt.f64.f32 " : "cvt" + how + ".f32.f64 ", r, ", ", other});
      return r;
    }
  }
}

// Anything of a number and another one.
std::string FloatWriter::computed(const std::string& x, const std::string& other) {
  switch (random_.below(14)) {
    case 0: return result("sub" + rounding() + flush(), {x, other});
    case 1: return result("mul" + rounding() + flush(), {x, literal(small_number())});
    case 2: return result("div" + std::string(random_.pick({".rn", ".rz", ".rm", ".rp"})) + flush(), {x, other});
    case 3: return fused(x, literal(small_number()), other);
    case 4: return result(random_.pick({"min", "max"}) + flush(), {x, other});
    case 5: return result(random_.pick({"abs", "neg"}) + flush(), {x});
    case 6: return converted(x);
    case 7: return result("mul.rn" + flush(), {x, other});
    case 8: return result("add" + rounding() + flush() + (is_double_ || random_.chance(90) ? "" : ".sat"), {x, other});
    case 9: return result("sub" + rounding() + flush(), {x, literal(small_number())});
    case 10: return result(random_.chance(92) || is_double_ ? "mul" + rounding() : "div.approx", {x, literal(0.5)});
    default: return result("add" + rounding() + flush(), {x, literal(small_number())});
  }
}

std::string FloatWriter::compared(const std::string& a, const std::string& b,
                                  std::initializer_list<const char*> usual) {
  const std::string p = body_.predicate();
  const std::string relation =
      random_.chance(94)
          ? random_.pick(usual)
          : random_.pick({"eq", "ne", "lt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
  if (random_.chance(10)) {
    const std::string word = body_.word();
    const bool as_number = random_.chance(50);
    body_.line({"set.", relation, as_number ? ".f32." : ".u32.", type(), " ", word, ", ", a, ", ", b});
    body_.line({"setp.ne.u32 ", p, ", ", word, ", 0"});
    return p;
  }
  if (random_.chance(5)) {  // as integers, which are ordered alike where no sign is set
    body_.line({"setp.", random_.pick({"lt", "gt", "ne"}), ".s", bits(), " ", p, ", ", a, ", ", copy(b)});
    return p;
  }
  body_.line({"setp.", relation, flush(), ".", type(), " ", p, ", ", a, ", ", b});
  return p;
}

// Perhaps the opposite of the opposite, and perhaps with something else.
std::string FloatWriter::condition(const std::string& a, const std::string& b,
                                   std::initializer_list<const char*> usual) {
  const std::string p = compared(a, b, usual);
  if (random_.chance(85)) return p;
  const std::string q = compared(a, value(), {"lt", "gt", "ne", "num"}), both = body_.predicate();
  body_.line({random_.pick({"and", "and", "or"}), ".pred ", both, ", ", p, ", ", q});
  return both;
}

std::string FloatWriter::picked(const std::string& p, const std::string& a, const std::string& b) {
  const std::string r = fresh();
  body_.line({"selp.", random_.pick({"f", "b"}), bits(), " ", r, ", ", a, ", ", b, ", ", p});
  return r;
}

}  // namespace warpspan::reference
