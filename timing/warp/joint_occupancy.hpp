// SPDX-License-Identifier: GPL-3.0-or-later
// For how long an instruction delays other warps with what it occupies from its issue on: issue slot, units,
// the port of its registers.
#pragma once

#include <array>
#include <cstdint>

#include "support/checked.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// Whom an instruction delays: warps of its scheduler, or of another scheduler of the multiprocessor.
enum class Interference : uint8_t { same_scheduler, other_scheduler };
inline constexpr size_t interferences = 2;

// The parts of a bound that count what is occupied from the issue on.
inline constexpr std::array<const char*, interferences> joint_names = {"issue and units", "units of other schedulers"};

// Whether what instructions occupy of the resource counts there, and not as a part of its own. What a whole device
// shares never does.
bool counts_jointly(const ResourceFigures& resource);
// Whether such a resource is one that the warps so delayed need too.
bool shared_with(const ResourceFigures& resource, Interference interference);

class JointOccupancy {
 public:
  explicit JointOccupancy(const Machine& machine);

  // Cycles are counted in so many parts. It may overflow.
  support::Integer unit() const { return unit_; }
  // Of one execution, times unit(). At most the sum of what it occupies of these resources, each divided by its
  // servers.
  support::Integer cycles(const OperationFigures& cost, int64_t transactions, Interference interference) const;
  // The same of a server of one such resource that is occupied for so long besides.
  support::Integer cycles(size_t resource, support::Integer occupied, Interference interference) const;

 private:
  support::Integer first(const std::vector<Occupancy>& occupancies, int64_t instructions,
                         Interference interference) const;
  support::Integer further(const std::vector<Occupancy>& occupancies, int64_t transactions,
                           Interference interference) const;
  bool counts(size_t resource, Interference interference) const;
  support::Integer worth(size_t resource) const { return floor_divide(unit_, machine_.resources[resource].servers); }
  int64_t longest_of_plain(size_t resource) const;

  const Machine& machine_;
  support::Integer unit_ = 1;
};

}  // namespace warpspan::timing
