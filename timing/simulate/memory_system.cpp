// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/simulate/memory_system.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpspan::timing {

namespace {

using ir::sectors_of_line;
constexpr auto sector_bytes = static_cast<double>(ir::sector_bytes);
constexpr double memory_bytes = 64;  // that memory moves at a time

// Of a lane's own memory (ir::WarpTrace::sectors): written through the L1, which keeps it.
bool is_local(uint64_t sector) { return sector >= ir::own_sectors; }

}  // namespace

MemorySystem::MemorySystem(const SimulatedMachine& machine, const SectorSharing& sharing, double l1_bytes,
                           int64_t resident)
    : machine_(machine),
      sharing_(sharing),
      resident_(resident),
      l1_(static_cast<size_t>(l1_bytes / static_cast<double>(ir::memory_line_bytes))) {
  const MemoryFigures<double>& figures = machine.memory;
  const double others = figures.l2_bytes * machine.multiprocessors / sharing.active();
  read_sector_ = sector_bytes / std::min(figures.port_bytes, others);
  memory_sector_ = sector_bytes * sharing.active() / figures.memory_bytes;
}

double MemorySystem::load(double now, std::span<const uint64_t> sectors, const Asker& asker, bool past_l1) {
  double ready = now, answered = now;
  double lines_of_l2 = 0, lines_of_memory = 0;
  uint64_t last = UINT64_MAX;
  for (const uint64_t sector : sectors) {
    traffic_.loaded += 1;
    double absent = -1;
    const uint64_t line = sector / sectors_of_line;
    double& there = past_l1 ? absent : l1_.put(line, {-1, -1, -1, -1})[sector % sectors_of_line];
    if (there < 0) {
      const double before = traffic_.from_memory;
      there = beyond_l1(now, sector, asker);
      if (line != last) {
        (traffic_.from_memory > before ? lines_of_memory : lines_of_l2) += 1;
        // All that ask for the line at the same time are served one after another.
        double& slice = slices_of_lines_[slice_of(sector)];
        slice = std::max(slice, port_free_) + machine_.memory.l2_request * sharing_.users_of(sector, asker.block);
        answered = std::max(answered, slice);
      }
      last = line;
    }
    ready = std::max({ready, now + machine_.memory.l1_hit, there});
  }
  if (answered > now) ready = std::max(ready, answered + machine_.memory.l2_hit);
  // The last of several answers is later than any one.
  if (lines_of_memory > 0) return ready + machine_.memory.memory_line * std::log2(lines_of_memory);
  return lines_of_l2 > 1 ? ready + machine_.memory.l2_line * std::log2(lines_of_l2) : ready;
}

// How probably no other multiprocessor has brought the sector to the L2, which this one has not asked for.
double MemorySystem::absent(const Asker& asker, double users) const {
  constexpr double enough = 4;
  const Reuse* known = reuse_.find(asker.instruction);
  if (known == nullptr || known->found < enough) return 1;
  const double passed = moved_ * sharing_.active(), capacity = machine_.memory.l2_capacity;
  const double cached = sharing_.cached() * std::min(1.0, capacity / std::max(passed, 1.0));
  const double blocks = static_cast<double>(asker.block) * cached;
  return std::exp(-known->found / known->blocks * blocks * (sharing_.active() - users));
}

// Whether the sector had not been asked for; now it was.
bool MemorySystem::use_first(uint64_t sector, int64_t block) {
  Use& use = far_line(sector).uses[sector % sectors_of_line];
  const bool is_first = !use.is_known();
  if (is_first) use = {moved_, block};
  return is_first;
}

double MemorySystem::beyond_l1(double now, uint64_t sector, const Asker& asker) {
  constexpr double many = 8;  // multiprocessors, of which one surely was earlier
  traffic_.beyond_l1 += 1;
  port_free_ = std::max(port_free_, now) + read_sector_;
  FarLine& far = far_line(sector);
  const uint64_t place = sector % sectors_of_line;
  Use &use = far.uses[place], &other = far.uses[place ^ 1];
  const bool fresh = !use.is_known();
  if (asker.block > 0 && (fresh || use.block != asker.block)) {
    Reuse& reuse = reuse_[asker.instruction];
    reuse.blocks += static_cast<double>(asker.block);
    reuse.found += fresh ? 0 : 1;
  }
  bool missed = fresh;
  double users = 1;
  if (fresh) {
    users = sharing_.users_of(sector, asker.block);
    const bool is_later = asker.block >= resident_;
    missing_ += sharing_.is_counted() ? (is_later ? 1 / users : 1)
                : users > many        ? (is_later ? 0 : 1)
                                      : absent(asker, users);
    missed = missing_ >= 1;
    if (missed) missing_ -= 1;
    if (is_later && sharing_.is_counted()) users = 1;
  } else if (const double passed = (moved_ - use.moved) * sharing_.active(); passed > machine_.memory.l2_capacity) {
    lost_ += 1 - machine_.memory.l2_capacity / passed;
    missed = lost_ >= 1;
    if (missed) lost_ -= 1;
  }
  use = {moved_, asker.block};
  double& arrival = far.arrival[place / 2];
  if (!missed) {
    other = use;
    return std::max(port_free_ + machine_.memory.l2_hit, arrival);
  }
  traffic_.from_memory += 1;
  moved_ += memory_bytes / users;
  other = {moved_, asker.block};
  // The second half of a line is cheap: its row is open.
  const double alone = machine_.memory.memory_scattered;
  const double times = far.arrival[place / 2 ^ 1] > 0 ? 2 - alone : alone;
  memory_free_ = std::max(memory_free_, now) + times * memory_bytes / sector_bytes * memory_sector_ / users;
  return arrival = std::max(port_free_, memory_free_) + machine_.memory.memory_load;
}

double MemorySystem::store(double now, std::span<const uint64_t> sectors, bool whole) {
  constexpr double times_for_part = 4;  // what is written in part is read before it goes to memory
  const double part = std::max(1.0, machine_.memory.store_part * share());
  uint64_t line = UINT64_MAX;
  double sent = now;
  for (const uint64_t sector : sectors) {
    traffic_.stored += 1;
    const bool is_first = sector / sectors_of_line != line;
    line = sector / sectors_of_line;
    port_free_ = std::max(port_free_, now) + (is_first && !whole ? part : read_sector_ * machine_.memory.store_sector);
    if (is_local(sector)) l1_.put(sector / sectors_of_line, {-1, -1, -1, -1})[sector % sectors_of_line] = now;
    if (use_first(sector, 0)) moved_ += sector_bytes;
    if (std::exchange(far_line(sector).written[sector % sectors_of_line], true)) continue;
    written_ += sector_bytes;
    if (written_ * sharing_.active() <= machine_.memory.l2_capacity / 2) continue;
    sent = memory_free_ = std::max(memory_free_, now) + memory_sector_ * (whole ? 1 : times_for_part);
  }
  return std::max(sent, port_free_);
}

double MemorySystem::name_lines(double now, double lines) {
  return port_free_ = std::max(port_free_, now) + lines * machine_.memory.control_line * share();
}

double MemorySystem::reduce(double now, std::span<const uint64_t> sectors) {
  traffic_.stored += static_cast<double>(sectors.size());
  return port_free_ =
             std::max(port_free_, now) + static_cast<double>(sectors.size()) * machine_.memory.bulk_reduction * share();
}

MemorySystem::Atomic MemorySystem::atomic(double now, std::span<const uint64_t> sectors, const Asker& asker,
                                          const AtomicRequest& request) {
  const AtomicFigures<double>& figures = machine_.atomics;
  const double lane = request.floating_point ? figures.floating_point
                      : request.wraps        ? figures.wrapping_reduction
                                             : figures.address;
  const double passes = request.passes / std::max(1.0, static_cast<double>(sectors.size()));
  const double spread = sectors.size() > 1 || request.passes < request.lanes ? figures.spread : 0;
  Atomic atomic;
  atomic.done = now;
  for (const uint64_t sector : sectors) {
    port_free_ = std::max(port_free_, now) + (request.returns ? figures.sector : figures.reduction_sector) * share();
    const bool missed = use_first(sector, asker.block);
    double& slice = slices_[slice_of(sector)];
    double& address = addresses_[sector];
    slice = std::max(slice, port_free_) + figures.address * passes * sharing_.atomics_of(sector, asker.block);
    address = std::max(address, port_free_) + lane * passes * sharing_.users_of(sector, asker.block);
    const double free = std::max(slice, address);
    atomic.behind = std::max(atomic.behind, free - figures.queue);
    const double miss = missed ? machine_.memory.memory_load - machine_.memory.l2_hit : 0;
    atomic.done = std::max(atomic.done, free + figures.result + spread + miss);
  }
  return atomic;
}

}  // namespace warpspan::timing
