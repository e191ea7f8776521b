// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/machine_code/timing/bounds.hpp"

#include <algorithm>
#include <array>
#include <iomanip>
#include <memory>
#include <sstream>

#include "frontend/frontend.hpp"
#include "frontend/machine_code.hpp"
#include "tests/machine_code/arguments.hpp"
#include "tests/machine_code/timing/simulation.hpp"
#include "tests/reference/generators/random.hpp"
#include "timing/analysis.hpp"

namespace warpspan::machine_code {

namespace {

using timing::Assumption;
using timing::AssumptionSet;

// In the order of the ladder.
constexpr std::array granted_in_turn = {
    Assumption::keeps_constants, Assumption::warm_parameters, Assumption::keeps_code, Assumption::shares_code,
    Assumption::warm_code,       Assumption::aligned,         Assumption::spread,     Assumption::few,
    Assumption::stream,          Assumption::keeps,           Assumption::recent,     Assumption::keeps_pages,
    Assumption::even_refresh,    Assumption::fair_share};

constexpr int64_t most_steps = 60'000;  // of the warps of a block
constexpr size_t before_aligned = 5;    // of these
static_assert(granted_in_turn[before_aligned] == Assumption::aligned);

// The rung on which so many of them are assumed.
std::string rung_name(size_t count) {
  if (count == 0) return "nothing";
  return std::string(timing::assumption_names()[static_cast<size_t>(granted_in_turn[count - 1])]);
}

AssumptionSet first_granted(size_t count) {
  AssumptionSet assumed;
  for (size_t i = 0; i < count; ++i) assumed.assume(granted_in_turn[i]);
  return assumed;
}

std::string first_error(const support::Diagnostics& errors) {
  return errors.empty() ? "no error" : errors.front().message;
}

// Without what differs from kernel to kernel.
std::string kind_of(const std::string& message) {
  std::string kind;
  for (const char c : message) {
    if (c < '0' || c > '9') kind += c;
  }
  return kind.substr(0, 160);
}

support::Result<std::vector<timing::Rung>> ladder_of(const frontend::Reading& reading, const timing::Machine& machine) {
  if (reading.kernels.empty()) return reading.errors;
  const frontend::AnalyzedKernel& k = reading.kernels.front();
  auto analysis = timing::analyze(k.kernel, k.flow, k.launch, machine, {}, std::nullopt);
  if (!analysis) return analysis.errors();
  return std::move(analysis->ladder);
}

// The bound where the first `count` assumptions are assumed; nothing if it has no value, or if the ladder has others.
std::optional<int64_t> bound_at(const std::vector<timing::Rung>& ladder, size_t count) {
  std::optional<int64_t> bound;
  for (const timing::Rung& rung : ladder) {
    const auto end = granted_in_turn.begin() + static_cast<std::ptrdiff_t>(count);
    if (rung.assumption && std::find(granted_in_turn.begin(), end, *rung.assumption) == end) break;
    bound = rung.makespan;
  }
  return bound;
}

std::vector<Adversary> adversaries(size_t warps, reference::Random& random) {
  using Latencies = Adversary::Latencies;
  using Policy = Adversary::Policy;
  std::vector<Adversary> all;
  const auto add = [&](Latencies latencies, Policy policy) {
    const uint64_t seed = random.next();
    const bool queues = random.chance(50), fetches_late = random.chance(50), reads_late = random.chance(50);
    all.push_back({seed, latencies, policy, queues, fetches_late, reads_late});
  };
  if (warps == 1) {
    add(Latencies::longest, Policy::any);
    all.back().fetches_late = all.back().reads_constants_late = true;
    add(Latencies::any, Policy::any);
    return all;
  }
  add(Latencies::longest, random.pick({Policy::any, Policy::least_advanced}));
  add(Latencies::longest, random.pick({Policy::oldest, Policy::youngest, Policy::most_advanced}));
  add(Latencies::extremes, Policy::any);
  add(Latencies::any, random.pick({Policy::any, Policy::oldest, Policy::most_advanced}));
  return all;
}

std::string text_of(const Adversary& adversary) {
  constexpr const char* latencies[] = {"longest", "any", "extreme", "shortest"};
  constexpr const char* policies[] = {"any", "oldest", "youngest", "least advanced", "most advanced"};
  return std::string(latencies[static_cast<size_t>(adversary.latencies)]) + " latencies, " +
         policies[static_cast<size_t>(adversary.policy)] + " warp first" + (adversary.queues ? ", queues" : "") +
         (adversary.fetches_late ? ", late lines" : "") + (adversary.reads_constants_late ? ", late constants" : "") +
         ", seed " + std::to_string(adversary.seed);
}

// What is known before anything is executed.
struct Subject {
  timing::Machine machine;
  object::Cubin cubin;
  Program program;
  TimedCode code, code_of_few;
  frontend::AnalyzedKernel analyzed;
  std::vector<timing::Rung> ladder;  // of the machine code
  int64_t of_ptx = 0;                // with nothing assumed; 0: there is no bound
};

// The error of another room, behind the name of the room.
support::Diagnostic error_of(const std::string& room, const support::Diagnostics& errors) {
  support::Diagnostic error;
  error.message = room + ": " + first_error(errors);
  return error;
}

support::Result<Subject> prepare_subject(const TimedKernel& kernel, const std::string& bytes, int architecture,
                                         const PtxBounds& ptx) {
  auto machine = timing::machine_for_target("sm_" + std::to_string(architecture));
  if (!machine) return error_of("machine", machine.errors());
  const object::Input input{"k.cubin", bytes};
  auto cubin = object::read_cubin(input);
  if (!cubin) return error_of("cubin", cubin.errors());
  auto program = prepare(*cubin, kernel.kernel);
  if (!program) return error_of("decoder", program.errors());
  auto code = timed_code(*program, *machine);
  if (!code) return error_of("figures", code.errors());
  auto code_of_few = timed_code(*program, *machine, true);
  if (!code_of_few) return error_of("figures", code_of_few.errors());
  auto reading = frontend::read_machine_code(input, {kernel.kernel}, told_launch(kernel, true));
  auto ladder = ladder_of(reading, *machine);
  if (!ladder) return error_of("bound", ladder.errors());
  const int64_t of_ptx = ptx.ladder.empty() ? 0 : ptx.ladder.front().makespan.value_or(0);
  return Subject{std::move(*machine),     std::move(*cubin),
                 std::move(*program),     std::move(*code),
                 std::move(*code_of_few), std::move(reading.kernels.front()),
                 std::move(*ladder),      of_ptx};
}

// Runs of one kernel under all that may be assumed, each against the bound of its rung.
class Runs {
 public:
  Runs(const TimedKernel& kernel, const Subject& subject, uint64_t seed, TimedCheck& check)
      : kernel_(kernel), subject_(subject), seed_(seed), random_(seed), check_(check) {}

  void all() {
    std::string stopped;
    for (const reference::Order order : {reference::Order::taken_first, reference::Order::any_at_split}) {
      // Pointers that are not aligned, until that is assumed.
      const bool shifts = order != reference::Order::taken_first && !kernel_.told.front();
      const Record record = executed(order, shifts ? 16 * random_.below(8) : 0);
      if (!record.stopped.empty()) {
        stopped = record.stopped;
        continue;
      }
      note_steps(record);
      // Of rungs that permit the same runs the last has the smallest bound.
      const size_t last = shifts ? before_aligned : granted_in_turn.size();
      for (size_t count = 0; count <= last; ++count) {
        if (count < last && permitted(first_granted(count)) == permitted(first_granted(count + 1))) continue;
        run(record.traces, count);
      }
    }
    run_slowest();
    if (check_.runs == 0) check_.refused = "interpreter: " + stopped;
  }

 private:
  // What the kernel does under an order of its lanes, where its first pointer begins so many bytes further.
  Record executed(reference::Order order, uint64_t shift) const {
    const auto& functions = subject_.cubin.functions;
    const auto function =
        std::find_if(functions.begin(), functions.end(), [&](const auto& each) { return each.name == kernel_.kernel; });
    std::vector<uint64_t> values = kernel_.values;
    values.front() += shift;
    Launch launch;
    launch.block = kernel_.block;
    launch.grid = {1, 1, 1};
    launch.parameters = parameter_bytes(*function, values);
    launch.constants = kernel_.constants;
    launch.order = order;
    launch.seed = seed_;
    launch.most_steps = most_steps;
    launch.notes_steps = launch.clears_registers = launch.own_memory_alike = true;
    launch.passes_unknown = kernel_.only_numbers;
    reference::Memory memory(seed_);
    if (kernel_.fill) kernel_.fill(memory);
    return machine_code::run(subject_.program, launch, memory);
  }

  void note_steps(const Record& record) {
    for (const WarpTrace& trace : record.traces) {
      check_.warp_instructions += static_cast<int64_t>(trace.steps.size());
      for (const Step& step : trace.steps)
        check_.unstalled += subject_.program.instructions[step.instruction].control.stall == 0 ? 1 : 0;
    }
  }

  int64_t cycles(const std::vector<WarpTrace>& traces, const AssumptionSet& assumed, const Adversary& adversary) {
    const TimedCode& code = assumed.has(Assumption::few) ? subject_.code_of_few : subject_.code;
    return simulate(code, traces, subject_.machine, permitted(assumed), adversary);
  }

  // With nothing assumed, where one read of a parameter brings all of it, as bounds of PTX have it.
  int64_t cycles_of_lines(const std::vector<WarpTrace>& traces, const Adversary& adversary) {
    Permitted nothing;
    nothing.constants = Permitted::Constants::missed_lines;
    return simulate(subject_.code, traces, subject_.machine, nothing, adversary);
  }

  // Where the first `count` assumptions are assumed.
  void run(const std::vector<WarpTrace>& traces, size_t count) {
    const AssumptionSet assumed = first_granted(count);
    const auto bound = bound_at(subject_.ladder, count);
    const std::string rung = rung_name(count);
    double& nearest = (traces.size() > 1 ? check_.nearest_of_several : check_.nearest)[rung];
    for (const Adversary& adversary : adversaries(traces.size(), random_)) {
      const int64_t run = cycles(traces, assumed, adversary);
      ++check_.runs;
      if (bound) note({rung, run, *bound, text_of(adversary)}, nearest, check_.of_machine_code);
      if (count > 0) continue;
      if (subject_.of_ptx > 0)
        note({rung, cycles_of_lines(traces, adversary), subject_.of_ptx, text_of(adversary)}, check_.ptx_nearest,
             check_.of_ptx);
    }
  }

  // What the program itself executes, from numbers that are drawn, and how long it takes with the figures of its bound.
  void run_slowest() {
    SlowestOptions options;
    for (const size_t count : {size_t{0}, before_aligned, granted_in_turn.size() - 1, granted_in_turn.size()})
      options.rungs.push_back({rung_name(count), first_granted(count)});
    options.contents = {ir::Contents::Kind::integers, seed_};
    options.most_steps = most_steps;
    const SlowestCheck found = check_slowest(subject_.analyzed, subject_.machine, options);
    check_.runs += found.runs;
    check_.contradictions = found.contradictions;
    for (const Excess& each : found.found) note(each, check_.nearest_slowest[each.rung], check_.of_machine_code);
  }

  static void note(const Excess& found, double& nearest, std::optional<Excess>& largest) {
    nearest = std::max(nearest, found.ratio());
    if (found.run > found.bound && (!largest || found.ratio() > largest->ratio())) largest = found;
  }

  const TimedKernel& kernel_;
  const Subject& subject_;
  const uint64_t seed_;
  reference::Random random_;
  TimedCheck& check_;
};

}  // namespace

support::Result<std::vector<timing::Rung>> machine_code_bounds(const TimedKernel& kernel, const std::string& cubin,
                                                               const timing::Machine& machine) {
  const object::Input input{"k.cubin", cubin};
  return ladder_of(frontend::read_machine_code(input, {kernel.kernel}, told_launch(kernel, true)), machine);
}

PtxBounds ptx_bounds(const TimedKernel& kernel, int architecture) {
  const auto machine = timing::machine_for_target("sm_" + std::to_string(architecture));
  if (!machine) return {{}, first_error(machine.errors())};
  const auto source = std::make_shared<const support::SourceFile>("k.ptx", kernel.text);
  auto ladder = ladder_of(frontend::read_kernels(source, {kernel.kernel}, told_launch(kernel, false)), *machine);
  if (!ladder) return {{}, first_error(ladder.errors())};
  return {std::move(*ladder), {}};
}

TimedCheck check_times(const TimedKernel& kernel, const std::string& cubin, int architecture, const PtxBounds& ptx,
                       uint64_t seed) {
  TimedCheck check;
  const auto subject = prepare_subject(kernel, cubin, architecture, ptx);
  if (!subject) {
    check.refused = first_error(subject.errors());
    return check;
  }
  check.ptx_refused = ptx.refused;
  Runs(kernel, *subject, seed, check).all();
  return check;
}

void TimedTally::add(const std::string& name, const TimedCheck& check) {
  ++compiled;
  unstalled += check.unstalled;
  if (!check.refused.empty()) {
    ++refused;
    ++refusals[kind_of(check.refused)];
    return;
  }
  ++compared;
  runs += check.runs;
  warp_instructions += check.warp_instructions;
  for (const auto& [rung, ratio] : check.nearest) nearest[rung] = std::max(nearest[rung], ratio);
  for (const auto& [rung, ratio] : check.nearest_of_several)
    nearest_of_several[rung] = std::max(nearest_of_several[rung], ratio);
  const auto told = [&name](const Excess& excess) {
    return name + ": run " + std::to_string(excess.run) + ", bound " + std::to_string(excess.bound) + " (" +
           excess.rung + "; " + excess.how + ")";
  };
  for (const auto& [rung, ratio] : check.nearest_slowest)
    nearest_slowest[rung] = std::max(nearest_slowest[rung], ratio);
  for (const std::string& what : check.contradictions) violations.push_back(name + ": " + what);
  if (check.of_machine_code) violations.push_back(told(*check.of_machine_code));
  if (!check.ptx_refused.empty()) {
    ++without_ptx;
    ++refusals["PTX: " + kind_of(check.ptx_refused)];
  }
  ptx_farthest = std::max(ptx_farthest, check.ptx_nearest);
  if (!check.of_ptx) return;
  ++above_ptx;
  of_ptx.push_back(told(*check.of_ptx));
}

std::string TimedTally::text() const {
  std::ostringstream out;
  out << std::fixed << std::setprecision(3) << "compiled " << compiled << ", compared " << compared << ", refused "
      << refused << ", PTX without bound " << without_ptx << "; runs " << runs << " of " << warp_instructions
      << " warp instructions; above the bound of machine code " << violations.size() << ", above that of the PTX "
      << above_ptx << " (farthest " << ptx_farthest << "); instructions with stall count 0: " << unstalled << "\n";
  const auto print = [&out](const char* whose, const std::map<std::string, double>& ratios) {
    out << "  nearest of " << whose << ":";
    for (size_t count = 0; count <= granted_in_turn.size(); ++count) {
      const auto found = ratios.find(rung_name(count));
      if (found != ratios.end()) out << " " << found->first << " " << found->second;
    }
    out << "\n";
  };
  print("one warp", nearest);
  print("several", nearest_of_several);
  print("slowest runs", nearest_slowest);
  for (const auto& [reason, times] : refusals) out << "  refused " << times << " times: " << reason << "\n";
  for (const std::string& what : violations) out << "  VIOLATION " << what << "\n";
  return out.str();
}

}  // namespace warpspan::machine_code
