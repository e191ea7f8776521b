// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/shared_inputs.hpp"

#include <map>
#include <set>
#include <string>

namespace warpspan::app {

support::Diagnostics differing_inputs(const std::vector<RunRecord>& parts) {
  support::Diagnostics errors;
  std::map<std::string, std::string> known;
  std::set<std::string> reported;
  const auto look = [&](const Hashed& input, const std::string& what) {
    const std::string& first = known.emplace(what + input.name, input.sha256).first->second;
    if (first == input.sha256 || !reported.insert(what + input.name).second) return;
    errors.push_back(support::usage_error("the shards have read different versions of the " + what + input.name + "'",
                                          "run all shards on the same files"));
  };
  for (const RunRecord& part : parts) {
    for (const Hashed& input : part.inputs) look(input, "file '");
    for (const Hashed& machine : part.machines) look(machine, "machine '");
  }
  return errors;
}

}  // namespace warpspan::app
