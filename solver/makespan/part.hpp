// SPDX-License-Identifier: GPL-3.0-or-later
// The parts that an upper bound is the sum of. parts.def has their kinds.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpspan::solver {

// floor(workers * demand / servers) cycles; of kind `blocks` also one more.
struct Part {
  enum class Kind : uint8_t {
#define PART(kind, key, charged, sentence) kind,
#include "solver/makespan/parts.def"
#undef PART
  };
  // Whose the cycles are: of what the workers on the paths wait for; of what others occupy; of the loops that repeat
  // something because of others; or of no step of a worker.
  enum class Charged : uint8_t { waits, occupancy, retries, nothing };

  Kind kind = Kind::path;
  std::string name;  // of the resource; empty for the others
  int64_t cycles = 0, workers = 0, demand = 0, servers = 1;
};

struct PartRow {
  Part::Kind kind;
  std::string_view key;
  Part::Charged charged;
  std::string_view sentence;
};
inline constexpr std::array part_rows = {
#define PART(kind, key, charged, sentence) PartRow{Part::Kind::kind, key, Part::Charged::charged, sentence},
#include "solver/makespan/parts.def"
#undef PART
};

constexpr const PartRow& row_of(Part::Kind kind) { return part_rows[static_cast<size_t>(kind)]; }
constexpr std::string_view to_string(Part::Kind kind) { return row_of(kind).key; }

// What workers wait for beside their critical paths.
struct PathTerm {
  Part::Kind kind = Part::Kind::code;
  int64_t each = 0;  // cycles of each worker on the paths, at least 0
  int64_t once = 0;  // cycles besides, however many these are, at least 0
};

}  // namespace warpspan::solver
