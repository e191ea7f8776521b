// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calibrate/calibration_program.hpp"

#include <algorithm>
#include <array>

#include "app/calibrate/base_figures.hpp"
#include "support/embedded_file.hpp"
#include "support/nearest.hpp"

namespace warpspan::app {

// Made by the build of the files in app/calibrate/program.
extern const support::EmbeddedFile embedded_calibration[];
extern const size_t embedded_calibration_count;

namespace {

// Of the built-in machines with tables of their names (base_figures.cpp). The compute capability, and whether one
// multiprocessor sees half of the device's L2 (docs/machines.md, "Data caches").
struct Target {
  const char* name;
  int capability;
  bool sees_half;
};
constexpr std::array<Target, 8> targets = {{
    {"sm_75", 75, false},
    {"sm_80", 80, true},
    {"sm_86", 86, false},
    {"sm_87", 87, false},
    {"sm_89", 89, false},
    {"sm_90", 90, true},
    {"sm_100", 100, true},
    {"sm_120", 120, false},
}};

// Whoever has the program may do with it what they like: SPDX's MIT-0, word for word.
constexpr const char* terms =
    "// SPDX-License-Identifier: MIT-0\n"
    "//\n"
    "// MIT No Attribution\n"
    "//\n"
    "// Copyright the warpspan authors\n"
    "//\n"
    "// Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated\n"
    "// documentation files (the \"Software\"), to deal in the Software without restriction, including without "
    "limitation\n"
    "// the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, "
    "and to\n"
    "// permit persons to whom the Software is furnished to do so.\n"
    "//\n"
    "// THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT "
    "LIMITED TO\n"
    "// THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL "
    "THE\n"
    "// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF "
    "CONTRACT,\n"
    "// TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN "
    "THE\n"
    "// SOFTWARE.\n\n";

// Without the line on its licence, which the head has.
std::string program_part(std::string_view name) {
  for (size_t i = 0; i < embedded_calibration_count; ++i) {
    std::string_view text = embedded_calibration[i].text;
    if (embedded_calibration[i].name != name) continue;
    if (text.starts_with("// SPDX-")) text.remove_prefix(text.find('\n') + 1);
    return std::string(text) + "\n";
  }
  return {};
}

std::string head(const std::string& target) {
  const std::string arch = target.empty() ? "native" : target;
  return "// Made by warpspan " WARPSPAN_VERSION " calibrate" + (target.empty() ? "" : " --target " + target) +
         ". Measures what a machine file of warpspan needs, and prints one:\n"
         "//\n"
         "//   nvcc -O2 -arch=" +
         arch +
         " -o calibrate calibrate.cu\n"
         "//   ./calibrate > my.toml\n"
         "//   warpspan machines --check my.toml\n"
         "//\n"
         "// Nothing else may run on the device. What it measures, and what not: docs/calibration.md.\n//\n" +
         terms;
}

// One table of figures, and the row that names it.
support::Result<std::string> table_of(const Target& target, std::string& row) {
  const auto machine = timing::load_machine(target.name);
  if (!machine) return machine.errors();
  const auto times = timing::load_times(machine->name);
  if (!times) return times.errors();
  const std::string array = std::string("figures_of_") + target.name;
  std::string text =
      "// Of " + machine->name + ": " + machine->description + ".\nstatic const BaseFigure " + array + "[] = {\n";
  for (const BaseFigure& figure : base_figures(*machine, *times)) {
    text += "    {\"" + figure.name + "\", " + std::to_string(figure.value) + ", \"" + figure.text + "\"},\n";
  }
  text += "    {\"\", 0, \"\"}};\n\n";
  row = "    {\"" + std::string(target.name) + "\", \"" + machine->name + "\", " + std::to_string(target.capability) +
        ", " + (target.sees_half ? "true" : "false") + ", " + array + "},\n";
  return text;
}

support::Diagnostic unknown_target(const std::string& name) {
  const std::vector<std::string> known = calibration_targets();
  const std::string_view meant = support::nearest(name, {known.begin(), known.end()}, 2);
  return support::usage_error("--target: no calibration for '" + name + "'",
                              (meant.empty() ? "" : "did you mean '" + std::string(meant) + "'? ") + "known are " +
                                  support::alternatives(known));
}

}  // namespace

std::vector<std::string> calibration_targets() {
  std::vector<std::string> names;
  for (const Target& target : targets) names.emplace_back(target.name);
  return names;
}

support::Result<std::string> calibration_program(const std::string& name) {
  std::string tables, rows;
  for (const Target& target : targets) {
    if (!name.empty() && name != target.name) continue;
    std::string row;
    const auto table = table_of(target, row);
    if (!table) return table.errors();
    tables += *table;
    rows += row;
  }
  if (rows.empty()) return unknown_target(name);
  return head(name) +
         "#ifndef WARPSPAN_CHAINS_ONLY\n\nstatic const char program_version[] = \"warpspan " WARPSPAN_VERSION
         "\";\n\n" +
         program_part("results") + tables + "static const Base bases[] = {\n" + rows + "};\n\n" +
         program_part("machine_file") + "#endif\n#ifdef WARPSPAN_MADE_UP\n\n" + program_part("made_up") + "#else\n\n" +
         program_part("kernels") + "#ifndef WARPSPAN_CHAINS_ONLY\n\n" + program_part("measure") +
         "#endif\n#endif\n#ifndef WARPSPAN_CHAINS_ONLY\n\n" + program_part("main") + "#endif\n";
}

}  // namespace warpspan::app
