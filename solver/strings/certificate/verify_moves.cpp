// SPDX-License-Identifier: GPL-3.0-or-later
// A move depends on a position's symbol and the m behind it, m the length of contexts. So of a repetition m + 1
// iterations are walked: all positions of the first one have the same m symbols behind them as in every iteration that
// is left out, and from before the repetition no more than m of its symbols are seen.
#include "solver/strings/certificate/verify_moves.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "support/checked.hpp"

namespace warpspan::solver {

namespace {

using support::Diagnostic;
using support::Integer;

constexpr size_t most_positions = size_t{1} << 20;

Diagnostic refusal(const char* message) {
  Diagnostic diagnostic;
  diagnostic.message = message;
  return diagnostic;
}

struct Position {
  int symbol = 0;
  Integer times;  // positions of the whole string that it stands for
};

// Appends the positions of the string with at most `rounds` iterations of each repetition; false if there are more than
// `most` then.
bool append_positions(const String& string, int64_t rounds, size_t most, std::vector<Position>& positions) {
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
    for (size_t j = begin; j < end; ++j) positions[j].times *= Integer(term.repeat - copies + 1);
  }
  return true;
}

class Contexts {
 public:
  explicit Contexts(const std::vector<std::vector<int>>& contexts) : contexts_(contexts) {
    for (const auto& context : contexts) {
      is_merged_ = is_merged_ || std::find(context.begin(), context.end(), other_class) != context.end();
    }
  }

  // Index of the context at a position, or `finished`; nothing if it is not listed.
  std::optional<int> at(const std::vector<Position>& positions, size_t place) const {
    if (place == positions.size()) return finished;
    std::vector<int> context;
    for (size_t i = 0; i < contexts_.front().size(); ++i) {
      context.push_back(place + i < positions.size() ? positions[place + i].symbol : past_end);
    }
    for (int& symbol : context) {
      if (is_merged_ && symbol != context.front()) symbol = other_class;
    }
    const auto found = std::lower_bound(contexts_.begin(), contexts_.end(), context);
    if (found == contexts_.end() || *found != context) return std::nullopt;
    return static_cast<int>(found - contexts_.begin());
  }

 private:
  const std::vector<std::vector<int>>& contexts_;
  bool is_merged_ = false;  // other_class stands for what is not of a context's first class
};

}  // namespace

support::Result<CountedMoves> count_moves(const Certificate& certificate) {
  const Contexts contexts(certificate.contexts);
  std::vector<Position> positions;
  const auto rounds = static_cast<int64_t>(certificate.contexts.front().size() + 1);
  if (!append_positions(certificate.string, rounds, most_positions, positions))
    return refusal("the string is too long to check");
  std::map<std::pair<int, int>, Integer> times;
  std::vector<bool> occurs(certificate.contexts.size());
  for (size_t place = 0; place < positions.size(); ++place) {
    const auto from = contexts.at(positions, place), to = contexts.at(positions, place + 1);
    if (!from || !to) return refusal("a position of the string has none of the contexts");
    occurs[static_cast<size_t>(*from)] = true;
    times[{*from, *to}] += positions[place].times;
  }
  if (std::find(occurs.begin(), occurs.end(), false) != occurs.end())
    return refusal("a context is that of no position of the string");
  if (times.size() != certificate.moves.size()) return refusal("the moves are not those of the string");
  CountedMoves counted{*contexts.at(positions, 0), {}};
  Integer length;
  auto move = certificate.moves.begin();
  for (const auto& [ends, count] : times) {
    if (ends != std::pair(move->from, move->to)) return refusal("the moves are not those of the string");
    length += count;
    if (length.overflowed()) return refusal("the string has more than 2^63 - 1 symbols");
    counted.times.push_back(*count.value());
    ++move;
  }
  return counted;
}

}  // namespace warpspan::solver
