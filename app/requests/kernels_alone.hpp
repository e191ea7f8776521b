// SPDX-License-Identifier: GPL-3.0-or-later
// Requests that ask something of each kernel and its machine, and no bound.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/facts/spelling.hpp"
#include "app/requests/kernels/kernel_files.hpp"
#include "app/requests/machine_shelf.hpp"
#include "support/isolated.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

struct KernelOnMachine {
  const KernelFile& file;
  const frontend::AnalyzedKernel& analyzed;
  const timing::Machine& machine;
  support::Diagnostics& remarks;  // warnings and notes on it
};

// Of the machine, if one is named: its devices, by which kernels are read. Errors: those of the machine.
inline support::Diagnostics take_devices(MachineShelf& machines, const std::string& machine, KernelRequest& request) {
  if (machine.empty()) return {};
  const auto& named = machines.find(machine, "");
  if (!named) return named.errors();
  request.devices = named->targets;
  return {};
}

// In the order of the files and of the kernels in them; errors and remarks go to the files.
// machine: name or file; empty: the default machine of each kernel's .target. task: "in the simulation", of errors of
// kernels for which memory runs out.
template <typename Found>
std::vector<Found> ask_of_files(std::vector<KernelFile>& files, MachineShelf& machines, const std::string& machine,
                                const std::string& task,
                                const std::function<support::Result<Found>(const KernelOnMachine&)>& ask) {
  std::vector<Found> all;
  for (KernelFile& file : files) {
    support::Diagnostics remarks;
    for (const frontend::AnalyzedKernel& analyzed : file.kernels) {
      const ir::Kernel& kernel = analyzed.kernel;
      const auto ask_one = [&]() -> support::Result<Found> {
        const auto& used = machines.find(machine, kernel.target);
        if (!used) return used.errors();
        return ask({file, analyzed, *used, remarks});
      };
      auto found =
          support::isolated(kernel.location, task + " of kernel " + support::quoted_symbol(kernel.name), ask_one);
      if (found) {
        all.push_back(std::move(*found));
      } else {
        const support::Diagnostics errors = spelled(found.errors());
        remarks.insert(remarks.end(), errors.begin(), errors.end());
      }
    }
    file.errors.add(remarks);
  }
  return all;
}

}  // namespace warpspan::app
