// The words of the command line before they are read.
#pragma once

#include <string>
#include <vector>

namespace warpspan::app {

// Options that may be given once are vectors too, so that a second one is seen.
struct Words {
  std::vector<std::string> files, kernel, machine, assume, block, grid, registers, shared, arguments, loop_bounds,
      time_limit, format, output, memory;
  std::vector<std::string> string, warps, sigma, methods, horizon, target, lp, certificate;
  bool schedule = false, check = false;
};

}  // namespace warpspan::app
