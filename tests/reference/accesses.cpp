// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reference/accesses.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace warpspan::reference {

namespace {

constexpr uint64_t line_bytes = 128;
constexpr uint64_t word_bytes = 4;
constexpr size_t banks = 32;
constexpr unsigned lanes = 32;

uint64_t words_of(int bytes) {
  return std::max<uint64_t>(1, (static_cast<uint64_t>(bytes) + word_bytes - 1) / word_bytes);
}

int64_t count_bank_ways(const std::vector<LaneAccess>& accesses, int bytes) {
  const auto phases = static_cast<unsigned>(std::min<uint64_t>(words_of(bytes), lanes));
  const unsigned lanes_of_phase = lanes / phases;
  int64_t sum = 0;
  for (unsigned phase = 0; phase < phases; ++phase) {
    std::array<std::set<uint64_t>, banks> words;
    for (const LaneAccess& access : accesses) {
      if (access.piece != Piece::bank_way || access.lane / lanes_of_phase != phase) continue;
      for (uint64_t i = 0; i < words_of(bytes); ++i) {
        const uint64_t word = access.address / word_bytes + i;
        words[word % banks].insert(word);
      }
    }
    size_t most = 0;
    for (const auto& bank : words) most = std::max(most, bank.size());
    sum += static_cast<int64_t>(most);
  }
  return sum;
}

}  // namespace

int64_t pieces(const std::vector<LaneAccess>& accesses, int bytes) {
  std::set<uint64_t> lines;
  std::set<uint64_t> addresses;
  std::set<uint64_t> own_words;
  int64_t single = 0;
  bool shared = false;
  for (const LaneAccess& access : accesses) {
    switch (access.piece) {
      case Piece::line: lines.insert(access.address / line_bytes); break;
      case Piece::bank_way: shared = true; break;
      case Piece::address: addresses.insert(access.address); break;
      case Piece::own_word:
        for (uint64_t i = 0; i < words_of(bytes); ++i) own_words.insert(access.address / word_bytes + i);
        break;
      case Piece::lane: ++single; break;
    }
  }
  const size_t different = lines.size() + addresses.size() + own_words.size();
  return static_cast<int64_t>(different) + single + (shared ? count_bank_ways(accesses, bytes) : 0);
}

}  // namespace warpspan::reference
