// SPDX-License-Identifier: GPL-3.0-or-later
// One warp: its registers, where its lanes stand, and what one instruction does to them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/machine_code/interpreter/convergence.hpp"
#include "tests/machine_code/interpreter/interpreter.hpp"
#include "tests/machine_code/interpreter/lane.hpp"
#include "tests/reference/accesses.hpp"
#include "tests/reference/generators/turns.hpp"
#include "tests/reference/interpreter/memory.hpp"

namespace warpspan::machine_code {

using reference::Memory;

// What the threads of a block share.
struct Surroundings {
  const Program& program;
  const Launch& launch;
  const std::map<uint32_t, Bank>& constants;  // bank 0 too
  Memory& global;
  Memory& shared;
  ir::Extent block_number;
  uint32_t block_of_run = 0;  // how many blocks were executed before
};

class Warp {
 public:
  Warp(const Surroundings& around, Record& record, uint32_t number);

  const Convergence& lanes() const { return control_; }
  // One instruction of a group that can move, or false if there is none. `error`: why it cannot be executed.
  bool step(reference::Random& random, std::string& error);
  // How many threads a group of this warp that waits at a barrier of the block says to wait for; 0: all.
  unsigned expected(unsigned barrier) const { return expected_[barrier]; }
  void release(unsigned barrier) { control_.release(barrier); }
  const reference::WarpRecord& record() const { return own_record_; }
  void note_wait(uint32_t opening) { trace_.waits.push_back({trace_.steps.size(), opening}); }
  const WarpTrace& trace() const { return trace_; }
  const std::map<uint32_t, std::set<uint32_t>>& ways() const { return ways_; }

 private:
  // warp.cpp
  LaneSet guarded(Machine& machine, LaneSet lanes) const;
  void execute(Machine& machine, size_t group, LaneSet lanes);
  void compute(Machine& machine, Action action, LaneSet lanes);
  void note_sleep(Machine& machine, LaneSet lanes);
  // warp_control.cpp
  bool control(Machine& machine, size_t group, LaneSet lanes);
  void branch(Machine& machine, size_t group, LaneSet lanes);
  bool converged(Machine& machine, LaneSet lanes) const;
  bool ends_collective(const sass::Instruction& instruction) const;
  void leave(Machine& machine, size_t group, LaneSet lanes);
  void call(Machine& machine, size_t group, LaneSet lanes);
  void barrier_register(Machine& machine, size_t group, LaneSet lanes);
  void wait_for_warp(Machine& machine, size_t group, LaneSet lanes);
  void wait_for_block(Machine& machine, size_t group, LaneSet lanes);
  void transfer(Machine& machine, size_t group, LaneSet chosen, const std::array<uint64_t, lanes_of_warp>& targets);
  LaneSet holding(Machine& machine, LaneSet lanes, size_t operand) const;
  // warp_exchange.cpp
  bool exchange(Machine& machine, LaneSet lanes);
  void vote(Machine& machine, LaneSet lanes);
  void shuffle(Machine& machine, LaneSet lanes);
  void match(Machine& machine, LaneSet lanes);
  void reduce(Machine& machine, LaneSet lanes);
  void to_uniform(Machine& machine, LaneSet lanes);
  void special_register(Machine& machine, LaneSet lanes);
  uint64_t special(Machine& machine, int64_t which, unsigned lane) const;
  // warp_matrices.cpp
  bool matrices(Machine& machine, LaneSet lanes);
  // warp_memory.cpp
  struct Place {
    Memory* memory = nullptr;
    reference::Piece piece = reference::Piece::line;
    Space space = Space::global;
    uint64_t address = 0;
  };
  bool access(Machine& machine, LaneSet lanes);
  bool copy(Machine& machine, LaneSet lanes);
  Place place_of(const Lane& lane, size_t operand);
  Place own_place(unsigned lane, uint64_t address);
  void load(Lane& lane, const Place& place, unsigned size);
  void load_sector(Lane& lane, const Place& place);
  void store(Lane& lane, const Place& place, unsigned size, size_t source);
  void update(Lane& lane, const Place& place, size_t address);
  void note(const Machine& machine, const std::vector<reference::LaneAccess>& accesses, unsigned bytes);
  void note_place(uint32_t index, unsigned lane, const Place& place, unsigned bytes);

  Surroundings around_;
  Record& record_;
  reference::WarpRecord own_record_;
  WarpTrace trace_;
  std::map<uint32_t, std::set<uint32_t>> ways_;
  uint32_t number_;
  Convergence control_;
  reference::Turns turns_;
  Registers registers_;
  std::vector<Memory> own_;  // local memory, by lane
  std::array<unsigned, 16> expected_{};
  LaneSet last_ = 0;
  // The lanes that a uniform register, or predicate, contains the same for as when they wrote it last.
  std::array<LaneSet, 256> uniform_owners_;
  std::array<LaneSet, 8> predicate_owners_;
  std::vector<int64_t> most_turns_;
};

}  // namespace warpspan::machine_code
