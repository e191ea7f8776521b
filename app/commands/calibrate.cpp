// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan calibrate: a program that measures what a machine file needs, on the GPU of its user.
#include <memory>

#include "app/calibrate/calibration_program.hpp"
#include "app/cli/command.hpp"

namespace warpspan::app {

namespace {

constexpr const char* footer =
    "The program is for nvcc 11 or later. On the GPU it prints a machine file: what it measured, based on the "
    "built-in\n"
    "machine of the same compute capability. docs/calibration.md states what each figure is worth.\n"
    "\nExamples:\n"
    "  warpspan calibrate --target sm_80 --output calibrate.cu\n"
    "\nThen, where the GPU is:\n"
    "  nvcc -O2 -arch=sm_80 -o calibrate calibrate.cu\n"
    "  ./calibrate > my.toml\n"
    "  warpspan machines --check my.toml\n";

struct CalibrateOptions {
  std::string target;  // empty: all
  std::string output;  // file; empty: standard output
};

Outcome calibrate(const CalibrateOptions& options) {
  auto program = calibration_program(options.target);
  if (!program) return {{}, program.errors(), {}};
  return {std::move(*program), {}, options.output};
}

Run declare(OptionSet& set) {
  const auto options = std::make_shared<CalibrateOptions>();
  set.text("--target", "TARGET", "Of the GPU, such as sm_80; default: any from sm_75 on", options->target);
  set.text("--output", "FILE", "Write the program to this file; default: standard output", options->output);
  return [options] { return calibrate(*options); };
}

}  // namespace

Command calibrate_command() {
  return {"calibrate", "Write a CUDA program that measures a GPU and prints its machine file", footer, declare};
}

}  // namespace warpspan::app
