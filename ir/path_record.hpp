// SPDX-License-Identifier: GPL-3.0-or-later
// How a value that a Walk has computed came about: the sums and choices that led to it, written down while it walks.
//
// A node stands for a value; its parts are older nodes, so that nodes in their order are sorted by what they are made
// of. How often each is part of a last one is found by going through them once, from the last to the first: a node that
// is part of it c times hands c times its coefficients on to its own parts.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "support/checked.hpp"

namespace warpspan::ir {

class PathRecord {
 public:
  using Node = uint32_t;
  static constexpr Node nothing = 0;  // the sum of nothing

  struct Term {
    Node node = nothing;
    int64_t times = 1;  // may be negative
  };

  PathRecord() : nodes_{{}} {}

  // A value that is made of no others.
  Node leaf();
  // Terms that are nothing are left out; one term that counts once is its own sum.
  Node sum(std::initializer_list<Term> terms);
  // Of several measures: for each the second of two values or the first. second: by measure.
  Node choice(Node a, Node b, const std::vector<bool>& second);

  // By node: how often it is part of `end`, for one of the measures.
  std::vector<support::Integer> times(Node end, size_t measure = 0) const;

  // False if it would have taken more memory than a record is worth; then it tells nothing.
  bool complete() const { return complete_; }

 private:
  struct Entry {
    uint32_t first_term = 0;  // its terms end where those of the next entry begin
    uint32_t choice = none;   // index into choices_; none: a sum
  };
  static constexpr uint32_t none = UINT32_MAX;
  static constexpr size_t most_terms = size_t{1} << 24;  // 256 MiB

  Node add(Entry entry);

  std::vector<Entry> nodes_;
  std::vector<Term> terms_;
  std::vector<std::vector<bool>> choices_;
  bool complete_ = true;
};

}  // namespace warpspan::ir
