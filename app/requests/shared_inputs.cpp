// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/shared_inputs.hpp"

namespace warpspan::app {

void SharedInputs::add(const RunRecord& part) {
  for (const Hashed& input : part.inputs) look_at(input, "file '");
  for (const Hashed& machine : part.machines) look_at(machine, "machine '");
}

void SharedInputs::look_at(const Hashed& input, const std::string& what) {
  const std::string& first = known_.emplace(what + input.name, input.sha256).first->second;
  if (first == input.sha256 || !reported_.insert(what + input.name).second) return;
  errors_.push_back(support::usage_error("the shards have read different versions of the " + what + input.name + "'",
                                         "run all shards on the same files"));
}

}  // namespace warpspan::app
