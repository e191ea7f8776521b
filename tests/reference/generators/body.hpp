// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a function's body while it is written: fresh registers and labels, lines, and at the end the
// declarations.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace warpspan::reference {

class Body {
 public:
  // `prefix` begins all labels, which must differ from function to function.
  explicit Body(std::string prefix) : prefix_(std::move(prefix)) {}

  std::string word() { return "%r" + std::to_string(words_++); }
  std::string wide() { return "%d" + std::to_string(wides_++); }
  std::string half() { return "%h" + std::to_string(halves_++); }
  std::string predicate() { return "%p" + std::to_string(predicates_++); }
  std::string label() { return prefix_ + std::to_string(labels_++); }

  // One statement, from its parts. In braces they are evaluated from left to right, so the same seed gives the same
  // text with every compiler.
  void line(std::initializer_list<std::string_view> parts) {
    lines_ += guard_;
    for (const std::string_view part : parts) lines_ += part;
    lines_ += ";\n";
  }
  void place(const std::string& label) { lines_ += label + ":\n"; }
  // Where a loop tests whether it goes on: behind each turn, before each, or, as compilers rotate loops, before the
  // first and behind each.
  enum class Tests : uint8_t { last, first, both };
  // A loop from the label `head` to before `out`. `stays` writes the test and returns its predicate.
  template <typename Stays, typename Turn>
  void loop(Tests tests, const std::string& head, const std::string& out, const Stays& stays, const Turn& turn) {
    if (tests == Tests::both) line({"@!", stays(), " bra ", out});
    place(head);
    if (tests == Tests::first) line({"@!", stays(), " bra ", out});
    turn();
    if (tests == Tests::first)
      line({"bra ", head});
    else
      line({"@", stays(), " bra ", head});
    place(out);
  }
  // All lines that `write` writes, which must be statements without a guard, have this one: "@%p1 ".
  template <typename Write>
  void guard(const std::string& guard, const Write& write) {
    guard_ = guard;
    write();
    guard_.clear();
  }
  // Without a semicolon.
  void raw(const std::string& text) { lines_ += text + "\n"; }

  std::string text() const {
    return ".reg .pred %p<" + std::to_string(predicates_ + 1) + ">;\n.reg .b16 %h<" + std::to_string(halves_ + 1) +
           ">;\n.reg .b32 %r<" + std::to_string(words_ + 1) + ">;\n.reg .b64 %d<" + std::to_string(wides_ + 1) +
           ">;\n" + lines_;
  }

 private:
  std::string prefix_;
  std::string guard_;
  std::string lines_;
  int words_ = 0, wides_ = 0, halves_ = 0, predicates_ = 0, labels_ = 0;
};

}  // namespace warpspan::reference
