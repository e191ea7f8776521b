// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let V be a variable in shared memory at A, b bytes large, W the generic address of byte 0 of shared memory,
// and n > 0. An access by a generic address of bytes W + A + o to W + A + o + n - 1, modulo 2^64, touches V and nothing
// else if 0 <= o and o + n <= b.
//
// Proof. Shared memory is a window of the generic addresses, as large as the state space; an address in the window
// means the byte of the state space that is as far from its beginning as the address is from that of the window,
// whatever global memory there is (PTX ISA 6.4.1.1). V lies in the state space, so W + A .. W + A + b - 1 lie in the
// window, do not wrap, and mean the bytes of V. The accessed bytes are among these. []
//
// Theorem (machine code). Let H be the special register with the upper half of generic addresses of shared memory. In a
// kernel that is not launched in clusters an access by a generic address of bytes 2^32 H + o to 2^32 H + o + n - 1 with
// 0 <= o and o + n <= 2^24 touches the shared memory of the thread's block and nothing else.
//
// Proof. Machine code makes a generic address of one of shared memory by putting H above it, and the address of the
// same byte in block r of a cluster by adding 2^24 r (MAPA); so windows of blocks begin at multiples of 2^24 and are as
// large, and that of block 0 is the first. A block that is in no cluster is block 0 of its own. What lies in the window
// behind the shared memory of the block is no memory: an access to it ends the launch with an error. []
//
// Theorem (machine code before 9.0). Let W be what a constant holds, the generic address of byte 0 of shared memory,
// and b no more than the bytes of shared memory that a block has. An access by a generic address of bytes W + o to W +
// o + n - 1 with 0 <= o and o + n <= b touches the shared memory of the thread's block and nothing else.
//
// Proof. There are no clusters, and the shared memory of the block begins at byte 0 of the state space. As above. []
//
// o is the difference of the address and W + A in scalar evolution, which is exact modulo 2^64; both bounds are those
// of its unsigned range, which contains it in every execution. What scalar evolution cannot see through, W and A
// included, has the range of its type, so nothing that is only maybe in the window is taken for it.
#include "frontend/lift/accesses/shared_windows.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>

#include <algorithm>
#include <set>

#include "frontend/lift/translation/emitter.hpp"
#include "support/checked.hpp"

namespace warpspan::lift {

namespace {

using ir::MemorySpace;
using support::Integer;

// Of the shared memory of a block, in machine code.
constexpr uint64_t window_bytes = uint64_t{1} << 24;

struct Beginnings {
  std::set<const llvm::SCEVUnknown*> windows, variables;  // windows of shared memory, variables anywhere
  std::set<const llvm::SCEVUnknown*> halves;              // upper halves of windows, in machine code
};

// The launch's values that an address is made of.
Beginnings beginnings_of(const llvm::SCEV& address) {
  struct Visitor {
    Beginnings found;
    bool follow(const llvm::SCEV* part) {
      const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
      const auto source = unknown == nullptr ? std::nullopt : launch_source(*unknown->getValue());
      if (source && source->kind == LaunchSource::Kind::window &&
          source->number == static_cast<uint32_t>(MemorySpace::shared)) {
        found.windows.insert(unknown);
      }
      if (source && source->kind == LaunchSource::Kind::variable) found.variables.insert(unknown);
      if (source && source->kind == LaunchSource::Kind::shared_half) found.halves.insert(unknown);
      return true;
    }
    bool isDone() const { return false; }
  };
  Visitor visitor;
  llvm::visitAll(&address, visitor);
  return visitor.found;
}

}  // namespace

std::optional<int64_t> fragment_extent(const ir::Matrix& matrix, int64_t distance) {
  if (matrix.lines == 0 || matrix.element_bits == 0) return std::nullopt;
  return ceil_divide((Integer(matrix.lines - 1) * distance + matrix.length) * matrix.element_bits, 8).value();
}

bool SharedWindows::holds(const llvm::CallInst& call) const {
  const auto from = origin(call);
  if (!from || body_.operation(*from).space != MemorySpace::generic) return false;
  const auto bytes = extent(call);
  if (!bytes || *bytes <= 0) return false;
  const llvm::SCEV* address = evolution_.getSCEV(call.getArgOperand(0));
  const Beginnings beginnings = beginnings_of(*address);
  if (beginnings.halves.size() == 1 && beginnings.windows.empty()) {
    return !body_.kernel.launch_bounds.clusters &&
           distance(*address, **beginnings.halves.begin()) <= window_bytes - *bytes;
  }
  if (beginnings.windows.size() == 1 && beginnings.variables.empty() && body_.is_machine_code) {
    const int64_t room = body_.kernel.shared_bytes + dynamic_bytes_.value_or(0);
    const llvm::SCEV* window = *beginnings.windows.begin();
    if (window->getType() != address->getType() || room < *bytes) return false;
    const llvm::SCEV* beyond = evolution_.getMinusSCEV(address, window);
    return evolution_.getUnsignedRangeMax(beyond).ule(static_cast<uint64_t>(room - *bytes));
  }
  if (beginnings.windows.size() != 1 || beginnings.variables.size() != 1) return false;
  const llvm::SCEVUnknown* variable = *beginnings.variables.begin();
  const auto room = bytes_of(launch_source(*variable->getValue())->number);
  if (!room || *room < *bytes) return false;
  // A wider address than that of the variable has it extended: it is no negative number.
  llvm::Type* type = address->getType();
  if (evolution_.getTypeSizeInBits(variable->getType()) > evolution_.getTypeSizeInBits(type)) return false;
  const llvm::SCEV* begin =
      evolution_.getAddExpr(*beginnings.windows.begin(), evolution_.getNoopOrZeroExtend(variable, type));
  const llvm::APInt most = evolution_.getUnsignedRangeMax(evolution_.getMinusSCEV(address, begin));
  return most.ule(static_cast<uint64_t>(*room - *bytes));
}

// At most, from where the window begins.
uint64_t SharedWindows::distance(const llvm::SCEV& address, const llvm::SCEV& half) const {
  llvm::Type* type = address.getType();
  const uint64_t bits = evolution_.getTypeSizeInBits(type), of_half = evolution_.getTypeSizeInBits(half.getType());
  if (bits != 2 * of_half) return UINT64_MAX;
  const llvm::SCEV* begin = evolution_.getMulExpr(evolution_.getZeroExtendExpr(&half, type),
                                                  evolution_.getConstant(type, uint64_t{1} << of_half));
  return evolution_.getUnsignedRangeMax(evolution_.getMinusSCEV(&address, begin)).getZExtValue();
}

bool SharedWindows::mentions_shared(const llvm::CallInst& call) const {
  const Beginnings beginnings = beginnings_of(*evolution_.getSCEV(call.getArgOperand(0)));
  return !beginnings.windows.empty() || !beginnings.halves.empty() ||
         std::any_of(beginnings.variables.begin(), beginnings.variables.end(), [this](const llvm::SCEVUnknown* one) {
           return program_.variables[launch_source(*one->getValue())->number].space == MemorySpace::shared;
         });
}

// From the address on, at most.
std::optional<int64_t> SharedWindows::extent(const llvm::CallInst& call) const {
  const ir::Operation& operation = body_.operation(*origin(call));
  if (call_kind(call) == CallKind::access) {
    const bool is_plain = operation.bytes > 0 && !ir::is_async_copy(operation) && !ir::is_bulk_copy(operation);
    return is_plain ? std::optional<int64_t>(operation.bytes) : std::nullopt;
  }
  if (call_kind(call) != CallKind::fragment) return std::nullopt;
  const llvm::APInt distance = evolution_.getUnsignedRangeMax(evolution_.getSCEV(call.getArgOperand(1)));
  return fragment_extent(operation.facts.matrix, static_cast<int64_t>(distance.getZExtValue()));
}

std::optional<int64_t> SharedWindows::bytes_of(ir::VariableId variable) const {
  const ir::Variable& found = program_.variables[variable];
  if (found.space != MemorySpace::shared) return std::nullopt;
  return found.bytes > 0 ? found.bytes : dynamic_bytes_;
}

}  // namespace warpspan::lift
