// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/kernels/compiled_kernels.hpp"

#include <algorithm>

#include "frontend/object/image_choice.hpp"
#include "support/checked.hpp"

namespace warpspan::app {

namespace {

std::optional<int64_t> larger(const std::optional<int64_t>& a, const std::optional<int64_t>& b) {
  return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
}

std::optional<int64_t> smaller(const std::optional<int64_t>& a, const std::optional<int64_t>& b) {
  return a && b ? std::optional(std::min(*a, *b)) : std::nullopt;
}

int64_t sum(int64_t a, int64_t b) { return (support::Integer(a) + b).value().value_or(INT64_MAX); }

}  // namespace

CompiledKernel worst_of(const CompiledKernel& a, const CompiledKernel& b) {
  CompiledKernel worst = {larger(a.registers, b.registers),
                          smaller(a.fewest_registers, b.fewest_registers),
                          larger(a.spill, b.spill),
                          larger(a.stack, b.stack),
                          larger(a.shared, b.shared),
                          larger(a.constant, b.constant),
                          a.logs,
                          a.is_code && b.is_code,
                          larger(a.instructions, b.instructions),
                          a.optimized && b.optimized,
                          larger(a.frame, b.frame),
                          a.frames};
  worst.logs.insert(b.logs.begin(), b.logs.end());
  for (const auto& [function, bytes] : b.frames) worst.frames[function] = std::max(worst.frames[function], bytes);
  return worst;
}

void CompiledKernels::add(const std::string& architecture, const std::string& kernel, const CompiledKernel& compiled) {
  const auto [known, is_new] = kernels_.try_emplace({object::without_suffix(architecture), kernel}, compiled);
  if (!is_new) known->second = worst_of(known->second, compiled);
}

void CompiledKernels::add(const CompiledKernels& others) {
  for (const auto& [key, compiled] : others.kernels_) add(key.first, key.second, compiled);
  function_spill_ = sum(function_spill_, others.function_spill_);
  function_stack_ = std::max(function_stack_, others.function_stack_);
  function_logs_.insert(others.function_logs_.begin(), others.function_logs_.end());
  for (const auto& [function, bytes] : others.frames_) add_frame(function, bytes);
}

void CompiledKernels::add_frame(const std::string& function, int64_t bytes) {
  frames_[function] = std::max(frames_[function], bytes);
}

void CompiledKernels::add_function(int64_t spill, int64_t stack, const std::string& log) {
  function_spill_ = sum(function_spill_, spill);
  function_stack_ = std::max(function_stack_, stack);
  function_logs_.insert(log);
}

std::optional<CompiledKernel> CompiledKernels::find(const std::vector<std::string>& architectures,
                                                    const std::string& kernel) const {
  std::optional<CompiledKernel> worst;
  std::set<std::string> stated = {""};
  for (const std::string& architecture : architectures) stated.insert(object::without_suffix(architecture));
  for (const std::string& architecture : stated) {
    const auto known = kernels_.find({architecture, kernel});
    if (known == kernels_.end()) continue;
    worst = worst ? worst_of(*worst, known->second) : known->second;
  }
  if (!worst) return worst;
  if (worst->spill) worst->spill = sum(*worst->spill, function_spill_);
  if (worst->stack) worst->stack = std::max(*worst->stack, function_stack_);
  worst->logs.insert(function_logs_.begin(), function_logs_.end());
  worst->frames = frames_;
  return worst;
}

std::vector<std::string> CompiledKernels::architectures_of(const std::string& kernel) const {
  std::vector<std::string> architectures;
  for (const auto& [key, compiled] : kernels_) {
    if (key.second == kernel && !key.first.empty()) architectures.push_back(key.first);
  }
  return architectures;
}

}  // namespace warpspan::app
