// SPDX-License-Identifier: GPL-3.0-or-later
// How often loops of hostile kernels run, held against what is said of them before any of them is bounded by a user:
// other families (families.hpp) leave out kernels with a loop that has no bound.
#include "tests/reference/generators/hostile_loops.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>
#include <map>

#include "tests/frontend/lift/find_facts.hpp"
#include "tests/reference/bounds.hpp"
#include "tests/reference/interpreter/interpreter.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;

namespace {

struct Tally {
  int kernels = 0, refused = 0, loops = 0, bounded = 0, entered = 0, reached = 0, spans = 0, summed = 0, wrong = 0;
  std::map<ir::TripCountSource, int> sources = {};
};

// What one access of a line, and a branch, is said to do.
struct Said {
  int64_t pieces = 0;
  bool is_divergent = false;
  std::optional<ir::ByteSpan> span = {};
  uint64_t begin = 0;  // of what the span is counted from
};

class Attempt {
 public:
  explicit Attempt(uint64_t seed) : seed_(seed), loops_(reference::hostile_loops(seed)) {}

  // One line for each loop that ran more often than is said.
  std::string compare(Tally& tally, int runs, int64_t most_steps);
  std::string text() const { return loops_.text; }

 private:
  uint64_t seed_;
  reference::HostileLoops loops_;
};

std::string Attempt::compare(Tally& tally, int runs, int64_t most_steps) {
  ++tally.kernels;
  const ptx::Module module = test::module_of(loops_.text);
  const int64_t threads = seed_ % 4 == 0 ? 40 : 3;
  constexpr int64_t blocks = 2;
  ir::Launch launch = test::with_grid(test::block_of(threads), blocks);
  if (loops_.array_bytes) launch.buffers.push_back({"q", *loops_.array_bytes});
  std::string told;
  for (const reference::HostileParameter& parameter : loops_.parameters) {
    if (!parameter.is_told) continue;
    launch.arguments.push_back({parameter.name, parameter.told()});
    told += " " + parameter.name + "=" + parameter.told();
  }
  const test::Analyzed analyzed = test::analyze(module, launch);
  if (!analyzed.facts) {
    ++tally.refused;
    return "";
  }
  const ir::Flow& flow = *analyzed.facts;
  const auto entry = ptx::expand_calls(module, module.functions.front());
  const auto places = reference::lay_out(module, module.functions.front(), 1);
  std::string unknown;
  const auto program = entry ? reference::prepare(*entry, places, unknown) : std::nullopt;
  INFO(unknown);
  REQUIRE(program.has_value());
  const reference::ControlGraph graph = reference::control_graph(*program);
  std::vector<const ir::Loop*> loops;
  for (const reference::NaturalLoop& loop : graph.loops) {
    const auto line = static_cast<uint32_t>(module.source->locate(entry->instructions[loop.header].offset).line);
    const auto found = std::find_if(flow.loops.begin(), flow.loops.end(), [&](const ir::Loop& one) {
      return analyzed.kernel.instructions[analyzed.kernel.blocks[one.header].first].line == line;
    });
    loops.push_back(found == flow.loops.end() ? nullptr : &*found);
    if (loops.back() == nullptr) continue;
    ++tally.loops;
    tally.bounded += loops.back()->trip_count ? 1 : 0;
    ++tally.sources[loops.back()->source];
  }
  constexpr uint64_t begin = uint64_t{1} << 46, array = uint64_t{1} << 45;
  std::map<int64_t, Said> said;  // by line
  for (ir::InstructionId i = 0; i < analyzed.kernel.instructions.size(); ++i) {
    said[analyzed.kernel.instructions[i].line].pieces = flow.transactions[i];
  }
  for (size_t b = 0; b < flow.blocks.size(); ++b) {
    const ir::Block& block = analyzed.kernel.blocks[b];
    if (block.count == 0) continue;
    said[analyzed.kernel.instructions[block.first + block.count - 1].line].is_divergent = flow.blocks[b].divergent;
  }
  for (const ir::Access& access : flow.accesses) {
    if (access.object == ir::no_object || !access.span) continue;
    Said& here = said[analyzed.kernel.instructions[access.instruction].line];
    here.span = access.span;
    here.begin = flow.objects[access.object].name == "p" ? begin : array;
    ++tally.spans;
  }
  std::vector<int64_t> lines;  // by step
  for (const ptx::Instruction& instruction : entry->instructions) {
    lines.push_back(module.source->locate(instruction.offset).line);
  }
  // Where each loop has a bound, sums of what a warp executes have one.
  std::optional<frontend::AnalyzedKernel> whole;
  std::optional<reference::Bounds> sums;
  if (std::all_of(flow.loops.begin(), flow.loops.end(), [](const ir::Loop& loop) { return loop.trip_count; })) {
    whole.emplace(frontend::AnalyzedKernel{analyzed.kernel, flow, launch});
    sums = reference::bounds_of(*whole);
  }
  tally.summed += sums ? 1 : 0;
  reference::Random random(seed_ + 1);
  std::string wrong;
  std::vector<int64_t> most(loops.size());
  for (int run = 0; run < runs; ++run) {
    reference::Situation situation;
    situation.block = {threads, 1, 1};
    situation.seed = random.next();
    situation.most_steps = most_steps;
    situation.notes_places = true;
    situation.grid = {blocks, 1, 1};
    situation.blocks = {{0, 0, 0}, {1, 0, 0}};
    situation.arguments[0] = begin;
    situation.arguments[1] = array;
    std::string values = told + ", executed with";
    for (uint32_t i = 0; i < loops_.parameters.size(); ++i) {
      const uint64_t value = hostile_value(loops_.parameters[i], random);
      situation.arguments[i + 2] = value;
      values += " " + loops_.parameters[i].name + "=" + std::to_string(value);
    }
    const reference::Subject subject{module, *entry, *program, graph, places};
    const reference::Record record = reference::execute(subject, situation);
    const auto leaves_array = [&](const reference::AccessPlace& place) {
      constexpr uint64_t far = uint64_t{1} << 43;  // that far from it is another one
      const uint64_t at = place.address - array, bytes = static_cast<uint64_t>(*loops_.array_bytes);
      return at + far < 2 * far && (at >= bytes || at + static_cast<uint64_t>(place.bytes) > bytes);
    };
    // A run that was given up may have left it later.
    const bool is_finished = record.outcome == reference::Record::Outcome::finished;
    if (loops_.array_bytes && (!is_finished || std::any_of(record.places.begin(), record.places.end(), leaves_array))) {
      continue;
    }
    for (size_t step = 0; step < lines.size() && wrong.empty(); ++step) {
      const Said& here = said[lines[step]];
      const bool leaves = program->steps[step].action == reference::Action::leave;
      if (record.most_pieces[step] > here.pieces) wrong = "pieces of line " + std::to_string(lines[step]) + values;
      if (record.parted[step] && !leaves && !here.is_divergent) {
        wrong = "lanes part in line " + std::to_string(lines[step]) + values;
      }
    }
    for (const reference::AccessPlace& place : record.places) {
      const auto& span = said[lines[place.step]].span;
      const auto first = static_cast<int64_t>(place.address - said[lines[place.step]].begin);
      if (!span || (first >= span->first && first + place.bytes <= span->end) || !wrong.empty()) continue;
      wrong = "byte " + std::to_string(first) + " in line " + std::to_string(lines[place.step]) + ", not from " +
              std::to_string(span->first) + " to " + std::to_string(span->end) + values;
    }
    for (size_t i = 0; i < loops.size(); ++i) {
      const int64_t turns = record.most_turns[i];
      most[i] = std::max(most[i], turns);
      if (turns == 0 || !wrong.empty()) continue;
      const auto note = [&](const std::string& what) {
        wrong += "turns of " + (loops[i] == nullptr ? "a loop" : loops[i]->label) + ": " + std::to_string(turns) +
                 ", " + what + ";" + values + "\n";
      };
      if (loops[i] == nullptr) {
        note("not found");
      } else if (loops[i]->source == ir::TripCountSource::not_entered) {
        note("said not to be entered");
      } else if (loops[i]->trip_count && turns > *loops[i]->trip_count) {
        note("bound " + std::to_string(*loops[i]->trip_count) + " by " +
             std::to_string(static_cast<int>(loops[i]->source)));
      } else if (is_finished && turns < loops[i]->fewest_trips) {
        note("said to be at least " + std::to_string(loops[i]->fewest_trips));
      }
    }
    if (!sums || !wrong.empty()) continue;
    const std::vector<std::string> exceeded = reference::violations(*whole, *sums, subject, record);
    if (!exceeded.empty()) wrong = exceeded.front() + values;
  }
  for (size_t i = 0; i < loops.size(); ++i) {
    if (loops[i] == nullptr || !loops[i]->trip_count) continue;
    tally.entered += most[i] > 0 ? 1 : 0;
    tally.reached += most[i] == *loops[i]->trip_count ? 1 : 0;
  }
  tally.wrong += wrong.empty() ? 0 : 1;
  return wrong;
}

uint64_t number_from(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace

TEST_CASE("reference: no loop of a hostile kernel runs more often than is said") {
  Tally tally;
  const uint64_t first = test::first_seed(0, 600), end = first + static_cast<uint64_t>(test::thinned_seeds(600));
  for (uint64_t seed = first; seed < end; ++seed) {
    Attempt attempt(seed);
    INFO("seed " << seed << "\n" << attempt.text());
    CHECK(attempt.compare(tally, 8, 2000) == "");
  }
  CHECK(tally.bounded * 3 > warpspan::test::or_half(tally.loops));
  CHECK(tally.summed * 10 > warpspan::test::or_half(tally.kernels));
  CHECK(tally.reached * 5 > warpspan::test::or_half(tally.entered));
}

TEST_CASE("reference: hostile kernels without end", "[.attack-loops]") {
  const uint64_t first = number_from("WARPSPAN_ATTACK_FIRST", 0), count = number_from("WARPSPAN_ATTACK_COUNT", 1000);
  const auto runs = static_cast<int>(number_from("WARPSPAN_ATTACK_RUNS", 12));
  const auto steps = static_cast<int64_t>(number_from("WARPSPAN_ATTACK_STEPS", 3000));
  const bool shows = std::getenv("WARPSPAN_ATTACK_SHOW") != nullptr;
  Tally tally;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Attempt attempt(seed);
    if (shows) std::cout << attempt.text();
    const std::string wrong = attempt.compare(tally, runs, steps);
    if (!wrong.empty()) std::cout << "seed " << seed << ": " << wrong << std::flush;
  }
  std::cout << tally.kernels << " kernels, " << tally.refused << " refused; " << tally.loops << " loops, "
            << tally.bounded << " bounded, " << tally.entered << " of them entered, " << tally.reached
            << " as often as said; " << tally.spans << " spans; " << tally.summed << " kernels with sums; "
            << tally.wrong << " wrong\n";
  for (const auto& [source, times] : tally.sources) std::cout << static_cast<int>(source) << ": " << times << "\n";
  CHECK(tally.wrong == 0);
}
