// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/llvm_ir/module_target.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include <set>

namespace warpspan::llvm_ir {

namespace {

using support::Diagnostic;

Diagnostic refusal(std::string message, std::string help) {
  Diagnostic error;
  error.message = std::move(message);
  error.help = std::move(help);
  return error;
}

// "ptx75" of "+ptx75,+sm_80".
std::string ptx_version_in(llvm::StringRef features) {
  llvm::SmallVector<llvm::StringRef, 4> words;
  features.split(words, ',');
  for (const llvm::StringRef word : words) {
    if (word.starts_with("+ptx")) return word.drop_front().str();
  }
  return {};
}

std::string listed(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

struct Declared {
  std::set<std::string> targets, ptx_versions;  // by some function; never empty words
};

Declared declared_by(const llvm::Module& module) {
  Declared declared;
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const std::string target = function.getFnAttribute("target-cpu").getValueAsString().str();
    const std::string version = ptx_version_in(function.getFnAttribute("target-features").getValueAsString());
    if (!target.empty()) declared.targets.insert(target);
    if (!version.empty()) declared.ptx_versions.insert(version);
  }
  return declared;
}

}  // namespace

support::Result<Target> target_of(const llvm::Module& module, const Flags& flags) {
  const llvm::Triple triple(module.getTargetTriple());
  if (!triple.isNVPTX()) {
    const std::string name = module.getTargetTriple();
    return refusal(name.empty() ? "the module has no target triple" : "the module is for '" + name + "'",
                   "compile it for nvptx64-nvidia-cuda, as clang does with --cuda-device-only");
  }
  const Declared declared = declared_by(module);
  Target target;
  if (flags.target.empty() && declared.targets.size() != 1) {
    return refusal(declared.targets.empty() ? "the module does not say which GPU it is for"
                                            : "its functions are for several GPUs: " + listed(declared.targets),
                   "give {flags} '-mcpu=sm_80', or another target");
  }
  if (flags.ptx_version.empty() && declared.ptx_versions.size() > 1) {
    return refusal("its functions are for several versions of PTX: " + listed(declared.ptx_versions),
                   "give {flags} '-mattr=+ptx75', or another version");
  }
  target.name = flags.target.empty() ? *declared.targets.begin() : flags.target;
  // A version that the module says is for the target that it says.
  if (!flags.ptx_version.empty()) {
    target.features = "+" + flags.ptx_version;
  } else if (flags.target.empty() && !declared.ptx_versions.empty()) {
    target.features = "+" + *declared.ptx_versions.begin();
  }
  return target;
}

}  // namespace warpspan::llvm_ir
