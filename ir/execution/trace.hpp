// SPDX-License-Identifier: GPL-3.0-or-later
// What the warps of one block did: the instructions that each executed, in its order, with what they asked of memory
// and of the other warps. Made by executing a kernel; the simulator gives each of them a time.
//
// A step is one instruction for a group of lanes that execute it jointly; lanes that diverge make steps of their own.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ir/kernel.hpp"
#include "ir/sizes.hpp"

namespace warpspan::ir {

// What one step asked for besides the unit that executes it.
struct TracedRequest {
  enum class Kind : uint8_t {
    load,  // of global, local or generic memory beyond the multiprocessor's shared memory
    store,
    atomic,     // with a result
    reduction,  // without
    copy,       // from there to shared memory: LDGSTS
    shared,     // load or store of shared memory
    shared_atomic,
    remote,    // an access to the shared memory of another block of the cluster
    constant,  // a load of constants at addresses of lanes
    texture,
    match,           // of values of lanes
    arrival,         // at a barrier of the block
    bulk_store,      // a copy of many bytes from shared memory, which no lane waits for
    bulk_reduction,  // the same, of which an atomic takes each word
    line,            // that caches are to fetch, to drop or to rank otherwise; nothing comes of it
    sleep,
    gave_up,  // a try at a barrier object whose phase nobody ended
  };
  Kind kind = Kind::load;
  uint8_t lanes = 0;  // that take part
  uint8_t bytes = 0;  // of a lane
  // How many parts of it are served one after the other. shared, shared_atomic, remote: wavefronts; atomic, reduction:
  // of each sector the most lanes at one address, added up; constant, match: different addresses or values.
  uint16_t serial = 1;
  // sectors: index into WarpTrace::sectors; arrival: the number of the barrier; sleep: nanoseconds; shared_atomic: the
  // word of its first lane
  uint32_t first = 0;
  uint32_t count = 0;  // sectors; arrival: lanes that arrive, whether or not they wait
};

// Whether it goes to memory beyond the multiprocessor.
constexpr bool is_beyond_multiprocessor(TracedRequest::Kind kind) {
  return kind <= TracedRequest::Kind::copy || kind == TracedRequest::Kind::texture;
}

struct TracedStep {
  // In place of an instruction: the warp goes on when barrier `request` of the block has opened once more.
  static constexpr InstructionId wait = no_instruction;
  InstructionId instruction = 0;  // of the kernel
  int32_t request = -1;           // index into WarpTrace::requests; -1: none
  uint32_t lanes = 0;             // a bit for each that comes to it, whatever its guard says
};

inline constexpr uint64_t sector_bytes = 32, own_sectors = uint64_t{1} << 51;
inline constexpr uint64_t sectors_of_line = static_cast<uint64_t>(memory_line_bytes) / sector_bytes;

// Lines of the sectors of a request, which stand in ascending order of their lines.
inline int64_t lines_of(std::span<const uint64_t> sectors) {
  int64_t lines = 0;
  uint64_t last = UINT64_MAX;
  for (const uint64_t sector : sectors) {
    lines += sector / sectors_of_line != last ? 1 : 0;
    last = sector / sectors_of_line;
  }
  return lines;
}

struct WarpTrace {
  std::vector<TracedStep> steps;
  std::vector<TracedRequest> requests;
  // Addresses divided by sector_bytes: of global memory, and of a thread's own from own_sectors on. Of constants: 2^32
  // times the bank and the offset in it, divided by 64.
  std::vector<uint64_t> sectors;
};

inline constexpr size_t barriers_of_block = 16;

struct BlockTrace {
  std::vector<WarpTrace> warps;
  std::array<std::vector<uint32_t>, barriers_of_block> openings;  // by barrier: how many lanes each opening waits for
  std::string stopped;                                            // why it was not executed to its end; empty: it was
  std::vector<std::string> zeroed;   // words of instructions whose meaning is not known: their results were zeros
  std::vector<std::string> assumed;  // sentences: what was taken for granted besides, such as contents of memory
  bool uniform_apart = false;        // lanes that had diverged have read what others of them wrote to uniform registers
  bool depends_on_data = false;      // a branch or an address depended on what was loaded from memory
  bool depends_on_arguments = false;  // on a parameter that has no value, and is taken to be 0
};

}  // namespace warpspan::ir
