// SPDX-License-Identifier: GPL-3.0-or-later
// What a check found, kept for later ones: they tell what grew since.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/reports/check/check_report.hpp"

namespace warpspan::app {

struct Checked;
struct CheckRequest;

// Cycles of the bound and of the expected time that a line has; without a file and a line: those of instructions that
// no line table tells of, by their words, and what no instruction has.
struct BaselineLine {
  std::string file;  // from the source root, where it is below it
  int64_t line = 0;
  std::string text;
  int64_t bound = 0, expected = 0;
};

// A kernel under one launch. Kernel, file, machine and options tell it from all others.
struct BaselineKernel {
  std::string kernel, file;                                     // as the file names it; the file as BaselineLine has it
  std::string label;                                            // for people
  std::string machine, machine_sha256;                          // RunRecord::machines; empty where nothing was bounded
  std::vector<std::string> options;                             // all that the entry states, in words: "block 256"
  std::array<std::optional<int64_t>, quantities> figures = {};  // by CheckedLimit::Quantity
  std::optional<int64_t> usual = {};                            // cycles: the bound with what is usual
  std::vector<BaselineLine> lines = {};  // by file, line and text; they add up to bound and expected
};

struct Baseline {
  std::string name;                     // of the file
  std::string version;                  // of warpspan that wrote it
  std::vector<BaselineKernel> kernels;  // by file, kernel, machine and options
};

// Of all results that have a figure.
Baseline baseline_of(const Checked& checked, const CheckRequest& request);

// Tells of each result what became of it since the baseline of the request, and with `growth` fails what grew by more.
// Where that cannot be told, as of another machine or launch, a note says why; with `growth` it is an error.
void hold_against_baseline(const CheckRequest& request, Checked& checked);

}  // namespace warpspan::app
