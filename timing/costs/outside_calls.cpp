// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/costs/outside_calls.hpp"

#include <utility>

#include "support/checked.hpp"

namespace warpspan::timing {

namespace {

using support::Integer;

constexpr int64_t picoseconds_by_kilohertz = 1'000'000'000;  // of one cycle

}  // namespace

std::optional<int64_t> cycles_of(const ir::CallTime& time, int64_t clock_khz) {
  const Integer cycles =
      time.in_cycles ? Integer(time.amount) : ceil_divide(Integer(time.amount) * clock_khz, picoseconds_by_kilohertz);
  const auto value = cycles.value();
  return value && *value <= longest_call ? value : std::nullopt;
}

Machine with_calls(Machine machine) {
  ResourceFigures calls;
  calls.name = calls_resource;
  calls.sharing = ResourceFigures::Sharing::device;
  machine.resources.push_back(std::move(calls));
  return machine;
}

bool has_calls(const Machine& machine) { return machine.resource(calls_resource).has_value(); }

void add_call(OperationFigures& figures, const ir::CallTime& time, const Machine& machine) {
  const int64_t cycles = cycles_of(time, machine.clock_khz).value_or(longest_call);
  for (int64_t* latency : {&figures.latency.best, &figures.latency.average, &figures.latency.worst}) *latency += cycles;
  figures.gap += cycles;
  figures.occupancies.push_back({*machine.resource(calls_resource), cycles, false, cycles});
}

}  // namespace warpspan::timing
