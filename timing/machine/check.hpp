// SPDX-License-Identifier: GPL-3.0-or-later
// What a machine model covers and what looks doubtful about it, for people who write or choose one.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "timing/machine/model.hpp"

namespace warpspan::timing {

// Least and largest of a figure over all tables that state it.
struct FigureRange {
  std::string figure;  // "worst latency"
  int64_t least = 0, largest = 0;
};

struct MachineReport {
  // Kinds that no form has figures for: kernels that need one are refused. In the order of the kinds.
  std::vector<ir::OperationKind> missing;
  // Kinds of which some forms have figures and others are refused.
  std::vector<ir::OperationKind> partial;
  // How many tables of figures have each standing, by Evidence: board, issue, limits, dispatch, lanes, fetch, code
  // caches, resources, times of lines (one for each guarantee), data caches, operations. An operation table counts once
  // for each kind it stands for.
  std::array<int64_t, kinds_of_evidence> tables{};
  std::vector<FigureRange> ranges;  // worst latency, gap, machine instructions, over all operations; empty without any
  // Sentences about figures that are allowed but seldom meant: a kind slower than a harder one, no figures of
  // instruction fetch, of lines or of data caches, a resource that nothing occupies, a source that nothing cites. In a
  // fixed order.
  std::vector<std::string> remarks;
};

MachineReport check_machine(const Machine& machine);

}  // namespace warpspan::timing
