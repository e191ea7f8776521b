// SPDX-License-Identifier: GPL-3.0-or-later
// Slots are free in some number from some time on, and more of them from later times on. Pieces are taken in order, so
// only the earliest of these times matters: what of a job does not fit then waits for the next, and each group of
// pieces frees its slots when it ends. A job ends with its last group, because groups begin in order and take equally
// long.
//
// If all pieces take C, slots become free at time a and at a + C, a + 2 C, ... only: if f are free at a, the others, G
// - f of G, are free at a + C, and from then on all G every C. A job of g > f pieces takes f at a and the other g - f
// in K = ceil((g - f) / G) rounds of G; the last one begins at a + K C and leaves K G - (g - f) slots free. A job of g
// <= f pieces takes them at a. It ends C after its last round begins.
#include "solver/response/finish_times.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <string>
#include <utility>

namespace warpspan::solver::response_times {

using support::Diagnostics;
using support::Integer;
using support::Rational;
using support::Result;
using support::usage_error;

namespace {

constexpr int64_t most_rounds = 10'000'000;

Diagnostics errors_in(const std::vector<Job>& jobs, int64_t slots) {
  Diagnostics errors;
  if (slots < 1) errors.push_back(usage_error("there are " + std::to_string(slots) + " slots"));
  for (size_t i = 0; i < jobs.size(); ++i) {
    const std::string job = "job " + std::to_string(i + 1);
    if (jobs[i].cycles < 1) {
      errors.push_back(usage_error(job + ": its pieces take " + std::to_string(jobs[i].cycles) + " cycles"));
    }
    if (jobs[i].pieces < 1) {
      errors.push_back(usage_error(job + " has " + std::to_string(jobs[i].pieces) + " pieces"));
    }
  }
  return errors;
}

support::Diagnostic overflow() { return usage_error("a time exceeds 2^63 - 1 cycles"); }

support::Diagnostic different_times() { return usage_error("the pieces do not all take as long"); }

struct Freed {
  int64_t time, slots;
  bool operator>(const Freed& other) const { return time > other.time; }
};

}  // namespace

Result<std::vector<int64_t>> fifo_finish_times(const std::vector<Job>& jobs, int64_t slots) {
  if (auto errors = errors_in(jobs, slots); !errors.empty()) return errors;
  std::priority_queue<Freed, std::vector<Freed>, std::greater<>> later;
  Freed now{0, slots};
  std::vector<int64_t> finish;
  int64_t rounds = 0;
  for (Job job : jobs) {
    while (true) {
      if (++rounds > most_rounds) return usage_error("the jobs take more than 10 million rounds of slots");
      const auto end = (Integer(now.time) + Integer(job.cycles)).value();
      if (!end) return overflow();
      const int64_t taken = std::min(now.slots, job.pieces);
      if (taken > 0) later.push({*end, taken});
      now.slots -= taken;
      job.pieces -= taken;
      if (job.pieces == 0) {
        finish.push_back(*end);
        break;
      }
      now = later.top();
      later.pop();
    }
  }
  return finish;
}

Result<std::vector<Rational>> published_finish_times(const std::vector<Job>& jobs, int64_t slots) {
  if (auto errors = errors_in(jobs, slots); !errors.empty()) return errors;
  // In halves, as the sign term is half a round where the pieces just fit.
  Integer twice_begin = 0;
  Integer twice_free = Integer(2) * Integer(slots);
  std::vector<Rational> finish;
  for (const Job& job : jobs) {
    if (job.cycles != jobs.front().cycles) return different_times();
    const auto twice_more = (Integer(2) * Integer(job.pieces) - twice_free).value();
    if (!twice_more) return overflow();
    const int64_t twice_alpha = (*twice_more > 0) - (*twice_more < 0) + 1;
    const Integer rounds = floor_divide(floor_divide(Integer(std::max(*twice_more, -*twice_more)), 2), slots);
    twice_begin += (Integer(twice_alpha) + Integer(2) * rounds) * Integer(job.cycles);
    twice_free = Integer(twice_alpha) * Integer(slots) - Integer(*twice_more) + Integer(2) * rounds * Integer(slots);
    const auto twice_finish = (twice_begin + Integer(2) * Integer(job.cycles)).value();
    if (!twice_finish) return overflow();
    finish.push_back(*support::make_rational(*twice_finish, 2));
  }
  return finish;
}

Result<std::vector<int64_t>> corrected_finish_times(const std::vector<Job>& jobs, int64_t slots) {
  if (auto errors = errors_in(jobs, slots); !errors.empty()) return errors;
  Integer begin = 0;
  int64_t free = slots;
  std::vector<int64_t> finish;
  for (const Job& job : jobs) {
    if (job.cycles != jobs.front().cycles) return different_times();
    const int64_t more = job.pieces - free;
    const int64_t rounds = more > 0 ? (more - 1) / slots + 1 : 0;
    begin += Integer(rounds) * Integer(job.cycles);
    free = rounds > 0 ? slots - 1 - (more - 1) % slots : -more;
    const auto end = (begin + Integer(job.cycles)).value();
    if (!end) return overflow();
    finish.push_back(*end);
  }
  return finish;
}

}  // namespace warpspan::solver::response_times
