// SPDX-License-Identifier: GPL-3.0-or-later
// What 'warpspan reproduce' has found: figures that published sources print, beside those that the program computes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostic.hpp"

namespace warpspan::app {

struct ReproducedFigure {
  std::string place;    // in the source: "table 19", "eq. 42"
  std::string what;     // of which quantity
  std::string printed;  // as the source has it; empty: it prints none
  std::string ours;
  std::string reason = {};  // why they differ; empty unless they are known to
};

enum class Agreement : uint8_t {
  agrees,
  differs,      // for the reason given
  not_printed,  // the source prints none: there is nothing to agree with
  unexplained,  // differs without a reason, or agrees although there is one
};
Agreement agreement_of(const ReproducedFigure& figure);
std::string_view to_string(Agreement agreement);  // "agrees", "differs", "not printed", "unexplained"

// A schedule, drawn in text of a fixed width.
struct Drawing {
  std::string caption;
  std::string text;  // ends with a newline
};

struct ReproducedPart {
  std::string title;
  std::vector<ReproducedFigure> figures = {};
  std::vector<Drawing> drawings = {};
  std::vector<std::string> left_out = {};  // what of the source is not reproduced and why, one sentence each
};

struct ReproducedSource {
  std::string name;      // as on the command line
  std::string citation;  // authors, title, where, year
  std::vector<ReproducedPart> parts;
};

struct ReproduceReport {
  std::vector<ReproducedSource> sources;
  support::Diagnostics errors;
};

// No figure is unexplained.
bool is_explained(const ReproduceReport& report);

// "62 figures: 50 agree, 8 differ, each with its reason, 4 are not printed in the source"
std::string summary(const ReproduceReport& report);

}  // namespace warpspan::app
