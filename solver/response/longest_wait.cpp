// SPDX-License-Identifier: GPL-3.0-or-later
// Follow kernels q of one stream. Let U_q be the time from q's being queued to its last block's start, u_q its length,
// U the union of all U_q, which do not overlap, and u its length. Let the weights of the blocks that run be `full` at
// least throughout U.
//
// Theorem. Let q have o_q blocks besides the last one to start, of weight w_q and time C_q at most. Let the blocks of
// any other stream have weight M at any time at most, and weight times time I in U at most. Then
//
//   full * u <= max over sum u_q = u of sum over q of o_q w_q min(C_q, u_q) + sum over streams of min(M u, I),
//
// and u is at most the largest value for which that is true.
//
// Proof. The weights of all blocks that run, integrated over U, are full * u at least. A block of q that runs in U is
// one of the o_q, as the last one starts when U_q ends and all earlier kernels of the stream have ended; it runs for
// C_q, and within U_q, at most. Those of another stream have M u and I at most. QED.
//
// The right side is a concave function of u that is 0 for u = 0: all u up to the largest satisfy it, so that one is
// found by halving. In the maximum, time is given to the kernels with the largest o_q w_q first, for C_q each.
//
// Theorem. Let `least` blocks run at least throughout U, and B different blocks run in U at all. Then u is at most the
// sum of the times of the floor(B / least) blocks of them that take longest.
//
// Proof. The times in which blocks run are intervals that cover each point of U `least` times at least. In the order of
// their starts, give each to that of `least` groups which reaches the least far, the reach being the latest end in it.
// Suppose that a point z of U is past the reach of a group when all intervals that start up to z are given. No other
// group has two that contain z: when the second one was given, its group reached the least far, and past z, so all did.
// Then fewer than `least` intervals contain z, which is not so. Hence each group covers all of U. One of them has
// floor(B / least) blocks at most, and they take u together at least. QED.
//
// Without the second one, a kernel that fills the GPU alone just once would count as waiting for itself for nearly C.
#include "solver/response/longest_wait.hpp"

#include <algorithm>

namespace warpspan::solver::response_times {

using support::Int128;
using support::WideInteger;

namespace {

Int128 weight_of(const Analysed& analysed) { return Int128{analysed.blocks} * analysed.weight; }

// The right side of the first theorem at u, and how fast it grows from there on.
struct Side {
  WideInteger value = 0;
  WideInteger slope = 0;
};

// Of the kernels that are analysed, sorted by weight: those with the largest have the time first.
Side of_analysed(const std::vector<Analysed>& analysed, int64_t u) {
  Side side;
  WideInteger left = u;
  bool given = false;
  for (const Analysed& kernels : analysed) {
    const WideInteger weight = WideInteger(kernels.blocks) * kernels.weight;
    const WideInteger room = WideInteger(kernels.kernels) * kernels.block_time;
    const WideInteger taken = min(left, room);
    side.value += taken * weight;
    left -= taken;
    if (!given && !(taken == room)) {
      side.slope = weight;
      given = true;
    }
  }
  return side;
}

// min(M u, I), where M u may be beyond all numbers.
void add_interfering(Side& side, const Interfering& interfering, int64_t u) {
  const auto most = interfering.at_once.value();
  const auto total = interfering.total.value();
  if (!most || !total) {
    side.value += interfering.at_once + interfering.total;
  } else if (*most == 0 || u > *total / *most) {
    side.value += *most == 0 ? WideInteger(0) : interfering.total;
  } else {
    side.value += interfering.at_once * u;
    if (!(interfering.at_once * u == interfering.total)) side.slope += interfering.at_once;
  }
}

Side right_side(const Wait& wait, int64_t u) {
  Side side = of_analysed(wait.analysed, u);
  for (const Interfering& interfering : wait.interfering) add_interfering(side, interfering, u);
  return side;
}

// The first theorem's largest u, rounded up.
std::optional<int64_t> by_weights(const Wait& wait) {
  WideInteger all = 0;
  for (const Analysed& analysed : wait.analysed) {
    all += WideInteger(analysed.kernels) * analysed.block_time * analysed.blocks * analysed.weight;
  }
  for (const Interfering& interfering : wait.interfering) all += interfering.total;
  const auto high = floor_divide(all, wait.full).value();
  if (!high || *high >= INT64_MAX) return std::nullopt;
  int64_t low = 0;  // true; beyond `last` it is not
  int64_t last = static_cast<int64_t>(*high);
  while (low < last) {
    const int64_t middle = low + (last - low) / 2 + (last - low) % 2;
    const auto more = (right_side(wait, middle).value - WideInteger(wait.full) * middle).value();
    if (!more) return std::nullopt;
    if (*more >= 0) {
      low = middle;
    } else {
      last = middle - 1;
    }
  }
  // It is `low` itself if both sides are the same there and the left one grows faster, else less than 1 more.
  const Side side = right_side(wait, low);
  const auto growth = (WideInteger(wait.full) - side.slope).value();
  if (!growth || side.value.overflowed()) return std::nullopt;
  const bool exact = side.value == WideInteger(wait.full) * low && *growth > 0;
  return exact ? low : low + 1;
}

// The second theorem's.
std::optional<int64_t> by_rounds(Wait& wait) {
  WideInteger blocks = wait.interfering_blocks;
  for (const Analysed& analysed : wait.analysed) {
    const WideInteger own = WideInteger(analysed.kernels) * analysed.blocks;
    blocks += own;
    wait.interfering_times.push_back({analysed.block_time, own});
  }
  WideInteger left = floor_divide(blocks, wait.least_blocks);
  std::sort(wait.interfering_times.begin(), wait.interfering_times.end(),
            [](const BlocksOfTime& a, const BlocksOfTime& b) { return a.block_time > b.block_time; });
  WideInteger time = 0;
  for (const BlocksOfTime& some : wait.interfering_times) {
    const WideInteger taken = min(left, some.blocks);
    time += taken * some.block_time;
    left -= taken;
    if (left == WideInteger(0)) break;
  }
  const auto value = time.value();
  if (!value || *value > INT64_MAX) return std::nullopt;
  return static_cast<int64_t>(*value);
}

}  // namespace

std::optional<int64_t> longest_wait(Wait wait) {
  std::sort(wait.analysed.begin(), wait.analysed.end(),
            [](const Analysed& a, const Analysed& b) { return weight_of(a) > weight_of(b); });
  const auto weights = by_weights(wait);
  const auto rounds = by_rounds(wait);
  if (!weights || !rounds) return weights ? weights : rounds;
  return std::min(*weights, *rounds);
}

}  // namespace warpspan::solver::response_times
