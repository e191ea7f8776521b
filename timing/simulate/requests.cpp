// SPDX-License-Identifier: GPL-3.0-or-later
// What accesses to memory do to the load/store units, and when their results are there.
#include <algorithm>
#include <cmath>

#include "timing/simulate/multiprocessor.hpp"

namespace warpspan::timing {

namespace {

using Kind = ir::TracedRequest::Kind;

constexpr double operands_behind = 8;  // from the load/store units begin with it until operands may be overwritten
constexpr double line_bytes = 128;

std::span<const uint64_t> sectors_of(const SimulatedWarp& warp, const ir::TracedRequest& request) {
  return std::span(warp.trace->sectors).subspan(request.first, request.count);
}

}  // namespace

void Multiprocessor::request(SimulatedWarp& warp, const SimulatedCost& cost, const ir::TracedRequest& request) {
  switch (request.kind) {
    case Kind::arrival: return arrive(warp, request);
    case Kind::constant: return request_constants(warp, cost, request);
    case Kind::shared:
    case Kind::shared_atomic: return request_shared(warp, cost, request);
    case Kind::remote: return request_remote(request);
    case Kind::match:
      load_store_ =
          std::max(load_store_, start_) + machine_.units.match_any_occupies * request.serial * words_of(request);
      done_ = load_store_ + machine_.units.shuffle_result + machine_.units.match_any_value * request.serial;
      return;
    case Kind::texture: return request_texture(warp, request);
    case Kind::bulk_store:
    case Kind::bulk_reduction: return request_bulk(warp, request);
    case Kind::line: {
      const auto lines = static_cast<double>(ir::lines_of(sectors_of(warp, request)));
      load_store_ = std::max(load_store_, start_) + 1;
      load_store_ = std::max(load_store_, memory_.name_lines(load_store_, lines) - machine_.memory.store_queue);
      read_ = load_store_ + operands_behind;
      return;
    }
    case Kind::sleep: return;
    case Kind::gave_up:
      load_store_ = std::max(load_store_, start_) + 1;
      done_ = load_store_ + machine_.units.try_wait;
      return;
    default: return request_global(warp, cost, request);
  }
}

void Multiprocessor::request_texture(const SimulatedWarp& warp, const ir::TracedRequest& request) {
  const std::span<const uint64_t> sectors = sectors_of(warp, request);
  const auto lines = static_cast<double>(ir::lines_of(sectors));
  load_store_ = std::max(load_store_, start_) + std::max(lines, machine_.memory.texture_port);
  read_ = load_store_ + operands_behind;
  const MemorySystem::Asker asker{warp.block->number, warp.current};
  done_ = memory_.load(load_store_, sectors, asker, false) + machine_.memory.texture_result;
}

void Multiprocessor::request_bulk(SimulatedWarp& warp, const ir::TracedRequest& request) {
  const std::span<const uint64_t> sectors = sectors_of(warp, request);
  const double bytes = static_cast<double>(ir::sector_bytes) * request.count;
  bulk_copies_ = std::max(bulk_copies_, start_) + bytes / machine_.memory.bulk_bytes;
  const double sent = request.kind == Kind::bulk_store ? memory_.store(bulk_copies_, sectors, true)
                                                       : memory_.reduce(bulk_copies_, sectors);
  bulk_copies_ = std::max(bulk_copies_, sent - machine_.memory.store_queue);
  warp.copies = std::max(warp.copies, bulk_copies_ + machine_.memory.bulk_result);
}

// The multiprocessor looks after powers of two of cycles.
double Multiprocessor::sleep_of(const ir::TracedRequest& request) const {
  const double asked = std::exp2(std::ceil(std::log2(std::max(1.0, request.first * machine_.cycles_of_nanosecond))));
  return std::max(asked, machine_.units.sleep);
}

void Multiprocessor::request_constants(const SimulatedWarp& warp, const SimulatedCost& cost,
                                       const ir::TracedRequest& request) {
  constexpr double port = 2;  // cycles for an address
  for (const uint64_t line : sectors_of(warp, request)) {
    done_ = std::max(done_, code_.constant(now_, static_cast<int64_t>(line)) + cost.result);
  }
  if (request.serial <= 1) return;
  constants_ = std::max(constants_, start_) + request.serial * port;
  done_ = std::max(done_ + (request.serial - 1) * machine_.code.constant_address, constants_);
}

// A compare-and-swap that code repeats keeps the load/store units for the words of a lane, however many lanes ask for
// words of one bank, of which it tries one. Its result takes two swaps of each, and looks at all words. It fails where
// another warp has changed the word since this one has read it.
void Multiprocessor::request_swap(SimulatedWarp& warp, const ir::TracedRequest& request) {
  constexpr double swaps = 2;
  const MemoryFigures<double>& memory = machine_.memory;
  const double words = words_of(request), start = std::max(load_store_, start_);
  load_store_ = start + words * memory.shared_same;
  done_ = start + memory.shared_atomic + words * swaps * memory.shared_swap + std::max(0.0, request.serial - words);
  double& swapped = warp.block->swapped[request.first];
  fails_ = warp.loaded_at < swapped;
  if (fails_) return;
  swapped = load_store_;
  warp.loaded_at = never;
}

void Multiprocessor::request_shared(SimulatedWarp& warp, const SimulatedCost& cost, const ir::TracedRequest& request) {
  const bool is_atomic = request.kind == Kind::shared_atomic;
  const MemoryFigures<double>& memory = machine_.memory;
  if (cost.repeats) {
    request_swap(warp, request);
  } else {
    const double start = std::max(load_store_, start_);
    load_store_ = start + request.serial * (cost.swaps ? memory.shared_same : cost.port);
    done_ = start +
            (request.serial - 1) * (cost.swaps  ? memory.shared_swap
                                    : is_atomic ? memory.shared_same
                                                : 1) +
            (is_atomic ? memory.shared_atomic : memory.shared);
  }
  if (!is_atomic) {
    warp.loaded = warp.next - 1;
    warp.loaded_at = load_store_;
  }
  read_ = load_store_ + operands_behind;
}

// Shared memory of another block: its wavefronts, and 128 bytes at a time between multiprocessors.
void Multiprocessor::request_remote(const ir::TracedRequest& request) {
  const double transfers = std::max(1.0, std::ceil(1.0 * request.lanes * request.bytes / line_bytes));
  load_store_ = std::max(load_store_, start_) + request.serial;
  remote_ = std::max(remote_, load_store_) + transfers * machine_.memory.remote_occupies;
  done_ = std::max(remote_, load_store_) + machine_.memory.remote;
  read_ = load_store_ + operands_behind;
}

void Multiprocessor::request_global(SimulatedWarp& warp, const SimulatedCost& cost, const ir::TracedRequest& request) {
  const std::span<const uint64_t> sectors = sectors_of(warp, request);
  const double lines = std::max(1.0, static_cast<double>(ir::lines_of(sectors)));
  const double bytes = 1.0 * request.lanes * request.bytes;
  const MemorySystem::Asker asker{warp.block->number, warp.current};
  load_store_ = std::max(load_store_, start_) + std::max(lines, bytes / line_bytes);
  read_ = load_store_ + operands_behind;
  switch (request.kind) {
    case Kind::store: {
      load_store_ += lines * (machine_.memory.store_line - 1);
      const double sent =
          memory_.store(load_store_, sectors, bytes >= static_cast<double>(ir::sector_bytes * sectors.size()));
      warp.stores = std::max(warp.stores, sent + machine_.memory.l2_hit);
      load_store_ = std::max(load_store_, sent - machine_.memory.store_queue);
      done_ = read_;
      break;
    }
    case Kind::atomic:
    case Kind::reduction: {
      const MemorySystem::AtomicRequest asked{1.0 * request.lanes, 1.0 * request.serial, cost.floating_point,
                                              cost.wraps, request.kind == Kind::atomic};
      const MemorySystem::Atomic atomic = memory_.atomic(load_store_, sectors, asker, asked);
      load_store_ = std::max(load_store_, atomic.behind);
      warp.stores = std::max(warp.stores, atomic.done);
      done_ = request.kind == Kind::reduction ? read_ : atomic.done;
      break;
    }
    default:
      done_ = memory_.load(load_store_, sectors, asker, cost.past_l1);
      if (request.kind == Kind::copy) warp.copies = std::max(warp.copies, done_);
  }
}

}  // namespace warpspan::timing
