// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of a launch when a kernel is analyzed: what its user states of it and of the kernel.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "ir/kernel.hpp"
#include "support/diagnostic.hpp"
#include "support/rational.hpp"

namespace warpspan::ir {

// The kinds of facts that a user can state, each with a source in app/facts that says how it is given, read, checked
// and written. Their order is that of options and of assumptions in reports.
#define WARPSPAN_USER_FACTS(KIND) \
  KIND(block)                     \
  KIND(grid)                      \
  KIND(registers)                 \
  KIND(shared)                    \
  KIND(argument)                  \
  KIND(global)                    \
  KIND(initialisers)              \
  KIND(buffer)                    \
  KIND(interference)              \
  KIND(loop_bound)                \
  KIND(wait)                      \
  KIND(call_cost)                 \
  KIND(recursion)

#define WARPSPAN_KIND(name) name,
enum class UserFact : uint8_t { WARPSPAN_USER_FACTS(WARPSPAN_KIND) };
#undef WARPSPAN_KIND

// "{loop_bound}": in the message and the help of an error it stands for how the user gives such a fact, which only app
// knows. So does "{machine}" for what is given besides: app/facts/spelling.hpp has the list.
std::string mention(UserFact fact);

// Where a user stated something: in an option, or in a line of a file. Facts are the same wherever they were stated.
struct Origin {
  std::string giver = {};           // as reports call it, an option; of a file: empty
  support::Location location = {};  // of a file
  std::string line = {};            // the text of that line
  bool is_file() const { return !location.file.empty(); }

  friend bool operator==(const Origin&, const Origin&) { return true; }
  friend std::strong_ordering operator<=>(const Origin&, const Origin&) { return std::strong_ordering::equal; }
};
// The giver, or "facts.toml:12".
std::string to_string(const Origin& origin);

struct ByteRange {
  int64_t offset = 0;
  int64_t count = 0;

  friend auto operator<=>(const ByteRange&, const ByteRange&) = default;
};
struct Argument {
  std::string parameter;                          // name or index, as the user wrote it; or the name of a variable
  std::string value;                              // decimal or hexadecimal integer, or a range of them: "1..4096"
  std::optional<ByteRange> bytes = std::nullopt;  // of the parameter that have the value; all if there is none
  std::string kernel = {};                        // pattern (support::names_symbol); empty: of any kernel
  Origin origin = {};
  // Which element of an array variable has it. `bytes`, if there are any, are as many as the element has, from 0.
  std::optional<int64_t> element = std::nullopt;
  // As the source calls it, "s.n", where `parameter` has become the name in the code; else empty.
  std::string written = {};

  friend auto operator<=>(const Argument&, const Argument&) = default;
};
// "n", "s+8:4", "table[3]", "s.n": as an option names it.
std::string place_of(const Argument& argument);
// How often the loops at a place run: each of them, each time it is entered. Either `label` or `line` is given.
struct LoopBound {
  std::string label;       // of the header
  int64_t trip_count = 0;  // as Loop::trip_count, of each loop at the place
  std::string file = {};   // of `line`: the name of a source file, or the end of its path; empty: the file that is read
  int64_t line = 0;        // where the header begins in the file that is read; of a source file as Loop::source_line
  std::string kernel = {};  // as Argument::kernel
  Origin origin = {};
  // Loop::longest_wait; then `trip_count` is not given, and is 0.
  std::optional<int64_t> wait = std::nullopt;
  // The call whose copies of the loop, or copies in such copies, are meant: its file and line. Line 0: all copies.
  std::string from_file = {};
  int64_t from_line = 0;

  friend auto operator<=>(const LoopBound&, const LoopBound&) = default;
};
// Whether it names a line of the source.
bool is_of_source(const LoopBound& bound);
// "$L__BB0_2", "line:63", "kernel.cu:42 from kernel.cu:9", "reduce<512>:line:63": as an option names them.
std::string place_of(const LoopBound& bound);
// How much memory a parameter points to, from there on.
struct Buffer {
  std::string parameter;  // name or index; "s+8": the pointer at byte 8 of a structure
  int64_t bytes = 0;
  std::string kernel = {};  // as Argument::kernel
  Origin origin = {};
  std::string written = {};  // as Argument::written

  friend auto operator<=>(const Buffer&, const Buffer&) = default;
};
// "x", "s+8", "s.data": as an option names it.
std::string place_of(const Buffer& buffer);
// How long one call of a function without a body takes.
struct CallCost {
  std::string function;  // pattern (support::names_symbol)
  CallTime time;
  std::string text;         // the time as the user wrote it
  std::string kernel = {};  // as Argument::kernel
  Origin origin = {};

  // However the time is written.
  friend bool operator==(const CallCost& a, const CallCost& b) { return (a <=> b) == std::strong_ordering::equal; }
  friend std::strong_ordering operator<=>(const CallCost& a, const CallCost& b) {
    return std::tie(a.function, a.time, a.kernel) <=> std::tie(b.function, b.time, b.kernel);
  }
};
// How many activations of a recursive function are on a thread's stack at the same time, at most.
struct Recursion {
  std::string function;     // pattern (support::names_symbol)
  int64_t depth = 0;        // at least 1
  std::string kernel = {};  // as Argument::kernel
  Origin origin = {};

  friend auto operator<=>(const Recursion&, const Recursion&) = default;
};
// For how long others that use the memory, such as the CPU of an integrated GPU, keep the kernel's requests waiting.
struct Interference {
  support::Rational share;  // of the time that it runs, at most: at least 0, below 1
  std::string text;         // as the user wrote it
  Origin origin = {};

  // However the share is written.
  friend bool operator==(const Interference& a, const Interference& b) { return a.share == b.share; }
  friend std::strong_ordering operator<=>(const Interference& a, const Interference& b) {
    return std::tie(a.share.numerator, a.share.denominator) <=> std::tie(b.share.numerator, b.share.denominator);
  }
};
struct Launch {
  std::optional<Extent> block;
  std::optional<Extent> grid;
  std::vector<Argument> arguments;
  std::vector<Argument> globals;    // what variables of the file hold as long as the kernel runs
  bool trust_initialisers = false;  // of variables that the file never stores to
  std::vector<LoopBound> loop_bounds;
  std::vector<Buffer> buffers;
  std::vector<CallCost> call_costs;
  std::vector<Recursion> recursions;
  std::optional<int64_t> registers;       // of a thread
  std::string registers_from;             // who states them, as reports call it: "--registers", a log; or empty
  bool registers_of_code = false;         // machine code that is at hand has them, and its stack tells what it spills
  std::optional<int64_t> static_shared;   // bytes of a block that the machine code declares, where a log tells them
  std::optional<int64_t> dynamic_shared;  // bytes of a block, beside those that the file declares
  std::optional<Interference> interference;

  // Equal launches have the same bound.
  friend auto operator<=>(const Launch&, const Launch&) = default;
};

// The lists of facts that may be for some kernels only, each with a `kernel` and an `origin`.
template <typename SomeLaunch>
auto lists_of(SomeLaunch& launch) {
  return std::tie(launch.arguments, launch.globals, launch.buffers, launch.loop_bounds, launch.call_costs,
                  launch.recursions);
}
// Calls use(list) for each of them.
template <typename SomeLaunch, typename Use>
void for_each_list(SomeLaunch& launch, const Use& use) {
  std::apply([&use](auto&... lists) { (use(lists), ...); }, lists_of(launch));
}
// Puts the lists of one behind those of another.
void append_facts(Launch& to, const Launch& from);

}  // namespace warpspan::ir
