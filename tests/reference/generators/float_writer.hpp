// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the body of a kernel with loops that floating-point numbers decide (floats_family.cpp).
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "tests/reference/generators/body.hpp"
#include "tests/reference/generators/random.hpp"

namespace warpspan::reference {

class FloatWriter {
 public:
  // fuses: writes what an assembler may make of the text, with as many lines.
  FloatWriter(Random& random, bool fuses) : random_(random), body_("F"), fuses_(fuses) {}
  std::string write();

 private:
  using Condition = std::function<std::string()>;

  std::string type() const { return is_double_ ? "f64" : "f32"; }
  std::string bits() const { return is_double_ ? "64" : "32"; }
  std::string fresh() { return is_double_ ? body_.wide() : body_.word(); }
  std::string literal(double value) const;
  double any_number();
  double small_number();
  double ragged_number();
  std::string value();
  std::string copy(const std::string& from);
  std::string flush() { return !is_double_ && random_.chance(30) ? ".ftz" : ""; }
  std::string rounding();
  std::string result(const std::string& opcode, std::initializer_list<std::string> operands);
  void change(const std::string& x, const std::string& to) { body_.line({"mov.", type(), " ", x, ", ", to}); }
  std::string fused(const std::string& a, const std::string& b, const std::string& c);
  std::string converted(const std::string& x);
  std::string computed(const std::string& x, const std::string& other);
  std::string compared(const std::string& a, const std::string& b, std::initializer_list<const char*> usual);
  std::string condition(const std::string& a, const std::string& b, std::initializer_list<const char*> usual);
  std::string picked(const std::string& p, const std::string& a, const std::string& b);
  void loop(const Condition& stays, const std::function<void()>& turn);
  void any_loop();
  void counted();
  void halved();
  void grown();
  void reduced();
  void bisected();
  void approximated();
  void converted_limit();
  void bits_limit();
  void mixed();

  Random& random_;
  Body body_;
  bool fuses_;
  bool is_double_ = false;
  int depth_ = 0;
  std::string pointer_, thread_, few_, given_;
  std::vector<std::string> known_[2];  // of 32 and 64 bits
};

}  // namespace warpspan::reference
