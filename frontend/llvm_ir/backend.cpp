// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/llvm_ir/backend.hpp"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>

#include "frontend/llvm_ir/module_target.hpp"

namespace warpspan::llvm_ir {

namespace {

using support::Diagnostic;
using support::Diagnostics;
using support::Result;

Diagnostic refusal(std::string message, std::string help = {}) {
  Diagnostic error;
  error.message = std::move(message);
  error.help = std::move(help);
  return error;
}

// What LLVM says while it works: errors are kept, which by default would end the program.
class Listener : public llvm::DiagnosticHandler {
 public:
  explicit Listener(Diagnostics& errors) : errors_(errors) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error) return true;
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    errors_.push_back(refusal("LLVM: " + text));
    return true;
  }

 private:
  Diagnostics& errors_;
};

Diagnostic not_read(const llvm::SMDiagnostic& failure) {
  Diagnostic error = refusal("LLVM cannot read it: " + failure.getMessage().str());
  if (failure.getLineNo() > 0) {
    error.location.line = failure.getLineNo();
    error.location.column = failure.getColumnNo() + 1;
    error.source_line = failure.getLineContents().str();
  }
  return error;
}

Result<std::unique_ptr<llvm::Module>> read(const std::string& text, llvm::LLVMContext& context) {
  llvm::SMDiagnostic failure;
  auto module = llvm::parseIR(llvm::MemoryBufferRef(text, "module"), failure, context);
  if (module == nullptr) return not_read(failure);
  std::string reason;
  llvm::raw_string_ostream stream(reason);
  if (llvm::verifyModule(*module, &stream)) {
    stream.flush();
    return refusal("the module breaks a rule of LLVM IR: " + reason.substr(0, reason.find('\n')));
  }
  return module;
}

// Whether this LLVM knows such targets and versions of PTX.
Result<bool> is_known(const llvm::Target& nvptx, const std::string& triple, const Target& target) {
  const std::unique_ptr<llvm::MCSubtargetInfo> subtarget(nvptx.createMCSubtargetInfo(triple, "", ""));
  if (!subtarget->isCPUStringValid(target.name)) {
    return support::usage_error("LLVM " LLVM_VERSION_STRING " knows no target '" + target.name + "'",
                                "give {flags} '-mcpu=sm_80', or another target that it knows");
  }
  if (target.features.empty()) return true;
  for (const llvm::SubtargetFeatureKV& feature : subtarget->getAllProcessorFeatures()) {
    if (target.features == std::string("+") + feature.Key) return true;
  }
  return support::usage_error("LLVM " LLVM_VERSION_STRING " knows no '" + target.features.substr(1) + "'",
                              "give {flags} '-mattr=+ptx75', or another version that it knows");
}

llvm::CodeGenOptLevel code_generation(const Flags& flags) {
  return llvm::CodeGenOpt::getLevel(flags.level.value_or(2)).value_or(llvm::CodeGenOptLevel::Default);
}

Result<std::unique_ptr<llvm::TargetMachine>> machine_for(const llvm::Module& module, const Flags& flags) {
  const auto target = target_of(module, flags);
  if (!target) return target.errors();
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  std::string reason;
  const std::string& triple = module.getTargetTriple();
  const llvm::Target* nvptx = llvm::TargetRegistry::lookupTarget(triple, reason);
  if (nvptx == nullptr) return refusal("LLVM " LLVM_VERSION_STRING " was built without its NVPTX backend");
  const auto known = is_known(*nvptx, triple, *target);
  if (!known) return known.errors();
  std::unique_ptr<llvm::TargetMachine> machine(nvptx->createTargetMachine(
      triple, target->name, target->features, {}, std::nullopt, std::nullopt, code_generation(flags)));
  if (machine == nullptr) return refusal("LLVM " LLVM_VERSION_STRING " has no backend for '" + triple + "'");
  return machine;
}

// As 'opt' does with -O and the number.
void optimize(llvm::Module& module, llvm::TargetMachine& machine, int level) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  using Level = llvm::OptimizationLevel;
  const Level levels[] = {Level::O0, Level::O1, Level::O2, Level::O3};
  auto passes =
      level == 0 ? builder.buildO0DefaultPipeline(Level::O0) : builder.buildPerModuleDefaultPipeline(levels[level]);
  passes.run(module, modules);
}

Result<std::string> print(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::SmallString<0> ptx;
  llvm::raw_svector_ostream stream(ptx);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile)) {
    return refusal("LLVM " LLVM_VERSION_STRING " cannot print PTX");
  }
  passes.run(module);
  return ptx.str().str();
}

}  // namespace

Result<std::string> run_backend(const std::string& text, const Flags& flags) {
  Diagnostics errors;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<Listener>(errors));
  auto module = read(text, context);
  if (!module) return module.errors();
  auto machine = machine_for(**module, flags);
  if (!machine) return machine.errors();
  const llvm::DataLayout layout = (*machine)->createDataLayout();
  if ((*module)->getDataLayout().isDefault()) (*module)->setDataLayout(layout);
  if ((*module)->getDataLayout() != layout) {
    return refusal("the module has the data layout '" + (*module)->getDataLayoutStr() + "', which is not that of " +
                       (*module)->getTargetTriple(),
                   "compile it with the LLVM that warpspan has: " LLVM_VERSION_STRING);
  }
  if (flags.level) optimize(**module, **machine, *flags.level);
  auto ptx = print(**module, **machine);
  if (!errors.empty()) return errors;
  return ptx;
}

}  // namespace warpspan::llvm_ir
