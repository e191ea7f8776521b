// SPDX-License-Identifier: GPL-3.0-or-later
// How memory serves an access, under what is assumed of accesses (docs/memory-model.md). What an assumption does is
// a row of access_rules.cpp; all else that looks at assumptions about accesses asks here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/costs/constant_reads.hpp"
#include "timing/costs/cost.hpp"
#include "timing/costs/footprint.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// An execution of an access by a warp.
struct AccessService {
  Service service;            // as far as assumptions decide it
  uint32_t transactions = 0;  // that it falls into at most
  AssumptionSet helping;      // those that make it cheaper
};

class AccessRules {
 public:
  // All are kept by reference. footprint: of the kernel that the code is made of.
  AccessRules(const ConstantReads& code, const Footprint& footprint, const Machine& machine,
              const AssumptionSet& assumed);

  // Those whose conditions the kernel meets, whether or not they help some access of it.
  const AssumptionSet& in_force() const { return in_force_; }

  // What is known of an instruction of the code; null of a read of constants that was put before an access.
  const ir::Access* access_of(ir::InstructionId id) const;

  // access: of the operation; null if nothing is known of its addresses. transactions: without assumptions.
  AccessService service_of(const ir::Operation& operation, const ir::Access* access, uint32_t transactions) const;

  // Whether it is known how many warps ask for a line at a time.
  bool knows_sharing(const ir::Operation& operation, const ir::Access* access) const;

  // What the rows ask for.
  bool within_reach() const { return timing::within_reach(footprint_, machine_); }
  bool states_few() const;  // whether the machine has its figure
  bool keeps_pages() const { return timing::keeps_pages(footprint_, machine_); }
  bool states_refresh() const;  // whether the machine has its figures
  bool waits_for_page(const ir::Operation& operation, const ir::Access* access) const;  // of what is known
  bool waits_for_refresh(const ir::Operation& operation) const;
  bool touches_few_lines(const ir::Operation& operation, const ir::Access* access) const;
  // Whether it was measured so: none of its lines is written. aligned: by an access of the same object, if what
  // parameters point to begins at a multiple of 256 bytes.
  bool may_come_as_few(const ir::Operation& operation, const ir::Access* access, bool aligned) const;
  // Whether it is an atomic of which it was measured, and all others of the kernel, and all that go to its lines, are.
  bool are_few_atomics(const ir::Operation& operation, const ir::Access* access) const;
  // What many warps that ask for one line at a time do to the rates of an access.
  struct Sharing {
    bool is_refused = false;
    int64_t ticks = 0;  // Service::shared_ticks
  };
  Sharing sharing_of(const ir::Operation& operation, const ir::Access* access) const;

 private:
  // Bytes that accesses touch of an object: all of them where nothing is known.
  using Spans = std::vector<std::optional<ir::ByteSpan>>;
  using TouchedObjects = std::map<ir::ObjectId, Spans>;  // no_object: an object that is not known

  bool shares_lines(const ir::Access& access, const Spans& touched, bool aligned) const;
  bool may_share_lines(const ir::Access* access, const TouchedObjects& touched, bool aligned) const;
  bool begins_at_a_line(ir::ObjectId object) const;
  // Whether some warps may load lines that others store to.
  bool is_contended(const ir::Operation& operation, const ir::Access* access, bool aligned) const;
  int64_t contended_ticks(Guarantee network) const;  // Service::contended_ticks
  int64_t network_ticks(Guarantee network) const;    // of a line; 0 where there is no network
  // Whether it may touch fewer lines than so many, all that is known of its object included; not if it is dense.
  bool touches_fewer_lines(const ir::Access* access, int64_t many) const;
  void note_requests();

  const ConstantReads& code_;
  const Footprint& footprint_;
  const Machine& machine_;
  AssumptionSet in_force_;
  const ResourceFigures* slices_ = nullptr;  // what serves lines to all multiprocessors, the L2 cache if there is one
  std::map<ir::InstructionId, const ir::Access*> by_instruction_;  // of the kernel that the code is made of
  // Of an access: the blocks of the grid and the warps of each that execute it, and the lines that are charged for one
  // of the warps, at least.
  struct Requests {
    int64_t blocks = 1, warps = 1, lines = 1;
  };
  std::map<const ir::Access*, Requests> requests_;
  // What the machine states of operations of the code, where a rule asks for it.
  std::map<const ir::Operation*, Latency> latencies_;
  TouchedObjects loaded_, stored_, written_;  // by loads, by stores, by all that is no load
  TouchedObjects others_;                     // by all that is no is_integer_atomic
  bool has_other_atomics_ = false;            // on global memory, of which nothing was measured
};

}  // namespace warpspan::timing
