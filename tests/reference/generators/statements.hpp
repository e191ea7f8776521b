// SPDX-License-Identifier: GPL-3.0-or-later
// Random bodies made of statements: assignments, accesses, branches, loops, jumps out of both, calls.
//
// All graphs are reducible and all loops have a bound that can be found. What varies is who decides: conditions ask the
// lane, something that all lanes share, or a variable that was assigned on the way, which only a correct analysis knows
// to differ between lanes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/reference/generators/body.hpp"
#include "tests/reference/generators/random.hpp"

namespace warpspan::reference {

// How often each statement is written, relative to the others, and who decides its conditions, in percent.
struct Style {
  uint64_t assignments = 30;
  uint64_t accesses = 15;
  uint64_t branches = 20;
  uint64_t decisions = 0;  // branches that only choose between values, with several blocks a side
  uint64_t loops = 12;
  uint64_t jumps = 0;       // to the end of a sequence around the statement, also out of loops
  uint64_t loop_exits = 0;  // break, continue
  uint64_t ends = 0;        // exit, return
  uint64_t switches = 0;    // indexed branches
  uint64_t warp_wide = 0;   // votes, shuffles
  uint64_t calls = 0;
  uint64_t computed_calls = 0;  // of those, of functions by their addresses
  uint64_t slots = 0;           // accesses to the thread's own array, in a kernel; loops count there too
  uint64_t escapes = 0;         // of these, in percent, at a place that is not a constant
  uint64_t chains = 10;         // branches to what follows anyway: a block ends
  uint64_t constants = 40;      // assignments of a constant, in percent; others mix in what there is
  uint64_t loads = 40;          // accesses that load into a variable, in percent
  uint64_t elsewhere = 0;       // accesses that are not to global memory, in percent
  uint64_t by_lane = 40;        // conditions that differ from lane to lane
  uint64_t by_variable = 30;    // conditions that depend on what was assigned; the others are shared by all lanes
  int64_t statements = 14;
  int deepest = 3;
};

// A function that can be called: (word) = name(word, word, pointer).
struct Callable {
  std::string name;
};

// What a body begins with.
struct Given {
  std::string lane;     // word: differs between lanes
  std::string shared;   // word: the same for all lanes, not known
  std::string bound;    // word: the same for all lanes, known and small
  std::string pointer;  // wide: to global memory, the same for all lanes
  std::string end;      // the instruction that leaves: "exit" or "ret"
  bool in_kernel = true;
  // word: how many activations calls may be nested in yet, which functions are passed beside; empty: they are not
  // nested.
  std::string left = {};
};

class Statements {
 public:
  Statements(Random& random, const Style& style, Body& body, Given given, const std::vector<Callable>& callables);

  // Writes the body, without the last return.
  void write();
  const std::string& result() const { return variables_.front(); }

 private:
  struct Sequence {
    std::string end;
    bool used = false;
  };
  struct Loop {
    std::string next;  // where a continue goes
    std::string out;
    std::string counter;
    std::string slot;  // where the counter is kept besides; empty if nowhere
  };

  void sequence(int64_t statements, int depth);
  void statement(int depth);

  // statements_simple.cpp
  std::string number(int64_t first, int64_t last) { return std::to_string(random_.between(first, last)); }
  std::string variable() { return random_.of(variables_); }
  std::string observed();
  std::string operand();
  std::string lane_condition();
  std::string of_warp();
  std::string shared_condition();
  std::string variable_condition();
  std::string condition();
  std::string test(const std::string& value, int64_t largest = 9);
  std::string guard();
  void assign();
  void access();
  void access_elsewhere();
  std::string address();
  void slot();
  void slot_anywhere();
  void warp_wide();
  void call();

  // statements_control.cpp
  void branch(int depth);
  void decision();
  void keep(const std::string& outcome);
  void side(const std::string& outcome);
  void switch_case(int depth);
  void loop(int depth);
  void chain();
  void jump();
  void loop_exit();
  void end_thread();
  struct Count {
    std::string first, limit, step_opcode, step, stay;  // of the counter: `stay` is the comparison that goes on
  };
  Count choose_count();
  void write_loop(const Loop& loop, const Count& count, int depth);

  Random& random_;
  const Style& style_;
  Body& body_;
  Given given_;
  const std::vector<Callable>& callables_;
  std::vector<std::string> variables_;   // words
  std::vector<std::string> outcomes_;    // words that are assigned once on every way and then only read
  std::vector<std::string> predicates_;  // that variables
  std::vector<Sequence> sequences_;
  std::vector<Loop> loops_;
  int64_t left_;       // statements that may still be written
  int64_t turns_ = 1;  // of the loops around, at most
  int counter_slots_ = 0;
};

}  // namespace warpspan::reference
