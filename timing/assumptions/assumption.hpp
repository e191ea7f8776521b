// Named assumptions: guarantees of the hardware or of the tools that the user may grant.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/makespan/result.hpp"

namespace warpspan::timing {

enum class Assumption : uint8_t {
#define ASSUMPTION(enumerator, name, sentence) enumerator,
#include "timing/assumptions/assumptions.def"
#undef ASSUMPTION
};
inline constexpr size_t assumptions = 0
#define ASSUMPTION(enumerator, name, sentence) +1
#include "timing/assumptions/assumptions.def"
#undef ASSUMPTION
    ;

// Which of them are granted; none unless the user says so. Some grant another one that they contain.
class AssumptionSet {
 public:
  void grant(Assumption assumption) {
    granted_.set(static_cast<size_t>(assumption));
    if (assumption == Assumption::stream) grant(Assumption::spread);
    if (assumption == Assumption::keeps) grant(Assumption::keeps_constants);
  }
  bool has(Assumption assumption) const { return granted_.test(static_cast<size_t>(assumption)); }

  friend bool operator==(const AssumptionSet&, const AssumptionSet&) = default;

 private:
  std::bitset<assumptions> granted_;
};

std::string_view sentence(Assumption assumption);  // what a result that rests on it says
std::optional<Assumption> assumption_named(std::string_view name);
std::vector<std::string_view> assumption_names();  // in the order of the table

// Adds sentences, whether or not the bound has a value.
void add_assumptions(solver::Bound& bound, const std::vector<std::string>& sentences);

}  // namespace warpspan::timing
