// SPDX-License-Identifier: GPL-3.0-or-later
// Changed and forged certificates: what an attacker, or a bug of the search, might write.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "solver/strings/certificate/certificate.hpp"
#include "solver/strings/certificate/contexts.hpp"

namespace warpspan::solver {

using MutationRandom = std::mt19937_64;

inline size_t any(MutationRandom& random, size_t count) { return random() % count; }

template <typename T>
T& any_of(MutationRandom& random, std::vector<T>& all) {
  return all[any(random, all.size())];
}

// Of the list bound: every worker loses 1 / servers of the symbol's class with a move, the followed one 1.
inline Certificate plain_certificate(const String& string, std::vector<int64_t> servers, size_t length = 1,
                                     ContextForm form = ContextForm::plain) {
  const Automaton automaton = make_automaton(count_grams(string, length + 1), length, form);
  Certificate certificate;
  certificate.string = string;
  certificate.contexts = automaton.contexts;
  for (const int64_t s : servers) certificate.denominator *= s;
  std::vector<bool> occurs(servers.size());
  for (const auto& context : automaton.contexts) occurs[static_cast<size_t>(context.front())] = true;
  for (const auto& move : automaton.moves) {
    const int symbol = automaton.contexts[static_cast<size_t>(move.from)].front();
    certificate.moves.push_back(
        {move.from, move.to, certificate.denominator / servers[static_cast<size_t>(symbol)], certificate.denominator});
  }
  const auto views = static_cast<size_t>(std::count(occurs.begin(), occurs.end(), true));
  const size_t contexts = automaton.contexts.size();
  certificate.views.assign(views, {std::vector<int64_t>(contexts)});
  for (size_t followed = 0; followed < contexts; ++followed) {
    for (uint32_t others = 0; others < uint32_t{1} << contexts; ++others) {
      certificate.patterns.push_back(
          {static_cast<int>(followed), others, std::vector<std::optional<int64_t>>(views, 0)});
    }
  }
  certificate.patterns.push_back({finished, 0, std::vector<std::optional<int64_t>>(views, 0)});
  certificate.servers = std::move(servers);
  return certificate;
}

// One change after another; each may make the certificate false, or not.
class Mutation {
 public:
  explicit Mutation(MutationRandom& random) : random_(random) {}

  void apply(Certificate& certificate) {
    switch (any(random_, 16)) {
      case 0: return change_pattern(certificate);
      case 1: return change_patterns(certificate);
      case 2: return change_workers(certificate);
      case 3: return change_problem(certificate);
      case 4: return change_contexts(certificate);
      case 5: return shift_context(certificate);
      case 6: return scale(certificate);
      case 7: return change(any_potential(certificate));
      case 8:
      case 9: return lower_potentials(certificate);
      case 10: return change(certificate.denominator);
      case 11:
      case 12: return change(any_of(random_, certificate.moves).followed);
      case 13: return change(any_of(random_, any_of(random_, certificate.views).offsets));
      default: return change(any_of(random_, certificate.moves).other);
    }
  }

 private:
  // Sums of numbers of tests stay far from 64 bits, but for what is made huge on purpose: that wraps here.
  static int64_t wrapping(uint64_t value) { return static_cast<int64_t>(value); }
  static uint64_t bits(int64_t value) { return static_cast<uint64_t>(value); }

  int64_t huge() {
    constexpr int powers[] = {31, 32, 61, 62, 63};
    const uint64_t power = uint64_t{1} << powers[any(random_, 5)];
    const uint64_t value = power - any(random_, 3);
    return wrapping(any(random_, 2) == 0 ? value : 0 - value);
  }

  void change(int64_t& value) {
    const size_t kind = any(random_, 12);
    if (kind == 0) value = huge();
    if (kind == 1) value = 0;
    if (kind == 2) value = wrapping(0 - bits(value));
    if (kind == 3) value = wrapping(2 * bits(value));
    if (kind > 3) value = wrapping(bits(value) + (kind < 10 ? bits(-1) : 1));
  }

  void change(std::optional<int64_t>& potential) {
    if (any(random_, 5) == 0 && potential) return potential.reset();
    int64_t value = potential.value_or(0);
    change(value);
    potential = value;
  }

  std::optional<int64_t>& any_potential(Certificate& certificate) {
    return any_of(random_, any_of(random_, certificate.patterns).potentials);
  }

  // Some of them by 1; a chain of steps may allow what a single potential does not.
  void lower_potentials(Certificate& certificate) {
    const int64_t by = any(random_, 4) == 0 ? -1 : 1;
    const size_t changes_one_in = 1 + any(random_, 4);
    for (auto& pattern : certificate.patterns) {
      for (auto& potential : pattern.potentials) {
        if (potential && any(random_, changes_one_in) == 0) potential = wrapping(bits(*potential) - bits(by));
      }
    }
  }

  void change_pattern(Certificate& certificate) {
    Certificate::Pattern& pattern = any_of(random_, certificate.patterns);
    const size_t kind = any(random_, 4);
    const size_t contexts = certificate.contexts.size();
    if (kind == 0) pattern.followed = static_cast<int>(any(random_, contexts + 1)) - 1;
    if (kind == 1) pattern.others ^= uint32_t{1} << any(random_, contexts);
    if (kind == 2) pattern.few ^= uint32_t{1} << any(random_, certificate.servers.size());
    if (kind == 3) std::swap(pattern.potentials, any_of(random_, certificate.patterns).potentials);
  }

  void change_patterns(Certificate& certificate) {
    auto& patterns = certificate.patterns;
    const auto at = patterns.begin() + static_cast<std::ptrdiff_t>(any(random_, patterns.size()));
    if (any(random_, 4) == 0) {
      patterns.push_back(Certificate::Pattern(*at));
    } else if (patterns.size() > 1) {
      patterns.erase(at);
    }
  }

  void change_workers(Certificate& certificate) {
    certificate.least_workers = 1 + static_cast<int64_t>(any(random_, 5));
    if (any(random_, 2) == 0) certificate.most_workers = 1 + static_cast<int64_t>(any(random_, 5));
    if (any(random_, 4) == 0) certificate.most_workers = INT64_MAX;
    if (any(random_, 4) == 0) certificate.tells_few = !certificate.tells_few;
  }

  void change_problem(Certificate& certificate) {
    int64_t& servers = any_of(random_, certificate.servers);
    Term& term = any_of(random_, certificate.string);
    const size_t kind = any(random_, 6);
    if (kind == 0) servers = 1 + static_cast<int64_t>(any(random_, 4));
    if (kind == 1) change(servers);
    if (kind == 2) change(term.repeat);
    if (kind == 3) term.repeat = 1 + static_cast<int64_t>(any(random_, 6));
    if (kind == 4) std::swap(term, any_of(random_, certificate.string));
    if (kind == 5 && term.body.empty()) term.symbol = static_cast<int>(any(random_, 4)) - 1;
  }

  void change_contexts(Certificate& certificate) {
    const size_t kind = any(random_, 5);
    Certificate::Move& move = any_of(random_, certificate.moves);
    if (kind == 0) any_of(random_, any_of(random_, certificate.contexts)) = static_cast<int>(any(random_, 6)) - 2;
    if (kind == 1) move.to = static_cast<int>(any(random_, certificate.contexts.size() + 1)) - 1;
    if (kind == 2) std::swap(move, any_of(random_, certificate.moves));
    if (kind == 3) std::swap(any_of(random_, certificate.views), any_of(random_, certificate.views));
    if (kind == 4 && certificate.moves.size() > 1) certificate.moves.pop_back();
  }

  // Proves the same: what every other worker in a context adds to the potential of a view goes into the moves.
  void shift_context(Certificate& certificate) {
    const auto context = static_cast<int>(any(random_, certificate.contexts.size()));
    const uint64_t by = any(random_, 2) == 0 ? 1 : bits(-1);
    for (Certificate::View& view : certificate.views) {
      int64_t& offset = view.offsets[static_cast<size_t>(context)];
      offset = wrapping(bits(offset) + by);
    }
    for (Certificate::Move& move : certificate.moves) {
      if (move.from == context) move.other = wrapping(bits(move.other) - by);
      if (move.to == context) move.other = wrapping(bits(move.other) + by);
    }
  }

  void scale(Certificate& certificate) {
    const uint64_t factor = any(random_, 4) == 0 ? uint64_t{1} << (20 + any(random_, 44)) : 2 + any(random_, 2);
    const auto times = [&](int64_t& value) { value = wrapping(bits(value) * factor); };
    times(certificate.denominator);
    for (Certificate::Move& move : certificate.moves) times(move.other), times(move.followed);
    for (Certificate::View& view : certificate.views) {
      for (int64_t& offset : view.offsets) times(offset);
    }
    for (auto& pattern : certificate.patterns) {
      for (auto& potential : pattern.potentials) {
        if (potential) times(*potential);
      }
    }
  }

  MutationRandom& random_;
};

}  // namespace warpspan::solver
