// The positions of a string with its long repetitions cut down, for the check of certificates.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/problem.hpp"
#include "support/checked.hpp"

namespace warpspan::solver {

struct Position {
  int symbol = 0;
  support::Integer times;  // positions of the whole string that it stands for
};

// Appends the positions of the string with at most `rounds` rounds of each repetition; false if there are more than
// `most` then.
inline bool append_positions(const String& string, int64_t rounds, size_t most, std::vector<Position>& positions) {
  for (const Term& term : string) {
    const int64_t copies = std::min(term.repeat, rounds);
    const size_t begin = positions.size();
    if (term.body.empty()) {
      positions.push_back({term.symbol, 1});
    } else if (!append_positions(term.body, rounds, most, positions)) {
      return false;
    }
    const size_t end = positions.size();
    if (end + (end - begin) * static_cast<size_t>(copies - 1) > most) return false;
    for (int64_t i = 1; i < copies; ++i) {
      for (size_t j = begin; j < end; ++j) positions.push_back(Position(positions[j]));
    }
    for (size_t j = begin; j < end; ++j) positions[j].times *= support::Integer(term.repeat - copies + 1);
  }
  return true;
}

}  // namespace warpspan::solver
