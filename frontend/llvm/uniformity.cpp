#include "frontend/llvm/uniformity.hpp"

#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>

#include "frontend/llvm/emitter.hpp"

namespace warpspan::lift {

namespace {

// Tells the analysis what a warp is. Without it the analysis takes everything to be uniform. LLVM's own description of
// NVPTX would take every call to yield different values in each lane, and with them our calls for loads and for
// parameters.
class WarpModel : public llvm::TargetTransformInfoImplCRTPBase<WarpModel> {
 public:
  WarpModel(const llvm::DataLayout& layout, const ValueSet* uniform)
      : TargetTransformInfoImplCRTPBase(layout), uniform_(uniform) {}

  bool hasBranchDivergence(const llvm::Function*) const noexcept { return true; }

  // Everything the translation emits that reads memory or the thread's position is a call.
  bool isSourceOfDivergence(const llvm::Value* value) const noexcept {
    if (uniform_->count(value) > 0) return false;
    switch (call_kind(*value)) {
      case CallKind::pure:
      case CallKind::same:
      case CallKind::uniform: return false;
      case CallKind::none: return !is_plain(*value);
      default: return true;
    }
  }

  bool isAlwaysUniform(const llvm::Value* value) const noexcept { return uniform_->count(value) > 0; }

 private:
  static bool is_plain(const llvm::Value& value) {
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&value)) {
      switch (call->getIntrinsicID()) {
        case llvm::Intrinsic::ctpop:
        case llvm::Intrinsic::ctlz:
        case llvm::Intrinsic::bitreverse: return true;
        default: return false;
      }
    }
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return instruction != nullptr && !instruction->mayReadOrWriteMemory();
  }

  const ValueSet* uniform_;
};

}  // namespace

struct Uniformity::State {
  State(llvm::Function& function, const ValueSet& uniform) {
    analyses.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
    analyses.registerPass([] { return llvm::DominatorTreeAnalysis(); });
    analyses.registerPass([] { return llvm::CycleAnalysis(); });
    analyses.registerPass([] { return llvm::UniformityInfoAnalysis(); });
    analyses.registerPass([&uniform] {
      return llvm::TargetIRAnalysis([&uniform](const llvm::Function& f) noexcept {
        return llvm::TargetTransformInfo(WarpModel(f.getDataLayout(), &uniform));
      });
    });
    info = &analyses.getResult<llvm::UniformityInfoAnalysis>(function);
  }

  llvm::FunctionAnalysisManager analyses;
  llvm::UniformityInfo* info = nullptr;
};

Uniformity::Uniformity(llvm::Function& function, const ValueSet& uniform)
    : state_(std::make_unique<State>(function, uniform)) {}
Uniformity::~Uniformity() = default;
Uniformity::Uniformity(Uniformity&&) noexcept = default;
Uniformity& Uniformity::operator=(Uniformity&&) noexcept = default;

bool Uniformity::is_uniform(const llvm::Value& value) const { return state_->info->isUniform(&value); }

bool Uniformity::is_uniform_use(const llvm::Use& use) const { return !state_->info->isDivergentUse(use); }

bool Uniformity::is_divergent_branch(const llvm::BasicBlock& block) const {
  return state_->info->hasDivergentTerminator(block);
}

}  // namespace warpspan::lift
