// For how long an instruction is in the way of other warps with what it holds from its issue on: issue slot, units, the
// port of its registers.
#pragma once

#include <array>
#include <cstdint>

#include "support/checked.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// Of whom an instruction is in the way: of warps of its scheduler, or of another scheduler of the multiprocessor.
enum class Neighbour : uint8_t { scheduler, multiprocessor };
inline constexpr size_t neighbours = 2;

// The parts of a bound that count what is held from the issue on.
inline constexpr std::array<const char*, neighbours> together_names = {"issue and units", "units of other schedulers"};

// Whether what instructions hold of the resource counts there, and not as a part of its own. What a whole device shares
// never does.
bool held_together(const ResourceFigures& resource);
// Whether such a resource is one that the neighbour needs too.
bool shared_with(const ResourceFigures& resource, Neighbour neighbour);

class Together {
 public:
  explicit Together(const Machine& machine);

  // Cycles are counted in so many parts. It may overflow.
  support::Integer unit() const { return unit_; }
  // Of one execution, times unit(). At most the sum of what it holds of these resources, each divided by its servers.
  support::Integer cycles(const OperationFigures& cost, int64_t transactions, Neighbour neighbour) const;
  // The same of a server of one such resource that is held for so long besides.
  support::Integer cycles(size_t resource, support::Integer held, Neighbour neighbour) const;

 private:
  support::Integer once(const std::vector<Hold>& holds, int64_t instructions, Neighbour neighbour) const;
  support::Integer again(const std::vector<Hold>& holds, int64_t transactions, Neighbour neighbour) const;
  bool counts(size_t resource, Neighbour neighbour) const;
  support::Integer worth(size_t resource) const { return floor_divide(unit_, machine_.resources[resource].servers); }
  int64_t plain_hold(size_t resource) const;

  const Machine& machine_;
  support::Integer unit_ = 1;
};

}  // namespace warpspan::timing
