// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/machine_shelf.hpp"

#include "app/facts/spelling.hpp"
#include "timing/machine/write.hpp"

namespace warpspan::app {

const support::Result<timing::Machine>& MachineShelf::find(const std::string& name, const std::string& target) {
  const std::pair<std::string, std::string> key = {name, name.empty() ? target : ""};
  const auto known = loaded_.find(key);
  if (known != loaded_.end()) return known->second;
  auto machine = name.empty() ? timing::machine_for_target(target) : timing::load_machine(name);
  if (!machine) machine = spelled(machine.errors());
  return loaded_.emplace(key, std::move(machine)).first->second;
}

const RunRecord& MachineShelf::record_of(const timing::Machine& machine) {
  const auto [record, fresh] = records_.try_emplace(&machine);
  if (fresh) record->second.add_machine(machine.name, timing::to_toml(machine));
  return record->second;
}

const std::string& MachineShelf::hash_of(const timing::Machine& machine) {
  return record_of(machine).machines.front().sha256;
}

void MachineShelf::record(const timing::Machine& machine, RunRecord& run) { run.add(record_of(machine)); }

}  // namespace warpspan::app
