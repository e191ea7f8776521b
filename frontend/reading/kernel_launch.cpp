// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/reading/kernel_launch.hpp"

#include <algorithm>
#include <utility>

#include "support/symbol_name.hpp"

namespace warpspan::frontend {

namespace {

using support::Diagnostic;

std::string to_text(const ir::Extent& e) {
  std::string text = std::to_string(e.x);
  if (e.y != 1 || e.z != 1) text += "," + std::to_string(e.y);
  if (e.z != 1) text += "," + std::to_string(e.z);
  return text;
}

Diagnostic error_at(const KernelHead& kernel, std::string message, std::string help) {
  Diagnostic error = kernel.at;
  error.message = std::move(message);
  error.help = std::move(help);
  return error;
}

// By its name in the code, or its index.
bool has_in_code(const KernelHead& kernel, const std::string& wanted) {
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    if (wanted == std::to_string(i) || wanted == kernel.parameters[i]) return true;
  }
  return false;
}

bool has_parameter(const KernelHead& kernel, const std::string& wanted) {
  if (has_in_code(kernel, wanted)) return true;
  const ir::ParameterNames* names = kernel.source_names();
  return names != nullptr && names->has(wanted);
}

// Source names are only read for what the code does not name.
template <typename Fact>
void name_as_in_code(const KernelHead& kernel, const std::string& parameter, Fact& fact) {
  if (has_in_code(kernel, parameter)) return;
  if (const ir::ParameterNames* names = kernel.source_names()) names->place(fact);
}

// The parameter that a buffer is at, or has its pointer in: PARAMETER or PARAMETER+8.
std::string parameter_of(const ir::Buffer& buffer) { return buffer.parameter.substr(0, buffer.parameter.find('+')); }

// The indices of those facts that are for this kernel. Facts of one kernel stand together.
template <typename Fact>
std::vector<size_t> facts_for(const std::string& kernel, const std::vector<Fact>& facts) {
  std::vector<size_t> own;
  const std::string* pattern = nullptr;
  bool is_own = false;
  for (size_t i = 0; i < facts.size(); ++i) {
    if (pattern == nullptr || *pattern != facts[i].kernel) {
      pattern = &facts[i].kernel;
      is_own = pattern->empty() || support::names_symbol(*pattern, kernel);
    }
    if (is_own) own.push_back(i);
  }
  return own;
}

// Leaves those that are for the kernel.
template <typename Fact>
void choose(const std::string& kernel, std::vector<Fact>& facts) {
  std::vector<Fact> own;
  for (const size_t i : facts_for(kernel, facts)) own.push_back(std::move(facts[i]));
  facts = std::move(own);
}

}  // namespace

bool has_block(const KernelHead& kernel, const ir::Launch& launch) {
  return launch.block || kernel.launch_bounds.required.x != 0 || kernel.launch_bounds.maximum.x != 0;
}

std::optional<Diagnostic> choose_block(const KernelHead& kernel, AnalyzedKernel& result) {
  const std::string name = support::quoted_symbol(kernel.name);
  const ir::Extent& required = kernel.launch_bounds.required;
  const ir::Extent& maximum = kernel.launch_bounds.maximum;
  if (!result.launch.block) {
    if (required.x == 0 && maximum.x == 0) {
      return error_at(kernel, "the block of kernel " + name + " is not known",
                      "give {block} X[,Y[,Z]], or compile with __launch_bounds__");
    }
    result.launch.block = required.x != 0 ? required : maximum;
    result.block_from_file = true;
    return std::nullopt;
  }
  const ir::Extent& block = *result.launch.block;
  if (required.x != 0 && (block.x != required.x || block.y != required.y || block.z != required.z)) {
    return error_at(
        kernel, "kernel " + name + " must be launched with blocks of " + to_text(required) + ", not " + to_text(block),
        "give {block} " + to_text(required));
  }
  const int64_t threads = block.count().value().value_or(INT64_MAX);
  const int64_t most = maximum.count().value().value_or(INT64_MAX);
  if (required.x == 0 && maximum.x != 0 && threads > most) {
    return error_at(kernel,
                    "kernel " + name + " allows at most " + std::to_string(most) + " threads in a block, not " +
                        std::to_string(threads),
                    "give a smaller {block}, or compile with a larger __launch_bounds__");
  }
  return std::nullopt;
}

OwnLaunch launch_of(const KernelHead& kernel, const std::vector<KernelHead>& kernels, const ir::Launch& launch) {
  OwnLaunch own = {launch, facts_for(kernel.name, launch.loop_bounds)};
  ir::for_each_list(own.launch, [&kernel](auto& facts) { choose(kernel.name, facts); });
  std::erase_if(own.launch.buffers,
                [&](const ir::Buffer& buffer) { return !has_parameter(kernel, parameter_of(buffer)); });
  for (ir::Buffer& buffer : own.launch.buffers) name_as_in_code(kernel, parameter_of(buffer), buffer);
  const auto is_of_others = [&](const ir::Argument& argument) {
    const auto has = [&argument](const KernelHead& k) { return has_parameter(k, argument.parameter); };
    return !has(kernel) && (argument.origin.is_file() || std::any_of(kernels.begin(), kernels.end(), has));
  };
  std::erase_if(own.launch.arguments, is_of_others);
  for (ir::Argument& argument : own.launch.arguments) name_as_in_code(kernel, argument.parameter, argument);
  return own;
}

}  // namespace warpspan::frontend
