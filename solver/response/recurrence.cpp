// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let R_j be such that F_j(R) <= R_j for every task j, where R_j or F_j(R) may be infinite. Then no job of j
// takes longer than R_j. F_i(R) is the smaller one of A_i(R) and B_i(R), which are, with G of analysed_time.cpp,
//
//   A: G for ceil(R_j / T_j) jobs of each task j of i's stream, and ceil((R_i + R_j) / T_j) concurrent jobs of others;
//   B: the largest w(d) - d over d from 0 to L, where w(d) is the least w with w = G for floor(d / T_j) + 1 jobs
//      of each task j of i's stream, and ceil((w + R_j) / T_j) concurrent jobs of the others, and L the least L with
//      L = G for ceil(L / T_j) jobs, and ceil((L + R_j) / T_j) concurrent ones.
//
// A task without period has one job. If the NULL stream is `legacy`, all streams are i's, and concurrently run the
// jobs of all tasks: for A as many as stated, for B ceil(w / T_j), and ceil(L / T_j).
//
// Proof. Suppose that some job takes longer. Of all jobs that do, let J be one for which the time a + R_i, a its
// release, comes first; there are finitely many up to any time. So no job of any task j is there R_j after its release
// and before a + R_i. J is there in all of [a, a + R_i). A window [x, y) with y <= a + R_i thus sees jobs of j that are
// released in (x - R_j, y), which are ceil((y - x + R_j) / T_j) at most.
//
// A. The jobs that are there at a in J's stream are released in (a - R_j, a], which are ceil(R_j / T_j) at most of each
// j, J among them. One of their operations is at the head in all of [a, a + R_i), and the last one does not end in it.
// So R_i < A_i(R).
//
// B. Let b be the last time up to a by which all jobs of J's stream that were released before it have ended, and d = a
// - b. Up to a + R_i one of the operations of the jobs released in [b, a] is at the head. These are floor(d / T_j) + 1
// jobs at most of each j. If R_i + d >= w(d), the window [b, b + w(d)) has their operations at the head for w(d), but
// as the last one does not end in it, they are there for less than G = w(d). So R_i < w(d) - d. And d < L: else in the
// window [b, b + L), up to a at most, operations of the jobs released in it are at the head for L = G, so the last one
// ends in it; these are ceil(L / T_j) jobs at most, and b would have been b + L or later.
//
// With `legacy`, take all streams as one in both; at b nothing is there that was released before. QED.
//
// Between multiples of the T_j the number of jobs does not change and w(d) - d falls, so that d = 0 and these multiples
// are enough. If there are many of them, B is taken as infinite. Where all R_j <= T_j of the stream, B is at least A,
// as it is for d = 0, and is not looked at (without `legacy`). As times are integers, ceil(L / T) = floor((L - 1) / T)
// + 1.
#include "solver/response/recurrence.hpp"

#include <algorithm>

namespace warpspan::solver::response_times {

using support::WideInteger;

namespace {

constexpr int64_t most_distances = 64;
constexpr int most_steps = 1000;

int64_t or_unlimited(const WideInteger& jobs) {
  const auto value = jobs.value();
  return value && *value < unlimited ? static_cast<int64_t>(*value) : unlimited;
}

// The most jobs that are there in a window of this length, if each is for `bound` at most.
int64_t jobs_seen(const Task& task, const std::optional<int64_t>& bound, int64_t length) {
  if (!task.period) return 1;
  return bound ? or_unlimited(ceil_divide(WideInteger(*bound) + length, *task.period)) : unlimited;
}

// The most that are released from one time to another, both included.
int64_t jobs_released(const Task& task, int64_t distance) { return task.period ? distance / *task.period + 1 : 1; }

}  // namespace

// What B looks at.
struct Recurrence::BusyPeriod {
  const Recurrence& all;
  const Bounds& bounds;
  size_t task;

  std::optional<int64_t> time(int64_t distance, int64_t window, std::vector<Term>* terms = nullptr) const {
    const auto& tasks = all.workload_.tasks;
    const bool legacy = all.workload_.gpu.null_stream == NullStream::legacy;
    const JobCounts jobs{[&](size_t j) { return jobs_released(tasks[j], distance); },
                         [&](size_t j) { return jobs_seen(tasks[j], legacy ? 0 : bounds[j], window); }};
    return all.time_.most(task, jobs, terms);
  }

  // The least fixed point of a function of the window; nothing if it is not found.
  template <typename Distance>
  std::optional<int64_t> least(Distance distance_of, int64_t most) const {
    int64_t window = 1;
    for (int step = 0; step < most_steps; ++step) {
      const auto next = time(distance_of(window), window);
      if (!next || *next > most) return std::nullopt;
      if (*next <= window) return window;
      window = *next;
    }
    return std::nullopt;
  }

  // An L beyond this has too many distances.
  int64_t most_end() const {
    int64_t shortest = all.most_;
    for (const size_t j : all.time_.analysed_with(task)) {
      shortest = std::min(shortest, all.workload_.tasks[j].period.value_or(shortest));
    }
    return shortest < all.most_ / most_distances ? shortest * most_distances : all.most_;
  }

  // Zero and all multiples of periods below `end`; nothing if they are many.
  std::optional<std::vector<int64_t>> distances(int64_t end) const {
    std::vector<int64_t> found = {0};
    for (const size_t j : all.time_.analysed_with(task)) {
      const auto& period = all.workload_.tasks[j].period;
      if (!period) continue;
      for (int64_t distance = *period; distance < end; distance += *period) {
        if (found.size() == size_t{most_distances}) return std::nullopt;
        found.push_back(distance);
        if (distance > end - *period) break;
      }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  std::optional<int64_t> longest(std::vector<Term>* terms) const {
    const auto end = least([](int64_t window) { return window - 1; }, most_end());
    const auto found = end ? distances(*end) : std::nullopt;
    if (!found) return std::nullopt;
    int64_t most = 0;
    int64_t slowest = 0;
    for (const int64_t distance : *found) {
      const auto window = least([&](int64_t) { return distance; }, *end);
      if (!window) return std::nullopt;
      if (*window - distance <= most) continue;
      most = *window - distance;
      slowest = distance;
    }
    if (terms) {
      time(slowest, most + slowest, terms);
      if (slowest > 0) terms->push_back({task, Reason::released_later, -slowest});
    }
    return most;
  }
};

std::optional<int64_t> Recurrence::from_release(size_t task, const Bounds& bounds, std::vector<Term>* terms) {
  if (!bounds[task]) return std::nullopt;
  const auto& tasks = workload_.tasks;
  const JobCounts jobs{[&](size_t j) { return jobs_seen(tasks[j], bounds[j], 0); },
                       [&](size_t j) { return jobs_seen(tasks[j], bounds[j], *bounds[task]); }};
  return time_.most(task, jobs, terms);
}

std::optional<int64_t> Recurrence::from_busy_period(size_t task, const Bounds& bounds, std::vector<Term>* terms) {
  const auto& analysed = time_.analysed_with(task);
  const bool legacy = workload_.gpu.null_stream == NullStream::legacy;
  const bool short_ones = !legacy && std::all_of(analysed.begin(), analysed.end(), [&](size_t j) {
    const auto& period = workload_.tasks[j].period;
    return !period || (bounds[j] && *bounds[j] <= *period);
  });
  if (short_ones || endless_[task]) return std::nullopt;
  const auto longest = BusyPeriod{*this, bounds, task}.longest(terms);
  endless_[task] = !longest;  // larger bounds make it no shorter
  return longest;
}

std::optional<int64_t> Recurrence::next(size_t task, const Bounds& bounds, std::vector<Term>* terms) {
  const auto release = from_release(task, bounds, nullptr);
  const auto busy = from_busy_period(task, bounds, nullptr);
  const bool by_release = release && (!busy || *release <= *busy);
  if (terms && by_release) return from_release(task, bounds, terms);
  if (terms && busy) return from_busy_period(task, bounds, terms);
  return by_release ? release : busy;
}

std::vector<Term> Recurrence::terms(size_t task, const Bounds& bounds) {
  std::vector<Term> terms;
  next(task, bounds, &terms);
  return terms;
}

}  // namespace warpspan::solver::response_times
