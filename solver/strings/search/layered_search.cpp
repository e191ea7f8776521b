// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/search/layered_search.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "solver/strings/search/metered_array.hpp"
#include "solver/strings/search/packed_state.hpp"
#include "solver/strings/search/search_worker.hpp"
#include "solver/strings/search/state_archive.hpp"
#include "solver/strings/search/state_layers.hpp"

namespace warpspan::solver {

namespace {

// For states of a fixed number of words.
template <size_t words>
class LayeredSearch : public SearchEngine {
 public:
  using State = PackedState<words>;

  LayeredSearch(const FlatProblem& problem, SearchPlan plan, Deadline& deadline)
      : problem_(problem),
        plan_(std::move(plan)),
        deadline_(deadline),
        layout_(static_cast<uint64_t>(problem.workers)),
        last_(problem.workers * static_cast<int64_t>(problem.symbols.size())),
        meter_(plan_.memory),
        archive_(problem, layout_, meter_) {}

  Outcome run() override {
    if (!deadline_.look()) return {Status::time_limit, {}};
    if (!open()) return {Status::too_large, {}};
    for (progress_ = 0; progress_ < last_; ++progress_) {
      if (!workers_.front().within_time(1)) return {Status::time_limit, {}};
      const size_t states = layers_.size();
      if (states > 0 && !expand_layer(states)) return {stop_, {}};
      layers_.advance();
    }
    Outcome outcome;
    for (size_t shard = 0; shard < layers_.shards(); ++shard) {
      layers_.table(0, shard).drain([&](const State&, uint32_t time) {
        ++statistics_.states;
        outcome.makespan = time;
        return true;
      });
    }
    return outcome;
  }

  std::optional<Schedule> schedule(int64_t makespan) override {
    if (!plan_.keeps_states) return std::nullopt;
    layers_.clear();
    return archive_.schedule(makespan, workers_.front().longest_step(), deadline_);
  }

  bool keeps_states() const override { return plan_.keeps_states; }

  SearchStatistics statistics() const override {
    SearchStatistics all = statistics_;
    all.memory = meter_.peak();
    return all;
  }

 private:
  using Worker = SearchWorker<words>;

  // The start state in the first layer, and as many layers as a step may reach behind it.
  bool open() {
    for (unsigned i = 0; i < std::min(plan_.threads, 1u << shard_bits); ++i) {
      workers_.emplace_back(problem_, layout_, deadline_, plan_.pruning, meter_, layers_);
    }
    const size_t window = static_cast<size_t>(workers_.front().longest_step()) + 1;
    const bool has_shards = pays_shards(window);
    while (!has_shards && workers_.size() > 1) workers_.pop_back();
    if (!layers_.open(meter_, window, has_shards ? shard_bits : 0)) return false;
    for (Worker& worker : workers_) {
      if (has_shards && !worker.open_batches()) return false;
    }
    State begin{};
    begin[layout_.word(0)] = static_cast<uint64_t>(problem_.workers) << layout_.shift(0);
    resident_ = statistics_.resident_states = 1;
    auto& table = layers_.table(0, layers_.shard_of(begin));
    bool is_new = false;
    return table.prepare(meter_, 1) && table.raise(meter_, begin, 0, is_new);
  }

  // Shards pay if there is more than one thread, and if they and the batches for them take little of the memory.
  bool pays_shards(size_t window) const {
    const size_t tables = window << shard_bits;
    const size_t bytes = tables * (StateLayers<words>::bytes_of_shard + workers_.size() * Worker::bytes_of_batch);
    return workers_.size() > 1 && bytes <= static_cast<size_t>(plan_.memory) / 8;
  }

  bool expand_layer(size_t states) {
    report();
    open_archive(states);
    next_shard_ = 0;
    const size_t threads = states < least_states_for_threads ? 1 : workers_.size();
    const bool prunes = plan_.pruning && pause_left_-- == 0;
    for (size_t i = 0; i < threads; ++i) workers_[i].begin_layer(prunes, states);
    expand_in_threads(threads);
    const int64_t dropped = sum_up(states);
    if (prunes) choose_pause(static_cast<int64_t>(states), dropped);
    return stop_ == Status::optimal;
  }

  // Where the states of each shard are stored.
  void open_archive(size_t states) {
    kept_.assign(layers_.shards(), nullptr);
    if (!plan_.keeps_states) return;
    auto* next = archive_.add_layer(progress_, states);
    plan_.keeps_states = next != nullptr;
    for (size_t shard = 0; next != nullptr && shard < kept_.size(); ++shard) {
      kept_[shard] = next;
      next += layers_.table(0, shard).size();
    }
  }

  void expand_in_threads(size_t count) {
    std::vector<std::thread> threads;
    threads.reserve(count);
    try {
      for (size_t i = 1; i < count; ++i) {
        threads.emplace_back([this, i] { expand_shards(workers_[i]); });
      }
    } catch (const std::system_error&) {  // no more threads: those there are do the work
    }
    expand_shards(workers_.front());
    for (std::thread& thread : threads) thread.join();
  }

  // Expands one shard of the current layer after another, as long as there are any.
  void expand_shards(Worker& worker) {
    for (size_t shard = next_shard_++; shard < layers_.shards() && !stops_; shard = next_shard_++) {
      auto* kept = kept_[shard];
      const bool all = layers_.table(0, shard).drain([&](const State& state, uint32_t time) {
        if (kept != nullptr) *kept++ = {state, time};
        return worker.expand(state, time) && !stops_.load(std::memory_order_relaxed);
      });
      if (!all) stops_ = true;
    }
    if (!stops_ && !worker.flush()) stops_ = true;
  }

  // Adds up what the workers did in a layer of so many states; how many were dropped.
  int64_t sum_up(size_t states) {
    int64_t dropped = 0;
    for (auto& worker : workers_) {
      const WorkDone done = worker.take_work_done();
      statistics_.states += done.states;
      statistics_.steps += done.steps;
      resident_ += done.added;
      dropped += done.dropped;
      if (worker.stop() != Status::optimal && stop_ != Status::too_large) stop_ = worker.stop();
    }
    statistics_.dropped += dropped;
    statistics_.resident_states = std::max(statistics_.resident_states, resident_);
    resident_ -= static_cast<int64_t>(states);
    return dropped;
  }

  // Where few states are dropped, seeking them costs more than it saves: for how many layers to let it be. What is
  // missed does no harm, and its successors are dropped later.
  void choose_pause(int64_t states, int64_t dropped) {
    pause_ = dropped * pays_for >= states ? 0 : std::min(2 * pause_ + 1, longest_pause);
    pause_left_ = pause_;
  }

  // The states of all layers up to this one among those of all layers, about: if all counts were possible, the number
  // of states in a layer would be one of partitions, which are distributed almost normally.
  double fraction_done() const {
    const auto n = static_cast<double>(problem_.workers), positions = static_cast<double>(problem_.symbols.size());
    const double deviation = std::sqrt(n * positions * (n + positions + 1) / 12);
    const auto below = [=](double progress) {
      return std::erfc((n * positions / 2 - progress) / (deviation * std::sqrt(2.0))) / 2;
    };
    const double begin = below(0), end = below(n * positions);
    return std::clamp((below(static_cast<double>(progress_)) - begin) / (end - begin), 0.0, 1.0);
  }

  void report() {
    if (!plan_.progress || deadline_.elapsed() < next_report_) return;
    plan_.progress(fraction_done(), statistics_.states);
    next_report_ = deadline_.elapsed() + seconds_between_reports;
  }

  static constexpr int shard_bits = 6;
  static constexpr size_t least_states_for_threads = 4096;  // in a layer
  static constexpr int64_t pays_for = 16;                   // states that a dropped one is worth looking at
  static constexpr int longest_pause = 15;
  static constexpr double seconds_between_reports = 0.1;

  const FlatProblem& problem_;
  SearchPlan plan_;
  Deadline& deadline_;
  StateLayout layout_;
  int64_t last_;       // progress of the end
  MemoryMeter meter_;  // before all that it counts
  StateArchive<words> archive_;
  StateLayers<words> layers_;
  std::deque<Worker> workers_;
  int64_t progress_ = 0;
  int64_t resident_ = 0;
  int pause_ = 0;  // layers
  int pause_left_ = 0;
  double next_report_ = seconds_between_reports;
  SearchStatistics statistics_;
  Status stop_ = Status::optimal;
  // Of the layer that is being expanded.
  std::vector<typename StateArchive<words>::Kept*> kept_;
  std::atomic<size_t> next_shard_ = 0;
  std::atomic<bool> stops_ = false;
};

}  // namespace

std::unique_ptr<SearchEngine> SearchEngine::make(const FlatProblem& problem, SearchPlan plan, Deadline& deadline) {
  const size_t words = StateLayout(static_cast<uint64_t>(problem.workers)).words_for(problem.symbols.size());
  if (words <= 1) return std::make_unique<LayeredSearch<1>>(problem, std::move(plan), deadline);
  if (words <= 2) return std::make_unique<LayeredSearch<2>>(problem, std::move(plan), deadline);
  if (words <= 4) return std::make_unique<LayeredSearch<4>>(problem, std::move(plan), deadline);
  if (words <= 8) return std::make_unique<LayeredSearch<8>>(problem, std::move(plan), deadline);
  static_assert(most_words == 16);
  return std::make_unique<LayeredSearch<16>>(problem, std::move(plan), deadline);
}

}  // namespace warpspan::solver
