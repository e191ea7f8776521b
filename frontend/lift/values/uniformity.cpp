// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes of a warp that execute an instruction together are a **group**. A branch that sends lanes of a group to
// different successors divides it; the parts become one group again at the branch's immediate post-dominator, its
// **reconvergence point**, once all that are still running have arrived there (the assumption of docs/model.md). A
// value is uniform if in every execution of its definition all lanes of the group get the same.
//
// Theorem. Call a value divergent if
//   1. it is a source: a thread's position, an unknown value of its own for each lane;
//   2. it is computed from an operand that is divergent, or that rule 4 marks;
//   3. it is a phi with several edges at the reconvergence point of a divergent branch;
// and a branch divergent if its condition is, or is marked by rule 4. For a divergent branch at A with reconvergence
// point J, and a loop around A whose header H can be reached from A without passing J, lanes are in different
// iterations:
//   4. J outside the loop: uses outside the loop of values from inside are marked. J inside: uses in another block than
//      the definition's, and by phis, of values from inside are marked.
// Where it is declared that J is a later post-dominator than the immediate one, or none (ReconvergencePoints), then,
// with R the blocks that can be reached from A without passing J:
//   5. uses outside of R, and by phis of J, of values from R are marked;
//   6. of blocks E in R, where some of the lanes may be together before: rule 3 holds for the phis of E, and uses of
//      values from blocks of R that E can be reached from are marked in other blocks than their own, where E may have
//      been passed before.
// A use is not marked
//   7. by an instruction x that is no phi, of a value that is computed without effects from values of which the same
//      use by x would not be marked, unless it is known from elsewhere to be uniform.
// What lanes read of their own memory is a source if, of what writes it,
//   8. an operand is divergent or rule 4 marks it, or one can be reached from a divergent branch without passing its J,
//      unless J is none, and from all but one of the branch's successors no access to own memory can be reached.
// Then every value that is not divergent is uniform, and only divergent branches divide groups.
//
// Proof, by induction over the steps of a run. Let a group execute an instruction x that is not divergent, and let v be
// an operand, defined in block D. If all lanes have v from the same execution of D they have the same value, by
// induction. Otherwise, of two lanes one has executed D again since they did so together, so they were in different
// groups then, and were united since, the last time at a reconvergence point J of a branch at A (divergent, by
// induction), or at one of its earlier ones: D was executed by one of them on a path from A to there that does not pass
// J, and x is executed after the union without D in between. If that was at an earlier E, D is in R and comes before E
// on that path, and x is behind E, in another block than D or a phi: rule 6 marks the use. If J is not the immediate
// post-dominator and D is in R, and x is not, rule 5 does. If x is in R too, control came there from J on a path
// without D; as D dominates x, that path begins on a cycle with D, whose header is in R, and what follows holds with D
// for A. Otherwise, as D dominates x (or, for a phi, the block of the edge), every path from the entry to J contains D.
// So D dominates J, and as a path through A that avoids D until J must not exist either, D dominates A: after A, D was
// executed again, on a cycle. Let L be the largest loop around A and D whose header H is on that path. H dominates D,
// and the path came there from A without passing J. If J is outside L, x is too: back in L it would have been only
// through H and then D. If J is in L, x is in another block than D, or a phi. In both cases rule 4 marks the use, and x
// is divergent, a contradiction, unless rule 7 holds: let v be computed from o, which dominates D as D dominates x. On
// no path to x is o computed anew behind the last D, or a path through the first o, which has no D before, would lead
// from there to x without D. So v is what it would be computed from the o that each lane has at x, and by the same
// proof they all have the same. So all operands are the same for all lanes. A phi besides chooses the same operand for
// all lanes unless they come by different edges; then they were in different groups before, united right there, so the
// phi stands at a reconvergence point, and rule 3 holds. A source is divergent by rule 1, and everything else computes
// the same from the same. A branch with the same condition for all lanes sends them alike.
//
// Own memory: it is taken that what no thread has written is the same in all lanes
// (Uniformity::relies_on_own_memory). Call a lane done once it can come to no more access to its own memory, and let
// rule 8 find nothing. Whatever writes it is executed by all lanes together that are not done: else one of these would
// have been divided from the group, the last time at a divergent branch at A, and they would not be one again: so the
// write is reached from A without passing J, and if J is none, either part leads to an access: rule 8. So all these
// lanes write the same at the same addresses, in the same order, and what they read together at one address is the
// same. QED.
//
// For the threads of a block the group is imagined: no thread's values depend on when it executes what, but for those
// it reads of memory or of the hardware, which are sources then. So it is for threads of different blocks in the same
// position; of these the number of the block is the source, and memory is taken to stay as it is.
//
// Reconvergence points and loops are those of the lifted function. The blocks it has besides those of the kernel hold
// phis only, and a reconvergence point in such a block and that in the kernel's block behind it are the same position
// in the kernel.
#include "frontend/lift/values/uniformity.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

#include "frontend/lift/translation/emitter.hpp"
#include "frontend/lift/values/evaluate.hpp"

namespace warpspan::lift {

namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Loop;

using BlockSet = llvm::DenseSet<const BasicBlock*>;

// The blocks, and those that edges lead to from them, without passing `stop`. further: where edges lead from a block.
template <typename Further>
BlockSet closure(std::vector<const BasicBlock*> open, const BasicBlock* stop, Further further) {
  BlockSet all;
  while (!open.empty()) {
    const BasicBlock* next = open.back();
    open.pop_back();
    if (next == stop || !all.insert(next).second) continue;
    const auto ends = further(next);
    open.insert(open.end(), ends.begin(), ends.end());
  }
  return all;
}

// The blocks, and those that can be reached from them, without passing `stop`.
BlockSet reached(std::vector<const BasicBlock*> from, const BasicBlock* stop) {
  return closure(std::move(from), stop, [](const BasicBlock* block) { return llvm::successors(block); });
}

// The blocks that others can be reached from.
BlockSet leading_to(const std::vector<const BasicBlock*>& blocks) {
  std::vector<const BasicBlock*> before;
  for (const BasicBlock* block : blocks) before.insert(before.end(), llvm::pred_begin(block), llvm::pred_end(block));
  return closure(std::move(before), nullptr, [](const BasicBlock* block) { return llvm::predecessors(block); });
}

bool is_plain(const Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    switch (call->getIntrinsicID()) {
      case llvm::Intrinsic::ctpop:
      case llvm::Intrinsic::ctlz:
      case llvm::Intrinsic::bitreverse: return true;
      default: return false;
    }
  }
  return !instruction.mayReadOrWriteMemory();
}

// Rule 1. Everything the translation emits that reads memory or the thread's position is a call.
bool is_source(const Instruction& instruction, Uniformity::Scope scope) {
  if (scope == Uniformity::Scope::grid) {
    const auto launched = launch_source(instruction);
    if (launched && launched->kind == LaunchSource::Kind::block_index) return true;
    if (call_kind(instruction) == CallKind::thread) return false;
  }
  switch (call_kind(instruction)) {
    case CallKind::group: return scope == Uniformity::Scope::block;
    case CallKind::own: return scope != Uniformity::Scope::warp;
    case CallKind::store: return false;
    case CallKind::pure:
    case CallKind::same:
    case CallKind::uniform: return false;
    case CallKind::none: return !is_plain(instruction);
    default: return true;
  }
}

bool is_own_access(const Instruction& instruction) {
  const CallKind kind = call_kind(instruction);
  return kind == CallKind::own || kind == CallKind::store;
}

}  // namespace

class Uniformity::Propagation {
 public:
  Propagation(const llvm::Function& function, const llvm::LoopInfo& loops, const ValueSet& uniform, Scope scope,
              const ReconvergencePoints& points, const ValueSet& sources)
      : loops_(loops), uniform_(uniform), given_points_(points) {
    note_nodes(function);
    post_dominators_.recalculate(const_cast<llvm::Function&>(function));
    for (const Instruction& instruction : llvm::instructions(function)) {
      if (is_own_access(instruction)) own_accesses_.push_back(&instruction);
    }
    for (const Instruction& instruction : llvm::instructions(function)) {
      if (!instruction.isTerminator() && (is_source(instruction, scope) || sources.contains(&instruction))) {
        mark(instruction);
      }
    }
    while (!work_.empty()) {
      const Instruction* instruction = work_.back();
      work_.pop_back();
      for (const llvm::User* user : instruction->users()) reach(*llvm::cast<Instruction>(user));
    }
    given_points_.clear();
  }

  bool is_divergent(const llvm::Value& value) const { return divergent_.count(&value) > 0; }
  bool is_divergent(const BasicBlock& block) const { return branches_.count(&block) > 0; }
  // Whether something that is read of own memory is not divergent.
  bool relies_on_own_memory() const {
    return llvm::any_of(own_accesses_, [this](const Instruction* access) {
      return call_kind(*access) == CallKind::own && !is_divergent(*access);
    });
  }
  bool is_reconvergence(const llvm::PHINode& phi) const { return reconverged_at_.count(phi.getParent()) > 0; }
  bool is_same_execution(const llvm::Value& value, const Instruction& of_use) const;
  // The same, or what is computed from such values.
  bool is_same_value(const llvm::Use& use) const;

 private:
  // What is known of the lanes that are in a loop, or have been.
  struct Iterations {
    bool differ_outside = false;  // once they have left it
    bool differ_inside = false;   // while they are in it; implies the other
  };

  bool is_same_value(const llvm::Value& value, const Instruction& user, int depth) const;
  void note_nodes(const llvm::Function& function);
  void mark(const Instruction& instruction);
  void reach(const Instruction& user);
  void divide(const BasicBlock& block);
  void find_iterations(const BasicBlock& block, const BasicBlock* point);
  void set_apart(const Loop& loop, bool inside);
  void keep_apart(const BasicBlock& block, const ReconvergencePoint& point);
  void add_point(const BasicBlock& point);
  void divide_own_memory(const BasicBlock& block, const BasicBlock* point);
  void mark_own_memory();
  void mark_apart(const BlockSet& region);

  const llvm::LoopInfo& loops_;
  ValueSet uniform_;
  ReconvergencePoints given_points_;
  llvm::PostDominatorTree post_dominators_;
  ValueSet divergent_;
  llvm::DenseSet<const BasicBlock*> branches_;        // blocks that end in a divergent branch
  llvm::DenseSet<const BasicBlock*> reconverged_at_;  // points of divergent branches
  llvm::DenseMap<const Loop*, Iterations> iterations_;
  // Rule 5: values from `defined` are marked where they are used outside of it. Rule 6, of each E: values from
  // `before`, which is a part of it, are marked in `behind`, but in their own blocks.
  struct Earlier {
    BlockSet before, behind;
  };
  struct Apart {
    BlockSet defined;
    std::vector<Earlier> earlier;
  };
  std::vector<Apart> apart_;
  std::vector<const Instruction*> own_accesses_;
  bool own_memory_differs_ = false;
  std::vector<const Instruction*> work_;
  // Blocks by number, for searches.
  struct Node {
    const Loop* nest = nullptr;  // the outermost loop around it
    std::vector<uint32_t> next;  // successors
    uint32_t search = 0;         // the last that came there
  };
  llvm::DenseMap<const BasicBlock*, uint32_t> numbers_;
  std::vector<Node> nodes_;
  uint32_t search_ = 0;
};

void Uniformity::Propagation::note_nodes(const llvm::Function& function) {
  for (const BasicBlock& block : function) {
    numbers_[&block] = static_cast<uint32_t>(nodes_.size());
    const Loop* loop = loops_.getLoopFor(&block);
    nodes_.push_back({loop == nullptr ? nullptr : loop->getOutermostLoop(), {}, 0});
  }
  for (const BasicBlock& block : function) {
    for (const BasicBlock* next : llvm::successors(&block)) {
      nodes_[numbers_.lookup(&block)].next.push_back(numbers_.lookup(next));
    }
  }
}

void Uniformity::Propagation::mark(const Instruction& instruction) {
  if (uniform_.count(&instruction) > 0 || !divergent_.insert(&instruction).second) return;
  work_.push_back(&instruction);
  if (call_kind(instruction) == CallKind::store) mark_own_memory();
}

void Uniformity::Propagation::mark_own_memory() {
  if (own_memory_differs_) return;
  own_memory_differs_ = true;
  for (const Instruction* access : own_accesses_) {
    if (call_kind(*access) == CallKind::own) mark(*access);
  }
}

// An operand of the user differs among lanes that are there together.
void Uniformity::Propagation::reach(const Instruction& user) {
  if (user.isTerminator()) {
    divide(*user.getParent());
  } else {
    mark(user);
  }
}

void Uniformity::Propagation::divide(const BasicBlock& block) {
  if (!branches_.insert(&block).second) return;
  const auto* node = post_dominators_.getNode(&block);
  const auto* next = node == nullptr ? nullptr : node->getIDom();
  const BasicBlock* point = next == nullptr ? nullptr : next->getBlock();
  if (const auto given = given_points_.find(&block); given != given_points_.end()) {
    if (given->second.block != point || !given->second.earlier.empty()) keep_apart(block, given->second);
    point = given->second.block;
  }
  if (point != nullptr) add_point(*point);
  find_iterations(block, point);
  divide_own_memory(block, point);
}

// Rule 8, of where writes stand.
void Uniformity::Propagation::divide_own_memory(const BasicBlock& block, const BasicBlock* point) {
  if (own_accesses_.empty() || own_memory_differs_) return;
  size_t leading = 0;  // successors to accesses
  bool writes = false;
  for (const BasicBlock* next : llvm::successors(&block)) {
    const BlockSet region = reached({next}, point);
    bool accesses = false;
    for (const Instruction* access : own_accesses_) {
      if (!region.contains(access->getParent())) continue;
      accesses = true;
      writes = writes || call_kind(*access) == CallKind::store;
    }
    if (accesses) ++leading;
  }
  if (writes && (point != nullptr || leading > 1)) mark_own_memory();
}

// Rule 3.
void Uniformity::Propagation::add_point(const BasicBlock& point) {
  if (!reconverged_at_.insert(&point).second) return;
  for (const llvm::PHINode& phi : point.phis()) {
    if (phi.getNumIncomingValues() > 1) mark(phi);
  }
}

// Which loops around the block have their headers on paths from it that do not pass the point.
void Uniformity::Propagation::find_iterations(const BasicBlock& block, const BasicBlock* point) {
  const Loop* innermost = loops_.getLoopFor(&block);
  if (innermost == nullptr) return;
  const Loop* outermost = innermost->getOutermostLoop();
  const uint32_t stop = point == nullptr ? UINT32_MAX : numbers_.lookup(point);
  ++search_;
  std::vector<uint32_t> open = nodes_[numbers_.lookup(&block)].next;
  while (!open.empty()) {
    const uint32_t number = open.back();
    open.pop_back();
    Node& node = nodes_[number];
    if (number == stop || node.nest != outermost || node.search == search_) continue;
    node.search = search_;
    open.insert(open.end(), node.next.begin(), node.next.end());
  }
  for (const Loop* loop = innermost; loop != nullptr; loop = loop->getParentLoop()) {
    if (nodes_[numbers_.lookup(loop->getHeader())].search == search_)
      set_apart(*loop, point != nullptr && loop->contains(point));
  }
}

// Rules 5 and 6.
void Uniformity::Propagation::keep_apart(const BasicBlock& block, const ReconvergencePoint& point) {
  const BlockSet region = reached({llvm::succ_begin(&block), llvm::succ_end(&block)}, point.block);
  apart_.push_back({region, {}});
  for (const BasicBlock* earlier : point.earlier) add_point(*earlier);
  // Many are taken for one that is anywhere among them.
  constexpr size_t most = 16;
  const size_t each = point.earlier.size() > most ? point.earlier.size() : 1;
  for (size_t i = 0; i < point.earlier.size(); i += each) {
    const std::vector<const BasicBlock*> some(point.earlier.begin() + static_cast<std::ptrdiff_t>(i),
                                              point.earlier.begin() + static_cast<std::ptrdiff_t>(i + each));
    Earlier pair{{}, reached(some, nullptr)};
    for (const BasicBlock* before : leading_to(some)) {
      if (region.contains(before)) pair.before.insert(before);
    }
    apart_.back().earlier.push_back(std::move(pair));
  }
  mark_apart(region);
}

void Uniformity::Propagation::mark_apart(const BlockSet& region) {
  for (const BasicBlock* inside : region) {
    for (const Instruction& instruction : *inside) {
      for (const llvm::Use& use : instruction.uses()) {
        if (!is_same_value(use)) reach(*llvm::cast<Instruction>(use.getUser()));
      }
    }
  }
}

void Uniformity::Propagation::set_apart(const Loop& loop, bool inside) {
  Iterations& known = iterations_[&loop];
  if (known.differ_inside || (known.differ_outside && !inside)) return;
  known.differ_outside = true;
  known.differ_inside = inside;
  for (const BasicBlock* block : loop.blocks()) {
    for (const Instruction& instruction : *block) {
      for (const llvm::Use& use : instruction.uses()) {
        if (!is_same_value(use)) reach(*llvm::cast<Instruction>(use.getUser()));
      }
    }
  }
}

bool Uniformity::Propagation::is_same_value(const llvm::Use& use) const {
  const auto& user = llvm::cast<Instruction>(*use.getUser());
  return llvm::isa<llvm::PHINode>(user) ? is_same_execution(*use.get(), user) : is_same_value(*use.get(), user, 0);
}

// Rule 7.
bool Uniformity::Propagation::is_same_value(const llvm::Value& value, const Instruction& user, int depth) const {
  constexpr int deepest = 4;
  if (is_same_execution(value, user)) return true;
  const auto& computed = llvm::cast<Instruction>(value);
  if (uniform_.count(&computed) > 0) return false;
  return depth < deepest && can_evaluate(computed) && llvm::all_of(computed.operands(), [&](const llvm::Use& o) {
           return is_same_value(*o.get(), user, depth + 1);
         });
}

bool Uniformity::Propagation::is_same_execution(const llvm::Value& value, const Instruction& of_use) const {
  const auto* definition = llvm::dyn_cast<Instruction>(&value);
  if (definition == nullptr) return true;
  const auto* user = &of_use;
  const bool is_near = user->getParent() == definition->getParent() && !llvm::isa<llvm::PHINode>(user);
  for (const Apart& apart : apart_) {
    if (apart.defined.count(definition->getParent()) == 0) continue;
    if (apart.defined.count(user->getParent()) == 0) return false;
    const auto is_apart = [&](const Earlier& pair) {
      return pair.before.contains(definition->getParent()) && pair.behind.contains(user->getParent());
    };
    if (!is_near && llvm::any_of(apart.earlier, is_apart)) return false;
  }
  for (const Loop* loop = loops_.getLoopFor(definition->getParent()); loop != nullptr; loop = loop->getParentLoop()) {
    const auto known = iterations_.find(loop);
    if (known == iterations_.end()) continue;
    if (known->second.differ_inside && !is_near) return false;
    if (known->second.differ_outside && !loop->contains(user->getParent())) return false;
  }
  return true;
}

Uniformity::Uniformity(const llvm::Function& function, const llvm::LoopInfo& loops, const ValueSet& uniform,
                       Scope scope, const ReconvergencePoints& points, const ValueSet& sources)
    : propagation_(std::make_unique<Propagation>(function, loops, uniform, scope, points, sources)) {}
Uniformity::~Uniformity() = default;
Uniformity::Uniformity(Uniformity&&) noexcept = default;
Uniformity& Uniformity::operator=(Uniformity&&) noexcept = default;

bool Uniformity::relies_on_own_memory() const { return propagation_->relies_on_own_memory(); }

bool Uniformity::is_uniform(const llvm::Value& value) const { return !propagation_->is_divergent(value); }

bool Uniformity::is_uniform_use(const llvm::Use& use) const {
  return is_uniform(*use.get()) && propagation_->is_same_value(use);
}

bool Uniformity::is_same_execution(const llvm::Use& use) const {
  return is_same_execution(*use.get(), llvm::cast<Instruction>(*use.getUser()));
}

bool Uniformity::is_same_execution(const llvm::Value& value, const Instruction& user) const {
  return propagation_->is_same_execution(value, user);
}

bool Uniformity::is_reconvergence(const llvm::PHINode& phi) const { return propagation_->is_reconvergence(phi); }

bool Uniformity::is_divergent_branch(const llvm::BasicBlock& block) const { return propagation_->is_divergent(block); }

}  // namespace warpspan::lift
