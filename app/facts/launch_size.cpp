// SPDX-License-Identifier: GPL-3.0-or-later
// The block and the grid of a launch.
#include <array>

#include "app/facts/fact_kind.hpp"
#include "app/reports/readable.hpp"
#include "support/digits.hpp"

namespace warpspan::app {

namespace {

constexpr int64_t largest_extent = INT32_MAX;
constexpr const char* full_block =
    "Every block has as many threads as .maxntid allows: with fewer, loops may run more often.";

support::Diagnostic too_large(const GivenFact& given, int64_t number) {
  const bool is_grid = given.name.find("grid") != std::string::npos;
  return support::usage_error(given.name + ": " + thousands(number) + " is above the largest " +
                              (is_grid ? "grid, " : "block, ") + thousands(largest_extent));
}

// "X", "X,Y" or "X,Y,Z", each 1..2^31-1, also as reports write it, "XxY"; a missing extent is 1.
support::Result<ir::Extent> parse_extent(const GivenFact& given) {
  const support::Diagnostic error = expected(given.name, "X[,Y[,Z]] with numbers from 1", given.text);
  std::array<int64_t, 3> extents{1, 1, 1};
  std::string_view rest = given.text;
  for (size_t i = 0; i < extents.size(); ++i) {
    const size_t comma = rest.find_first_of(",x");
    const auto number = support::parse_digits<int64_t>(rest.substr(0, comma));
    if (!number || *number < 1) return error;
    if (*number > largest_extent) return too_large(given, *number);
    extents[i] = *number;
    if (comma == std::string_view::npos) return ir::Extent{extents[0], extents[1], extents[2]};
    rest.remove_prefix(comma + 1);
  }
  return error;  // a fourth number
}

// No GPU is near 2^31 threads of a block; the limit keeps products of extents far from overflow.
support::Diagnostics read_block(const GivenFact& given, ir::Launch& launch) {
  const auto block = parse_extent(given);
  if (!block) return block.errors();
  launch.block = *block;
  const auto threads = block->count().value();
  if (threads && *threads <= INT32_MAX) return {};
  return {support::usage_error(given.origin.is_file() ? given.name + " has more than 2147483647 threads"
                                                      : given.name + ": more than 2147483647 threads in a block")};
}

support::Diagnostics read_grid(const GivenFact& given, ir::Launch& launch) {
  const auto grid = parse_extent(given);
  if (!grid) return grid.errors();
  launch.grid = *grid;
  return {};
}

// .maxntid allows smaller blocks than the one that is analyzed.
std::vector<std::string> block_assumptions(const frontend::AnalyzedKernel& analyzed) {
  const bool is_assumed = analyzed.block_from_file && analyzed.kernel.launch_bounds.required.x == 0;
  return is_assumed ? std::vector<std::string>{full_block} : std::vector<std::string>();
}

}  // namespace

FactKind block_fact() {
  return {.fact = ir::UserFact::block,
          .option = "--block",
          .value = "X[,Y[,Z]]",
          .help = "Threads of a block; default: the file's .reqntid, else its .maxntid",
          .is_compared = false,
          .key = "block",
          .key_form = FactKind::Key::integers_or_text,
          .read = read_block,
          .assumptions = block_assumptions};
}

FactKind grid_fact() {
  return {.fact = ir::UserFact::grid,
          .option = "--grid",
          .value = "X[,Y[,Z]]",
          .help = "Blocks of the grid; default: one block, alone on the GPU",
          .is_compared = false,
          .key = "grid",
          .key_form = FactKind::Key::integers_or_text,
          .read = read_grid};
}

}  // namespace warpspan::app
