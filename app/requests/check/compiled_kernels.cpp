#include "app/requests/check/compiled_kernels.hpp"

#include <algorithm>

namespace warpspan::app {

namespace {

std::optional<int64_t> larger(const std::optional<int64_t>& a, const std::optional<int64_t>& b) {
  return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
}

std::string without_letter(std::string architecture) {
  if (!architecture.empty() && (architecture.back() == 'a' || architecture.back() == 'f')) architecture.pop_back();
  return architecture;
}

}  // namespace

CompiledKernel worst_of(const CompiledKernel& a, const CompiledKernel& b) {
  CompiledKernel worst = {larger(a.registers, b.registers), larger(a.spill, b.spill), larger(a.stack, b.stack),
                          larger(a.shared, b.shared), a.logs};
  worst.logs.insert(b.logs.begin(), b.logs.end());
  return worst;
}

void CompiledKernels::add(const std::string& architecture, const std::string& kernel, const CompiledKernel& compiled) {
  const auto [known, is_new] = kernels_.try_emplace({without_letter(architecture), kernel}, compiled);
  if (!is_new) known->second = worst_of(known->second, compiled);
}

void CompiledKernels::add(const CompiledKernels& others) {
  for (const auto& [key, compiled] : others.kernels_) add(key.first, key.second, compiled);
}

std::optional<CompiledKernel> CompiledKernels::find(const std::vector<std::string>& architectures,
                                                    const std::string& kernel) const {
  std::optional<CompiledKernel> worst;
  for (const std::string& architecture : architectures) {
    const auto known = kernels_.find({without_letter(architecture), kernel});
    if (known == kernels_.end()) continue;
    worst = worst ? worst_of(*worst, known->second) : known->second;
  }
  return worst;
}

std::vector<std::string> CompiledKernels::architectures_of(const std::string& kernel) const {
  std::vector<std::string> architectures;
  for (const auto& [key, compiled] : kernels_) {
    if (key.second == kernel) architectures.push_back(key.first);
  }
  return architectures;
}

}  // namespace warpspan::app
