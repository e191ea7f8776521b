// SPDX-License-Identifier: GPL-3.0-or-later
// Where the memory accesses of a kernel go, over a whole launch. Found by a front-end, as far as addresses are sums of
// the indices of threads and blocks, of induction variables and of what the launch fixes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/kernel.hpp"

namespace warpspan::ir {

using ObjectId = uint32_t;
inline constexpr ObjectId no_object = UINT32_MAX;

// What addresses are counted from: what a parameter points to, or a variable. Two of them may be the same memory.
struct MemoryObject {
  std::string name;              // of the parameter or variable, as the file has it
  std::optional<int64_t> bytes;  // of a parameter: as Buffer says; of a variable: as it is declared
  bool of_parameter = false;
};

// Bytes `first` to `end` - 1, counted from the beginning of an object; first may be negative, first < end.
struct ByteSpan {
  int64_t first = 0, end = 0;

  friend bool operator==(const ByteSpan&, const ByteSpan&) = default;
};

// What is known of the addresses of one instruction that accesses global or generic memory, over all its executions by
// all threads of the launch. Lines are of memory_line_bytes; numbers of them are right wherever the object begins.
// What is not known is left out: a gather has an object at most.
struct Access {
  InstructionId instruction = 0;
  ObjectId object = no_object;  // no_object: it may be any memory
  // Of a generic address: each is one of shared memory of the thread's block. Nothing else is known then.
  bool in_shared = false;
  // Of a generic address: it is counted from what a parameter of the kernel or a variable in global memory is, and no
  // address of shared memory is known to be added. That it goes to global memory then is an assumption.
  bool in_global = false;
  std::string form;              // for messages: "4 * x + 1024 * blockIdx.x + 16 * i"; empty if there is none
  std::optional<ByteSpan> span;  // no byte outside of it is touched
  std::optional<ByteSpan> sure;  // its first byte is touched, and its last one, in every launch of this block and grid
  // Different lines that are touched, at most.
  std::optional<int64_t> warp_lines, block_lines, grid_lines;
  // Lines that grid_lines counts where the object begins so that they are fewest: no bound of what is touched.
  std::optional<int64_t> fewest_grid_lines;
  // How many warps of the launch, and of how many blocks, may ask for one line while the loops around the access are in
  // the same iterations, at most.
  std::optional<int64_t> sharing_warps, sharing_blocks;
  // As sharing_warps, if what parameters point to begins at a multiple of 256 bytes; at most sharing_warps.
  std::optional<int64_t> aligned_sharing_warps;
  // Each line of the span is touched, and none by more than twice as many requests (transactions of executions of a
  // warp) as an average one. Whether a thread executes the access depends on nothing but its indices and what the
  // launch fixes. Where accesses are dense only jointly, as those of an unrolled loop are, this is true of all requests
  // of those with the same `dense_with`, and of the range from the first byte of their spans to the last.
  bool dense = false;
  // Of a dense access: the first of those that are dense jointly with it; itself if it is alone.
  InstructionId dense_with = 0;
  // If what parameters point to begins at a multiple of 256 bytes, a warp accesses every byte of each line that it
  // touches, but of the lines at the ends of the span.
  bool covers_lines = false;
  // As Flow::transactions, if what parameters point to begins at a multiple of 256 bytes.
  uint32_t aligned_transactions = 0;
  // What each thread that goes along lines asks for: its requests are visits of lines, which each begin with a request
  // and end with one, so many of them in the launch, and so many at a time at most that were begun and have not ended.
  struct Walk {
    int64_t visits = 0, open = 0;
    InstructionId with = 0;  // the first of the accesses of which all requests together are counted

    friend bool operator==(const Walk&, const Walk&) = default;
  };
  std::optional<Walk> walk;
  // Different lines, at most, that a block asks for in all by accesses of one object together, of which `with` is the
  // first.
  struct OfBlock {
    int64_t lines = 0;
    InstructionId with = 0;

    friend bool operator==(const OfBlock&, const OfBlock&) = default;
  };
  std::optional<OfBlock> of_block;

  // Where instructions have other numbers: to(number).
  template <typename To>
  void renumber(const To& to) {
    instruction = to(instruction);
    dense_with = to(dense_with);
    if (walk) walk->with = to(walk->with);
    if (of_block) of_block->with = to(of_block->with);
  }
};

}  // namespace warpspan::ir
