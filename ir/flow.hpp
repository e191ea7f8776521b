// SPDX-License-Identifier: GPL-3.0-or-later
// Facts about the control flow of a kernel: which blocks form loops, how often these run, where the lanes of a
// warp may diverge and where they reconverge, and into how many transactions its accesses fall. Found by a front-end,
// overridden by the user.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/access.hpp"
#include "ir/kernel.hpp"
#include "ir/launch.hpp"
#include "ir/sizes.hpp"

namespace warpspan::ir {

using LoopId = uint32_t;
inline constexpr LoopId no_loop = UINT32_MAX;

// How it is known how often a loop runs.
enum class TripCountSource : uint8_t {
#define TRIP_SOURCE(enumerator, name, known, assumed) enumerator,
#include "ir/trip_methods.def"
};

// What ends a loop that compares a counter of cycles with a read of it before the loop. Where the reads of a thread,
// from that one on, are within `apart` cycles of one another, at most `more` iterations come after the last one in
// which it reads less than `cycles` after that one, and if it reads no such value, no more iterations than these begin.
struct ClockLimit {
  int64_t cycles = 1;  // at least 1
  int64_t apart = 0;
  int64_t more = 1;  // 1, or 2 where an iteration tests what the one before has read

  friend bool operator==(const ClockLimit&, const ClockLimit&) = default;
};

// Each time a loop is entered, its header runs at most `most` times or at least `else_least` times.
struct TripGap {
  int64_t most = 1;
  int64_t else_least = 2;  // more than `most`

  friend bool operator==(const TripGap&, const TripGap&) = default;
};

struct Loop {
  BlockId header = no_block;
  LoopId parent = no_loop;  // parents come before their children
  std::string label;        // of the header
  // Of machine code: the label of the loop of the PTX in the file that it was made of, if a trip count of that one
  // would bound it, and none was proven.
  std::string ptx_label;
  uint32_t line = 0;  // of the header, in the file that was read
  // Of the test that ends its iterations, in the program it was compiled from; 0 if unknown. docs/facts.md.
  uint32_t source_line = 0;
  std::string source_file;  // as the line tables name it
  // The calls that its function was copied for, the innermost first: "kernel.cu:9", or "line:216" of the file that was
  // read. Empty for loops of the kernel, and of a function that is not copied.
  std::vector<std::string> called_from;
  // It is left only where an iteration ends. Else, its last iteration may end before the others do: the header runs
  // once more than the end of an iteration.
  bool tests_last = true;
  // It goes on while a counter is less, or greater, than a limit which its steps lead away from: beyond the limit it
  // ends after one iteration, else where the counter wraps around. Not known of machine code.
  bool counts_away = false;
  // The most times the header runs each time the loop is entered, for any thread of the launch: back edges + 1, at
  // least 1.
  std::optional<int64_t> trip_count;
  TripCountSource source = TripCountSource::none;
  std::optional<TripGap> gap;  // proven; the trip count is not in it (close_gap)
  // In every launch that enters the loop some thread runs the header at least so often at one of its entries. Proven,
  // never what the user states; 1 where nothing is known.
  int64_t fewest_trips = 1;
  // The smallest number that a user gave, whether or not it is the one that counts, and where. Of a source line it
  // counts iterations, so that the trip count of a loop with tests before the end of an iteration is one more.
  std::optional<int64_t> given;
  Origin given_by;
  // The longest that a thread is in it each time it is entered, in nanoseconds, as a user states, and where. How often
  // it can run in that time depends on the machine: the trip count is set with it (timing/warp/waiting.hpp).
  std::optional<int64_t> longest_wait;
  bool looks_like_waiting = false;  // its author knows for how long threads wait rather than how often they look
  Origin wait_given_by;
  // Blocks in which a barrier object is asked before the loop does, and from which control goes into it: that wait is
  // no longer either. And the lines of the questions.
  struct Question {
    BlockId block = no_block;
    uint32_t line = 0;
  };
  std::vector<Question> asked_before;
  std::optional<ClockLimit> clock;
  // The time of a wait in cycles, where that counts in place of the iterations: those of the trip count are what it may
  // leave behind.
  std::optional<int64_t> wait_cycles;
  std::string obstacle;                     // why no trip count was found; empty if one was
  std::vector<std::string> remedies;        // options that would make known what it depends on, as they are typed
  std::vector<std::string> array_remedies;  // options that give sizes of arrays which would bound it, often loosely
};

// Lowers a trip count that is in the gap of its loop to the end of it. To be called where a trip count is set from
// outside of the analysis that has found the gap.
void close_gap(Loop& loop);

// "kernel.cu:42", with the last part of the file's path; empty if the line is not known.
std::string source_place(const Loop& loop);
// " from kernel.cu:9 from kernel.cu:20": Loop::called_from, each call; empty if there is none.
std::string calls_text(const Loop& loop);
// Of a line of a file of the source, from 1.
std::string source_place(const std::string& file, uint32_t line);

// An instruction that suspends a thread, and the most nanoseconds that it asks for, where that is known.
struct Sleep {
  InstructionId instruction = 0;
  int64_t nanoseconds = 0;

  friend bool operator==(const Sleep&, const Sleep&) = default;
};

// A bulk copy (is_bulk_copy): what a warp asks for by one execution of the instruction.
struct BulkCopy {
  InstructionId instruction = 0;
  int64_t lanes = warp_lanes;    // so many of its threads ask at most, each for a copy of its own
  std::optional<int64_t> bytes;  // of the size that is an operand, at most, where there is one and it is known

  friend bool operator==(const BulkCopy&, const BulkCopy&) = default;
};

// How many blocks of the launch's grid may execute something at all, in whichever of its executions.
struct SomeBlocks {
  int64_t some = 0;  // 0 .. all - 1
  int64_t all = 1;

  friend auto operator<=>(const SomeBlocks&, const SomeBlocks&) = default;
};

// A guarded access to global memory that not all warps of a block of the launch, or not all blocks, may execute.
struct PartialAccess {
  InstructionId instruction = 0;
  int64_t warps = 0;                                // of a block that does, so many may, in whichever of its executions
  std::optional<SomeBlocks> blocks = std::nullopt;  // nothing: all may

  friend bool operator==(const PartialAccess&, const PartialAccess&) = default;
};

// One entry per block.
struct BlockFlow {
  LoopId loop = no_loop;              // innermost loop that contains the block
  bool divergent = false;             // lanes of one warp may take different successors
  bool warps_differ = false;          // and warps of one block
  BlockId post_dominator = no_block;  // immediate; no_block: only the end of the kernel is
  BlockId reconvergence = no_block;   // where lanes that diverge at its end execute together again; no_block: nowhere
  bool reachable = true;
  // Some thread of the launch may execute it. False only in machine code: of PTX the assembler may put a guard in place
  // of the branch, so that all warps issue what no thread executes.
  bool executed = true;
  // How many warps of a block of the launch may execute it at all, in whichever of its executions; nothing: all may.
  std::optional<int64_t> warps = std::nullopt;
  std::optional<SomeBlocks> blocks = std::nullopt;  // nothing: all may; else `warps` are known, too
};

struct LaneGroups;

struct Flow {
  std::vector<BlockFlow> blocks;  // as Kernel::blocks
  std::vector<Loop> loops;
  std::vector<BlockId> order;  // reachable blocks in reverse post-order: forward edges go from earlier to later
  // By instruction of the kernel: the most transactions that one access of one warp can fall into:
  // memory lines (global, local, generic, constant, parameter, texture spaces) or bank-conflict ways (shared memory),
  // 1..32; of a sleep, times that lanes ask for; 0 for others. Local memory lays the lanes' words side by side: n words
  // of a lane, at addresses that may differ among the lanes, count 32 n there, up to 255. How many a bulk copy has
  // depends on the machine too (timing/costs/bulk_copies.hpp).
  std::vector<uint32_t> transactions;
  // Barriers, ascending, at which not all warps of the block synchronise that have not ended: those that do not wait,
  // or whose guards may differ in the block, or whose threads are counted otherwise than the block's.
  std::vector<InstructionId> partial_barriers;
  std::vector<MemoryObject> objects;
  // Facts rest on sums or products of floating-point numbers for which no rounding is given.
  bool unrounded_floats = false;
  // Trip counts rest on what the least number of a signed type gives, divided by -1: that number again, and nothing is
  // left.
  bool divides_least = false;
  // What lanes take together rests on this: what threads read of their own memory without having written it is the same
  // for all lanes of a warp.
  bool same_unwritten = false;
  bool lanes_part = false;                      // Kernel::lanes_part: all counts by what 32 lanes alone would execute
  std::vector<std::string> trusted_variables;   // whose initialisers tell what is loaded, by name
  std::vector<std::string> bounding_variables;  // that accesses do not leave, on which trip counts rest, by name
  std::vector<Access> accesses;                 // ascending instructions: each in a block that is executed (BlockFlow)
                                                // that accesses global or generic memory
  std::vector<Sleep> sleeps;                    // ascending instructions
  std::vector<PartialAccess> partial_accesses;  // ascending instructions
  std::vector<BulkCopy> copies;                 // ascending instructions: each that may be executed
  // Of these blocks and loops, where it has been found before a Walk needs it (find_lane_groups).
  std::shared_ptr<const LaneGroups> lane_groups;
};

// Whether some instruction of the loop's own blocks, and not of loops inside it, is one: is(id).
template <typename Is>
bool any_instruction(const Kernel& kernel, const Flow& flow, LoopId loop, const Is& is) {
  for (BlockId b = 0; b < kernel.blocks.size(); ++b) {
    if (flow.blocks[b].loop != loop) continue;
    const Block& block = kernel.blocks[b];
    for (InstructionId i = block.first; i < block.first + block.count; ++i) {
      if (is(i)) return true;
    }
  }
  return false;
}

// The copy that an instruction is; null if it is none that may be executed.
const BulkCopy* copy_of(const Flow& flow, InstructionId id);
// Who may execute an instruction of the block, as BlockFlow and PartialAccess have it together; nothing: all may.
std::optional<int64_t> warps_that_execute(const Flow& flow, BlockId block, InstructionId id);
std::optional<SomeBlocks> blocks_that_execute(const Flow& flow, BlockId block, InstructionId id);
// What is known of an instruction that accesses global or generic memory; null of others.
Access* access_of(Flow& flow, InstructionId id);
const Access* access_of(const Flow& flow, InstructionId id);

}  // namespace warpspan::ir
