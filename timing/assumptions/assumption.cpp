#include "timing/assumptions/assumption.hpp"

#include <algorithm>
#include <array>

namespace warpspan::timing {

namespace {

struct Entry {
  std::string_view name, sentence;
};

constexpr std::array<Entry, assumptions> table = {{
#define ASSUMPTION(enumerator, name, sentence) {name, sentence},
#include "timing/assumptions/assumptions.def"
#undef ASSUMPTION
}};

}  // namespace

std::string_view sentence(Assumption assumption) { return table[static_cast<size_t>(assumption)].sentence; }

std::optional<Assumption> assumption_named(std::string_view name) {
  const auto* found = std::find_if(table.begin(), table.end(), [name](const Entry& e) { return e.name == name; });
  if (found == table.end()) return std::nullopt;
  return static_cast<Assumption>(found - table.begin());
}

std::vector<std::string_view> assumption_names() {
  std::vector<std::string_view> names;
  for (const Entry& entry : table) names.push_back(entry.name);
  return names;
}

void add_assumptions(solver::Bound& bound, const std::vector<std::string>& sentences) {
  bound.assumptions.insert(bound.assumptions.end(), sentences.begin(), sentences.end());
}

}  // namespace warpspan::timing
