// SPDX-License-Identifier: GPL-3.0-or-later
// Named assumptions: guarantees of the hardware or of the tools that the user may state. assumptions.def has them all.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "solver/makespan/result.hpp"

namespace warpspan::timing {

enum class Assumption : uint8_t {
#define ASSUMPTION(enumerator, identifier, name, subject, over_calls, implied, sentence) enumerator,
#include "timing/assumptions/assumptions.def"
};
inline constexpr size_t assumptions = 0
#define ASSUMPTION(enumerator, identifier, name, subject, over_calls, implied, sentence) +1
#include "timing/assumptions/assumptions.def"
    ;

// What an assumption is about.
enum class Subject : uint8_t {
  scheduling,  // the order of machine instructions
  code,        // how code comes to a multiprocessor
  constants,   // the cache of constants and parameters
  accesses,    // how memory serves an access
  caches,      // what caches of data keep of what accesses have fetched
  textures,    // samplers
  registers,   // what the assembler made of them
  requests,    // in which order parts on the way to memory serve them
};

// Which of them are assumed; none unless the user states them. Some contain another one, which is then assumed too.
class AssumptionSet {
 public:
  void assume(Assumption assumption);
  // That one alone, or the others, without those that they contain.
  void add(Assumption assumption) { assumed_.set(static_cast<size_t>(assumption)); }
  void add(const AssumptionSet& others) { assumed_ |= others.assumed_; }
  bool has(Assumption assumption) const { return assumed_.test(static_cast<size_t>(assumption)); }
  AssumptionSet without(Assumption assumption) const;  // that one alone; those that contain it stay
  // Those that are about the subject.
  AssumptionSet about(Subject subject) const;
  // Those that last beyond a call of a function without a body.
  AssumptionSet over_calls() const;

  friend bool operator==(const AssumptionSet&, const AssumptionSet&) = default;

 private:
  std::bitset<assumptions> assumed_;
};

// What a user grants: some by name, and, where it is asked for, those that the machine's file backs by evidence.
class Grant {
 public:
  Grant() = default;
  Grant(AssumptionSet named) : named_(named) {}  // NOLINT: a set of names is a grant

  void assume(Assumption assumption) { named_.assume(assumption); }
  void assume_usual() { usual_ = true; }
  void add(const Grant& other);
  bool has(Assumption assumption) const { return named_.has(assumption); }  // by its name
  bool is_usual() const { return usual_; }
  // usual: those of the machine.
  AssumptionSet on(const AssumptionSet& usual) const;

  friend bool operator==(const Grant&, const Grant&) = default;

 private:
  AssumptionSet named_;
  bool usual_ = false;
};

// Words for several assumptions, wherever names of them are taken.
inline constexpr std::string_view usual_name = "usual";  // those of the machine's file
inline constexpr std::string_view all_name = "all";      // all rungs of the ladder
inline constexpr std::string_view none_name = "none";
AssumptionSet all_rungs();

Subject subject_of(Assumption assumption);
std::string_view sentence(Assumption assumption);  // that a result has which rests on it
std::optional<Assumption> assumption_named(std::string_view name);
std::vector<std::string_view> assumption_names();  // in the order of the table
std::string_view name_of(Assumption assumption);
std::string_view identifier_of(Assumption assumption);  // "A-01"

// What pages and reports of machines say of an assumption.
struct Explanation {
  std::string_view meaning;      // in the hardware's words
  std::string_view finding_out;  // whether it holds
};
const Explanation& explanation(Assumption assumption);

std::vector<Assumption> assumptions_about(Subject subject);

// A step of the ladder of bounds, and its words, to which those about accesses and caches add how many these are.
struct RungRow {
  Assumption assumption;
  std::string_view words;
};
std::span<const RungRow> rung_rows();

// Adds sentences, whether or not the bound has a value.
void add_assumptions(solver::Bound& bound, const std::vector<std::string>& sentences);

}  // namespace warpspan::timing
