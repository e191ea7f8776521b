// SPDX-License-Identifier: GPL-3.0-or-later
// Let each iteration that is followed by another one access w bytes at an address of u bits, all in an array of B
// bytes, B < 2^(u-2). Let o_k be how far behind the array's begin that of iteration k is: 0 <= o_k <= B - w. From one
// iteration to the next let the address change by one of several numbers modulo 2^u, seen as numbers v with |v| <=
// 2^(u-1).
//
// Theorem. If all v with |v| <= B - w are above 0, or all below, and m is the smallest |v| among them, the header runs
// floor((B - w) / m) + 2 times at most, and floor((B - w) / m) + 1 times if each iteration makes the access before it
// can end the loop. If there is no such v, that is 2 times and 1.
//
// Proof. D = o_{k+1} - o_k has |D| <= B - w and is one of the v modulo 2^u. |D - v| < 2^(u-2) + 2^(u-1) < 2^u, so D =
// v. So the offsets move in one direction by m or more each iteration and stay within B - w: floor((B - w) / m) + 1
// iterations make the access at most. Only the last iteration can do without. QED.
//
// How much a number changes: nothing if it does not change in the loop, s if it is {a,+,s}; sums and products with a
// constant follow. A number of t bits that changes by s modulo 2^t, |s| <= 2^(t-1), changes by s, s - 2^t or s + 2^t
// once it is extended, as both values are less than 2^t apart. That a counter of 32 bits wraps is so seen from its
// array: it would have to be larger than the address jumps.
#include "frontend/lift/trips/methods/arrays.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>

#include <algorithm>

#include "frontend/lift/accesses/buffers.hpp"
#include "frontend/lift/translation/arguments.hpp"
#include "frontend/lift/translation/emitter.hpp"
#include "support/shell_quote.hpp"

namespace warpspan::lift {

namespace {

using llvm::APInt;
using llvm::SCEV;
// How a number may change from one iteration to the next, as numbers of its type; nothing: not known.
using Changes = std::optional<llvm::SmallVector<APInt, 4>>;

constexpr size_t most_changes = 16;
constexpr int deepest = 16;
constexpr unsigned most_bits = 64;
constexpr unsigned least_address_bits = 32;

bool is_of(const llvm::Value& value, LaunchSource::Kind kind) {
  const auto source = launch_source(value);
  return source && source->kind == kind;
}

// Arrays whose sizes are known: what parameters point to, as the user states, or variables of the file.
class Arrays {
 public:
  Arrays(const TripContext& context, bool are_declared) : context_(context), are_declared_(are_declared) {}

  // The bytes of the array that begins at a value of the launch; nothing: none is known.
  std::optional<int64_t> bytes(const llvm::Value& beginning) const {
    return are_declared_ ? bytes_of_variable(beginning) : bytes_of_parameter(beginning);
  }
  // How many bytes behind its first operand each thread accesses that comes to an instruction; nothing: it is no
  // access, that is not known, or not each does.
  std::optional<int64_t> accessed(const llvm::Instruction& instruction) const;
  // Whether arrays may begin at a value of the launch.
  bool is_beginning(const llvm::Value& value) const {
    return are_declared_ ? is_of(value, LaunchSource::Kind::variable) : is_parameter(value);
  }
  // Whether a value only makes addresses of a state space generic ones.
  bool is_window(const llvm::Value& value) const { return are_declared_ && is_of(value, LaunchSource::Kind::window); }
  // Whether one of fewer bits may stand for its number.
  bool are_extended() const { return are_declared_; }

 private:
  std::optional<int64_t> bytes_of_parameter(const llvm::Value& pointer) const;
  std::optional<int64_t> bytes_of_variable(const llvm::Value& address) const;

  const TripContext& context_;
  const bool are_declared_;
};

// What a guard may skip is not accessed by each thread.
std::optional<int64_t> Arrays::accessed(const llvm::Instruction& instruction) const {
  const auto from = call_kind(instruction) == CallKind::access ? origin(instruction) : std::nullopt;
  const ir::Kernel& kernel = context_.body.kernel;
  if (!from || kernel.instructions[*from].guarded) return std::nullopt;
  const ir::Operation& operation = kernel.operation(kernel.instructions[*from]);
  using enum ir::MemorySpace;
  const bool is_global = operation.space == global || operation.space == generic;
  const bool is_own = operation.space == shared || operation.space == constant || operation.space == local;
  const bool is_whole = operation.kind != ir::OperationKind::copy_async && operation.bytes > 0;
  return (is_global || (are_declared_ && is_own)) && is_whole ? std::optional<int64_t>(operation.bytes) : std::nullopt;
}

std::optional<int64_t> Arrays::bytes_of_parameter(const llvm::Value& pointer) const {
  if (context_.program.bodies.size() > 1 || !is_parameter(pointer)) return std::nullopt;
  const auto source = launch_source(pointer);
  return buffer_bytes(context_.launch, context_.program.variables[source->number], source->offset);
}

// An array in shared memory without a size has as many bytes as the launch gives it.
std::optional<int64_t> Arrays::bytes_of_variable(const llvm::Value& address) const {
  const ir::Variable& variable = context_.program.variables[launch_source(address)->number];
  using enum ir::MemorySpace;
  const bool is_memory = variable.space == shared || variable.space == constant || variable.space == local ||
                         (variable.space == global && !ir::is_kernel_parameter(variable));
  if (!is_memory) return std::nullopt;
  if (variable.bytes > 0) return variable.bytes;
  return variable.space == shared ? context_.launch.dynamic_shared : std::nullopt;
}

class Walk {
 public:
  Walk(const LoopContext& context, const Arrays& arrays)
      : loop_(context.loop), evolution_(context.evolution), sizes_(arrays) {}

  Changes changes(const SCEV& number, int depth = 0) const;
  // The one value of the launch that an address is counted from; null if there is none, or several.
  const llvm::Value* base(const SCEV& address) const;

 private:
  Changes changes_of_sum(const SCEV& sum, int depth) const;
  using Bases = llvm::SmallDenseMap<const llvm::Instruction*, const llvm::Value*, 4>;
  bool add_bases(const SCEV& address, llvm::SmallVectorImpl<const llvm::Value*>& bases, Bases& known, int depth) const;
  const llvm::Value* base_of(const llvm::Instruction& choice, Bases& known, int depth) const;

  const llvm::Loop& loop_;
  llvm::ScalarEvolution& evolution_;
  const Arrays& sizes_;
};

Changes Walk::changes_of_sum(const SCEV& sum, int depth) const {
  llvm::SmallVector<APInt, 4> all = {APInt(sum.getType()->getIntegerBitWidth(), 0)};
  for (const SCEV* operand : sum.operands()) {
    const Changes own = changes(*operand, depth + 1);
    if (!own || all.size() * own->size() > most_changes) return std::nullopt;
    llvm::SmallVector<APInt, 4> next;
    for (const APInt& a : all) {
      for (const APInt& b : *own) next.push_back(a + b);
    }
    all = std::move(next);
  }
  return all;
}

Changes Walk::changes(const SCEV& number, int depth) const {
  const unsigned bits = number.getType()->getIntegerBitWidth();
  if (depth > deepest || bits > most_bits) return std::nullopt;
  llvm::SmallVector<APInt, 4> result;
  if (evolution_.isLoopInvariant(&number, &loop_)) {
    result.push_back(APInt(bits, 0));
    return result;
  }
  if (llvm::isa<llvm::SCEVAddExpr>(number)) return changes_of_sum(number, depth);
  if (const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&number)) {
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(counter->getStepRecurrence(evolution_));
    if (counter->getLoop() != &loop_ || !counter->isAffine() || step == nullptr) return std::nullopt;
    result.push_back(step->getAPInt());
    return result;
  }
  if (const auto* product = llvm::dyn_cast<llvm::SCEVMulExpr>(&number)) {
    const auto* factor = llvm::dyn_cast<llvm::SCEVConstant>(product->getOperand(0));
    const Changes own = product->getNumOperands() == 2 ? changes(*product->getOperand(1), depth + 1) : std::nullopt;
    if (factor == nullptr || !own) return std::nullopt;
    for (const APInt& change : *own) result.push_back(factor->getAPInt() * change);
    return result;
  }
  if (!llvm::isa<llvm::SCEVSignExtendExpr, llvm::SCEVZeroExtendExpr>(number)) return std::nullopt;
  const Changes own = changes(*number.operands().front(), depth + 1);
  if (!own || 3 * own->size() > most_changes) return std::nullopt;
  for (const APInt& change : *own) {
    const APInt once_round = APInt::getOneBitSet(bits, change.getBitWidth());
    result.push_back(change.sext(bits));
    if (change.isZero()) continue;
    result.push_back(change.sext(bits) - once_round);
    result.push_back(change.sext(bits) + once_round);
  }
  return result;
}

// The one base of all that a phi or a select may be; null if there are several. While it is looked for the phi stands
// for it, as what comes in may be counted from the phi itself, in loops that are over.
const llvm::Value* Walk::base_of(const llvm::Instruction& choice, Bases& known, int depth) const {
  const auto [entry, is_new] = known.try_emplace(&choice, &choice);
  if (!is_new) return entry->second;
  const llvm::Value* base = nullptr;
  const auto* first = choice.op_begin() + (llvm::isa<llvm::SelectInst>(choice) ? 1 : 0);
  for (const llvm::Use& value : llvm::make_range(first, choice.op_end())) {
    llvm::SmallVector<const llvm::Value*, 2> bases;
    const bool is_one = add_bases(*evolution_.getSCEV(value.get()), bases, known, depth + 1) && bases.size() == 1;
    if (is_one && bases.front() == &choice) continue;
    if (!is_one || (base != nullptr && base != bases.front())) return known[&choice] = nullptr;
    base = bases.front();
  }
  return known[&choice] = base;
}

// False if an addend may be an address of another kind.
bool Walk::add_bases(const SCEV& address, llvm::SmallVectorImpl<const llvm::Value*>& bases, Bases& known,
                     int depth) const {
  if (depth > deepest) return false;
  if (const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(&address)) {
    const llvm::Value* value = unknown->getValue();
    if (sizes_.is_window(*value)) return true;
    const bool is_choice = llvm::isa<llvm::PHINode, llvm::SelectInst>(value);
    bases.push_back(is_choice ? base_of(llvm::cast<llvm::Instruction>(*value), known, depth) : value);
    return is_choice ? bases.back() != nullptr : sizes_.is_beginning(*value);
  }
  if (llvm::isa<llvm::SCEVAddExpr>(address)) {
    return llvm::all_of(address.operands(),
                        [&](const SCEV* operand) { return add_bases(*operand, bases, known, depth + 1); });
  }
  if (const auto* wide = llvm::dyn_cast<llvm::SCEVZeroExtendExpr>(&address); wide != nullptr && sizes_.are_extended()) {
    if (llvm::isa<llvm::SCEVUnknown>(wide->getOperand())) {
      const llvm::Value* value = llvm::cast<llvm::SCEVUnknown>(wide->getOperand())->getValue();
      if (sizes_.is_beginning(*value)) bases.push_back(value);
    }
    return true;
  }
  if (const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&address)) {
    return add_bases(*counter->getStart(), bases, known, depth + 1);
  }
  return llvm::isa<llvm::SCEVConstant, llvm::SCEVMulExpr, llvm::SCEVSignExtendExpr, llvm::SCEVZeroExtendExpr>(address);
}

const llvm::Value* Walk::base(const SCEV& address) const {
  llvm::SmallVector<const llvm::Value*, 2> bases;
  Bases known;
  const bool is_one = add_bases(address, bases, known, 0) && bases.size() == 1;
  return is_one && sizes_.is_beginning(*bases.front()) ? bases.front() : nullptr;
}

// How many iterations can make an access that moves through `room` + 1 offsets of an array.
std::optional<int64_t> iterations_within(int64_t room, const llvm::SmallVectorImpl<APInt>& changes) {
  std::optional<APInt> least;
  bool rises = false, falls = false;
  for (const APInt& change : changes) {
    if (change.abs().ugt(static_cast<uint64_t>(room))) continue;
    if (change.isZero()) return std::nullopt;
    (change.isNegative() ? falls : rises) = true;
    if (!least || change.abs().ult(*least)) least = change.abs();
  }
  if (rises && falls) return std::nullopt;
  return least ? room / static_cast<int64_t>(least->getZExtValue()) + 1 : 1;
}

struct ArrayAccess {
  const llvm::Value& base;  // at which the array begins
  int64_t bytes = 0;        // that are accessed
  int64_t too_large = 0;    // bytes of an array
  llvm::SmallVector<APInt, 4> changes;
  bool is_first = false;  // each iteration makes it before it can end the loop
};

// The accesses of the theorem.
template <typename Visit>
void for_each_access(const TripContext& context, const Arrays& arrays, const Visit& visit) {
  const llvm::Loop& loop = context.loop;
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  if (latch == nullptr) return;
  llvm::SmallVector<llvm::BasicBlock*, 8> exiting;
  loop.getExitingBlocks(exiting);
  const Walk walk(context, arrays);
  for (const llvm::BasicBlock* block : loop.blocks()) {
    if (context.loops.getLoopFor(block) != &loop || !context.dominators.dominates(block, latch)) continue;
    const bool is_first =
        llvm::all_of(exiting, [&](const auto* exit) { return context.dominators.dominates(block, exit); });
    for (const llvm::Instruction& call : *block) {
      const auto accessed = arrays.accessed(call);
      if (!accessed) continue;
      const SCEV& address = *context.evolution.getSCEV(call.getOperand(0));
      const unsigned bits = address.getType()->getIntegerBitWidth();
      if (bits < least_address_bits || bits > most_bits) continue;
      const llvm::Value* base = walk.base(address);
      const Changes changes = base == nullptr ? std::nullopt : walk.changes(address);
      if (changes) visit(ArrayAccess{*base, *accessed, int64_t{1} << (bits - 2), *changes, is_first});
    }
  }
}

// By the smallest of the arrays that bound it, by the theorem above, if no access leaves its array.
std::optional<Trips> trips_within(const TripContext& context, bool are_declared) {
  const Arrays arrays(context, are_declared);
  std::optional<Trips> best;
  for_each_access(context, arrays, [&](const ArrayAccess& access) {
    const auto bytes = arrays.bytes(access.base);
    if (!bytes || *bytes < access.bytes || *bytes >= access.too_large) return;
    const auto iterations = iterations_within(*bytes - access.bytes, access.changes);
    if (!iterations) return;
    const int64_t runs = *iterations + (access.is_first ? 0 : 1);
    if (!best || runs < best->bound.most) best = Trips{.bound = {runs, 1}, .array = &access.base};
  });
  return best;
}

}  // namespace

std::optional<Trips> trips_by_given_arrays(const TripContext& context) {
  return context.launch.buffers.empty() ? std::nullopt : trips_within(context, false);
}

std::optional<Trips> trips_by_declared_arrays(const TripContext& context) { return trips_within(context, true); }

std::vector<std::string> array_options(const TripContext& context) {
  if (context.program.bodies.size() > 1) return {};
  constexpr int64_t usual_size = int64_t{1} << 30;  // a counter of 32 bits cannot wrap within it
  std::vector<const llvm::Value*> bases;
  for_each_access(context, Arrays(context, false), [&](const ArrayAccess& access) {
    const bool is_new = std::find(bases.begin(), bases.end(), &access.base) == bases.end();
    if (is_new && iterations_within(usual_size, access.changes)) bases.push_back(&access.base);
  });
  std::vector<std::string> options;
  for (const llvm::Value* base : bases) {
    const auto source = launch_source(*base);
    const ir::ParameterNames* names = context.program.parameter_names();
    std::string name = names == nullptr ? "" : names->pointer_name(source->number, source->offset);
    if (name.empty()) {
      name = ir::object_name(written_name(context.program, source->number),
                             context.program.variables[source->number].bytes, source->offset);
    }
    options.push_back("{buffer} " + support::shell_quoted(name + "=BYTES"));
  }
  return options;
}

}  // namespace warpspan::lift
