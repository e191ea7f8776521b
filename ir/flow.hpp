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
#include "ir/sizes.hpp"
#include "support/rational.hpp"

namespace warpspan::ir {

using LoopId = uint32_t;
inline constexpr LoopId no_loop = UINT32_MAX;

// How it is known how often a loop runs.
enum class TripCountSource : uint8_t {
#define TRIP_SOURCE(enumerator, name, known, assumed) enumerator,
#include "ir/trip_methods.def"
};

// Where a user stated something: in an option, or in a line of a file.
struct Origin {
  std::string option = {};          // "--loop-bound"; of a file: empty
  support::Location location = {};  // of a file
  std::string line = {};            // the text of that line
  bool is_file() const { return option.empty(); }
};
// "--loop-bound", "facts.toml:12"
std::string to_string(const Origin& origin);

// What ends a loop that compares a counter of cycles with a read of it before the loop. Where the reads of a thread,
// from that one on, are within `apart` cycles of one another, at most `more` iterations come after the last one in
// which it reads less than `cycles` after that one, and if it reads no such value, no more iterations than these begin.
struct ClockLimit {
  int64_t cycles = 1;  // at least 1
  int64_t apart = 0;
  int64_t more = 1;  // 1, or 2 where an iteration tests what the one before has read

  friend bool operator==(const ClockLimit&, const ClockLimit&) = default;
};

struct Loop {
  BlockId header = no_block;
  LoopId parent = no_loop;  // parents come before their children
  std::string label;        // of the header
  uint32_t line = 0;        // of the header, in the file that was read
  // Of the test that ends its iterations, in the program it was compiled from; 0 if unknown. docs/facts.md.
  uint32_t source_line = 0;
  std::string source_file;  // as the line tables name it
  // The calls that its function was copied for, the innermost first: "kernel.cu:9", or "line:216" of the file that was
  // read. Empty for loops of the kernel, and of a function that is not copied.
  std::vector<std::string> called_from;
  // It is left only where an iteration ends. Else, its last iteration may end before the others do: the header runs
  // once more than the end of an iteration.
  bool tests_last = true;
  // The most times the header runs each time the loop is entered, for any thread of the launch: back edges + 1, at
  // least 1.
  std::optional<int64_t> trip_count;
  TripCountSource source = TripCountSource::none;
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
  Origin wait_given_by;
  std::optional<ClockLimit> clock;
  // The time of a wait in cycles, where that counts in place of the iterations: those of the trip count are what it may
  // leave behind.
  std::optional<int64_t> wait_cycles;
  std::string obstacle;                     // why no trip count was found; empty if one was
  std::vector<std::string> remedies;        // options that would make known what it depends on, as they are typed
  std::vector<std::string> array_remedies;  // options that give sizes of arrays which would bound it, often loosely
};

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

// One entry per block.
struct BlockFlow {
  LoopId loop = no_loop;              // innermost loop that contains the block
  bool divergent = false;             // lanes of one warp may take different successors
  bool warps_differ = false;          // and warps of one block
  BlockId post_dominator = no_block;  // immediate; no_block: only the end of the kernel is
  bool reachable = true;
  // How many warps of a block of the launch may execute it at all, in whichever of its executions; nothing: all may.
  std::optional<int64_t> warps = std::nullopt;
};

struct LaneGroups;

struct Flow {
  std::vector<BlockFlow> blocks;  // as Kernel::blocks
  std::vector<Loop> loops;
  std::vector<BlockId> order;  // reachable blocks in reverse post-order: forward edges go from earlier to later
  // By instruction of the kernel: the most transactions that one access of one warp can fall into:
  // memory lines (global, local, generic, constant, parameter, texture spaces) or bank-conflict ways (shared memory),
  // 1..32; 0 for instructions that do not access memory. Local memory lays the lanes' words side by side, so there n
  // words of a lane, at addresses that may differ among the lanes, count 32 n, up to 255. How many a bulk copy has
  // depends on the machine too (timing/costs/bulk_copies.hpp).
  std::vector<uint32_t> transactions;
  // Barriers, ascending, at which not all warps of the block synchronise that have not ended: those that do not wait,
  // or are guarded, or whose threads are counted otherwise than the block's.
  std::vector<InstructionId> partial_barriers;
  std::vector<MemoryObject> objects;
  // Facts rest on sums or products of floating-point numbers for which no rounding is given.
  bool unrounded_floats = false;
  // Trip counts rest on what the least number of a signed type gives, divided by -1: that number again, and nothing is
  // left.
  bool divides_least = false;
  std::vector<std::string> trusted_variables;   // whose initialisers tell what is loaded, by name
  std::vector<std::string> bounding_variables;  // that accesses do not leave, on which trip counts rest, by name
  std::vector<Access> accesses;                 // ascending instructions: each that accesses global or generic memory
  std::vector<Sleep> sleeps;                    // ascending instructions
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
// What is known of an instruction that accesses global or generic memory; null of others.
Access* access_of(Flow& flow, InstructionId id);

// What is known of a launch when a kernel is analyzed.
struct ByteRange {
  int64_t offset = 0;
  int64_t count = 0;
};
struct Argument {
  std::string parameter;                          // name or index, as the user wrote it; or the name of a variable
  std::string value;                              // decimal or hexadecimal integer, or a range of them: "1..4096"
  std::optional<ByteRange> bytes = std::nullopt;  // of the parameter that have the value; all if there is none
  std::string kernel = {};                        // pattern (support::names_symbol); empty: of any kernel
  Origin origin = {"--arg"};
  // Of an array variable: which of its elements. `bytes`, if there are any, are as many as it has, from 0.
  std::optional<int64_t> element = std::nullopt;
  // The bytes as the source calls them, "s.n", where `parameter` has become the name in the code; else empty.
  std::string written = {};
};
// "n", "s+8:4", "table[3]", "s.n": the bytes as an option names them.
std::string place_of(const Argument& argument);
// How often the loops at a location run: each of them, each time it is entered. Either `label` or `line` is given.
struct LoopBound {
  std::string label;       // of the header
  int64_t trip_count = 0;  // as Loop::trip_count, of each loop at the location
  std::string file = {};   // of `line`: the name of a source file, or the end of its path; empty: the file that is read
  int64_t line = 0;        // where the header begins in the file that is read; of a source file as Loop::source_line
  std::string kernel = {};  // as Argument::kernel
  Origin origin = {"--loop-bound"};
  // Loop::longest_wait; then `trip_count` is not given, and is 0.
  std::optional<int64_t> wait = std::nullopt;
  // Of the copies for calls in this line alone, or in such copies: `file` and `line` of the call. Line 0: of all.
  std::string from_file = {};
  int64_t from_line = 0;
};
// Whether it names a line of the source.
bool is_of_source(const LoopBound& bound);
// "$L__BB0_2", "line:63", "kernel.cu:42 from kernel.cu:9", "reduce<512>:line:63": the location as an option names it.
std::string place_of(const LoopBound& bound);
// How much memory a parameter points to, from there on.
struct Buffer {
  std::string parameter;  // name or index; "s+8": the pointer at byte 8 of a structure
  int64_t bytes = 0;
  std::string kernel = {};  // as Argument::kernel
  Origin origin = {"--buffer"};
  std::string written = {};  // as Argument::written
};
// "x", "s+8", "s.data": the pointer as an option names it.
std::string place_of(const Buffer& buffer);
// How long one call of a function without a body takes.
struct CallCost {
  std::string function;  // pattern (support::names_symbol)
  CallTime time;
  std::string text;         // the time as the user wrote it
  std::string kernel = {};  // as Argument::kernel
  Origin origin = {"--call-cost"};
};
// How many activations of a recursive function are on a thread's stack at the same time, at most.
struct Recursion {
  std::string function;     // pattern (support::names_symbol)
  int64_t depth = 0;        // at least 1
  std::string kernel = {};  // as Argument::kernel
  Origin origin = {"--recursion"};
};
// For how long others that use the memory, such as the CPU of an integrated GPU, keep the kernel's requests waiting.
struct Interference {
  support::Rational share;  // of the time that it runs, at most: at least 0, below 1
  std::string text;         // as the user wrote it
  Origin origin = {"--interference"};
};
struct Launch {
  std::optional<Extent> block;
  std::optional<Extent> grid;
  std::vector<Argument> arguments;
  std::vector<Argument> globals;    // the contents of variables of the file as long as the kernel runs
  bool trust_initialisers = false;  // of variables that the file never stores to
  std::vector<LoopBound> loop_bounds;
  std::vector<Buffer> buffers;
  std::vector<CallCost> call_costs;
  std::vector<Recursion> recursions;
  std::optional<int64_t> registers;  // of a thread
  std::string registers_from = "--registers";
  bool registers_of_code = false;         // machine code that is at hand has them, and its stack tells what it spills
  std::optional<int64_t> static_shared;   // bytes of a block that the machine code declares, where a log tells them
  std::optional<int64_t> dynamic_shared;  // bytes of a block, besides those that the file declares
  std::optional<Interference> interference;
};

}  // namespace warpspan::ir
