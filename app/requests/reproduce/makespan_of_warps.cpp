// SPDX-License-Identifier: GPL-3.0-or-later
// Berezovskyi, Bletsas and Andersson: figures 1 to 3 and 5 to 7, equations 5-7 and 42-43, and where they fail.
#include <fmt/format.h>

#include "app/requests/reproduce/sources.hpp"
#include "app/requests/reproduce/string_problems.hpp"
#include "ir/instruction_string.hpp"
#include "solver/strings/bounds/published_bound.hpp"
#include "solver/strings/certificate/certificate_bound.hpp"
#include "solver/strings/programs/published_ilp.hpp"

namespace warpspan::app {

namespace {

using solver::StringProblem;

std::string text(const solver::Bound& bound) {
  return bound.makespan ? std::to_string(*bound.makespan) : std::string(to_string(bound.status));
}

std::string pessimistic(const StringProblem& problem) { return text(solver::published_bound(problem)); }

std::string exact(const StringProblem& problem) { return std::to_string(exact_makespan(problem)); }

// The string for units narrower than a warp (section 3), without the notation of repetitions.
std::string transformed(const std::string& letters, const support::Rational& load_store_width) {
  const auto string = ir::parse_instruction_string("string", letters);
  const auto result = ir::transform(*string, {load_store_width, support::Rational{1, 1}, support::Rational{1, 1}});
  std::string out;
  for (const ir::StringTerm& term : result->string.terms()) {
    out += std::string(static_cast<size_t>(term.repeat), ir::symbol(term.unit));
  }
  return out;
}

ReproducedPart model() {
  ReproducedPart part{"The string model (sections 3 and 4)"};
  const StringProblem llc = string_problem("LLC", 4);
  part.figures = {
      {"figure 1", "LC with 16 load/store units for 32 threads", "LLC", transformed("LC", {1, 2})},
      {"figure 2", "LLC, W = 4: the schedule is work-conserving; its makespan", "9 cycles",
       checked_schedule({"L...LC", ".L...LC", "..L...LC", "...L...LC"}, llc)},
      {"eq. 5-7", "LLC, W = 4: pessimistic bound", "", pessimistic(llc)},
      {"section 5", "LLC, W = 4: worst case", "", exact(llc)},
  };
  return part;
}

struct Instance {
  const char* letters;
  int64_t warps;
  bool slow_long;  // takes minutes with long rows, half a minute with short ones
};

std::string solved(const StringProblem& problem, solver::WorkConservation rows, const Effort& effort) {
  solver::PublishedIlpOptions options;
  options.work_conservation = rows;
  options.horizon = solver::Horizon::published;
  solver::ProgramLimits limits;
  limits.seconds = 3600;
  const auto result = solver::published_ilp(problem, limits, options);
  if (!result.bound.makespan) {
    effort.add(
        {support::internal_error("an integer program of the source has not been solved: " + result.bound.remark)});
  }
  return text(result.bound);
}

ReproducedPart integer_programs(const Effort& effort) {
  ReproducedPart part{"The integer program (section 5, figures 3 and 5)"};
  for (const Instance& i : {Instance{"LLC", 4, false}, {"LLCLL", 1, false}, {"LLCLL", 2, false}, {"LLCLL", 3, true}}) {
    if (i.slow_long && !effort.slow) continue;
    const StringProblem problem = string_problem(i.letters, i.warps);
    for (const auto& [rows, name] : {std::pair{solver::WorkConservation::short_rows, "short rows (34, 37)"},
                                     {solver::WorkConservation::long_rows, "long rows (33, 36)"}}) {
      part.figures.push_back({"figure 3", fmt::format("{}, W = {}, {}: equals exact search", i.letters, i.warps, name),
                              exact(problem), solved(problem, rows, effort)});
    }
  }
  // Figure 3 counts them: 2T + (W - 1) + 2WT + 2WI + W(I - 1) + 4T + 2WIT.
  constexpr int64_t warps = 2, length = 5, horizon = 10;
  constexpr int64_t rows = 2 * horizon + warps - 1 + 2 * warps * horizon + 2 * warps * length + warps * (length - 1) +
                           4 * horizon + 2 * warps * length * horizon;
  const auto program =
      solver::build_published_ilp(string_problem("LLCLL", warps), {.horizon = solver::Horizon::published});
  part.figures.push_back(
      {"figure 3", "LLCLL, W = 2, T = 10: rows, short", std::to_string(rows),
       program ? std::to_string(program->rows.size()) : "none",
       "rows of variables that are always 0, for classes that are not the instruction's, and rows that "
       "are trivially true are left out"});
  part.left_out = {
      "Times of figure 5 are of CPLEX and a machine of 2012, and drawn without numbers. GLPK takes longer with long "
      "rows, "
      "as there: for LLCLL and W = 3 some ten times as long."};
  return part;
}

ReproducedPart approximation() {
  ReproducedPart part{"The tractable approximation (eq. 42-43, figures 6 and 7)"};
  struct Case {
    const char* figure;
    std::string letters, name;
    int64_t warps, most;
  };
  for (const Case& c :
       {Case{"figure 6", "LLCLL", "LLCLL, W = 600", 600, 9},
        Case{"figure 7", transformed("LCLCL", {1, 2}), "LCLCL with half as many load/store units, W = 420", 420, 7}}) {
    const StringProblem all = string_problem(c.letters, c.warps);
    part.figures.push_back({c.figure, c.name + ": pessimistic bound (dashed)", "", pessimistic(all)});
    for (int64_t y = 1; y <= c.most; ++y) {
      const int64_t of_y = exact_makespan(string_problem(c.letters, y));
      part.figures.push_back({c.figure, fmt::format("{}: T(W,{}) from T({}) = {}", c.name, y, y, of_y), "",
                              std::to_string((c.warps + y - 1) / y * of_y)});
    }
    const auto certificate = solver::certificate_bound(all);
    part.figures.push_back({c.figure, c.name + ": a bound that is proven (certificate)", "", text(certificate.bound)});
  }
  part.left_out = {
      "The figures have no numbers on their curves. That small increases occur is so: T(W,9) is above T(W,8) in the "
      "first."};
  return part;
}

ReproducedPart failures() {
  ReproducedPart part{"Where the formulas are below a possible schedule"};
  const std::string why =
      "a group of y warps may take longer than T(y) while others run, so groups do not run in sequence";
  struct Case {
    const char* letters;
    int64_t warps, y;
  };
  for (const Case& c : {Case{"LCL", 4, 2}, {"LCL", 6, 2}, {"LCLL", 4, 2}, {"LCLLL", 4, 2}}) {
    const int64_t stated = (c.warps + c.y - 1) / c.y * exact_makespan(string_problem(c.letters, c.y));
    part.figures.push_back({"eq. 42-43", fmt::format("{}, W = {}: T(W,{}) as an upper bound", c.letters, c.warps, c.y),
                            std::to_string(stated), exact(string_problem(c.letters, c.warps)), why});
  }
  const StringProblem cc = string_problem("CC", 4, {1, 2, 1});
  part.figures.push_back({"eq. 5-7", "CC, two servers, W = 4: pessimistic bound", pessimistic(cc), exact(cc),
                          "with two servers one may stay empty while a warp has its last instruction alone"});
  solver::PublishedIlpOptions options;
  options.horizon = solver::Horizon::published;
  part.figures.push_back({"figure 3", "CC, two servers, W = 4: optimum within the published horizon",
                          text(solver::published_ilp(cc, {}, options).bound), exact(cc),
                          "its horizon is the bound of equations 5-7, which cuts longer schedules off"});
  part.drawings = {
      worst_schedule("LCL, W = 4: nine cycles, the approximation gives 8", "LCL", string_problem("LCL", 4)),
      worst_schedule("CC, two servers, W = 4: five cycles, equations 5-7 give 4", "CC", cc)};
  return part;
}

}  // namespace

ReproducedSource makespan_of_warps(const Effort& effort) {
  return {
      "",
      "K. Berezovskyi, K. Bletsas, B. Andersson, Makespan computation for GPU threads running on a single streaming "
      "multiprocessor, CISTER HURRAY-TR-120710, 2012",
      {model(), integer_programs(effort), approximation(), failures()}};
}

}  // namespace warpspan::app
