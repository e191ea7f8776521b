// SPDX-License-Identifier: GPL-3.0-or-later
// A stream is a list of jobs; the operation at its head is queued (G2, C1) as soon as it gets there, unless the NULL
// stream's rules delay it. A kernel leaves its queue with its last block (G3), its stream when all blocks have
// ended (G4). Only the first kernel of the first queue that is not empty is given multiprocessors (X1, A2), block by
// block as long as one has room for it (R1-R3). An engine copies the first of its queue to the end (C2-C4).
#include "solver/response/simulation.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <queue>
#include <random>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "support/checked.hpp"

namespace warpspan::solver::response_times {

using support::Integer;
using support::Result;
using support::usage_error;

namespace {

constexpr size_t none = SIZE_MAX;
constexpr int64_t null_stream = 0;

// The multiprocessors and what is left of them.
class Multiprocessors {
 public:
  Multiprocessors(const Gpu& gpu, const RunOptions& options)
      : left_(static_cast<size_t>(gpu.multiprocessors), gpu.capacity),
        placement_(options.placement),
        random_(options.seed) {}

  // The one that takes a block; `none` if no one has room.
  size_t take(const Amounts& need) {
    const size_t place = choose(need);
    if (place == none) return none;
    last_ = place;
    for (size_t kind = 0; kind < kinds; ++kind) left_[place][kind] -= need[kind];
    return place;
  }

  void give_back(size_t place, const Amounts& need) {
    for (size_t kind = 0; kind < kinds; ++kind) left_[place][kind] += need[kind];
  }

 private:
  size_t choose(const Amounts& need) {
    const size_t begin = placement_ == Placement::round_robin ? (last_ + 1) % left_.size() : 0;
    size_t best = none;
    int64_t best_fitting = 0;
    uint64_t candidates = 0;
    for (size_t i = 0; i < left_.size(); ++i) {
      const size_t place = (begin + i) % left_.size();
      const int64_t fits = fitting(left_[place], need);
      if (fits == 0) continue;
      if (placement_ == Placement::first_fit || placement_ == Placement::round_robin) return place;
      const bool better = placement_ == Placement::most_free ? fits > best_fitting : random_() % ++candidates == 0;
      if (better) std::tie(best, best_fitting) = std::pair(place, fits);
    }
    return best;
  }

  std::vector<Amounts> left_;
  Placement placement_;
  std::mt19937 random_;
  size_t last_ = none;  // so that round-robin begins with the first one
};

struct Stream {
  size_t first = none;  // job
  size_t last = none;
  size_t operation = 0;  // of the first job
  int64_t priority = 0;
  bool is_null = false;
};

struct Queued {
  size_t stream = 0;
  int64_t next_block = 0;
};

struct Running {
  int64_t end = 0;
  int64_t order = 0;
  size_t stream = 0;
  size_t place = 0;
  bool operator>(const Running& other) const { return std::tie(end, order) > std::tie(other.end, other.order); }
};

class Simulation {
 public:
  Simulation(const Workload& workload, const std::vector<Release>& releases, const RunOptions& options)
      : workload_(workload),
        releases_(releases),
        options_(options),
        places_(workload.gpu, options),
        engines_(static_cast<size_t>(workload.gpu.copy_engines)),
        next_in_stream_(releases.size(), none),
        blocks_left_(releases.size(), 0) {
    std::unordered_map<int64_t, size_t> streams;
    for (const Task& task : workload.tasks) {
      const auto [known, added] = streams.emplace(task.stream, streams_.size());
      const bool is_null = task.stream == null_stream && workload.gpu.null_stream == NullStream::legacy;
      if (added) streams_.push_back({none, none, 0, task.priority, is_null});
      stream_of_.push_back(known->second);
    }
    for (const Release& release : releases) {
      run_.first_operation.push_back(run_.operations.size());
      run_.operations.resize(run_.operations.size() + workload.tasks[release.task].operations.size());
    }
    run_.finish.resize(releases.size());
  }

  Result<Run> run() {
    size_t job = 0;
    while (job < releases_.size() || !running_.empty()) {
      now_ = running_.empty() ? releases_[job].time : running_.top().end;
      if (job < releases_.size()) now_ = std::min(now_, releases_[job].time);
      while (!running_.empty() && running_.top().end == now_) end_piece();
      for (; job < releases_.size() && releases_[job].time == now_; ++job) launch(job);
      assign_blocks();
      assign_copies();
      if (!errors_.empty()) return errors_;
    }
    return std::move(run_);
  }

 private:
  const Operation& head(const Stream& stream) const {
    return workload_.tasks[releases_[stream.first].task].operations[stream.operation];
  }
  OperationRun& record(const Stream& stream) {
    return run_.operations[run_.first_operation[stream.first] + stream.operation];
  }

  void launch(size_t job) {
    const size_t index = stream_of_[releases_[job].task];
    Stream& stream = streams_[index];
    if (stream.first != none) {
      next_in_stream_[stream.last] = job;
      stream.last = job;
      return;
    }
    stream.first = stream.last = job;
    stream.operation = 0;
    comes_to_head(index);
  }

  void comes_to_head(size_t index) {
    if (workload_.gpu.null_stream == NullStream::none) return enqueue(index);
    const Stream& stream = streams_[index];
    if (stream.is_null) {
      null_ = index;
      null_waits_ = true;
    } else {
      heads_.insert({stream.first, index});
      waiting_.insert({stream.first, index});
    }
    enqueue_by_launch();
  }

  // N1 and N2. The operations of a job are launched at once, so the order of jobs is that of launches.
  void enqueue_by_launch() {
    const size_t null_job = null_ == none ? none : streams_[null_].first;
    if (null_waits_ && (heads_.empty() || heads_.begin()->first > null_job)) {
      null_waits_ = false;
      enqueue(null_);
    }
    while (!waiting_.empty() && waiting_.begin()->first < null_job) {
      const size_t index = waiting_.begin()->second;
      waiting_.erase(waiting_.begin());
      enqueue(index);
    }
  }

  void enqueue(size_t index) {
    const Stream& stream = streams_[index];
    record(stream).enqueued = now_;
    if (const auto* copy = std::get_if<Copy>(&head(stream))) {
      engines_[engine_of(workload_.gpu, *copy)].queue.push_back(index);
    } else {
      blocks_left_[stream.first] = std::get<Kernel>(head(stream)).blocks;
      kernels_[stream.priority].push_back({index, 0});
    }
  }

  void assign_blocks() {
    while (!kernels_.empty()) {
      auto& queue = kernels_.begin()->second;
      Queued& first = queue.front();
      const auto& kernel = std::get<Kernel>(head(streams_[first.stream]));
      while (first.next_block < kernel.blocks) {
        const size_t place = places_.take(kernel.need);
        if (place == none) return;
        start(first.stream, first.next_block++, place, kernel.block_time);
        if (!errors_.empty()) return;
      }
      queue.pop_front();
      if (queue.empty()) kernels_.erase(kernels_.begin());
    }
  }

  void assign_copies() {
    for (size_t engine = 0; engine < engines_.size(); ++engine) {
      if (engines_[engine].busy || engines_[engine].queue.empty()) continue;
      engines_[engine].busy = true;
      const size_t index = engines_[engine].queue.front();
      engines_[engine].queue.pop_front();
      start(index, 0, engine, std::get<Copy>(head(streams_[index])).time);
    }
  }

  void start(size_t index, int64_t block, size_t place, int64_t most) {
    const Stream& stream = streams_[index];
    const Piece piece{stream.first, stream.operation, block};
    const int64_t time = options_.time ? options_.time(piece) : most;
    if (time < 1 || time > most) {
      errors_.push_back(
          usage_error("a piece that takes 1 to " + std::to_string(most) + " is said to take " + std::to_string(time)));
    }
    const auto end = (Integer(now_) + Integer(time)).value();
    if (!end) errors_.push_back(usage_error("a time exceeds 2^63 - 1"));
    if (!errors_.empty()) return;
    if (block == 0) record(stream).start = now_;
    if (options_.keep_blocks) run_.blocks.push_back({piece, static_cast<int64_t>(place), now_, *end});
    running_.push({*end, started_++, index, place});
  }

  void end_piece() {
    const Running ended = running_.top();
    running_.pop();
    const Stream& stream = streams_[ended.stream];
    if (const auto* kernel = std::get_if<Kernel>(&head(stream))) {
      places_.give_back(ended.place, kernel->need);
      if (--blocks_left_[stream.first] > 0) return;
    } else {
      engines_[ended.place].busy = false;
    }
    end_operation(ended.stream);
  }

  void end_operation(size_t index) {
    Stream& stream = streams_[index];
    record(stream).end = now_;
    heads_.erase({stream.first, index});
    if (stream.is_null) null_ = none;
    ++stream.operation;
    if (stream.operation == workload_.tasks[releases_[stream.first].task].operations.size()) {
      run_.finish[stream.first] = now_;
      stream.first = next_in_stream_[stream.first];
      stream.operation = 0;
    }
    if (stream.first != none) return comes_to_head(index);
    if (workload_.gpu.null_stream == NullStream::legacy) enqueue_by_launch();
  }

  struct Engine {
    std::deque<size_t> queue;
    bool busy = false;
  };

  const Workload& workload_;
  const std::vector<Release>& releases_;
  const RunOptions& options_;
  Multiprocessors places_;
  std::vector<Engine> engines_;
  std::vector<size_t> next_in_stream_;  // by job
  std::vector<int64_t> blocks_left_;    // by job: of its kernel at the head that have not ended
  std::vector<Stream> streams_;
  std::vector<size_t> stream_of_;  // by task
  std::map<int64_t, std::deque<Queued>, std::greater<>> kernels_;
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running_;
  // Of the NULL stream's rules: its index if it has a head, and whether that is not queued yet; the heads of the other
  // streams by launch, and those of them that are not queued yet.
  size_t null_ = none;
  bool null_waits_ = false;
  std::set<std::pair<size_t, size_t>> heads_;
  std::set<std::pair<size_t, size_t>> waiting_;
  int64_t now_ = 0;
  int64_t started_ = 0;
  Run run_;
  support::Diagnostics errors_;
};

support::Diagnostics errors_in_releases(const Workload& workload, const std::vector<Release>& releases) {
  int64_t time = 0;
  for (const Release& release : releases) {
    if (release.task >= workload.tasks.size()) return {usage_error("a job is of no task")};
    if (release.time < time) return {usage_error("jobs are not in the order of their launch")};
    time = release.time;
  }
  return {};
}

}  // namespace

Result<std::vector<Release>> periodic_releases(const Workload& workload, int64_t end, int64_t most) {
  if (auto errors = errors_in(workload); !errors.empty()) return errors;
  std::vector<Release> releases;
  for (size_t task = 0; task < workload.tasks.size(); ++task) {
    Integer time = workload.tasks[task].offset;
    while (!time.overflowed() && *time.value() < end) {
      if (static_cast<int64_t>(releases.size()) == most) {
        return usage_error("there are more than " + std::to_string(most) + " jobs");
      }
      releases.push_back({task, *time.value()});
      if (!workload.tasks[task].period) break;
      time += *workload.tasks[task].period;
    }
  }
  std::stable_sort(releases.begin(), releases.end(),
                   [](const Release& a, const Release& b) { return a.time < b.time; });
  return releases;
}

Result<Run> simulate(const Workload& workload, const std::vector<Release>& releases, const RunOptions& options) {
  if (auto errors = errors_in(workload); !errors.empty()) return errors;
  if (auto errors = errors_in_releases(workload, releases); !errors.empty()) return errors;
  return Simulation(workload, releases, options).run();
}

}  // namespace warpspan::solver::response_times
