// SPDX-License-Identifier: GPL-3.0-or-later
// The rules (simulation.hpp) let an operation be queued as soon as it is at the head of its stream, and leave the
// stream when it has ended. So of each stream one operation at most is queued or runs at any time.
//
// Theorem. Let no operation of a stream but those of the analysed jobs be at its head in some window of time, and let
// no jobs of the tasks of other streams be there in it but those that may run concurrently. Let G be the sum over the
// operations q of the analysed jobs of their times C_q (of a kernel: a block's time), and of the longest time for which
// these wait,
//
//   kernels by longest_wait.hpp, if of the stream s there run concurrently with N kernels that are analysed
//     - all kernels of all jobs, if its priority is larger;
//     - the N largest of these kernels, if it is equal;
//     - if it is smaller, N times as many blocks as can run at once of the kernel of which that is most, and no more
//     than
//       of all jobs;
//   copies: of each other stream, concurrently with N copies that are analysed on an engine, the N longest copies on
//   this engine.
//
// Then the analysed operations are at the head of their stream for G at most in the window; for less than G if the last
// one does not end in it.
//
// Proof. At the head an operation is queued or runs. A kernel is queued until its last block starts, which then takes
// C_q at most, and less in the window if it does not end there; a copy is queued until it starts.
//
// Let a kernel q be queued in [e, t) of the window. Its queue is not empty, so the kernel h that may be given room is
// of at least its priority, and fits on no multiprocessor, or a block of it would start. So the weights of
// fullness.hpp, for which those kernels may wait, are `full` at least. Of another stream there may run
//  - if its priority is larger, whatever jobs of it are there in the window;
//  - if it is equal, one kernel at most that is queued or runs at e: whatever is queued later gets behind q, and starts
//    after t. As there are N kernels q, all that is charged is N kernels at most, different ones;
//  - if it is smaller, those blocks that run at e, as none starts in [e, t). They are of one kernel.
// At any time it has blocks of one kernel only: the weight at once is that of as many blocks of one kernel as fit on
// the empty GPU. Of q's own stream all earlier kernels have ended at e, and no later one has been queued.
//
// An engine takes copies in the order in which they were queued: up to its start a copy q waits for copies that were
// queued before it, one of each other stream. Those of different q are different copies. QED.
//
// Theorem (the NULL stream is `legacy`). Let in each moment of a window that operation be analysed which was launched
// first of all that are there, in all streams, let it be one of the analysed jobs, and let no jobs be there but those
// that may run concurrently, the analysed ones among them. Then the window is no longer than the sum G, over the
// operations of the analysed jobs of all streams, of the times C_q of kernels, and of
//   kernels: the longest wait if all concurrent kernels run, and all kernels may wait;
//   copies: all copies of the concurrent jobs.
//
// Proof. The operation is at the head of its stream, and the rules N1 and N2 let it be queued, as every other head was
// launched later. As long as it is a kernel that waits, the GPU is full; then it runs for C_q at most; if it is a copy,
// its engine copies. QED.
//
// G never falls where a count rises: every sum grows, and the longest wait grows with what runs concurrently.
#include "solver/response/analysed_time.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace warpspan::solver::response_times {

using support::Int128;
using support::WideInteger;

namespace {

int64_t least(const WideInteger& a, int64_t b) {
  const auto value = a.value();
  return value && *value < b ? static_cast<int64_t>(*value) : b;
}

struct Share {
  size_t task = 0;
  Reason reason = Reason::own;
  WideInteger amount;
};

// Adds terms with a sum of `time`, in proportion to the shares.
void add_in_proportion(const std::vector<Share>& shares, int64_t time, std::vector<Term>& terms) {
  Int128 all = 0;
  for (const Share& share : shares) all += share.amount.value().value_or(0);
  if (all == 0) return;
  int shift = 0;
  while (all >> shift > (int64_t{1} << 60)) ++shift;
  Int128 sum = 0;
  int64_t given = 0;
  for (const Share& share : shares) {
    sum += share.amount.value().value_or(0);
    const auto upto = sum == all ? time : static_cast<int64_t>((sum >> shift) * time / (all >> shift));
    terms.push_back({share.task, share.reason, upto - given});
    given = upto;
  }
}

// Merges terms of the same task and reason.
std::vector<Term> joined(const std::vector<Term>& terms) {
  std::map<std::pair<Reason, size_t>, int64_t> times;
  for (const Term& term : terms) times[{term.reason, term.task}] += term.time;
  std::vector<Term> result;
  for (const auto& [what, time] : times) {
    if (time > 0) result.push_back({what.second, what.first, time});
  }
  return result;
}

}  // namespace

// One evaluation of F_i.
struct AnalysedTime::Step {
  const AnalysedTime& all;
  const JobCounts& counts;
  size_t task;
  const Fullness* fullness;  // null: no kernel that is analysed waits
  bool tells;                // fill the shares
  Wait wait = {};
  WideInteger kernels = 0;                     // that are analysed
  std::array<WideInteger, 2> copies = {0, 0};  // that are analysed, by engine
  WideInteger run = 0;                         // the times of what is analysed
  bool infinite = false;
  std::vector<Term> terms = {};
  std::vector<Share> shares = {};

  const Task& task_at(size_t j) const { return all.workload_.tasks[j]; }

  void follow(size_t j, bool legacy) {
    const int64_t jobs = counts.analysed(j);
    if (jobs == unlimited) infinite = true;
    for (const Operation& operation : task_at(j).operations) {
      const auto* copy = std::get_if<Copy>(&operation);
      if (copy) copies[engine_of(all.workload_.gpu, *copy)] += jobs;
      if (!copy) kernels += jobs;
      if (copy && legacy) continue;
      const int64_t time = copy ? copy->time : std::get<Kernel>(operation).block_time;
      run += WideInteger(jobs) * time;
      if (!tells) continue;
      if (j == task) terms.push_back({j, Reason::own, time});
      terms.push_back({j, Reason::ahead, (j == task ? jobs - 1 : jobs) * time});
    }
  }

  void follow_kernels(size_t stream) {
    for (const size_t k : all.streams_[stream].kernels) {
      const Kernel& kernel = all.kernels_[k];
      const int64_t jobs = counts.analysed(all.task_of_[k]);
      wait.analysed.push_back({jobs, kernel.blocks - 1, kernel.block_time, fullness->weights[k]});
      if (tells) {
        const Reason reason = all.task_of_[k] == task ? Reason::own_blocks : Reason::ahead;
        shares.push_back({all.task_of_[k], reason, work(k, WideInteger(jobs) * (kernel.blocks - 1))});
      }
    }
  }

  WideInteger work(size_t k, WideInteger blocks) const {
    return blocks * all.kernels_[k].block_time * fullness->weights[k];
  }
  int64_t interfering_jobs(size_t k) const { return counts.interfering(all.task_of_[k]); }

  WideInteger at_once(size_t stream) const {
    WideInteger most = 0;
    for (const size_t k : all.streams_[stream].kernels) {
      most = max(most, WideInteger(all.resident_[k]) * fullness->weights[k]);
    }
    return most;
  }

  void add(size_t stream, WideInteger total, WideInteger blocks) {
    wait.interfering.push_back({at_once(stream), total});
    wait.interfering_blocks += blocks;
  }

  void add_all(size_t stream) {
    WideInteger total = 0;
    WideInteger blocks = 0;
    for (const size_t k : all.streams_[stream].kernels) {
      const int64_t jobs = interfering_jobs(k);
      if (jobs == unlimited) infinite = true;
      const WideInteger of_kernel = WideInteger(jobs) * all.kernels_[k].blocks;
      total += work(k, of_kernel);
      blocks += of_kernel;
      wait.interfering_times.push_back({all.kernels_[k].block_time, of_kernel});
      const size_t j = all.task_of_[k];
      if (tells) shares.push_back({j, j == task ? Reason::own_blocks : reason_of(stream), work(k, of_kernel)});
    }
    add(stream, total, blocks);
  }

  // Of another task: how the priority of its stream compares.
  Reason reason_of(size_t stream) const {
    const int64_t priority = all.streams_[stream].priority;
    const int64_t own = task_at(task).priority;
    if (priority == own) return Reason::equal_priority;
    return priority > own ? Reason::larger_priority : Reason::smaller_priority;
  }

  // The largest of the kernels of the jobs in the window, as many as are analysed, by work or by blocks.
  template <typename Size>
  WideInteger largest(size_t stream, Size size, bool shared) {
    std::vector<size_t> order = all.streams_[stream].kernels;
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return *size(b).value() < *size(a).value(); });
    WideInteger left = kernels;
    WideInteger sum = 0;
    for (const size_t k : order) {
      const WideInteger taken = min(left, interfering_jobs(k));
      sum += taken * size(k);
      left -= taken;
      if (shared && tells) shares.push_back({all.task_of_[k], Reason::equal_priority, taken * size(k)});
    }
    return sum;
  }

  void add_times(size_t stream) {
    for (const size_t k : all.streams_[stream].kernels) {
      const WideInteger of_kernel = min(kernels, interfering_jobs(k)) * all.kernels_[k].blocks;
      wait.interfering_times.push_back({all.kernels_[k].block_time, of_kernel});
    }
  }

  void add_equal(size_t stream) {
    const auto total = largest(
        stream, [this](size_t k) { return work(k, all.kernels_[k].blocks); }, true);
    const auto blocks = largest(
        stream, [this](size_t k) { return WideInteger(all.kernels_[k].blocks); }, false);
    add_times(stream);
    add(stream, total, blocks);
  }

  void add_smaller(size_t stream) {
    WideInteger held = 0;
    WideInteger blocks = 0;
    size_t most = 0;
    for (const size_t k : all.streams_[stream].kernels) {
      const WideInteger of_kernel = work(k, all.resident_[k]);
      if (*of_kernel.value() >= *held.value()) most = k;
      held = max(held, of_kernel);
      blocks = max(blocks, all.resident_[k]);
    }
    WideInteger total = 0;
    WideInteger all_blocks = 0;
    for (const size_t k : all.streams_[stream].kernels) {
      const WideInteger of_kernel = WideInteger(interfering_jobs(k)) * all.kernels_[k].blocks;
      total += work(k, of_kernel);
      all_blocks += of_kernel;
    }
    add_times(stream);
    if (tells && !all.streams_[stream].kernels.empty()) {
      shares.push_back({all.task_of_[most], Reason::smaller_priority, kernels * held});
    }
    add(stream, smaller(kernels * held, total), smaller(kernels * blocks, all_blocks));
  }

  // The smaller one of those that did not overflow: both are bounds.
  static WideInteger smaller(WideInteger a, WideInteger b) {
    if (a.overflowed()) return b;
    return b.overflowed() ? a : min(a, b);
  }

  void add_stream(size_t stream) {
    switch (reason_of(stream)) {
      case Reason::larger_priority: return add_all(stream);
      case Reason::equal_priority: return add_equal(stream);
      default: return add_smaller(stream);
    }
  }

  void add_copies(size_t stream, size_t engine, bool all_of_them) {
    WideInteger left = copies[engine];
    for (const auto& [time, j] : all.streams_[stream].copies[engine]) {
      const int64_t jobs = counts.interfering(j);
      if (all_of_them && jobs == unlimited) infinite = true;
      const WideInteger taken = all_of_them ? WideInteger(jobs) : min(left, jobs);
      left -= taken;
      run += taken * time;
      const auto total = (taken * time).value();
      if (tells && total) terms.push_back({j, Reason::copies, static_cast<int64_t>(*total)});
    }
  }

  std::optional<int64_t> bound() {
    int64_t waited = 0;
    if (infinite) return std::nullopt;
    if (fullness && kernels.is_at_least(1)) {
      wait.full = fullness->full;
      wait.least_blocks = fullness->least_blocks;
      const auto longest = longest_wait(std::move(wait));
      if (!longest) return std::nullopt;
      waited = *longest;
      if (tells) add_in_proportion(shares, waited, terms);
    }
    const auto sum = (run + waited).value();
    if (!sum || *sum > INT64_MAX) return std::nullopt;
    return static_cast<int64_t>(*sum);
  }
};

AnalysedTime::AnalysedTime(const Workload& workload) : workload_(workload) {
  std::unordered_map<int64_t, size_t> index;
  const bool legacy = workload.gpu.null_stream == NullStream::legacy;
  for (size_t j = 0; j < workload.tasks.size(); ++j) {
    const Task& task = workload.tasks[j];
    const auto [known, added] = index.emplace(task.stream, streams_.size());
    if (added) streams_.push_back({task.priority, {}, {}, {}});
    stream_of_.push_back(known->second);
    all_tasks_.push_back(j);
    Stream& stream = streams_[known->second];
    stream.tasks.push_back(j);
    for (const Operation& operation : task.operations) {
      if (const auto* copy = std::get_if<Copy>(&operation)) {
        stream.copies[engine_of(workload.gpu, *copy)].emplace_back(copy->time, j);
        continue;
      }
      const auto& kernel = std::get<Kernel>(operation);
      stream.kernels.push_back(kernels_.size());
      kernels_.push_back(kernel);
      task_of_.push_back(j);
      const auto places =
          support::WideInteger(fitting(workload.gpu.capacity, kernel.need)) * workload.gpu.multiprocessors;
      resident_.push_back(least(places, kernel.blocks));
    }
    levels_[task.priority];
  }
  for (Stream& stream : streams_) {
    for (auto& copies : stream.copies) std::sort(copies.begin(), copies.end(), std::greater<>());
  }
  for (auto& [priority, level] : levels_) {
    std::vector<bool> waits;
    for (const size_t j : task_of_) waits.push_back(legacy || workload.tasks[j].priority >= priority);
    level.fullness = fullness(workload.gpu, kernels_, waits);
  }
}

std::optional<int64_t> AnalysedTime::most(size_t task, const JobCounts& jobs, std::vector<Term>* terms) const {
  const auto& full = levels_.at(workload_.tasks[task].priority).fullness;
  Step step{*this, jobs, task, full ? &*full : nullptr, terms != nullptr};
  const bool legacy = workload_.gpu.null_stream == NullStream::legacy;
  const size_t own = stream_of_[task];
  for (const size_t j : analysed_with(task)) step.follow(j, legacy);
  if (step.infinite) return std::nullopt;
  if (full && !legacy) step.follow_kernels(own);
  for (size_t stream = 0; stream < streams_.size(); ++stream) {
    if (stream == own && !legacy) continue;
    if (full && legacy) step.add_all(stream);
    if (full && !legacy) step.add_stream(stream);
    for (size_t engine = 0; engine < 2; ++engine) step.add_copies(stream, engine, legacy);
  }
  const auto result = step.bound();
  if (result && terms) *terms = joined(step.terms);
  return result;
}

const std::vector<size_t>& AnalysedTime::analysed_with(size_t task) const {
  return workload_.gpu.null_stream == NullStream::legacy ? all_tasks_ : streams_[stream_of_[task]].tasks;
}

}  // namespace warpspan::solver::response_times
