// SPDX-License-Identifier: GPL-3.0-or-later
// The contexts of a string and the moves between them, counted without writing out the repetitions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "solver/makespan/problem.hpp"
#include "solver/strings/certificate/certificate.hpp"
#include "support/checked.hpp"

namespace warpspan::solver {

using Gram = std::vector<int>;  // classes in a row, past_end behind the last symbol

struct Grams {
  Gram first;                               // the first length - 1 symbols of the string
  std::map<Gram, support::Integer> counts;  // at how many positions each one stands
};

// What stands at the positions of a valid string, `length` >= 2 symbols each. The effort grows with the logarithm of
// repetitions.
Grams count_grams(const String& string, size_t length);

// Positions distinguished by their contexts.
struct Automaton {
  struct Move {
    int from = 0;
    int to = 0;              // or finished
    support::Integer count;  // positions at which a worker makes the move
  };
  std::vector<Gram> contexts;  // ascending, so that those of a class are adjacent
  std::vector<Move> moves;     // ascending by from and to; finished comes first
  int start = 0;               // context of the first position
};

enum class ContextForm : uint8_t {
  plain,   // the symbols themselves
  merged,  // other_class for those that are not of the first one's class
};

// The contexts of `length` symbols; `grams` have length + 1 symbols.
Automaton make_automaton(const Grams& grams, size_t length, ContextForm form = ContextForm::plain);

}  // namespace warpspan::solver
