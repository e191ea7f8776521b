#include "tests/reference/footprints.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "frontend/frontend.hpp"
#include "frontend/ptx/expand_calls.hpp"
#include "frontend/ptx/parser.hpp"
#include "tests/reference/random.hpp"

namespace warpspan::reference {

namespace {

constexpr int64_t line_bytes = 128;

int64_t line_of(uint64_t address) { return static_cast<int64_t>(address / line_bytes); }

// Beginnings of objects, by the names that the analysis gives them.
using Bases = std::map<std::string, uint64_t>;

// Pointers lie far from each other, begin where accesses of 16 bytes may, and are not told to the analysis.
Bases place_pointers(const ptx::Module& module, const ptx::Function& entry, const std::vector<uint64_t>& places,
                     bool aligned, Random& random, Situation& situation) {
  Bases bases;
  for (uint32_t i = 0; i < module.variables.size(); ++i) bases[std::string(module.variables[i].name)] = places[i];
  for (uint32_t i = 0; i < entry.parameters.size(); ++i) {
    const uint32_t index = entry.parameters[i].variable;
    if (index == ptx::none || module.variables[index].bytes != 8 || situation.arguments.count(i) > 0) continue;
    const uint64_t begin = 0x7f0000000000 + (uint64_t{i} << 36) + (aligned ? 256 : 16) * random.below(1 << 16);
    situation.arguments[i] = begin + (uint64_t{1} << 34);
    bases[std::string(module.variables[index].name)] = situation.arguments[i];
  }
  return bases;
}

// The step of each instruction that accesses memory: of those of one line, the one with the same position among them.
std::map<ir::InstructionId, uint32_t> steps_of(const frontend::AnalyzedKernel& analyzed, const Subject& subject) {
  std::map<uint32_t, std::vector<uint32_t>> steps;
  for (uint32_t s = 0; s < subject.entry.instructions.size(); ++s) {
    steps[static_cast<uint32_t>(subject.module.source->locate(subject.entry.instructions[s].offset).line)].push_back(s);
  }
  std::map<uint32_t, std::vector<ir::InstructionId>> instructions;
  for (ir::InstructionId i = 0; i < analyzed.kernel.instructions.size(); ++i) {
    instructions[analyzed.kernel.instructions[i].line].push_back(i);
  }
  std::map<ir::InstructionId, uint32_t> result;
  for (const auto& [line, ids] : instructions) {
    if (steps[line].size() != ids.size()) continue;
    for (size_t i = 0; i < ids.size(); ++i) result[ids[i]] = steps[line][i];
  }
  return result;
}

class Check {
 public:
  Check(const frontend::AnalyzedKernel& analyzed, const Subject& subject, const Record& record, const Bases& bases,
        bool aligned)
      : analyzed_(analyzed), record_(record), bases_(bases), aligned_(aligned), steps_(steps_of(analyzed, subject)) {
    for (const AccessPlace& place : record.places) by_step_[place.step].push_back(&place);
  }

  FootprintCheck run() {
    std::map<ir::InstructionId, std::vector<const ir::Access*>> dense;
    for (const ir::Access& access : analyzed_.flow.accesses) {
      const auto step = steps_.find(access.instruction);
      if (step == steps_.end()) continue;
      if (access.dense) dense[access.dense_with].push_back(&access);
      if (by_step_.count(step->second) > 0) check(access, by_step_[step->second]);
    }
    for (const auto& [first, group] : dense) {
      if (record_.outcome == Record::Outcome::finished) check_dense(group);
    }
    return std::move(result_);
  }

 private:
  using Places = std::vector<const AccessPlace*>;

  void fail(const ir::Access& access, const std::string& what) {
    const ir::Instruction& instruction = analyzed_.kernel.instructions[access.instruction];
    result_.violations.push_back("line " + std::to_string(instruction.line) + " (" + access.form + "): " + what);
  }

  std::optional<uint64_t> base(const ir::Access& access) const {
    if (access.object == ir::no_object) return std::nullopt;
    const auto found = bases_.find(analyzed_.flow.objects[access.object].name);
    return found == bases_.end() ? std::nullopt : std::optional(found->second);
  }

  // Different lines with the same key, at most.
  template <typename Key>
  void check_lines(const ir::Access& access, const Places& places, const std::string& of, std::optional<int64_t> most,
                   const Key& key) {
    std::map<uint32_t, std::set<int64_t>> lines;
    for (const AccessPlace* place : places) lines[key(*place)].insert(line_of(place->address));
    for (const auto& [number, own] : lines) {
      if (!most || static_cast<int64_t>(own.size()) <= *most) continue;
      return fail(access, std::to_string(own.size()) + " lines of " + of + ", not " + std::to_string(*most));
    }
  }

  // Each line of a request, but those at the ends of the span.
  void check_covered(const ir::Access& access, const Places& places) {
    const auto begin = base(access);
    if (!begin || !access.span) return fail(access, "covers lines, and it is not known where");
    const int64_t first = line_of(*begin + static_cast<uint64_t>(access.span->first));
    const int64_t last = line_of(*begin + static_cast<uint64_t>(access.span->end - 1));
    std::map<std::pair<uint32_t, int64_t>, std::map<uint64_t, int64_t>> bytes;  // by address
    for (const AccessPlace* p : places) bytes[{p->request, line_of(p->address)}][p->address] = p->bytes;
    for (const auto& [where, own] : bytes) {
      if (where.second == first || where.second == last) continue;
      int64_t sum = 0;
      for (const auto& [address, length] : own) sum += length;
      if (sum != static_cast<int64_t>(line_bytes))
        return fail(access, std::to_string(sum) + " bytes of a line it covers");
    }
  }

  void check(const ir::Access& access, const Places& places) {
    ++result_.accesses;
    if (access.span) ++result_.with_span;
    if (access.warp_lines && access.block_lines && access.grid_lines) ++result_.with_lines;
    check_lines(access, places, "a warp", access.warp_lines, [](const AccessPlace& p) { return p.warp; });
    check_lines(access, places, "a block", access.block_lines, [](const AccessPlace& p) { return p.block; });
    check_lines(access, places, "the grid", access.grid_lines, [](const AccessPlace&) { return 0U; });
    const ir::Operation& operation = analyzed_.kernel.operation(analyzed_.kernel.instructions[access.instruction]);
    const bool is_atomic = operation.semantics.computation == ir::Computation::unknown;
    if (aligned_ && !is_atomic) {
      check_lines(access, places, "a request", access.aligned_transactions,
                  [](const AccessPlace& p) { return p.request; });
    }
    if (aligned_ && access.covers_lines) check_covered(access, places);
    const auto begin = base(access);
    if (!begin || !access.span) return;
    for (const AccessPlace* place : places) {
      const auto first = static_cast<int64_t>(place->address - *begin);
      if (first >= access.span->first && first + place->bytes <= access.span->end) continue;
      return fail(access, "byte " + std::to_string(first) + " is outside of " + std::to_string(access.span->first) +
                              " to " + std::to_string(access.span->end));
    }
  }

  void check_dense(const std::vector<const ir::Access*>& group) {
    const ir::Access& first = *group.front();
    const auto begin = base(first);
    if (!begin || !first.span) return fail(first, "dense, and it is not known where");
    ir::ByteSpan range = *first.span;
    std::set<std::pair<uint32_t, int64_t>> requests;
    for (const ir::Access* access : group) {
      range.first = std::min(range.first, access->span->first);
      range.end = std::max(range.end, access->span->end);
      for (const AccessPlace* place : by_step_[steps_.at(access->instruction)]) {
        requests.emplace(place->request, line_of(place->address));
      }
    }
    std::map<int64_t, int64_t> of_line;
    for (const auto& [request, line] : requests) ++of_line[line];
    const int64_t least = line_of(*begin + static_cast<uint64_t>(range.first));
    const int64_t most = line_of(*begin + static_cast<uint64_t>(range.end) - 1);
    if (static_cast<int64_t>(of_line.size()) != most - least + 1) {
      return fail(first, "dense, but it leaves out " +
                             std::to_string(most - least + 1 - static_cast<int64_t>(of_line.size())) + " lines");
    }
    int64_t highest = 0;
    for (const auto& [line, count] : of_line) highest = std::max(highest, count);
    const auto all = static_cast<int64_t>(requests.size());
    if (highest * static_cast<int64_t>(of_line.size()) > 2 * all) {
      fail(first, "dense, but " + std::to_string(highest) + " requests of a line, " + std::to_string(all) + " of " +
                      std::to_string(of_line.size()));
    }
    result_.dense += static_cast<int>(group.size());
  }

  const frontend::AnalyzedKernel& analyzed_;
  const Record& record_;
  const Bases& bases_;
  bool aligned_;
  std::map<ir::InstructionId, uint32_t> steps_;
  std::map<uint32_t, Places> by_step_;
  FootprintCheck result_;
};

FootprintCheck not_compared(std::string reason) {
  FootprintCheck check;
  check.reason = std::move(reason);
  return check;
}

}  // namespace

FootprintCheck check_footprints(Experiment experiment, uint64_t seed, bool aligned) {
  const auto source = std::make_shared<const support::SourceFile>("experiment.ptx", experiment.text);
  const auto module = ptx::parse(source);
  if (!module) return not_compared(render(module.errors().front(), false));
  const auto entry = std::find_if(module->functions.begin(), module->functions.end(), [&](const ptx::Function& f) {
    return f.is_entry && f.has_body && f.name == experiment.kernel;
  });
  if (entry == module->functions.end()) return not_compared("no such kernel");
  if (!experiment.launch.grid) experiment.launch.grid = ir::Extent{1, 1, 1};
  const frontend::Reading reading = frontend::read_kernels(source, {experiment.kernel}, experiment.launch);
  if (reading.kernels.empty()) return not_compared(render(reading.errors.front(), false));

  constexpr ptx::SharingLimits all_inlined{1'000'000, 100'000'000};
  const auto body = ptx::expand_calls(*module, *entry, all_inlined);
  if (!body) return not_compared(render(body.errors().front(), false));
  const std::vector<uint64_t> places = lay_out(*module, *entry, seed);
  std::string unknown;
  const auto program = prepare(*body, places, unknown);
  if (!program) return not_compared(unknown);
  const ControlGraph graph = control_graph(*program);
  const Subject subject{*module, *body, *program, graph, places};

  Situation situation = situation_of(*module, *entry, experiment);
  situation.seed = seed;
  situation.notes_places = true;
  situation.blocks.clear();
  const ir::Extent& grid = situation.grid;
  for (int64_t i = 0; i < grid.x * grid.y * grid.z; ++i) {
    situation.blocks.push_back({i % grid.x, i / grid.x % grid.y, i / grid.x / grid.y});
  }
  Random random(seed + 7);
  const Bases bases = place_pointers(*module, *entry, places, aligned, random, situation);
  return Check(reading.kernels.front(), subject, execute(subject, situation), bases, aligned).run();
}

}  // namespace warpspan::reference
