// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of a kernel's machine code, against executions of it: none may go beyond it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ir/flow.hpp"
#include "tests/machine_code/interpreter/interpreter.hpp"
#include "tests/reference/access_findings.hpp"

namespace warpspan::machine_code {

struct FactsSubject {
  std::string cubin;  // its bytes
  std::string kernel;
  ir::Launch told;                        // what the analysis is told, with a block
  Launch launch;                          // what is executed, in each of the orders
  std::map<uint32_t, uint64_t> pointers;  // by parameter
  bool aligned = true;                    // all of them are multiples of 256
  bool whole_grid = true;                 // all blocks of the grid are executed
  std::function<void(reference::Memory&)> fill = [](reference::Memory&) {};
};

struct FactsCheck : reference::AccessFindings {
  enum class Verdict : uint8_t {
    compared,
    refused,     // by warpspan: fine
    unreadable,  // the cubin is none, or the interpreter cannot begin
  };
  Verdict verdict = Verdict::compared;
  std::string reason;         // of a verdict other than compared
  std::string stopped;        // why not all was executed; empty if it was
  bool bounds_given = false;  // loops had to be given bounds
  int lost_uniform = 0;       // runs that are left out, as lanes changed each other's uniform registers
  int64_t steps = 0;          // that were executed, by warps in all orders
  double looseness = 0;       // instructions of a warp: bound over the most that one executed
};

FactsCheck check_facts(const FactsSubject& subject, const std::vector<reference::Order>& orders);

}  // namespace warpspan::machine_code
