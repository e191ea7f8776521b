// SPDX-License-Identifier: GPL-3.0-or-later
// One warp that executes code, and the trace of what it does.
//
// A warp goes on until it waits for others, or has executed so many steps that others go first. Whatever order the
// machine would take, lanes that do not wait for each other do the same in it, unless they race for memory.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "frontend/sass/execution/convergence.hpp"
#include "frontend/sass/execution/memory.hpp"
#include "frontend/sass/execution/operands.hpp"
#include "ir/execution/trace.hpp"

namespace warpspan::execution {

// Generic addresses: windows of memory that is not global.
inline constexpr uint64_t window_bytes = uint64_t{1} << 40;
inline constexpr uint64_t shared_window = 1 * window_bytes, local_window = 2 * window_bytes;
inline constexpr uint64_t shared_of_block = uint64_t{1} << 24;  // from one block of a cluster to the next one
inline constexpr uint32_t stack_top = 0x10000;                  // of a thread's own memory

struct BarrierObject {
  int64_t expected = 0, pending = 0;  // arrivals of each phase, and those that are left of this one
  int64_t bytes = 0;                  // that copies are still to bring
  bool phase = false;
  void change(int64_t arrivals, int64_t more_bytes);
};

// What the warps of a block have in common.
struct BlockState {
  const Program& program;
  Memory& global;
  ir::Extent block, grid;
  ir::Extent place;    // of the block in the grid
  int64_t number = 0;  // the same, linear
  int64_t most_steps = 0;
  Memory shared = {};
  int64_t steps = 0;           // of all warps
  int64_t steps_before = 0;    // of blocks that were executed before
  Origins shared_origins = 0;  // of what was stored to shared memory
  Origins deciding = 0;        // of what branches and addresses depended on
  std::set<std::string> unknown = {};
  bool uniform_apart = false;                              // ir::BlockTrace
  std::map<uint64_t, BarrierObject> barrier_objects = {};  // by their addresses in shared memory
  bool has_textures = false;                               // that were accessed
  std::string stopped = {};
};

class Warp : public Operands {
 public:
  Warp(BlockState& block, const Banks& banks, Registers& registers, uint32_t number);

  // Until no lane of it can move, or for so many steps; false if it did nothing. Errors in BlockState::stopped.
  bool run(int64_t most_steps);

  // Lanes wait for the phase of a barrier object, and nobody is left that could end it: the next try gives up.
  bool is_suspended() const { return suspended_; }
  void give_up() { gives_up_ = true; }

  LaneSet alive() const { return control_.alive(); }
  // Of a barrier of the block: lanes of it that wait, those that have arrived without waiting, and how many threads
  // they say to wait for; 0: all.
  LaneSet waiting(unsigned barrier) const { return control_.waiting(barrier); }
  unsigned arrived(unsigned barrier) const { return arrived_[barrier]; }
  unsigned expected(unsigned barrier) const { return expected_[barrier]; }
  // How many of the lanes that have come to it say yes.
  unsigned agreeing(unsigned barrier) const { return agreeing_[barrier]; }
  // It opens, where so many lanes of the block have come and so many of them said yes.
  void release(unsigned barrier, unsigned lanes, unsigned agreeing);

  ir::WarpTrace take_trace() { return std::move(trace_); }

  // nullptr: it is not known.
  static Effect effect_of(const sass::Instruction& instruction);

  // exchange.cpp: what lanes tell each other, and what they are told about themselves
  void special_register();
  void vote();
  void shuffle();
  void match();
  void reduce();
  void to_uniform();
  void elect();
  void barrier_result();
  // access.cpp
  void load();
  void store();
  void copy_to_shared();
  void load_matrices();
  void store_matrices();
  void load_constant();
  void texture();
  // asynchronous.cpp
  void sleep();
  void set_registers();
  void name_lines();
  void copy_from_shared();
  void query_space();
  // barrier_objects.cpp
  void make_barrier_object();
  void arrive_at_object();
  void test_barrier_object();
  // atomics.cpp
  void atomic();

 private:
  using Wait = Convergence::Wait;
  // Where the lanes of one access go; those of a generic one may go to several spaces.
  struct Places {
    Longs address;                              // in its space; words of the lanes' own memory lie side by side
    LaneSet global = 0, shared = 0, local = 0;  // which lanes
    LaneSet lanes() const { return global | shared | local; }
  };

  // warp.cpp
  void run_group(size_t group, int64_t most_steps);
  LaneSet guarded(const sass::Guard& guard, LaneSet lanes) const;
  void execute();
  void follow_data();
  void forget();
  void note(const ir::TracedRequest& request);
  Origins origins_of(const std::vector<uint16_t>& registers) const;
  void note_uniform(LaneSet group);
  // control.cpp
  void transfer(size_t group, LaneSet lanes);
  void branch(size_t group, LaneSet lanes);
  void go(size_t group, LaneSet chosen, const Longs& targets);
  LaneSet converged(LaneSet lanes) const;
  void call(size_t group, LaneSet lanes);
  void call_outside(size_t group, LaneSet lanes);
  void barrier_register(size_t group, LaneSet lanes);
  void move_barrier_register(LaneSet lanes);
  void wait_for_lanes(size_t group, LaneSet lanes);
  void wait_for_block(size_t group, LaneSet lanes);
  // exchange.cpp
  uint64_t special(int64_t which, unsigned lane);
  // access.cpp
  Longs addresses(const sass::Operand& operand) const;
  Places places_of(Space space, Longs addresses, LaneSet lanes) const;
  // Calls act(memory, address) for each lane, the address being that of its nth word.
  template <typename Act>
  void visit(const Places& places, unsigned word, const Act& act) {
    for_each_lane(places.global, [&](unsigned i) { act(block_.global, places.address[i] + 4 * word, i); });
    for_each_lane(places.shared, [&](unsigned i) { act(block_.shared, places.address[i] + 4 * word, i); });
    for_each_lane(places.local, [&](unsigned i) { act(own(), places.address[i] + 4 * warp_lanes * word, i); });
  }
  template <typename Value>
  void load_word(const Places& places, unsigned word, Words& values);
  template <typename Value>
  void store_word(const Places& places, unsigned word, const Words& values);
  Memory& own() {
    if (own_ == nullptr) own_ = std::make_unique<Memory>();
    return *own_;
  }
  void mark_loaded(const Places& places);
  void mark_stored(const Places& places, Origins origins);
  // requests.cpp
  void note_access(ir::TracedRequest::Kind kind, const Places& places, unsigned bytes);
  void note_constants(const Longs& offsets, uint32_t bank);

  BlockState& block_;
  uint32_t number_;  // in its block
  Convergence control_;
  std::unique_ptr<Memory> own_;  // local memory of its lanes, once one is accessed
  ir::WarpTrace trace_;
  std::array<Origins, tracked> origins_{};  // by register: what some lane of it derives from
  Origins own_origins_ = 0;                 // likewise of local memory
  std::array<LaneSet, tracked> writers_{};  // by uniform register: the lanes that wrote it last, if not all of the warp
  bool some_wrote_ = false;                 // not all: one of these
  std::array<unsigned, ir::barriers_of_block> expected_{}, arrived_{}, agreeing_{};
  std::array<unsigned, ir::barriers_of_block> reduces_{};              // barrier_reduction
  unsigned reduction_ = 0, reduced_lanes_ = 0, reduced_agreeing_ = 0;  // of the last barrier that it waited for
  bool suspended_ = false, gives_up_ = false;
  Origins loaded_ = 0;  // what the instruction that is executed has loaded
};

}  // namespace warpspan::execution
