// SPDX-License-Identifier: GPL-3.0-or-later
// What is assumed: the assembler's line table tells which instruction of the PTX an instruction of machine code is of.
// Each execution of an access of the machine code by a thread stands for one of the access of the PTX at its line, at
// the same address; where lanes of a warp execute it jointly, these are in the same iterations of the loops there.
// Machine code may have lanes reconverge elsewhere than they do in the PTX, so its transactions are those for any
// groups (lift::Groups::any). What all executions touch is among what those of the PTX do.
//
// That is claimed of accesses of the same kind and width. A wider one does what several do; of it nothing is claimed.
// An assembler may put accesses together that do the same in two places of the PTX, and then they have the line of one
// of them. So an access of the PTX that is left nowhere in the machine code may be at any of the same kind and width;
// lanes that would execute one and the other execute it jointly, and touch the lines of both.
//
// What depends on which executions an access has, and not on each of them, is carried only where it has all of them:
// that it is dense, covers lines or shares them. So it is where one access of the PTX is at its line, one of the
// machine code is at that line, and the loops around both match one to one.
#include "frontend/beside/accesses.hpp"

#include <algorithm>
#include <optional>

namespace warpspan::beside {

namespace {

// The sum of a number of each; nothing if one is not known.
template <typename Number>
std::optional<int64_t> sum_of(const std::vector<const ir::Access*>& accesses, const Number& number) {
  support::Integer sum;
  for (const ir::Access* access : accesses) {
    const std::optional<int64_t>& own = number(*access);
    if (!own) return std::nullopt;
    sum += *own;
  }
  return sum.value();
}

uint32_t sum_up_to(uint32_t most, uint32_t a, uint32_t b) { return b < most - a ? a + b : most; }

bool take_smaller(std::optional<int64_t> other, std::optional<int64_t>& own) {
  if (!other || (own && *own <= *other)) return false;
  own = other;
  return true;
}

class AccessCarrier {
 public:
  AccessCarrier(const Places& code, const Places& ptx, const LoopMatches& matches,
                const std::map<std::string, std::string>& names, ir::Flow& flow)
      : code_(code),
        ptx_(ptx),
        matches_(matches),
        names_(names),
        flow_(flow),
        vanished_(vanished_accesses(code, ptx)) {}

  std::vector<ir::InstructionId> run() {
    std::vector<ir::InstructionId> carried;
    for (ir::InstructionId i = 0; i < code_.kernel.instructions.size(); ++i) {
      if (flow_.transactions[i] > 0 && is_compared(code_.operation(i)) && carry(i)) carried.push_back(i);
    }
    carry_executions();
    return carried;
  }

 private:
  // All that it may stand for; nothing if its line has no access of its kind.
  std::vector<ir::InstructionId> origins_of(ir::InstructionId i) const {
    const ir::Operation& operation = code_.operation(i);
    std::vector<ir::InstructionId> origins;
    for (const Place& place : ptx_.at(code_.line(i))) {
      if (are_alike(operation, ptx_.operation(place.instruction))) origins.push_back(place.instruction);
    }
    if (origins.empty()) return {};
    for (const ir::InstructionId other : vanished_) {
      if (are_alike(operation, ptx_.operation(other))) origins.push_back(other);
    }
    return origins;
  }

  bool carry(ir::InstructionId i) {
    const std::vector<ir::InstructionId> origins = origins_of(i);
    if (origins.empty()) return false;
    uint32_t transactions = 0;
    for (const ir::InstructionId origin : origins) {
      if (ptx_.flow.transactions[origin] == 0) return false;
      transactions = sum_up_to(flow_.transactions[i], transactions, ptx_.flow.transactions[origin]);
    }
    bool is_more = transactions < flow_.transactions[i];
    flow_.transactions[i] = transactions;
    ir::Access* access = ir::access_of(flow_, i);
    if (access != nullptr) is_more = carry_footprint(origins, *access) || is_more;
    return is_more;
  }

  bool carry_footprint(const std::vector<ir::InstructionId>& origins, ir::Access& own) {
    std::vector<const ir::Access*> accesses;
    for (const ir::InstructionId origin : origins) {
      accesses.push_back(ir::access_of(ptx_.flow, origin));
      if (accesses.back() == nullptr) return false;
    }
    uint32_t aligned = 0;
    for (const ir::Access* access : accesses)
      aligned = sum_up_to(own.aligned_transactions, aligned, access->aligned_transactions);
    bool is_more = aligned < own.aligned_transactions;
    own.aligned_transactions = std::min(aligned, flow_.transactions[own.instruction]);
    is_more =
        take_smaller(sum_of(accesses, [](const ir::Access& a) { return a.warp_lines; }), own.warp_lines) || is_more;
    is_more =
        take_smaller(sum_of(accesses, [](const ir::Access& a) { return a.block_lines; }), own.block_lines) || is_more;
    is_more =
        take_smaller(sum_of(accesses, [](const ir::Access& a) { return a.grid_lines; }), own.grid_lines) || is_more;
    take_smaller(sum_of(accesses, [](const ir::Access& a) { return a.fewest_grid_lines; }), own.fewest_grid_lines);
    return carry_object(accesses, own) || is_more;
  }

  bool carry_object(const std::vector<const ir::Access*>& accesses, ir::Access& own) {
    const ir::ObjectId object = accesses.front()->object;
    const bool is_one = std::all_of(accesses.begin(), accesses.end(),
                                    [&](const ir::Access* access) { return access->object == object; });
    if (object == ir::no_object || !is_one) return false;
    const ir::ObjectId here = object_here(object);
    if (own.object != ir::no_object && own.object != here) return false;
    const bool was_unknown = own.object == ir::no_object;
    own.object = here;
    if (was_unknown && accesses.size() == 1) own.form = accesses.front()->form;
    if (own.span) return was_unknown;
    std::optional<ir::ByteSpan> span = accesses.front()->span;
    for (const ir::Access* access : accesses) {
      if (!access->span || !span) {
        span = std::nullopt;
      } else {
        span = ir::ByteSpan{std::min(span->first, access->span->first), std::max(span->end, access->span->end)};
      }
    }
    own.span = span;
    return was_unknown || span;
  }

  // The object of the PTX, in the machine code.
  ir::ObjectId object_here(ir::ObjectId object) {
    ir::MemoryObject wanted = ptx_.flow.objects[object];
    const size_t sign = wanted.name.find('+');
    const auto name = names_.find(wanted.name.substr(0, sign));
    if (name != names_.end()) wanted.name.replace(0, name->first.size(), name->second);
    const auto known = std::find_if(flow_.objects.begin(), flow_.objects.end(),
                                    [&](const ir::MemoryObject& other) { return other.name == wanted.name; });
    const auto index = static_cast<ir::ObjectId>(known - flow_.objects.begin());
    if (known == flow_.objects.end()) flow_.objects.push_back(std::move(wanted));
    return index;
  }

  // The access of the machine code that has all executions of one of the PTX, and only those.
  std::optional<ir::InstructionId> only_copy_of(ir::InstructionId origin) const {
    const auto here = code_.at(ptx_.line(origin));
    if (here.empty() || ptx_.at(ptx_.line(origin)).size() != 1) return std::nullopt;
    const ir::Operation& operation = ptx_.operation(origin);
    std::optional<Place> copy;
    for (const Place& place : here) {
      if (ir::access_class(code_.operation(place.instruction)) == ir::AccessClass::none) continue;
      if (copy || !are_alike(code_.operation(place.instruction), operation)) return std::nullopt;
      copy = place;
    }
    const bool may_be_other = std::any_of(vanished_.begin(), vanished_.end(), [&](ir::InstructionId other) {
      return are_alike(ptx_.operation(other), operation);
    });
    if (!copy || may_be_other) return std::nullopt;
    ir::LoopId own = code_.flow.blocks[copy->block].loop;
    ir::LoopId loop = ptx_.flow.blocks[ptx_.at(ptx_.line(origin)).front().block].loop;
    for (; own != ir::no_loop && loop != ir::no_loop;
         own = code_.flow.loops[own].parent, loop = ptx_.flow.loops[loop].parent) {
      if (!matches_[own] || matches_[own]->ptx != loop) return std::nullopt;
    }
    return own == loop ? std::optional(copy->instruction) : std::nullopt;
  }

  // By the first access of the PTX that they are dense jointly with: those that are dense, or all that are not.
  void carry_executions() {
    std::map<ir::InstructionId, std::vector<const ir::Access*>> dense;
    for (const ir::Access& access : ptx_.flow.accesses) {
      if (access.dense) dense[access.dense_with].push_back(&access);
      const auto copy = only_copy_of(access.instruction);
      if (!copy) continue;
      ir::Access* own = ir::access_of(flow_, *copy);
      if (own == nullptr) continue;
      take_smaller(access.sharing_warps, own->sharing_warps);
      take_smaller(access.aligned_sharing_warps, own->aligned_sharing_warps);
      take_smaller(access.sharing_blocks, own->sharing_blocks);
      own->covers_lines = own->covers_lines || access.covers_lines;
    }
    for (const auto& [first, accesses] : dense) carry_dense(accesses);
  }

  // Accesses that are dense jointly stay so where each of them does.
  void carry_dense(const std::vector<const ir::Access*>& accesses) {
    std::vector<ir::Access*> copies;
    for (const ir::Access* access : accesses) {
      const auto copy = only_copy_of(access->instruction);
      copies.push_back(copy ? ir::access_of(flow_, *copy) : nullptr);
      if (copies.back() == nullptr || copies.back()->dense || copies.back()->object == ir::no_object) return;
    }
    const auto first = std::min_element(copies.begin(), copies.end(), [](const ir::Access* a, const ir::Access* b) {
      return a->instruction < b->instruction;
    });
    for (size_t i = 0; i < copies.size(); ++i) {
      copies[i]->dense = true;
      copies[i]->dense_with = (*first)->instruction;
      copies[i]->span = accesses[i]->span;
    }
  }

  const Places& code_;
  const Places& ptx_;
  const LoopMatches& matches_;
  const std::map<std::string, std::string>& names_;
  ir::Flow& flow_;
  std::vector<ir::InstructionId> vanished_;  // of the PTX
};

}  // namespace

bool lines_fit(const Places& code, const Places& ptx) {
  for (ir::InstructionId i = 0; i < code.kernel.instructions.size(); ++i) {
    const auto at = ptx.at(code.line(i));
    if (at.empty() || !is_compared(code.operation(i))) continue;
    const bool fits = std::any_of(at.begin(), at.end(), [&](const Place& place) {
      return ir::access_class(ptx.operation(place.instruction)) != ir::AccessClass::none;
    });
    if (!fits) return false;
  }
  return true;
}

std::vector<ir::InstructionId> carry_accesses(const Places& code, const Places& ptx, const LoopMatches& matches,
                                              const std::map<std::string, std::string>& names, ir::Flow& flow) {
  if (ptx.flow.transactions.size() != ptx.kernel.instructions.size()) return {};
  return AccessCarrier(code, ptx, matches, names, flow).run();
}

}  // namespace warpspan::beside
