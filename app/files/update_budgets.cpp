// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/update_budgets.hpp"

#include <algorithm>
#include <map>

#include "app/files/budgets_file.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Diagnostics;
using support::Result;
using Quantity = CheckedLimit::Quantity;

bool is_less(const Decimal& a, const Decimal& b) {
  return support::Int128{a.digits} * power_of_ten(b.decimals) < support::Int128{b.digits} * power_of_ten(a.decimals);
}

class Update {
 public:
  Update(const Percent& margin, const std::string& assume) : margin_(margin), assume_(assume) {}

  Result<std::string> run(std::string_view text, const Checked& checked) {
    for (size_t i = 0; i < checked.report.results.size(); ++i) {
      for (const CheckedLimit& limit : checked.report.results[i].limits) {
        if (limit.since_baseline) continue;
        const Budget& budget = *checked.budgets[i];
        if (limit.quantity == Quantity::makespan) {
          if (!assume_.empty() && budget.assume_place)
            assumes_.try_emplace(budget.assume_place->begin, *budget.assume_place);
          add_time(budget, budget.time, budget.time_place, checked.report.results[i],
                   with_margin(*limit.value, margin_));
        } else if (limit.quantity == Quantity::expected) {
          add_time(budget, budget.expected, budget.expected_place, checked.report.results[i], limit.value);
        } else {
          add_count(*checked.budgets[i], limit);
        }
      }
    }
    if (!errors_.empty()) return errors_;
    drop_unknown(checked);
    std::vector<NewValue> values;
    for (const auto& [begin, time] : times_) values.push_back({time.place, '"' + time.limit.text + '"'});
    for (const auto& [begin, place] : assumes_) values.push_back({place, '"' + assume_ + '"'});
    for (auto one = counts_.rbegin(); one != counts_.rend(); ++one)  // at one place the last comes first
      values.push_back({*one->second.place, std::to_string(one->second.most)});
    return with_values(text, std::move(values));
  }

 private:
  struct NewTime {
    ValuePlace place;
    TimeLimit limit;
  };

  // The largest value of the kernels that one limit is for.
  void add_time(const Budget& budget, const std::optional<TimeLimit>& before, const ValuePlace& place,
                const CheckResult& result, std::optional<int64_t> cycles) {
    const auto unit = before ? before->unit : TimeLimit::Unit::cycles;
    const std::string unit_text = before ? before->unit_text : "cycles";
    const auto limit = cycles ? limit_of(*cycles, result.report.get()->machine.clock_khz, unit, unit_text)
                              : std::optional<TimeLimit>();
    if (!limit) {
      errors_.push_back(at_budget(budget, "the new limit exceeds 64 bits", "give a smaller --margin"));
      return;
    }
    const auto [known, is_new] = times_.try_emplace(place.begin, NewTime{place, *limit});
    if (!is_new && is_less(known->second.limit.amount, limit->amount)) known->second.limit = *limit;
  }

  void add_count(const Budget& budget, const CheckedLimit& limit) {
    const auto quantity = static_cast<size_t>(limit.quantity);
    const CountLimit known_limit = budget.most[quantity].value_or(CountLimit{limit.most, budget.most_places[quantity]});
    if (!known_limit.place) {
      if (limit.verdict != Verdict::over) return;
      const std::string key = "max_" + std::string(to_string(limit.quantity));
      errors_.push_back(at_budget(budget, "'" + key + "' of [defaults] is exceeded, and stands for other budgets too",
                                  "write " + key + " = " + std::to_string(*limit.value) + " into this one"));
      return;
    }
    const auto [known, is_new] =
        counts_.try_emplace({known_limit.place->begin, quantity}, CountLimit{*limit.value, known_limit.place});
    if (!is_new) known->second.most = std::max(known->second.most, *limit.value);
  }

  // A new limit is for all kernels of the entry: not on what is not known of one of them.
  void drop_unknown(const Checked& checked) {
    for (size_t i = 0; i < checked.report.results.size(); ++i) {
      if (checked.budgets[i] == nullptr) continue;
      for (size_t quantity = 0; quantity < quantities; ++quantity) {
        if (checked.budgets[i]->most[quantity] || checked.report.results[i].figures[quantity]) continue;
        counts_.erase({checked.budgets[i]->most_places[quantity].begin, quantity});
      }
    }
  }

  Percent margin_;
  const std::string& assume_;
  std::map<size_t, ValuePlace> assumes_;                    // by their beginnings
  std::map<size_t, NewTime> times_;                         // by the beginnings of their places
  std::map<std::pair<size_t, size_t>, CountLimit> counts_;  // the same, and by quantity
  Diagnostics errors_;
};

}  // namespace

Result<std::string> updated_budgets(std::string_view text, const Checked& checked, const Percent& margin,
                                    const std::string& assume) {
  return Update(margin, assume).run(text, checked);
}

Result<std::string> with_kernel_entries(std::string_view text, const Checked& checked) {
  struct Entry {
    const Budget* budget;
    std::vector<std::string> kernels;
  };
  std::map<size_t, Entry> entries;  // by the beginnings of their places
  for (size_t i = 0; i < checked.report.results.size(); ++i) {
    const Budget* budget = checked.budgets[i];
    if (budget == nullptr || budget->kernel.find('*') == std::string::npos) continue;
    const ValuePlace& place = budget->entry_place;
    if (place.begin == place.end) {
      return at_budget(*budget, "the entry has no heading, so there cannot be several like it",
                       "write it as [[budget]]");
    }
    std::vector<std::string>& kernels = entries.try_emplace(place.begin, Entry{budget, {}}).first->second.kernels;
    const std::string& name = checked.report.results[i].kernel;
    if (std::find(kernels.begin(), kernels.end(), name) == kernels.end()) kernels.push_back(name);
  }
  std::vector<NewValue> values;
  for (const auto& [begin, entry] : entries) {
    const ValuePlace& place = entry.budget->entry_place;
    const ValuePlace& kernel = entry.budget->kernel_place;
    std::string all;
    for (const std::string& name : entry.kernels) {
      std::string one(text.substr(begin, place.end - begin));
      one.replace(kernel.begin - begin, kernel.end - kernel.begin, '"' + name + '"');
      if (!one.ends_with('\n')) one += '\n';
      all += (all.empty() ? "" : "\n") + one;
    }
    values.push_back({place, all});
  }
  return with_values(text, std::move(values));
}

}  // namespace warpspan::app
