// SPDX-License-Identifier: GPL-3.0-or-later
// The one place that knows GLPK. It solves in a worker process; the two talk in messages, each a whole solution as far
// as it is known, and the last complete one counts.
#include <glpk.h>
#include <unistd.h>

#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstring>
#include <new>

#include "solver/strings/programs/linear_program.hpp"
#include "solver/strings/schedules/deadline.hpp"
#include "support/worker_process.hpp"

namespace warpspan::solver {

namespace {

constexpr double grace = 0.5;  // seconds for the worker to notice that its time is up

struct Header {
  ProgramSolution::Status status;
  bool has_bound;
  double bound;
  uint64_t values;
  uint64_t duals;
};

void send(int output, const ProgramSolution& solution) {
  const Header header{solution.status, solution.dual_bound.has_value(), solution.dual_bound.value_or(0),
                      solution.values.size(), solution.duals.size()};
  support::report(output, &header, sizeof header);
  support::report(output, solution.values.data(), solution.values.size() * sizeof(double));
  support::report(output, solution.duals.data(), solution.duals.size() * sizeof(double));
}

// The last complete message, if there is one.
std::optional<ProgramSolution> receive(std::string_view text) {
  std::optional<ProgramSolution> last;
  Header header{};
  while (text.size() >= sizeof header) {
    std::memcpy(&header, text.data(), sizeof header);
    text.remove_prefix(sizeof header);
    if (text.size() / sizeof(double) < header.values + header.duals) break;
    ProgramSolution solution;
    solution.status = header.status;
    if (header.has_bound) solution.dual_bound = header.bound;
    for (auto* numbers : {&solution.values, &solution.duals}) {
      numbers->resize(numbers == &solution.values ? header.values : header.duals);
      const size_t bytes = numbers->size() * sizeof(double);
      if (bytes > 0) std::memcpy(numbers->data(), text.data(), bytes);
      text.remove_prefix(bytes);
    }
    last = std::move(solution);
  }
  return last;
}

// What follows runs in the worker.

// GLPK ends an error in one manner: a message, then a call of the hook, then abort().
struct ErrorHandling {
  int output;
  bool out_of_memory = false;

  static int on_message(void* info, const char* text) {
    auto* self = static_cast<ErrorHandling*>(info);
    if (std::strstr(text, "no memory available") != nullptr ||
        std::strstr(text, "memory allocation limit") != nullptr) {
      self->out_of_memory = true;
    }
    return 1;  // not to be printed
  }
  static void on_error(void* info) {
    const auto* self = static_cast<ErrorHandling*>(info);
    ProgramSolution solution;
    solution.status = self->out_of_memory ? ProgramSolution::Status::too_large : ProgramSolution::Status::failed;
    send(self->output, solution);
    _exit(0);
  }
};

// Follows branch and bound, and reports every better bound at once, in case the worker is stopped.
struct Progress {
  int output;
  double bound = DBL_MAX;

  std::optional<double> known() const { return bound < DBL_MAX ? std::optional(bound) : std::nullopt; }

  static void look(glp_tree* tree, void* info) {
    auto* self = static_cast<Progress*>(info);
    const int node = glp_ios_best_node(tree);
    if (node == 0) return;
    const double bound = glp_ios_node_bound(tree, node);
    if (bound >= self->bound) return;
    self->bound = bound;
    ProgramSolution solution;
    solution.status = ProgramSolution::Status::time_limit;
    solution.dual_bound = self->known();
    send(self->output, solution);
  }
};

template <typename Set>
void set_bounds(Set set, const std::optional<int64_t>& lower, const std::optional<int64_t>& upper) {
  const auto low = static_cast<double>(lower.value_or(0));
  const auto high = static_cast<double>(upper.value_or(0));
  if (lower && upper) return set(low == high ? GLP_FX : GLP_DB, low, high);
  set(lower ? GLP_LO : upper ? GLP_UP : GLP_FR, low, high);
}

void add_variables(glp_prob* glpk, const LinearProgram& program) {
  if (program.variables.empty()) return;
  glp_add_cols(glpk, static_cast<int>(program.variables.size()));
  int column = 0;
  for (const auto& variable : program.variables) {
    ++column;
    glp_set_col_kind(glpk, column, variable.is_integer ? GLP_IV : GLP_CV);
    set_bounds([=](int type, double low, double high) { glp_set_col_bnds(glpk, column, type, low, high); },
               variable.lower, variable.upper);
    glp_set_obj_coef(glpk, column, static_cast<double>(variable.objective));
  }
}

void add_rows(glp_prob* glpk, const LinearProgram& program) {
  if (program.rows.empty()) return;
  glp_add_rows(glpk, static_cast<int>(program.rows.size()));
  std::vector<int> columns;
  std::vector<double> coefficients;
  int number = 0;
  for (const auto& row : program.rows) {
    ++number;
    set_bounds([=](int type, double low, double high) { glp_set_row_bnds(glpk, number, type, low, high); }, row.lower,
               row.upper);
    columns.assign(1, 0);  // GLPK counts from 1
    coefficients.assign(1, 0);
    for (const auto& [variable, coefficient] : row.terms) {
      columns.push_back(static_cast<int>(variable) + 1);
      coefficients.push_back(static_cast<double>(coefficient));
    }
    glp_set_mat_row(glpk, number, static_cast<int>(row.terms.size()), columns.data(), coefficients.data());
  }
}

int milliseconds(double seconds) {
  return static_cast<int>(std::clamp(seconds * 1000, 0.0, static_cast<double>(INT_MAX)));
}

// What a return code of glp_simplex or glp_intopt means; nothing if it depends on the solution itself.
std::optional<ProgramSolution::Status> status_of(int code) {
  switch (code) {
    case 0:
    case GLP_ETMLIM: return std::nullopt;
    case GLP_EBOUND:  // a lower bound above its upper bound
    case GLP_ENOPFS: return ProgramSolution::Status::infeasible;
    case GLP_ENODFS: return ProgramSolution::Status::unbounded;
    default: return ProgramSolution::Status::failed;
  }
}

ProgramSolution solve_linear(glp_prob* glpk, double seconds) {
  glp_smcp options;
  glp_init_smcp(&options);
  options.tm_lim = milliseconds(seconds);
  glp_scale_prob(glpk, GLP_SF_AUTO);
  glp_adv_basis(glpk, 0);
  const int code = glp_simplex(glpk, &options);
  ProgramSolution solution;
  if (const auto status = status_of(code)) {
    solution.status = *status;
    return solution;
  }
  const int found = glp_get_status(glpk);
  const bool has_values = found == GLP_OPT || found == GLP_FEAS;
  if (found == GLP_OPT) solution.status = ProgramSolution::Status::optimal;
  if (found == GLP_NOFEAS) solution.status = ProgramSolution::Status::infeasible;
  if (found == GLP_UNBND) solution.status = ProgramSolution::Status::unbounded;
  if (code == GLP_ETMLIM)
    solution.status = has_values ? ProgramSolution::Status::feasible : ProgramSolution::Status::time_limit;
  for (int j = 1; has_values && j <= glp_get_num_cols(glpk); ++j) solution.values.push_back(glp_get_col_prim(glpk, j));
  if (solution.status != ProgramSolution::Status::optimal) return solution;
  for (int i = 1; i <= glp_get_num_rows(glpk); ++i) solution.duals.push_back(glp_get_row_dual(glpk, i));
  solution.dual_bound = glp_get_obj_val(glpk);
  return solution;
}

ProgramSolution solve_integer(glp_prob* glpk, double seconds, int output) {
  Progress progress{output};
  glp_iocp options;
  glp_init_iocp(&options);
  options.presolve = GLP_ON;
  // For scheduling programs much faster than GLPK's defaults: their relaxations hardly bound the
  // optimum, so going deep finds schedules where the best bound first finds none.
  options.br_tech = GLP_BR_PCH;
  options.bt_tech = GLP_BT_DFS;
  options.mir_cuts = GLP_ON;
  options.mip_gap = 0;
  options.tm_lim = milliseconds(seconds);
  options.cb_func = Progress::look;
  options.cb_info = &progress;
  const int code = glp_intopt(glpk, &options);
  ProgramSolution solution;
  if (const auto status = status_of(code)) {
    solution.status = *status;
    return solution;
  }
  const int found = glp_mip_status(glpk);
  const bool has_values = found == GLP_OPT || found == GLP_FEAS;
  if (found == GLP_OPT) solution.status = ProgramSolution::Status::optimal;
  if (found == GLP_NOFEAS) solution.status = ProgramSolution::Status::infeasible;
  if (found == GLP_FEAS) solution.status = ProgramSolution::Status::feasible;
  if (code == GLP_ETMLIM && !has_values) solution.status = ProgramSolution::Status::time_limit;
  for (int j = 1; has_values && j <= glp_get_num_cols(glpk); ++j) solution.values.push_back(glp_mip_col_val(glpk, j));
  solution.dual_bound = found == GLP_OPT ? glp_mip_obj_val(glpk) : progress.known();
  if (solution.status == ProgramSolution::Status::infeasible) solution.dual_bound.reset();
  return solution;
}

ProgramSolution solve_here(const LinearProgram& program, const ProgramLimits& limits, const Deadline& deadline,
                           int output) {
  ErrorHandling errors{output};
  glp_term_out(GLP_OFF);
  glp_term_hook(ErrorHandling::on_message, &errors);
  glp_error_hook(ErrorHandling::on_error, &errors);
  glp_mem_limit(static_cast<int>(std::clamp<int64_t>(limits.memory >> 20, 1, INT_MAX)));
  glp_prob* glpk = glp_create_prob();
  glp_set_obj_dir(glpk, GLP_MAX);
  add_variables(glpk, program);
  add_rows(glpk, program);
  const double seconds = limits.seconds - deadline.elapsed();
  return glp_get_num_int(glpk) > 0 ? solve_integer(glpk, seconds, output) : solve_linear(glpk, seconds);
}

void work(const LinearProgram& program, const ProgramLimits& limits, const Deadline& deadline, int output) {
  try {
    send(output, solve_here(program, limits, deadline, output));
  } catch (const std::bad_alloc&) {
    ProgramSolution none;
    none.status = ProgramSolution::Status::too_large;
    send(output, none);
  }
}

}  // namespace

ProgramSolution solve(const LinearProgram& program, const ProgramLimits& limits) {
  const Deadline deadline(limits.seconds, limits.cancel);
  ProgramSolution solution;
  solution.status = ProgramSolution::Status::time_limit;
  if (!deadline.look()) return solution;
  if (std::max(program.variables.size(), program.rows.size()) > static_cast<size_t>(INT_MAX)) {
    solution.status = ProgramSolution::Status::too_large;
    return solution;
  }
  const support::WorkerReport worker =
      support::run_in_worker([&](int output) { work(program, limits, deadline, output); },
                             {limits.seconds + grace, limits.memory, limits.cancel});
  using End = support::WorkerReport::End;
  const bool stopped = worker.end == End::time_limit || worker.end == End::cancelled;
  solution = {};
  if (worker.end == End::finished || stopped) solution = receive(worker.output).value_or(ProgramSolution{});
  if (stopped && solution.status == ProgramSolution::Status::failed)
    solution.status = ProgramSolution::Status::time_limit;
  solution.seconds = deadline.elapsed();
  return solution;
}

}  // namespace warpspan::solver
