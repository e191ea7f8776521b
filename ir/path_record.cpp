// SPDX-License-Identifier: GPL-3.0-or-later
#include "ir/path_record.hpp"

#include <algorithm>
#include <iterator>

namespace warpspan::ir {

using support::Integer;

PathRecord::Node PathRecord::add(Entry entry) {
  nodes_.push_back(entry);
  return static_cast<Node>(nodes_.size() - 1);
}

PathRecord::Node PathRecord::leaf() { return sum({}); }

PathRecord::Node PathRecord::sum(std::initializer_list<Term> terms) {
  const auto counts = [](const Term& term) { return term.node != nothing && term.times != 0; };
  const auto parts = std::count_if(terms.begin(), terms.end(), counts);
  if (terms.size() > 0 && parts == 0) return nothing;
  const auto* const first = std::find_if(terms.begin(), terms.end(), counts);
  if (parts == 1 && first->times == 1) return first->node;
  if (terms_.size() + nodes_.size() >= most_terms) complete_ = false;
  if (!complete_) return nothing;
  const Entry entry{static_cast<uint32_t>(terms_.size()), none};
  std::copy_if(terms.begin(), terms.end(), std::back_inserter(terms_), counts);
  return add(entry);
}

PathRecord::Node PathRecord::choice(Node a, Node b, const std::vector<bool>& second) {
  if (a == b) return a;
  const auto seconds = std::count(second.begin(), second.end(), true);
  if (seconds == 0) return a;
  if (static_cast<size_t>(seconds) == second.size()) return b;
  if (terms_.size() + nodes_.size() >= most_terms) complete_ = false;
  if (!complete_) return nothing;
  const Entry entry{static_cast<uint32_t>(terms_.size()), static_cast<uint32_t>(choices_.size())};
  choices_.push_back(second);
  terms_.insert(terms_.end(), {{a, 1}, {b, 1}});
  return add(entry);
}

std::vector<Integer> PathRecord::times(Node end, size_t measure) const {
  std::vector<Integer> times(nodes_.size());
  times[end] = 1;
  for (Node node = end; node > nothing; --node) {
    const Integer own = times[node];
    if (own == Integer(0)) continue;
    const Entry& entry = nodes_[node];
    if (entry.choice != none) {
      times[terms_[entry.first_term + (choices_[entry.choice][measure] ? 1 : 0)].node] += own;
      continue;
    }
    const size_t behind = node + 1 < nodes_.size() ? nodes_[node + 1].first_term : terms_.size();
    for (size_t t = entry.first_term; t < behind; ++t) times[terms_[t].node] += own * Integer(terms_[t].times);
  }
  return times;
}

}  // namespace warpspan::ir
