// SPDX-License-Identifier: GPL-3.0-or-later
// What the source calls the parameters of kernels, by the debug information of a PTX file (nvcc -G, clang -g).
#pragma once

#include <atomic>
#include <map>
#include <memory>

#include "frontend/ptx/syntax/ast.hpp"
#include "ir/parameter_names.hpp"

namespace warpspan::frontend {

// Reads the debug information when names are first asked for. Kernels that are analyzed side by side may share it.
class SourceNames {
 public:
  // The module must outlive it.
  explicit SourceNames(const ptx::Module& module) : module_(module) {}

  // Of a kernel of the module. Null where the debug information has not exactly its parameters, each of its size, or is
  // none or malformed: that is never an error.
  std::shared_ptr<const ir::ParameterNames> of(const ptx::Function& kernel) const;

  // Whether anything was asked.
  bool is_read() const { return known_.load() != nullptr; }

 private:
  using Known = std::map<const ptx::Function*, std::shared_ptr<const ir::ParameterNames>>;

  Known read() const;

  const ptx::Module& module_;
  // No lock: a thread that has no memory left stops where it is, for good.
  mutable std::atomic<std::shared_ptr<const Known>> known_;
};

}  // namespace warpspan::frontend
