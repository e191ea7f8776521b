// SPDX-License-Identifier: GPL-3.0-or-later
// Grams are counted by joining segments of the string. A segment has its grams and its first and last length - 1
// symbols, which is all that the grams across a seam need; a repetition joins a segment with itself, doubling.
#include "solver/strings/certificate/contexts.hpp"

#include <algorithm>
#include <utility>

namespace warpspan::solver {

using support::Integer;

namespace {

struct Segment {
  Gram head;  // the first length - 1 symbols, or all if there are fewer
  Gram tail;  // the last ones
  std::map<Gram, Integer> counts;
};

class Counter {
 public:
  explicit Counter(size_t length) : length_(length) {}

  Segment of(const String& string) const {
    Segment whole;
    for (const Term& term : string) {
      append(whole, repeat(term.body.empty() ? symbol(term.symbol) : of(term.body), term.repeat));
    }
    return whole;
  }

  Segment symbol(int value) const {
    Segment segment;
    append_symbols(segment.head, {value});
    append_symbols(segment.tail, {value});
    return segment;
  }

  void append(Segment& segment, const Segment& next) const {
    Gram seam = segment.tail;
    seam.insert(seam.end(), next.head.begin(), next.head.end());
    for (const auto& [gram, count] : next.counts) segment.counts[gram] += count;
    for (auto at = seam.begin(); static_cast<size_t>(seam.end() - at) >= length_; ++at) {
      segment.counts[Gram(at, at + static_cast<std::ptrdiff_t>(length_))] += 1;
    }
    append_symbols(segment.head, next.head);
    segment.tail.insert(segment.tail.end(), next.tail.begin(), next.tail.end());
    if (segment.tail.size() > length_ - 1) {
      segment.tail.erase(segment.tail.begin(), segment.tail.end() - static_cast<std::ptrdiff_t>(length_ - 1));
    }
  }

 private:
  Segment repeat(Segment segment, int64_t times) const {
    Segment result;
    for (; times > 1; times /= 2) {
      if (times % 2 == 1) prepend(result, segment);
      const Segment half = segment;
      append(segment, half);
    }
    prepend(result, segment);
    return result;
  }

  void prepend(Segment& segment, Segment front) const {
    append(front, segment);
    segment = std::move(front);
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
  Segment segment = counter.of(string);
  for (size_t i = 1; i < length; ++i) counter.append(segment, counter.symbol(past_end));
  return {std::move(segment.head), std::move(segment.counts)};
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
