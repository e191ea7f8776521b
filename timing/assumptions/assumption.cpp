// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/assumptions/assumption.hpp"

#include <algorithm>
#include <array>

namespace warpspan::timing {

namespace {

// Of the table.
enum class OverCalls : uint8_t { lasts, ends };

struct Entry {
  std::string_view identifier, name;
  Subject subject;
  OverCalls over_calls;
  std::optional<Assumption> implied;
  std::string_view sentence;
};

constexpr auto table = [] {
  using enum Assumption;
  constexpr std::optional<Assumption> none = std::nullopt;
  return std::to_array<Entry>({
#define ASSUMPTION(enumerator, identifier, name, subject, over_calls, implied, sentence) \
  {identifier, name, Subject::subject, OverCalls::over_calls, implied, identifier ": " sentence},
#include "timing/assumptions/assumptions.def"
  });
}();

constexpr auto rungs = std::to_array<RungRow>({
#define RUNG(enumerator, words) {Assumption::enumerator, words},
#include "timing/assumptions/assumptions.def"
});

constexpr auto explanations = [] {
  std::array<Explanation, assumptions> all{};
#define EXPLAINED(enumerator, meaning, finding_out) \
  all[static_cast<size_t>(Assumption::enumerator)] = {meaning, finding_out};
#include "timing/assumptions/assumptions.def"
  return all;
}();
static_assert(std::none_of(explanations.begin(), explanations.end(),
                           [](const Explanation& one) { return one.meaning.empty(); }));

const Entry& entry(Assumption assumption) { return table[static_cast<size_t>(assumption)]; }

}  // namespace

void AssumptionSet::assume(Assumption assumption) {
  assumed_.set(static_cast<size_t>(assumption));
  if (const auto implied = entry(assumption).implied) assume(*implied);
}

AssumptionSet AssumptionSet::without(Assumption assumption) const {
  AssumptionSet others = *this;
  others.assumed_.reset(static_cast<size_t>(assumption));
  return others;
}

AssumptionSet AssumptionSet::about(Subject subject) const {
  AssumptionSet result;
  for (const Assumption one : assumptions_about(subject)) {
    if (has(one)) result.assumed_.set(static_cast<size_t>(one));
  }
  return result;
}

AssumptionSet AssumptionSet::over_calls() const {
  AssumptionSet result = *this;
  for (size_t i = 0; i < assumptions; ++i) {
    if (table[i].over_calls == OverCalls::ends) result.assumed_.reset(i);
  }
  return result;
}

void Grant::add(const Grant& other) {
  named_.add(other.named_);
  usual_ |= other.usual_;
}

AssumptionSet Grant::on(const AssumptionSet& usual) const {
  AssumptionSet all = named_;
  if (usual_) all.add(usual);
  return all;
}

AssumptionSet all_rungs() {
  AssumptionSet all;
  for (const RungRow& row : rungs) all.assume(row.assumption);
  return all;
}

Subject subject_of(Assumption assumption) { return entry(assumption).subject; }

std::string_view sentence(Assumption assumption) { return entry(assumption).sentence; }

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

std::string_view name_of(Assumption assumption) { return entry(assumption).name; }

std::string_view identifier_of(Assumption assumption) { return entry(assumption).identifier; }

const Explanation& explanation(Assumption assumption) { return explanations[static_cast<size_t>(assumption)]; }

std::vector<Assumption> assumptions_about(Subject subject) {
  std::vector<Assumption> found;
  for (size_t i = 0; i < assumptions; ++i) {
    if (table[i].subject == subject) found.push_back(static_cast<Assumption>(i));
  }
  return found;
}

std::span<const RungRow> rung_rows() { return rungs; }

void add_assumptions(solver::Bound& bound, const std::vector<std::string>& sentences) {
  bound.assumptions.insert(bound.assumptions.end(), sentences.begin(), sentences.end());
}

}  // namespace warpspan::timing
