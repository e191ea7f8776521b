// Grams are counted by joining pieces of the string. A piece knows its grams and its first and last length - 1 symbols,
// which is all that the grams across a seam need; a repetition joins a piece with itself, doubling.
#include "solver/strings/certificate/contexts.hpp"

#include <algorithm>
#include <utility>

namespace warpspan::solver {

using support::Integer;

namespace {

struct Piece {
  Gram head;  // the first length - 1 symbols, or all if there are fewer
  Gram tail;  // the last ones
  std::map<Gram, Integer> counts;
};

class Counter {
 public:
  explicit Counter(size_t length) : length_(length) {}

  Piece of(const String& string) const {
    Piece whole;
    for (const Term& term : string) {
      append(whole, repeat(term.body.empty() ? symbol(term.symbol) : of(term.body), term.repeat));
    }
    return whole;
  }

  Piece symbol(int value) const {
    Piece piece;
    append_symbols(piece.head, {value});
    append_symbols(piece.tail, {value});
    return piece;
  }

  void append(Piece& piece, const Piece& next) const {
    Gram seam = piece.tail;
    seam.insert(seam.end(), next.head.begin(), next.head.end());
    for (const auto& [gram, count] : next.counts) piece.counts[gram] += count;
    for (auto at = seam.begin(); static_cast<size_t>(seam.end() - at) >= length_; ++at) {
      piece.counts[Gram(at, at + static_cast<std::ptrdiff_t>(length_))] += 1;
    }
    append_symbols(piece.head, next.head);
    piece.tail.insert(piece.tail.end(), next.tail.begin(), next.tail.end());
    if (piece.tail.size() > length_ - 1) {
      piece.tail.erase(piece.tail.begin(), piece.tail.end() - static_cast<std::ptrdiff_t>(length_ - 1));
    }
  }

 private:
  Piece repeat(Piece piece, int64_t times) const {
    Piece result;
    for (; times > 1; times /= 2) {
      if (times % 2 == 1) prepend(result, piece);
      const Piece half = piece;
      append(piece, half);
    }
    prepend(result, piece);
    return result;
  }

  void prepend(Piece& piece, Piece front) const {
    append(front, piece);
    piece = std::move(front);
  }

  // Keeps the first length - 1 symbols.
  void append_symbols(Gram& symbols, const Gram& more) const {
    for (const int symbol : more) {
      if (symbols.size() + 1 < length_) symbols.push_back(symbol);
    }
  }

  size_t length_;
};

int index_of(const std::vector<Gram>& contexts, const Gram& context) {
  if (context.front() == past_end) return finished;
  return static_cast<int>(std::lower_bound(contexts.begin(), contexts.end(), context) - contexts.begin());
}

}  // namespace

Grams count_grams(const String& string, size_t length) {
  const Counter counter(length);
  Piece piece = counter.of(string);
  for (size_t i = 1; i < length; ++i) counter.append(piece, counter.symbol(past_end));
  return {std::move(piece.head), std::move(piece.counts)};
}

Automaton make_automaton(const Grams& grams, size_t length, ContextForm form) {
  const auto context_at = [&](Gram::const_iterator begin) {
    Gram context(begin, begin + static_cast<std::ptrdiff_t>(length));
    for (int& symbol : context) {
      if (form == ContextForm::merged && symbol != context.front()) symbol = other_class;
    }
    return context;
  };
  Automaton automaton;
  for (const auto& [gram, count] : grams.counts) automaton.contexts.push_back(context_at(gram.begin()));
  std::sort(automaton.contexts.begin(), automaton.contexts.end());
  automaton.contexts.erase(std::unique(automaton.contexts.begin(), automaton.contexts.end()), automaton.contexts.end());
  std::map<std::pair<int, int>, Integer> counts;
  for (const auto& [gram, count] : grams.counts) {
    const int from = index_of(automaton.contexts, context_at(gram.begin()));
    const int to = index_of(automaton.contexts, context_at(gram.begin() + 1));
    counts[{from, to}] += count;
  }
  for (const auto& [ends, count] : counts) automaton.moves.push_back({ends.first, ends.second, count});
  automaton.start = index_of(automaton.contexts, context_at(grams.first.begin()));
  return automaton;
}

}  // namespace warpspan::solver
