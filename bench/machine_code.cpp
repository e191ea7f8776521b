// SPDX-License-Identifier: GPL-3.0-or-later
// How near bounds of machine code are to those of the PTX that it was made of: for every launch of the budgets in
// samples/budgets.toml and every file that they name, what ptxas makes of it at -O1 and -O3 for several architectures
// is bounded on the machine of the architecture, and so is the PTX. A table in Markdown with both bounds, where nothing
// is assumed and where all is, and the medians of their ratios. Needs ptxas of the CUDA toolkit on PATH. Run it from
// the root of the repository; bench_machine_code [--summary].
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/files/budgets_file.hpp"
#include "app/reports/readable.hpp"
#include "app/requests/bound_kernels.hpp"
#include "app/requests/kernels/input_files.hpp"
#include "support/source_file.hpp"
#include "support/symbol_name.hpp"

namespace {

using namespace warpspan;

constexpr const char* budgets_file = "samples/budgets.toml";

struct Target {
  const char* architecture;
  const char* machine;
};
constexpr Target targets[] = {{"sm_75", "turing"}, {"sm_80", "A100"},   {"sm_86", "ampere-consumer"},
                              {"sm_89", "ada"},    {"sm_90", "hopper"}, {"sm_120", "blackwell-consumer"}};
constexpr const char* levels[] = {"-O1", "-O3"};

// Cycles where nothing is assumed, and where all is.
struct Bounds {
  int64_t nothing = 0, all = 0;
};

struct Row {
  std::string kernel, file, code;
  Bounds machine_code, ptx;
};

std::map<std::string, Bounds> bounds_of(const app::Budget& budget, const std::string& file, const char* machine,
                                        app::MachineShelf& shelf, int64_t& failed) {
  app::BoundRequest request;
  request.kernels.files = {file};
  request.kernels.kernels = {budget.kernel};
  request.kernels.launch = budget.launch;
  request.machine = machine;
  request.string_model = false;
  const app::AnalyzeReport report = app::bound_kernels(request, shelf);
  failed += static_cast<int64_t>(report.failed.size());
  std::map<std::string, Bounds> bounds;
  for (const app::KernelReport& kernel : report.kernels) {
    const auto& ladder = kernel.analysis.ladder;
    if (ladder.empty() || !ladder.front().makespan || !ladder.back().makespan) continue;
    bounds[kernel.name] = {*ladder.front().makespan, *ladder.back().makespan};
  }
  return bounds;
}

// False: ptxas does not take the file for this architecture.
bool assemble(const std::string& file, const Target& target, const char* level, const std::string& cubin) {
  const std::string command = "ptxas -arch=" + std::string(target.architecture) + " " + level + " '" + file + "' -o '" +
                              cubin + "' >/dev/null 2>&1";
  return std::system(command.c_str()) == 0;
}

double ratio(int64_t a, int64_t b) { return static_cast<double>(a) / static_cast<double>(b); }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void print_rows(const std::vector<Row>& rows) {
  fmt::print("| kernel | file | code | machine code | PTX | ratio | all assumed | PTX | ratio |\n");
  fmt::print("|---|---|---|--:|--:|--:|--:|--:|--:|\n");
  for (const Row& row : rows) {
    fmt::print("| `{}` | {} | {} | {} | {} | {:.2f} | {} | {} | {:.2f} |\n", row.kernel, row.file, row.code,
               app::thousands(row.machine_code.nothing), app::thousands(row.ptx.nothing),
               ratio(row.machine_code.nothing, row.ptx.nothing), app::thousands(row.machine_code.all),
               app::thousands(row.ptx.all), ratio(row.machine_code.all, row.ptx.all));
  }
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const bool only_summary = argc > 1 && std::string(argv[1]) == "--summary";
  const auto text = support::read_source(budgets_file);
  const auto budgets = text ? app::parse_budgets(budgets_file, text->text()) : text.errors();
  if (!budgets) {
    fmt::print(stderr, "{} cannot be read: run it from the root of the repository\n", budgets_file);
    return 2;
  }
  const std::filesystem::path cubin =
      std::filesystem::temp_directory_path() / ("warpspan-bench-" + std::to_string(::getpid()) + ".cubin");
  app::MachineShelf shelf;
  std::vector<Row> rows;
  std::map<std::string, bool> seen;
  int64_t refused = 0;
  for (const app::Budget& budget : *budgets) {
    const auto files = app::input_files(budget.files, budget.folder);
    if (!files) continue;
    for (const std::string& file : *files) {
      if (!seen.emplace(budget.kernel + "\n" + file, true).second) continue;
      for (const Target& target : targets) {
        int64_t of_ptx = 0;
        const auto ptx = bounds_of(budget, file, target.machine, shelf, of_ptx);
        for (const char* level : levels) {
          if (ptx.empty() || !assemble(file, target, level, cubin)) continue;
          for (const auto& [name, bounds] : bounds_of(budget, cubin, target.machine, shelf, refused)) {
            const auto own = ptx.find(name);
            if (own == ptx.end()) continue;
            rows.push_back({support::short_name(name), file.substr(file.find_last_of('/') + 1),
                            std::string(target.architecture) + " " + level, bounds, own->second});
          }
        }
      }
    }
  }
  std::filesystem::remove(cubin);
  if (rows.empty()) {
    fmt::print(stderr, "nothing was compared: is ptxas on PATH?\n");
    return 2;
  }
  if (!only_summary) print_rows(rows);
  std::vector<double> nothing, all;
  for (const Row& row : rows) {
    nothing.push_back(ratio(row.machine_code.nothing, row.ptx.nothing));
    all.push_back(ratio(row.machine_code.all, row.ptx.all));
  }
  fmt::print(
      "{} kernels of machine code, {} that could not be bounded. Bound of machine code / bound of PTX, median:\n",
      rows.size(), refused);
  fmt::print("{:.2f} where nothing is assumed, {:.2f} where all is.\n", median(nothing), median(all));
}
