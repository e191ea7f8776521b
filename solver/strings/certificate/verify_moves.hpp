// SPDX-License-Identifier: GPL-3.0-or-later
// Which moves the string of a certificate has, and how often, for the check.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/strings/certificate/certificate.hpp"
#include "support/result.hpp"

namespace warpspan::solver {

struct CountedMoves {
  int start = 0;               // context of the first position
  std::vector<int64_t> times;  // for each move of the certificate: the positions at which it is made
};

// An error if contexts and moves are not those of the string, each once and in ascending order, or the string has more
// than 2^63 - 1 symbols, or more than a million with its repetitions cut down. The string is valid, and contexts begin
// with classes.
support::Result<CountedMoves> count_moves(const Certificate& certificate);

}  // namespace warpspan::solver
