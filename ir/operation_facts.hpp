// SPDX-License-Identifier: GPL-3.0-or-later
// What an operation does besides what its kind tells, in terms that all input languages share. A front-end's tables say
// it of each word; what comes behind a front-end asks these facts and never the words.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

namespace warpspan::ir {

// What an operation does to memory. An atomic returns the old value, a reduction does not.
enum class AccessClass : uint8_t { none, load, store, atomic, reduction };

// Among which threads an access or a fence is ordered or atomic.
enum class Scope : uint8_t { none, block, cluster, device, system };

// What an operation does to a barrier of a block, to a barrier object, to a group of copies, or to other launches.
enum class Synchronisation : uint8_t {
  none,            // it does what its kind tells: of a barrier, it arrives and waits
  arrive,          // it arrives at a barrier of a block, and does not wait
  reduce,          // it arrives and waits, and a predicate of all threads is combined
  test,            // it tells whether the phase of a barrier object is complete
  try_wait,        // the same, and it may suspend the thread until then
  commit,          // it closes a group of copies
  await_launches,  // it waits for the launches that its own depends on
  allow_launches,  // it lets the launches begin that depend on its own
};

// A box of a tensor, as far as the operation tells its size.
struct Box {
  enum class Mode : uint8_t {
    unknown,          // the number of dimensions is not given
    tiled,            // of `dimensions` dimensions
    rows,             // four rows of a matrix, gathered or scattered
    image_to_columns  // of an image; only its bytes tell
  };
  Mode mode = Mode::unknown;
  uint8_t dimensions = 0;  // 1 to 5

  friend auto operator<=>(const Box&, const Box&) = default;
};

// A copy that a unit of the multiprocessor carries out while the thread goes on.
struct Copy {
  enum class Kind : uint8_t {
    none,
    by_lanes,        // each lane copies up to 16 bytes from global to shared memory
    bulk,            // a thread asks for a copy between global and shared memory
    bulk_reduction,  // the same, combined with what is there
    bulk_prefetch,   // from global memory into the L2 cache alone
  };
  Kind kind = Kind::none;
  bool tensor = false;  // a box of a tensor, whose description stands in memory; else bytes in a row
  Box box = {};

  friend auto operator<=>(const Copy&, const Copy&) = default;
};

// A matrix, or several, that the lanes of a warp load or store jointly.
struct Matrix {
  enum class Addressing : uint8_t {
    none,   // the operation accesses no matrix
    rows,   // each lane gives the address of a row of 16 bytes
    whole,  // one address and a distance between lines: which element each lane accesses is not documented
  };
  Addressing addressing = Addressing::none;
  // Rows or, where these lie one behind the other, columns: those whose addresses lanes give at most, or of the whole
  // matrix. 0: not known.
  int lines = 0;
  int length = 0;        // of the whole matrix: elements of a line
  int element_bits = 0;  // of the whole matrix; 0: not known

  friend auto operator<=>(const Matrix&, const Matrix&) = default;
};

struct OperationFacts {
  std::optional<AccessClass> access = {};  // where it is not that of the kind
  Scope scope = Scope::none;               // where the operation names one
  Synchronisation synchronisation = Synchronisation::none;
  Copy copy = {};
  Matrix matrix = {};
  bool strong = false;            // volatile, relaxed, acquire: it sees what other threads write in the meantime
  bool mapped_device = false;     // what it reaches may be another device that is mapped into memory
  bool of_cluster = false;        // it names the shared memory of any block of the cluster
  bool compare_and_swap = false;  // an atomic that writes only where it finds what it expects
  // An atomic on integers in global memory: an addition, minimum, maximum, INC or AND of 32 bits, or an addition of 64,
  // for no more than the device.
  bool on_integers = false;
  bool elects = false;       // it chooses one thread of the warp
  bool votes = false;        // of its operands, the first says whether all, or whether any, lanes have the second
  bool of_one_lane = false;  // its result is the source of one of the lanes that execute it together
  bool discards = false;     // what is in memory may be anything afterwards

  friend auto operator<=>(const OperationFacts&, const OperationFacts&) = default;
};

}  // namespace warpspan::ir
