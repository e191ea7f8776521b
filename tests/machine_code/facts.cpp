// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/machine_code/facts.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "frontend/machine_code.hpp"
#include "ir/sizes.hpp"
#include "tests/machine_code/facts_accesses.hpp"
#include "tests/reference/bounds.hpp"

namespace warpspan::machine_code {

namespace {

using Verdict = FactsCheck::Verdict;
using reference::Bounds;
using reference::Order;
using reference::WarpRecord;

// Lines of the listing count the instructions of the section.
uint32_t line_of(uint32_t number) { return number + 1; }

class FlowCheck {
 public:
  FlowCheck(const frontend::AnalyzedKernel& analyzed, const FactsSubject& subject, const Program& program,
            const Record& record, FactsCheck& result)
      : analyzed_(analyzed), subject_(subject), program_(program), record_(record), result_(result) {
    for (ir::BlockId b = 0; b < analyzed.kernel.blocks.size(); ++b) {
      const ir::Block& block = analyzed.kernel.blocks[b];
      for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
        copies_[analyzed.kernel.instructions[i].line].push_back({b, i});
      }
    }
  }

  void run(const Bounds& bounds) {
    for (const WarpRecord& warp : record_.warps) check_sums(warp, bounds);
    check_pieces();
    check_branches();
    check_ways();
    check_loops();
    check_warps();
  }

 private:
  struct Copy {
    ir::BlockId block;
    ir::InstructionId instruction;
  };

  const std::vector<Copy>& copies(uint32_t number) { return copies_[line_of(number)]; }

  std::string name(uint32_t number) const {
    return " of line " + std::to_string(line_of(number)) + " '" +
           std::string(program_.instructions[number].mnemonic()) + "'";
  }
  void add(std::string what) { result_.violations.push_back(std::move(what)); }
  void compare(const std::string& what, int64_t happened, int64_t bound) {
    if (happened > bound) add(what + ": " + std::to_string(happened) + ", bound " + std::to_string(bound));
  }

  void check_sums(const WarpRecord& warp, const Bounds& bounds) {
    std::array<int64_t, ir::unit_classes> of_class{};
    int64_t pieces = 0, all = 0;
    for (uint32_t i = 0; i < warp.executed.size(); ++i) {
      if (warp.executed[i] == 0) continue;
      if (copies(i).empty()) {
        add("executed, but in no block" + name(i));
        continue;
      }
      const auto& kernel = analyzed_.kernel;
      const auto kind = kernel.operation(kernel.instructions[copies(i).front().instruction]).kind;
      of_class[static_cast<size_t>(ir::unit_class(kind))] += warp.executed[i];
      all += warp.executed[i];
      pieces += warp.pieces[i];
      compare("executions" + name(i), warp.executed[i], bounds.of_line[line_of(i)]);
    }
    for (size_t k = 0; k < of_class.size(); ++k) {
      compare(std::string("instructions of class ") + ir::symbol(static_cast<ir::UnitClass>(k)), of_class[k],
              bounds.of_class[k]);
    }
    compare("instructions", all, bounds.of_all);
    compare("length of the string", all, bounds.of_string);
    compare("pieces of all accesses", pieces, bounds.pieces);
  }

  void check_pieces() {
    for (uint32_t i = 0; i < record_.most_pieces.size(); ++i) {
      int64_t most = 0;
      for (const Copy& copy : copies(i)) {
        most = std::max<int64_t>(most, analyzed_.flow.transactions[copy.instruction]);
      }
      compare("pieces of one access" + name(i), record_.most_pieces[i], most);
    }
  }

  void check_branches() {
    for (uint32_t i = 0; i < record_.parted.size(); ++i) {
      // Lanes that end part from the others without ever taking another way.
      if (!record_.parted[i] || program_.instructions[i].mnemonic() == "EXIT") continue;
      const bool divergent = std::any_of(copies(i).begin(), copies(i).end(),
                                         [&](const Copy& copy) { return analyzed_.flow.blocks[copy.block].divergent; });
      if (!divergent) add("lanes parted at a branch called uniform" + name(i));
    }
  }

  // Of branches that every warp of a block executes once: where all that are there together are said to go the same
  // way. Those that have gone different ways before, at a branch whose reconvergence point does not lie between, are
  // not.
  void check_ways() {
    const size_t all = warps_of_block();
    const std::vector<std::vector<uint32_t>> before = dividing_branches();
    for (uint32_t i = 0; i < program_.instructions.size(); ++i) {
      if (copies(i).size() != 1) continue;
      const ir::BlockId b = copies(i).front().block;
      if (differs(b)) continue;
      for (size_t first = 0; first + all <= record_.warps.size(); first += all) {
        std::map<std::vector<uint32_t>, std::set<uint32_t>> ways;  // by what way warps took at each branch before
        bool once = true;
        for (size_t w = first; w < first + all; ++w) {
          once = once && record_.warps[w].executed[i] == 1;
          std::vector<uint32_t> taken;
          bool is_known = true;
          for (const uint32_t branch : before[b]) {
            const std::set<uint32_t> of_branch = ways_of(w, branch);
            is_known = is_known && of_branch.size() <= 1;
            taken.push_back(of_branch.empty() ? UINT32_MAX : *of_branch.begin());
          }
          if (is_known) ways[taken].merge(ways_of(w, i));
        }
        const bool differ =
            std::any_of(ways.begin(), ways.end(), [](const auto& each) { return each.second.size() > 1; });
        if (once && differ) add("warps of one block went different ways" + name(i));
      }
    }
  }

  bool differs(ir::BlockId b) const {
    return analyzed_.flow.blocks[b].divergent || analyzed_.flow.blocks[b].warps_differ;
  }

  std::set<uint32_t> ways_of(size_t warp, uint32_t instruction) const {
    const auto found = record_.ways[warp].find(instruction);
    return found == record_.ways[warp].end() ? std::set<uint32_t>() : found->second;
  }

  // By block: the branches at which warps may differ from which it can be reached before their reconvergence points.
  std::vector<std::vector<uint32_t>> dividing_branches() const {
    const ir::Kernel& kernel = analyzed_.kernel;
    std::vector<std::vector<uint32_t>> all(kernel.blocks.size());
    for (ir::BlockId b = 0; b < kernel.blocks.size(); ++b) {
      if (!differs(b) || kernel.blocks[b].count == 0) continue;
      const uint32_t branch = kernel.instructions[kernel.blocks[b].first + kernel.blocks[b].count - 1].line - 1;
      std::vector<bool> seen(kernel.blocks.size());
      std::vector<ir::BlockId> open = kernel.blocks[b].successors;
      while (!open.empty()) {
        const ir::BlockId next = open.back();
        open.pop_back();
        if (next == analyzed_.flow.blocks[b].reconvergence || seen[next]) continue;
        seen[next] = true;
        all[next].push_back(branch);
        open.insert(open.end(), kernel.blocks[next].successors.begin(), kernel.blocks[next].successors.end());
      }
    }
    return all;
  }

  void check_loops() {
    std::map<uint32_t, const ir::Loop*> loops;
    std::map<uint32_t, int> count;
    for (const ir::Loop& loop : analyzed_.flow.loops) {
      const ir::Loop*& known = loops[loop.line];
      if (known == nullptr || loop.trip_count.value_or(0) > known->trip_count.value_or(0)) known = &loop;
      ++count[loop.line];
    }
    for (const Loop& turned : record_.loops) {
      if (turned.most_turns <= 1) continue;  // it may be known not to turn
      const auto found = loops.find(line_of(turned.header));
      if (found == loops.end()) {
        add("no loop was found at the header" + name(turned.header) + ": " + std::to_string(turned.most_turns) +
            " turns");
        continue;
      }
      const ir::Loop& loop = *found->second;
      compare("turns of the loop at the header" + name(turned.header), turned.most_turns, loop.trip_count.value_or(0));
      if (loop.gap && count[found->first] == 1 && turned.most_turns > loop.gap->most &&
          turned.most_turns < loop.gap->else_least) {
        add("turns of the loop at the header" + name(turned.header) +
            " in a gap: " + std::to_string(turned.most_turns) + ", not at most " + std::to_string(loop.gap->most) +
            " or at least " + std::to_string(loop.gap->else_least));
      }
      const bool all_known = subject_.whole_grid && record_.stopped.empty() && count[found->first] == 1;
      if (all_known && turned.most_turns < loop.fewest_trips) {
        add("fewest turns of the loop at the header" + name(turned.header) + ": " + std::to_string(turned.most_turns) +
            ", not " + std::to_string(loop.fewest_trips));
      }
    }
  }

  size_t warps_of_block() const {
    const ir::Extent& block = subject_.launch.block;
    return static_cast<size_t>((block.x * block.y * block.z + ir::warp_lanes - 1) / ir::warp_lanes);
  }

  // Of each block of threads that was executed, how many warps executed an instruction.
  void check_warps() {
    const size_t all = warps_of_block();
    for (uint32_t i = 0; i < program_.instructions.size(); ++i) {
      int64_t most = 0;
      for (const Copy& copy : copies(i)) {
        const ir::BlockFlow& block = analyzed_.flow.blocks[copy.block];
        if (block.reachable) most += block.warps.value_or(static_cast<int64_t>(all));
      }
      for (size_t first = 0; first < record_.warps.size(); first += all) {
        int64_t warps = 0;
        for (size_t w = first; w < std::min(first + all, record_.warps.size()); ++w) {
          if (record_.warps[w].executed[i] > 0) ++warps;
        }
        compare("warps that execute what stands in" + name(i), warps, most);
      }
    }
  }

  const frontend::AnalyzedKernel& analyzed_;
  const FactsSubject& subject_;
  const Program& program_;
  const Record& record_;
  FactsCheck& result_;
  std::map<uint32_t, std::vector<Copy>> copies_;  // by line
};

FactsCheck verdict(Verdict kind, std::string reason) {
  FactsCheck result;
  result.verdict = kind;
  result.reason = std::move(reason);
  return result;
}

// As a user would give them who has counted. A run that was stopped would have begun one more iteration.
std::vector<ir::LoopBound> bounds_from(const std::vector<Record>& records) {
  std::map<uint32_t, int64_t> turns;
  for (const Record& record : records) {
    for (const Loop& loop : record.loops)
      turns[loop.header] =
          std::max({turns[loop.header], loop.most_turns + (record.stopped.empty() ? 0 : 1), int64_t{1}});
  }
  std::vector<ir::LoopBound> bounds;
  for (const auto& [header, most] : turns) {
    ir::LoopBound bound;
    bound.line = line_of(header);
    bound.trip_count = most;
    bounds.push_back(bound);
  }
  return bounds;
}

std::string first_error(const frontend::Reading& reading) {
  if (reading.errors.empty()) return "no error";
  return reading.errors.front().message;
}

int64_t most_executed(const Record& record) {
  int64_t most = 1;
  for (const WarpRecord& warp : record.warps) {
    most = std::max(most, std::accumulate(warp.executed.begin(), warp.executed.end(), int64_t{0}));
  }
  return most;
}

// One for each place.
void drop_repeated(std::vector<std::string>& all) {
  const auto place = [](const std::string& what) { return what.substr(0, what.find(": ")); };
  std::sort(all.begin(), all.end());
  const auto same = [&](const std::string& a, const std::string& b) { return place(a) == place(b); };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
}

}  // namespace

FactsCheck check_facts(const FactsSubject& subject, const std::vector<Order>& orders) {
  const object::Input input{"kernel.cubin", subject.cubin};
  const auto cubin = object::read_cubin(input);
  if (!cubin) return verdict(Verdict::unreadable, render(cubin.errors().front(), false));
  const auto program = prepare(*cubin, subject.kernel);
  if (!program) return verdict(Verdict::unreadable, program.errors().front().message);
  auto reading = frontend::read_machine_code(input, {subject.kernel}, subject.told);
  // As results that rest on it assume; of one that is not there yet nobody knows.
  const bool is_alike = reading.kernels.empty() || reading.kernels.front().flow.same_unwritten;
  FactsCheck result;
  std::vector<Record> records;
  for (const Order order : orders) {
    Launch launch = subject.launch;
    launch.order = order;
    launch.notes_accesses = true;
    launch.own_memory_alike = is_alike;
    reference::Memory memory(launch.seed);
    subject.fill(memory);
    records.push_back(machine_code::run(*program, launch, memory));
    if (records.back().loses_uniform) {
      if (order != Order::any_at_step) ++result.lost_uniform;
      records.pop_back();
      continue;
    }
    result.steps += records.back().steps;
    if (!records.back().stopped.empty()) result.stopped = records.back().stopped;
  }
  if (reading.kernels.empty()) {
    ir::Launch more = subject.told;
    more.loop_bounds = bounds_from(records);
    const std::string before = first_error(reading);
    reading = frontend::read_machine_code(input, {subject.kernel}, more);
    if (reading.kernels.empty()) return verdict(Verdict::refused, before + " | " + first_error(reading));
    result.bounds_given = true;
  }
  const frontend::AnalyzedKernel& analyzed = reading.kernels.front();
  const auto bounds = reference::bounds_of(analyzed);
  if (!bounds) return verdict(Verdict::refused, "totals beyond 64 bits");
  int64_t most = 1;
  for (const Record& record : records) {
    // What was given is not true of a run that may never end: no thread may then enter a loop that none leaves.
    if (result.bounds_given && !record.stopped.empty()) continue;
    FlowCheck(analyzed, subject, *program, record, result).run(*bounds);
    check_footprints(analyzed, subject, record, result);
    most = std::max(most, most_executed(record));
  }
  result.looseness = static_cast<double>(bounds->of_all) / static_cast<double>(most);
  drop_repeated(result.violations);
  return result;
}

}  // namespace warpspan::machine_code
