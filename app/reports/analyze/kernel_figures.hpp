// SPDX-License-Identifier: GPL-3.0-or-later
// What a comparison knows of a kernel on one side, whether it was analyzed just now or its report was saved. What a
// report does not say is not known, which is never the same as 0.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/reports/analyze/analyze_report.hpp"
#include "ir/flow.hpp"
#include "timing/launch/residency.hpp"

namespace warpspan::app {

struct LoopFigure {
  std::string label;        // of the header; may be empty
  std::string source_file;  // empty, and line 0, where no line table tells it
  int64_t source_line = 0;
  std::optional<int64_t> trips;
};

// Cycles of the bound that have a name: of a part, "resource memory" or "path"; of an instruction word.
struct NamedCycles {
  std::string name;
  int64_t cycles = 0;
};

struct KernelFigures {
  std::string file, name, machine;
  ir::Extent block;
  std::optional<ir::Extent> grid;  // nothing: one block, alone on the device
  int64_t clock_khz = 1;
  int64_t bound = 0;                                     // cycles: the smallest safe bound of the pipeline model
  std::optional<int64_t> usual, nothing;                 // the same with what is usual, and whatever the device does
  int64_t one_warp = 0;                                  // cycles: the worst case of one warp alone
  std::array<int64_t, ir::unit_classes> instructions{};  // of one warp on its worst path
  std::optional<timing::Span> registers;                 // of a thread
  std::vector<LoopFigure> loops;
  std::vector<NamedCycles> parts;  // of the bound; they add up to it
  std::optional<std::vector<SpaceTransactions>> transactions;
  std::optional<std::vector<LineCost>> lines;     // of source lines, and of the text that was read where none is known
  std::optional<std::vector<NamedCycles>> words;  // of instructions, by their words: "ld.global.f32"
  std::vector<std::string> assumptions;           // of the bound
  std::optional<ExpectedTime> expected;           // an estimate
};

// "resource memory", "path".
std::string part_name(std::string_view kind, std::string_view resource);

// Whether the cost is of a line of the source, rather than of the PTX.
bool is_of_source(const KernelFigures& kernel, const LineCost& cost);

KernelFigures figures_of(const KernelReport& report);

}  // namespace warpspan::app
