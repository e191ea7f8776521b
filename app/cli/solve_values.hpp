// SPDX-License-Identifier: GPL-3.0-or-later
// The values of a string problem as users write them, on the command line and in problem files.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/instruction_string.hpp"
#include "solver/strings/programs/ilp.hpp"
#include "solver/strings/solve.hpp"
#include "support/rational.hpp"
#include "support/result.hpp"

namespace warpspan::app {

// By ir::UnitClass; none where nothing is said.
using Sigma = std::array<std::optional<support::Rational>, ir::unit_classes>;

// What one source, the command line or a problem file, says about a problem and how to solve it.
struct ProblemSettings {
  std::optional<ir::InstructionString> string;
  std::optional<std::vector<int64_t>> warps;  // ascending, each once
  Sigma sigma;
  std::optional<std::vector<solver::Method>> methods;
  std::optional<double> time_limit;  // seconds
  std::optional<solver::Horizon> horizon;
  std::optional<bool> schedule;
  std::optional<int64_t> target;  // warps
};

// All errors are usage errors whose message begins with `name`: the option, or the key of a file in quotes.

// "LLCLL", "C(L2C)^64L"; the error is located in a text of this name, and keeps the text for its caret.
support::Result<ir::InstructionString> parse_string(const std::string& name, std::string_view text);

// "4", "1,2,8", "1..48" or a mixture: numbers from 1 to 2^63-1, at most 10,000; sorted, each once.
support::Result<std::vector<int64_t>> parse_warps(const std::string& name, std::string_view text);

// A single number from 1 to 2^63-1.
support::Result<int64_t> parse_count(const std::string& name, std::string_view text);

// "1/2", "2": 1/n or a whole number, at least 1 each. what: names the value in the error, such as "C".
support::Result<support::Rational> parse_width(const std::string& name, std::string_view what, std::string_view text);

// "L=1,C=1/2,S=1": each class at most once.
support::Result<Sigma> parse_sigma(const std::string& name, std::string_view text);

// "exact,list", "all", "published" (with tractable and raravi); in the order of the table of methods, each once.
support::Result<std::vector<solver::Method>> parse_methods(const std::string& name, std::string_view text);

// "safe" or "published".
support::Result<solver::Horizon> parse_horizon(const std::string& name, std::string_view text);

// The methods that are used where none is named.
std::vector<solver::Method> default_methods();

// What a user can ask for, for the help text of the option.
std::string methods_help();

}  // namespace warpspan::app
