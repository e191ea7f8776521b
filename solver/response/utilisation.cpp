// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked of a resource in the long run is the sum of work / period of all tasks that need it. Above 1, more work
// comes than can be done, whatever the order, so some of these tasks has no longest response.
//
// A resource is a kind of which blocks need some (all multiprocessors as one), a copy engine, or a stream: operations
// of a stream run one after another, and a kernel alone on the GPU takes at least as many waves of its blocks as do
// not fit at once.
#include "solver/response/utilisation.hpp"

#include <algorithm>

#include "support/checked.hpp"

namespace warpspan::solver::response_times {

using support::Int128;
using support::Integer;
using support::WideInteger;

namespace {

constexpr int64_t whole = 1'000'000;
constexpr std::array<const char*, kinds> kind_names = {"places for blocks", "threads", "shared memory", "registers"};

Int128 divide_up(Int128 dividend, Int128 divisor) { return (dividend + divisor - 1) / divisor; }

int64_t or_most(Int128 value) { return value > INT64_MAX ? INT64_MAX : static_cast<int64_t>(value); }

int64_t sum_or_most(int64_t a, int64_t b) { return (Integer(a) + Integer(b)).value().value_or(INT64_MAX); }

// By the kind of which a block needs the largest part; rounded up.
int64_t load_of(const Kernel& kernel, const Gpu& gpu, int64_t period) {
  const int64_t work = or_most(divide_up(Int128{kernel.blocks} * kernel.block_time * whole, period));
  int64_t most = 0;
  for (size_t kind = 0; kind < kinds; ++kind) {
    if (kernel.need[kind] == 0) continue;
    const Int128 capacity = Int128{gpu.capacity[kind]} * gpu.multiprocessors;
    most = std::max(most, or_most(divide_up(Int128{work} * kernel.need[kind], capacity)));
  }
  return work == INT64_MAX ? work : most;
}

// part / of * work / period in millionths, rounded down; 0 where that is unknown.
int64_t share(WideInteger work, int64_t part, WideInteger of, int64_t period) {
  const auto asked = (work * part * whole).value();
  const auto there = (of * period).value();
  return asked && there ? or_most(*asked / *there) : 0;
}

// "120.5 %" of 1,205,999: never more than it is.
std::string percent_of(int64_t millionths) {
  if (millionths == INT64_MAX) return "far more than 100 %";
  return std::to_string(millionths / 10'000) + "." + std::to_string(millionths / 1000 % 10) + " %";
}

}  // namespace

Utilisation utilisation_of(const Gpu& gpu, const Task& task) {
  Utilisation sum;
  if (!task.period) return sum;
  for (const Operation& operation : task.operations) {
    if (const auto* kernel = std::get_if<Kernel>(&operation)) {
      sum.kernels = sum_or_most(sum.kernels, load_of(*kernel, gpu, *task.period));
      continue;
    }
    const auto& copy = std::get<Copy>(operation);
    int64_t& engine = sum.engines[engine_of(gpu, copy)];
    engine = sum_or_most(engine, or_most(divide_up(Int128{copy.time} * whole, *task.period)));
  }
  return sum;
}

Utilisation operator+(const Utilisation& a, const Utilisation& b) {
  return {sum_or_most(a.kernels, b.kernels),
          {sum_or_most(a.engines[0], b.engines[0]), sum_or_most(a.engines[1], b.engines[1])}};
}

void Demand::Asked::add(const Asked& other) {
  for (size_t kind = 0; kind < kinds.size(); ++kind) kinds[kind] = sum_or_most(kinds[kind], other.kinds[kind]);
  for (size_t engine = 0; engine < engines.size(); ++engine) {
    engines[engine] = sum_or_most(engines[engine], other.engines[engine]);
  }
  stream = sum_or_most(stream, other.stream);
}

Demand::Demand(const Workload& workload) : workload_(workload) {
  for (const Task& task : workload.tasks) asked_.push_back(asked_by(task));
}

Demand::Asked Demand::asked_by(const Task& task) const {
  Asked asked;
  if (!task.period) return asked;
  const Gpu& gpu = workload_.gpu;
  for (const Operation& operation : task.operations) {
    Asked one;
    if (const auto* copy = std::get_if<Copy>(&operation)) {
      one.stream = share(copy->time, 1, 1, *task.period);
      one.engines[engine_of(gpu, *copy)] = one.stream;
    } else {
      const auto& kernel = std::get<Kernel>(operation);
      const WideInteger work = WideInteger(kernel.blocks) * kernel.block_time;
      for (size_t kind = 0; kind < kinds; ++kind) {
        if (kernel.need[kind] == 0) continue;
        const WideInteger capacity = WideInteger(gpu.capacity[kind]) * gpu.multiprocessors;
        one.kinds[kind] = share(work, kernel.need[kind], capacity, *task.period);
      }
      const auto at_once = (Integer(gpu.multiprocessors) * fitting(gpu.capacity, kernel.need)).value();
      const int64_t rounds = or_most(divide_up(kernel.blocks, at_once.value_or(INT64_MAX)));
      one.stream = share(WideInteger(kernel.block_time) * rounds, 1, 1, *task.period);
    }
    asked.add(one);
  }
  return asked;
}

std::string Demand::overload(size_t task) const {
  const Task& own = workload_.tasks[task];
  const bool waits_for_all = workload_.gpu.null_stream == NullStream::legacy;
  Asked all, kernels, stream;
  for (size_t i = 0; i < asked_.size(); ++i) {
    const Task& other = workload_.tasks[i];
    all.add(asked_[i]);
    if (waits_for_all || other.priority >= own.priority) kernels.add(asked_[i]);
    if (other.stream == own.stream) stream.add(asked_[i]);
  }
  if (stream.stream > whole) {
    return "operations of stream " + std::to_string(own.stream) + ", one after another, need " +
           percent_of(stream.stream) + " of the time";
  }
  for (size_t kind = 0; kind < kinds; ++kind) {
    if ((asked_[task].kinds[kind] > 0 || waits_for_all) && kernels.kinds[kind] > whole) {
      return std::string(waits_for_all ? "kernels need " : "kernels of its priority and above need ") +
             percent_of(kernels.kinds[kind]) + " of all " + kind_names[kind];
    }
  }
  for (size_t engine = 0; engine < all.engines.size(); ++engine) {
    if ((asked_[task].engines[engine] > 0 || waits_for_all) && all.engines[engine] > whole) {
      return "copies need " + percent_of(all.engines[engine]) + " of copy engine " + std::to_string(engine);
    }
  }
  return {};
}

}  // namespace warpspan::solver::response_times
