// SPDX-License-Identifier: GPL-3.0-or-later
// Machines that several kernels of a run share.
#pragma once

#include <map>
#include <string>

#include "app/reports/run_record.hpp"
#include "support/result.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::app {

// Each machine is loaded once, and its figures are hashed once. Machines do not move.
class MachineShelf {
 public:
  // The machine of that name or file, or, without a name, the default one of the target.
  const support::Result<timing::Machine>& find(const std::string& name, const std::string& target);

  // The hash of its figures.
  const std::string& hash_of(const timing::Machine& machine);

  // Makes a machine that was found a part of the run.
  void record(const timing::Machine& machine, RunRecord& run);

 private:
  const RunRecord& record_of(const timing::Machine& machine);

  std::map<std::pair<std::string, std::string>, support::Result<timing::Machine>> loaded_;
  std::map<const timing::Machine*, RunRecord> records_;
};

}  // namespace warpspan::app
