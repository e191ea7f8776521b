// Named assumptions: guarantees of the hardware or of the tools that the user may grant. assumptions.def has them all.
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
#define ASSUMPTION(enumerator, name, subject, over_calls, implied, sentence) enumerator,
#define RUNG(enumerator, words)
#include "timing/assumptions/assumptions.def"
#undef ASSUMPTION
};
inline constexpr size_t assumptions = 0
#define ASSUMPTION(enumerator, name, subject, over_calls, implied, sentence) +1
#include "timing/assumptions/assumptions.def"
#undef ASSUMPTION
#undef RUNG
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
};

// Which of them are granted; none unless the user says so. Some grant another one that they contain.
class AssumptionSet {
 public:
  void grant(Assumption assumption);
  // That one alone, or the others, without those that they contain.
  void add(Assumption assumption) { granted_.set(static_cast<size_t>(assumption)); }
  void add(const AssumptionSet& others) { granted_ |= others.granted_; }
  bool has(Assumption assumption) const { return granted_.test(static_cast<size_t>(assumption)); }
  // Those that are about the subject.
  AssumptionSet about(Subject subject) const;
  // Those that hold beyond a call of a function without a body.
  AssumptionSet over_calls() const;

  friend bool operator==(const AssumptionSet&, const AssumptionSet&) = default;

 private:
  std::bitset<assumptions> granted_;
};

Subject subject_of(Assumption assumption);
std::string_view sentence(Assumption assumption);  // what a result that rests on it says
std::optional<Assumption> assumption_named(std::string_view name);
std::vector<std::string_view> assumption_names();  // in the order of the table
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
