// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let M be a loop around a loop L, and C phis of the header of M of which the values in an iteration of M are
// known. Let F be the function in which they have these values, and every other phi of the header of M and of the loops
// around it may be anything. Where control comes in F to no block of L, L is not entered in that iteration; what is the
// same number wherever it is calculated in F is that number in it; and L runs its header no more often in it than in F.
//
// Proof. Each value that is used in the iteration is calculated in it, or is a phi of M's header, or is calculated
// before it in a block that dominates that header (there is no cycle but loops). Of the last kind of values each is
// calculated in the current iterations of the loops around M, from phis of their headers and what dominates them. So F
// may do whatever the function does from these phis on, and then all of the iteration, as that does nothing with C but
// use their values. QED
//
// So where M has few iterations, and C are its counters, the most of what L runs in F for each iteration is a bound: a
// branch that values decide leads where it leads, and what paths join is what comes by the path that is taken. It finds
// what an assembler makes of a loop from one counter to a constant, as of a triangle, when it unrolls that several
// times.

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "frontend/lift/trips/methods/trip_methods.hpp"
#include "frontend/lift/values/propagation.hpp"

namespace warpspan::lift {

namespace {

constexpr int64_t most_iterations = 64;

// Operands that are others for a while.
class Replaced {
 public:
  Replaced() = default;
  Replaced(const Replaced&) = delete;
  Replaced& operator=(const Replaced&) = delete;
  ~Replaced() {
    for (auto it = before_.rbegin(); it != before_.rend(); ++it) it->first->set(it->second);
    for (llvm::Instruction* made : made_) made->eraseFromParent();
  }

  void set(llvm::Use& use, llvm::Value& value) {
    before_.emplace_back(&use, use.get());
    use.set(&value);
  }
  void set_all(llvm::PHINode& phi, llvm::Value& value) {
    for (llvm::Use& use : phi.incoming_values()) set(use, value);
  }
  // A value of which nothing is known.
  llvm::Value& unknown(llvm::Type& type, llvm::Function& function) {
    llvm::FunctionCallee callee = function.getParent()->getOrInsertFunction(
        "lift.opaque.i" + std::to_string(type.getIntegerBitWidth()), llvm::FunctionType::get(&type, true));
    made_.push_back(llvm::CallInst::Create(callee, {}, "", function.getEntryBlock().getFirstInsertionPt()));
    return *made_.back();
  }

 private:
  std::vector<std::pair<llvm::Use*, llvm::Value*>> before_;
  std::vector<llvm::Instruction*> made_;
};

// A phi, and its value in the first iteration and from one to the next.
struct Counter {
  llvm::PHINode* phi = nullptr;
  llvm::APInt value, step;
};

std::vector<Counter> counters_of(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  std::vector<Counter> counters;
  for (llvm::PHINode& phi : loop.getHeader()->phis()) {
    if (!evolution.isSCEVable(phi.getType())) continue;
    const auto* sum = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(&phi));
    if (sum == nullptr || sum->getLoop() != &loop || !sum->isAffine()) continue;
    const auto *start = llvm::dyn_cast<llvm::SCEVConstant>(sum->getStart()),
               *step = llvm::dyn_cast<llvm::SCEVConstant>(sum->getOperand(1));
    if (start != nullptr && step != nullptr && !step->isZero())
      counters.push_back({&phi, start->getAPInt(), step->getAPInt()});
  }
  return counters;
}

class OuterValues {
 public:
  explicit OuterValues(const TripContext& context)
      : context_(context),
        function_(*context.loop.getHeader()->getParent()),
        functions_(llvm::Triple(function_.getParent()->getTargetTriple())),
        library_(functions_) {}

  std::optional<int64_t> count() {
    for (const llvm::Loop* outer = context_.loop.getParentLoop(); outer != nullptr; outer = outer->getParentLoop()) {
      const auto id = context_.ids.find(outer);
      if (id == context_.ids.end()) continue;
      const ir::Loop& known = context_.flow.loops[id->second];
      const int64_t iterations = known.trip_count.value_or(most_iterations + 1);
      if (iterations < 2 || iterations > most_iterations || known.source == ir::TripCountSource::user) continue;
      const std::vector<Counter> counters = counters_of(*outer, context_.evolution);
      const auto work = static_cast<int64_t>(function_.getInstructionCount()) * iterations;
      if (counters.empty() || work > context_.range_budget) continue;
      context_.range_budget -= work;
      if (const auto trips = most_of(*outer, counters, iterations)) return trips;
    }
    return std::nullopt;
  }

 private:
  // In all iterations of the outer loop.
  std::optional<int64_t> most_of(const llvm::Loop& outer, std::vector<Counter> counters, int64_t iterations) {
    int64_t most = 1;
    for (int64_t i = 0; i < iterations; ++i) {
      const auto trips = trips_in(outer, counters);
      if (!trips) return std::nullopt;
      most = std::max(most, *trips);
      for (Counter& counter : counters) counter.value += counter.step;
    }
    return most;
  }

  // In F of the theorem.
  std::optional<int64_t> trips_in(const llvm::Loop& outer, const std::vector<Counter>& counters) {
    Replaced replaced;
    for (const llvm::Loop* around = &outer; around != nullptr; around = around->getParentLoop()) {
      for (llvm::PHINode& phi : around->getHeader()->phis()) {
        if (!phi.getType()->isIntegerTy()) return std::nullopt;
        const auto known =
            std::find_if(counters.begin(), counters.end(), [&phi](const Counter& c) { return c.phi == &phi; });
        llvm::Value& value = known != counters.end() ? *llvm::ConstantInt::get(phi.getContext(), known->value)
                                                     : replaced.unknown(*phi.getType(), function_);
        replaced.set_all(phi, value);
      }
    }
    const auto solver = propagated(function_, library_);
    if (!solver->isBlockExecutable(context_.loop.getHeader())) return 0;
    for (llvm::BasicBlock* block : context_.loop.blocks()) {
      for (llvm::Instruction& instruction : *block) {
        for (llvm::Use& use : instruction.operands()) use_number(use, *solver, replaced);
      }
    }
    const auto found = context_.counts.again().bound(context_.loop);
    return found ? std::optional(found->most) : std::nullopt;
  }

  // Of what is calculated before the loop.
  void use_number(llvm::Use& use, const llvm::SCCPSolver& solver, Replaced& replaced) const {
    auto* made = llvm::dyn_cast<llvm::Instruction>(use.get());
    if (made == nullptr || !made->getType()->isIntegerTy() || context_.loop.contains(made)) return;
    if (llvm::Constant* number = solver.getConstantOrNull(made)) replaced.set(use, *number);
  }

  const TripContext& context_;
  llvm::Function& function_;
  llvm::TargetLibraryInfoImpl functions_;
  llvm::TargetLibraryInfo library_;
};

}  // namespace

std::optional<Trips> trips_by_outer_values(const TripContext& context) { return at_most(OuterValues(context).count()); }

}  // namespace warpspan::lift
