// SPDX-License-Identifier: GPL-3.0-or-later
// Each structure is taken apart into all its members: a new one does not compile until it is part of the key, or is
// left out for a reason. Launches compare all of theirs.
#include "app/requests/response/kernel_key.hpp"

namespace warpspan::app {

namespace {

using Words = std::vector<std::string>;

void add(const Words& more, Words& words) {
  words.push_back(std::to_string(more.size()));
  words.insert(words.end(), more.begin(), more.end());
}

void add(const timing::Grant& assumed, Words& words) {
  words.emplace_back(assumed.is_usual() ? "1" : "0");
  for (size_t i = 0; i < timing::assumptions; ++i) {
    words.emplace_back(assumed.has(static_cast<timing::Assumption>(i)) ? "1" : "0");
  }
}

void add(const Compilation& how, Words& words) {
  const auto& [compiler, flags, target, wanted, assembler, assemblies, inputs, cancel] = how;
  add(compiler, words);
  add(flags, words);
  words.push_back(target);
  words.push_back(std::to_string(static_cast<int>(wanted)));
  add(assembler, words);
  static_cast<void>(assemblies);
  static_cast<void>(inputs);
  static_cast<void>(cancel);
}

}  // namespace

KernelKey key_of(const KernelOfFile& kernel) {
  const auto& [file, name, facts, compilation, launch, assumed] = kernel;
  KernelKey key = {{file, name, facts}, launch};
  add(compilation, key.words);
  add(assumed, key.words);
  return key;
}

}  // namespace warpspan::app
