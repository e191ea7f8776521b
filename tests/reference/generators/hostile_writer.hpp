// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the body of a hostile kernel (hostile_loops.hpp): values, conditions and loops drawn at random.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "tests/reference/generators/body.hpp"
#include "tests/reference/generators/random.hpp"

namespace warpspan::reference {

inline uint64_t mask_of(unsigned bits) { return bits == 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1; }
// A number near an end of the type or of a part of it, or a small one.
uint64_t corner(Random& random, unsigned bits);

class HostileWriter {
 public:
  explicit HostileWriter(Random& random) : random_(random), body_("H") {}
  std::string write();

 private:
  using Registers = std::vector<std::string>;

  std::string bits() const { return std::to_string(bits_); }
  std::string fresh() { return bits_ == 16 ? body_.half() : bits_ == 64 ? body_.wide() : body_.word(); }
  std::string number(int64_t first, int64_t last) { return std::to_string(random_.between(first, last)); }
  std::string constant();
  std::string sign() { return random_.chance(50) ? "s" : "u"; }
  std::string value();
  std::string made();
  std::string loaded(const char* type);
  std::string to_width(const std::string& word, unsigned from);
  std::string result(const std::string& opcode, const std::string& a, const std::string& b);
  void change(const std::string& opcode, const std::string& r, const std::string& by);
  void move(const std::string& to, const std::string& from);
  std::string copy(const std::string& from);
  std::string compared(const std::string& a, const std::string& b, std::initializer_list<const char*> usual);
  std::string unknown();
  std::string condition(const std::string& a, const std::string& b, std::initializer_list<const char*> usual);
  std::string picked(const std::string& p, const std::string& a, const std::string& b);
  void either(const std::function<void()>& one, const std::function<void()>& other);

  // A loop of these counters: `turn` changes them, `stays` gives the condition on which it goes on.
  void loop(int depth, const std::function<std::string()>& stays, const std::function<void()>& turn);
  void leave_early();
  void inside(int depth);
  void access();
  void guard(const std::string& out);
  void any_loop(int depth);
  void counted(int depth);
  void halved(int depth);
  void merged(int depth);
  void rests(int depth);
  void cleared(int depth);
  void shifted(int depth);
  void approached(int depth);
  void carried(int depth);
  void clamped(int depth);
  void unrolled(int depth);
  void mixed(int depth);
  void chunked(int depth);
  void walked(int depth);

  Random& random_;
  Body body_;
  unsigned bits_ = 32;
  std::string pointer_, array_, state_, end_;
  Registers outs_;                                  // where the loops around are left
  std::array<std::vector<std::string>, 3> values_;  // of 16, 32 and 64 bits
  std::vector<std::string>& known() { return values_[bits_ / 32]; }
};

}  // namespace warpspan::reference
