// SPDX-License-Identifier: GPL-3.0-or-later
// The thesis "Timing analysis of Fermi": its tables and figures that are arithmetic or follow from its model.
#include <fmt/format.h>

#include <algorithm>

#include "app/reports/readable.hpp"
#include "app/requests/reproduce/fermi_models.hpp"
#include "app/requests/reproduce/microbenchmarks.hpp"
#include "app/requests/reproduce/sources.hpp"
#include "app/requests/reproduce/string_problems.hpp"
#include "solver/strings/bounds/list_bound.hpp"
#include "solver/strings/witness/witness.hpp"

namespace warpspan::app {

namespace {

std::string number(int64_t value) { return std::to_string(value); }

std::string numbers(const std::vector<int64_t>& values) {
  std::string out;
  for (const int64_t value : values) out += (out.empty() ? "" : " ") + number(value);
  return out;
}

std::string averages(const std::vector<timing::ClockReading>& readings) {
  std::vector<int64_t> cycles;
  for (const timing::ClockReading& reading : readings) cycles.push_back(reading.average);
  return numbers(cycles);
}

std::string words(const std::vector<std::string>& values) {
  std::string out;
  for (const std::string& value : values) out += (out.empty() || value.empty() ? "" : " ") + value;
  return out;
}

// 100 (a - b) / b per cent, to the nearest integer. b above 0.
std::string error_percent(int64_t a, int64_t b) {
  const int64_t twice = 200 * (a - b) / b;
  return number((twice + (twice < 0 ? -1 : 1)) / 2) + " %";
}

std::string title_of(const MicrobenchmarkRow& row) {
  return fmt::format("{}, {}; {} operations", row.operations,
                     row.chained ? "each with the result of the one before" : "independent", numbers(row.counts));
}

ReproducedPart clock_tables(const Effort& effort) {
  ReproducedPart part{"Clock cycles around operations of one warp (tables 19 to 22, figures 16 and 29)"};
  for (const MicrobenchmarkRow& row : microbenchmark_rows()) {
    const std::string printed = words(row.printed);
    if (printed.empty()) continue;
    const auto cycles = clock_cycles(row);
    if (!cycles) effort.add(cycles.errors());
    const bool open = row.operations == "mad add" && row.chained;
    part.figures.push_back({row.source, title_of(row), printed, cycles ? averages(*cycles) : "",
                            open
                                ? "latencies of 18 give what mul and add take; one of 20 for an add behind a mad, once "
                                  "or twice in six, is in no other table"
                                : ""});
  }
  return part;
}

ReproducedPart memory_figures(const Effort& effort) {
  ReproducedPart part{"Memory (tables 2 to 4 and 7, figures 21 and 23)"};
  for (const MicrobenchmarkRow& row : microbenchmark_rows()) {
    if (!words(row.printed).empty()) continue;
    const auto figures = access_figures(row);
    if (!figures) {
      effort.add(figures.errors());
      continue;
    }
    if (row.operations.starts_with("lds") && row.operations != "lds") {
      const std::string stride = row.operations.substr(3);
      part.figures.push_back(
          {"tables 2-4", "accesses to one bank, words " + stride + " apart", stride, number(figures->bank_conflicts)});
    }
    const std::string latency = number(figures->latency.best) + " - " + number(figures->latency.worst);
    if (row.operations == "lds") part.figures.push_back({"table 7", "LDS, until the next", "26", number(figures->gap)});
    if (row.operations == "sts") part.figures.push_back({"table 7", "STS, until the next", "30", number(figures->gap)});
    if (row.operations == "st") part.figures.push_back({"table 7", "ST.E, until the next", "34", number(figures->gap)});
    if (row.operations == "ld") {
      part.figures.push_back(
          {"table 7", "LD.E, until its value is there", "350 - 500", latency,
           "what is measured includes one line's path through network and memory; a bound adds 16 + 16 + 65 "
           "cycles, as its line may be the last in the queue"});
      part.figures.push_back({"figure 23", "LD.E, until the next", "370", number(figures->gap),
                              "370 is what a load takes until its value is there, within table 7's range; the machine "
                              "lets loads that do not need each other follow as stores do"});
    }
  }
  return part;
}

// --- Section 6: the timeline.

// S2R, SHL with its result, the operations, S2R, SHL with its result; the clock reads between the two SHL.
std::vector<bool> clocked(size_t operations, bool chained) {
  std::vector<bool> waits = {false, true};
  for (size_t i = 0; i < operations; ++i) waits.push_back(chained && i > 0);
  waits.push_back(false);
  waits.push_back(true);
  return waits;
}

// The clock readings of the warps of a scheduler.
std::vector<int64_t> readings(const std::vector<bool>& waits, size_t warps) {
  std::vector<int64_t> result;
  for (const auto& starts : warp_timeline(waits, warps)) result.push_back(starts.back() - starts.at(1));
  return result;
}

std::string starts_of(const std::vector<bool>& waits, size_t warps, size_t instruction) {
  std::vector<int64_t> result;
  for (const auto& starts : warp_timeline(waits, warps)) result.push_back(starts.at(instruction));
  return numbers(result);
}

ReproducedPart timelines() {
  ReproducedPart part{"The model of the scheduler (section 6, figures 29 to 33)"};
  const auto independent = clocked(2, false), chained = clocked(2, true);
  const size_t last = chained.size() - 1;
  part.figures = {
      {"figure 29", "two adds, independent: starts of the instructions", "0 18 24 30 36 54",
       numbers(warp_timeline(independent, 1).front())},
      {"figure 29", "the same with a dependence", "0 18 24 42 48 66", numbers(warp_timeline(chained, 1).front())},
      {"section 6.1", "two adds, independent: the clock reads", "36", numbers(readings(independent, 1))},
      {"section 6.1", "the same with a dependence", "48", numbers(readings(chained, 1))},
      {"figure 32", "three warps, dependent: first clock", "18 20 22", starts_of(chained, 3, 1)},
      {"figure 32", "three warps, dependent: second clock", "66 68 70", starts_of(chained, 3, last)},
      {"figure 33", "three warps, independent: first clock", "18 20 22", starts_of(independent, 3, 1)},
      {"figure 33", "three warps, independent: each warp reads", "", numbers(readings(independent, 3))},
  };
  for (const int64_t warps : {1, 2, 4, 6, 7, 8, 9}) {
    const auto cycles = readings(clocked(1, false), static_cast<size_t>(warps + 1) / 2);
    part.figures.push_back({"figure 30",
                            fmt::format("one add, {} on two schedulers: the slowest reads", counted(warps, "warp")), "",
                            number(*std::max_element(cycles.begin(), cycles.end()))});
  }
  part.left_out = {"Figure 30 has no numbers on its curves; the text states that up to 6 warps take as long as one."};
  return part;
}

// --- Section 7: convolution.

constexpr InstructionMix rows_kernel{1, 78, 40, 9, 9, 8};
constexpr InstructionMix columns_kernel{21, 57, 7, 3, 2, 5};

struct Convolution {
  const char* name;
  const char* total_printed;
  const char* mix_table;
  const char* table;
  InstructionMix mix;
  int64_t experiment[3];  // best, average, worst
  int64_t model[3];
  const char* errors[3];  // of the model, per cent
  int64_t instructions;   // table 12
  int64_t compute;        // table 12
  int64_t latency;        // of a global load, worst case and Mem_LD
  int64_t memory_warp;    // tables 13, 14
  const char* memory_warp_error;
  const char* average_error;  // of the model there
};

constexpr Convolution kernels[] = {
    {"rows",
     "145",
     "table 8",
     "table 10",
     rows_kernel,
     {3365, 3410, 4004},
     {2856, 3510, 5544},
     {"-15 %", "2 %", "38 %"},
     146,
     138,
     400,
     3492,
     "2 %",
     "2 %"},
    {"columns",
     "95",
     "table 9",
     "table 11",
     columns_kernel,
     {3106, 3127, 3426},
     {1428, 3228, 3458},
     {"-54 %", "3 %", "1 %"},
     95,
     90,
     470,
     2540,
     "-18 %",
     "3 %"},
};

constexpr int64_t hidden_load = 64;  // section 7.1: what the best case takes for a load

void add_errors(ReproducedPart& part, const Convolution& c) {
  constexpr const char* cases[] = {"best", "average", "worst"};
  const std::string cut = "cut off, not rounded";
  for (size_t i = 0; i < 3; ++i) {
    const std::string ours = error_percent(c.model[i], c.experiment[i]);
    part.figures.push_back({c.table, fmt::format("{}, {} case: error of the model", c.name, cases[i]), c.errors[i],
                            ours, ours == c.errors[i] ? "" : cut});
  }
  const std::string table = c.mix.global_loads == 8 ? "table 13" : "table 14";
  const int64_t mwp = memory_warp_parallelism(c.instructions, 2, c.mix.global_loads, c.latency);
  part.figures.push_back({table, std::string(c.name) + ": MWP model", number(c.memory_warp), number(mwp)});
  const std::string ours = error_percent(mwp, c.experiment[1]);
  part.figures.push_back(
      {table, std::string(c.name) + ": its error", c.memory_warp_error, ours, ours == c.memory_warp_error ? "" : cut});
}

ReproducedPart convolution() {
  ReproducedPart part{"Convolution of one warp (section 7, tables 8 to 14)"};
  for (const Convolution& c : kernels) {
    const std::string name = c.name;
    const int64_t loads = c.mix.global_loads;
    part.figures.push_back({c.mix_table, name + ": instructions", c.total_printed, number(c.mix.total())});
    part.figures.push_back({"table 12", name + ": instructions", number(c.instructions), number(c.mix.total()),
                            c.instructions == c.mix.total() ? "" : "table 8 has one less"});
    part.figures.push_back({"table 12", name + ": without loads", number(c.compute), number(c.instructions - loads)});
    part.figures.push_back({c.table, name + ": worst case - best case", number(c.model[2] - c.model[0]),
                            number(sum_of_cycles(c.mix, c.latency) - sum_of_cycles(c.mix, hidden_load))});
    const std::string open =
        "an open discrepancy of the source: table 7 and the instructions printed give this, for both cases the same "
        "number too little; no reading of the text explains it";
    part.figures.push_back(
        {c.table, name + ": best case", number(c.model[0]), number(sum_of_cycles(c.mix, hidden_load)), open});
    part.figures.push_back(
        {c.table, name + ": worst case", number(c.model[2]), number(sum_of_cycles(c.mix, c.latency)), open});
    part.figures.push_back({c.table, name + ": hidden cycles that the average case needs, from the printed base", "",
                            number(c.model[2] - c.model[1])});
    // With the store to shared memory at 26 and the one to global memory at a load's best case.
    CyclesPerInstruction other;
    other.shared_store = 26;
    other.global_store = 64;
    part.figures.push_back({c.table, name + ": base with STS = 26 and ST.E = 64",
                            number(c.model[0] - loads * hidden_load), number(sum_of_cycles(c.mix, 0, other)),
                            name == "rows" ? "8 less: these figures fit the columns only" : ""});
    add_errors(part, c);
  }
  part.figures.push_back({"abstract", "rows: error of the worst case", "28 %", error_percent(5544, 4004),
                          "table 10 has 38 %, as its figures give"});
  part.left_out = {
      "The average case subtracts what hides each load; the instructions between a load and its use are not printed.",
      "Figures 36 and 37 have no numbers on their curves. That the MWP model has a larger slope there does not follow "
      "from "
      "the formulas: both add the latency once for each load that is not hidden.",
      "Executions on hardware and in GPGPU-Sim: figures 17 to 20, 22, 24, 25, 38, 42 to 45 and 50 to 63, tables 5 and "
      "6."};
  return part;
}

ReproducedPart parts_of_rows() {
  ReproducedPart part{"Parts of the rows kernel (tables 15 to 17)"};
  part.figures = {{"table 15", "load part: instructions", "51", number(4 + 26 + 10 + 1 + 10)},
                  {"table 16", "computation part: instructions", "112", number(24 + 48 + 40)},
                  {"table 17", "store part: instructions", "45", number(21 + 16 + 8)}};
  return part;
}

// --- Section 8: schedulers.

// Accesses of a convolution in their order (section 7.4): loads of global memory, stores to shared memory, loads of it,
// stores to global memory; arithmetic is spread evenly behind them.
std::string letters_of(const InstructionMix& mix) {
  const int64_t accesses = mix.global_loads + mix.shared_stores + mix.shared_loads + mix.global_stores;
  const int64_t arithmetic = mix.dependent + mix.arithmetic;
  std::string letters;
  for (int64_t i = 0; i < accesses; ++i) {
    letters += 'L';
    letters.append(static_cast<size_t>((i + 1) * arithmetic / accesses - i * arithmetic / accesses), 'C');
  }
  return letters;
}

void add_schedulers(ReproducedPart& part, const std::string& name, const std::string& letters) {
  constexpr int64_t warps = 16;
  auto problem = string_problem(letters, warps);
  const auto list = solver::list_bound(problem);
  const std::string what = fmt::format("{}, {} warps: ", name, warps);
  solver::WitnessLimits limits;
  limits.effort = 0;
  for (const auto& run : solver::find_witness(problem, nullptr, limits).runs) {
    const bool scheduler = run.policy >= solver::Policy::loose_round_robin;
    if (!scheduler) continue;
    part.figures.push_back(
        {"section 8", what + "cycles by " + std::string(to_string(run.policy)), "", number(run.makespan)});
  }
  part.figures.push_back({"section 8", what + "bound for every scheduler", "", number(*list.makespan)});
}

ReproducedPart schedulers() {
  ReproducedPart part{"Schedulers (section 8, table 18)"};
  const std::string letters = "CCLLCCCCLLCC";
  add_schedulers(part, letters, letters);
  for (const Convolution& c : kernels)
    add_schedulers(part, fmt::format("{}, its {} instructions as a string", c.name, c.mix.total()), letters_of(c.mix));
  part.left_out = {
      "Table 18 has instructions per cycle of a kernel that is not printed, run in GPGPU-Sim with its caches: LRR "
      "14.6, two "
      "level 13.4, GTO 15.7, variable rate 15.5. The four schedulers run here on strings of the string model, without "
      "memory: what variable rate gains is lines that other warps find in a cache.",
      "Figures 47 to 49 are of GPGPU-Sim, with its instruction cache."};
  return part;
}

}  // namespace

ReproducedSource timing_of_fermi(const Effort& effort) {
  return {"",
          "Master thesis 'Timing analysis of Fermi': micro-benchmarks in asfermi on a device of compute capability "
          "2.0, and a "
          "timing model of one warp ([THES] of the machine fermi)",
          {clock_tables(effort), memory_figures(effort), timelines(), convolution(), parts_of_rows(), schedulers()}};
}

}  // namespace warpspan::app
