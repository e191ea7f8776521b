// SPDX-License-Identifier: GPL-3.0-or-later
// One warp: its lanes' registers and memory, and what one instruction does to them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tests/reference/accesses.hpp"
#include "tests/reference/generators/random.hpp"
#include "tests/reference/generators/turns.hpp"
#include "tests/reference/interpreter/divergence.hpp"
#include "tests/reference/interpreter/interpreter.hpp"

namespace warpspan::reference {

// What the threads of a block share.
struct Surroundings {
  const Subject& subject;
  const Situation& situation;
  Memory& global;
  Memory& parameters;
  Memory* shared = nullptr;
  ir::Extent block_number;
  uint32_t block_of_run = 0;  // which of those that are executed
  uint32_t warps_of_block = 1;
};

class Warp {
 public:
  Warp(const Surroundings& around, Record& record, uint32_t number);

  bool done() const { return control_.done(); }
  // A group that can move, or nothing if all wait at a barrier or have ended.
  std::optional<uint32_t> choose(Random& random, std::optional<uint32_t> last) const;
  // One instruction of a group. False if an access is not aligned.
  bool execute(uint32_t group);
  // Whether it has just executed an atomic operation, and what that left is still there.
  bool is_ahead() const {
    const Atomic& last = last_atomic_;
    return is_past_atomic_ && last.memory != nullptr && last.memory->load(last.address, last.bytes) == last.left;
  }
  bool release_barrier() { return control_.release_barrier(); }
  const WarpRecord& record() const { return own_record_; }

 private:
  // warp_control.cpp
  void transfer(uint32_t group, const Step& step, LaneSet lanes, LaneSet chosen);
  // warp_values.cpp
  uint64_t value(const Source& source, unsigned lane) const;
  uint64_t special(ptx::SpecialRegister which, uint8_t component, unsigned lane) const;
  void write(uint32_t destination, unsigned lane, uint64_t value);
  void perform(const Step& step, LaneSet lanes);
  void compute(const Step& step, unsigned lane);
  void pack(const Step& step, unsigned lane);
  void unpack(const Step& step, unsigned lane);
  void convert_address(const Step& step, unsigned lane);
  void vote(const Step& step, LaneSet lanes);
  void shuffle(const Step& step, LaneSet lanes);
  void reduce(const Step& step, LaneSet lanes);
  // warp_memory.cpp
  struct Place {
    Memory* memory = nullptr;
    Piece piece = Piece::line;
    uint64_t address = 0;
  };
  Place place_of(const Step& step, unsigned lane);
  void note_place(uint32_t index, const Place& place, int bytes, unsigned lane);
  bool access(uint32_t index, const Step& step, LaneSet lanes);
  void load(const Step& step, const Place& place, unsigned lane);
  void store(const Step& step, const Place& place, unsigned lane);
  void update(const Step& step, const Place& place, unsigned lane);

  struct Atomic {
    Memory* memory = nullptr;
    uint64_t address = 0;
    int bytes = 0;
    uint64_t left = 0;
  };

  std::array<uint32_t, 3> thread_number(unsigned lane) const;

  Surroundings around_;
  Record& record_;
  WarpRecord own_record_;
  uint32_t number_;
  bool is_past_atomic_ = false;
  Atomic last_atomic_;
  Divergence control_;
  Turns turns_;
  std::vector<std::array<uint64_t, lanes_of_warp>> registers_;
  std::vector<Memory> own_;  // local memory and parameters of functions, by lane
};

}  // namespace warpspan::reference
