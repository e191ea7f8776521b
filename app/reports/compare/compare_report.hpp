// SPDX-License-Identifier: GPL-3.0-or-later
// What 'warpspan compare' has found: the one object that all its formats are made from.
//
// Kernels are compared between the first side, the base, and each further one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/reports/analyze/kernel_figures.hpp"
#include "app/reports/run_record.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

// How a kernel of another side was found to be the one of the base.
enum class MatchedBy : uint8_t { name, demangled_name, short_name, similarity };
std::string_view to_string(MatchedBy how);  // "name", "demangled-name", "short-name", "similarity"

// A value on both sides; nothing where it is not known, or where the side has no such thing.
struct ValueChange {
  std::string name;
  std::optional<int64_t> before, after;
};

struct LoopChange {
  std::optional<LoopFigure> before, after;  // at least one
};

// The cycles of a source line; 0 where it costs nothing. Without a file and numbers: of all code that has no source
// line.
struct LineChange {
  std::string file;                                // of the side that has the line, the base first
  std::optional<int64_t> line_before, line_after;  // numbers; nothing where the side has no such line
  std::string text;                                // as `file`
  int64_t before = 0, after = 0;

  int64_t change() const { return after - before; }
};

// What is different in one kernel between the base and another side.
struct KernelChanges {
  MatchedBy matched = MatchedBy::name;
  std::vector<LoopChange> loops;          // all of both sides
  bool loops_by_line = false;             // they were matched by source line; else by their order
  std::vector<ValueChange> transactions;  // by space; empty if a side does not tell them
  std::vector<ValueChange> parts;         // of the bound, those that changed; the largest change first
  // Lines and words that changed, the largest change first. Words stand where lines cannot be compared, and
  // lines_missing says why.
  std::vector<LineChange> lines;
  std::vector<ValueChange> words;
  std::string lines_missing;
  std::vector<std::string> assumed_before, assumed_after;  // by that side only
  std::string not_comparable;                              // why the bounds cannot be compared; empty if they can
  bool other_machine = false;
  bool regressed = false;  // by more than what is allowed
};

struct ComparedKernel {
  std::vector<std::optional<KernelFigures>> sides;  // by CompareReport::sides; at least one
  std::vector<std::optional<KernelChanges>>
      changes;  // by side; none of the base, or where it or the side has no figures

  // Whether the base and the side have expected times that were found in the same way.
  bool has_expected_change(size_t side) const;
  const KernelFigures& any() const;  // of the first side that has the kernel
  bool is_everywhere() const;
};

struct CompareReport {
  std::vector<std::string> sides;       // at least two: what the user wrote for each
  std::vector<ComparedKernel> kernels;  // those that are expected to become slower most first
  support::Diagnostics errors;
  std::string allowed;      // what may be added without being a regression: "5%"; empty: anything
  bool regression = false;  // some kernel regressed
  RunRecord run = {};
};

// "+5.3 %", "-0.1 %", "0 %": rounded to tenths, halves away from zero; "new" from 0 to anything else; "> +10^15 %".
// Both at least 0.
std::string percent_change(int64_t before, int64_t after);

}  // namespace warpspan::app
