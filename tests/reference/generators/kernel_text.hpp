// SPDX-License-Identifier: GPL-3.0-or-later
// Whole files around generated bodies.
#pragma once

#include <string>

#include "tests/reference/comparison.hpp"
#include "tests/reference/generators/random.hpp"

namespace warpspan::reference {

inline constexpr const char* file_header = ".version 8.0\n.target sm_80\n.address_size 64\n";

// Entry k with parameters p (pointer), n (not bound) and m (bound to a small number), and the shared, local and
// constant arrays tile, frame and table.
inline std::string kernel_text(const std::string& functions, const std::string& body) {
  return std::string(file_header) + ".const .align 16 .b8 table[4096];\n" + functions +
         ".visible .entry k(.param .u64 p, .param .u32 n, .param .u32 m)\n{\n"
         ".shared .align 16 .b8 tile[8192];\n.local .align 16 .b8 frame[1024];\n" +
         body + "ret;\n}\n";
}

inline ir::Extent any_block(Random& random) {
  return random.pick<ir::Extent>({{32, 1, 1},
                                  {32, 1, 1},
                                  {64, 1, 1},
                                  {20, 1, 1},
                                  {48, 1, 1},
                                  {8, 8, 1},
                                  {16, 4, 1},
                                  {4, 4, 4},
                                  {33, 2, 1},
                                  {5, 7, 1},
                                  {1, 32, 1},
                                  {32, 2, 1},
                                  {16, 2, 2}});
}

// The kernel k of a text, its m bound, its p now and then; two blocks or one.
inline Experiment experiment_of(std::string text, Random& random) {
  Experiment experiment;
  experiment.text = std::move(text);
  experiment.kernel = "k";
  experiment.launch.block = any_block(random);
  const std::string m = std::to_string(random.between(1, 4));
  experiment.launch.arguments.push_back({"m", m});
  if (random.chance(20)) {
    const std::string p = std::to_string(uint64_t{0x7e1000000000} + 16 * random.below(64));
    experiment.launch.arguments.push_back({"p", p});
  }
  if (random.chance(50)) {
    experiment.launch.grid = ir::Extent{3, 1, 1};
    experiment.blocks = {{0, 0, 0}, {2, 0, 0}};
  }
  return experiment;
}

}  // namespace warpspan::reference
