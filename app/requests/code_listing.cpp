// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/code_listing.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "app/reports/analyze/access_section.hpp"
#include "app/reports/diagnostics.hpp"
#include "app/reports/readable.hpp"
#include "app/requests/code_view.hpp"
#include "timing/costs/cost.hpp"
#include "timing/costs/outside_calls.hpp"

namespace warpspan::app {

namespace {

// How many blocks of a path are written down.
constexpr size_t most_blocks_of_path = 400;

class Lister {
 public:
  // `bound` is null where there is none.
  Lister(const frontend::AnalyzedKernel& analyzed, LineTexts& texts, const BoundKernel* bound)
      : kernel_(analyzed.kernel),
        analyzed_(analyzed),
        flow_(bound == nullptr ? analyzed.flow : bound->flow),
        texts_(texts),
        bound_(bound) {}

  ListedKernel run() {
    listed_.file = texts_.input();
    listed_.name = kernel_.name;
    listed_.target = kernel_.target;
    listed_.is_machine_code = !analyzed_.listing.empty();
    listed_.launch = analyzed_.launch;
    listed_.loops = analyzed_.flow.loops;
    add_lines();
    add_blocks();
    if (bound_ != nullptr) add_costs();
    return std::move(listed_);
  }

 private:
  void add_lines();
  void add_blocks();
  void add_block(ir::BlockId id, CodeBlock& block);
  void add_costs();
  void add_figures();
  void add_accesses();
  void add_path();
  std::string path_of(ir::LoopId loop, std::set<ir::LoopId>& done, size_t& room) const;
  ir::LoopId child_of(ir::LoopId loop, ir::LoopId ancestor) const;

  bool has_flow() const { return flow_.blocks.size() == kernel_.blocks.size(); }
  CodeLine* line_of(ir::InstructionId id) {
    const auto found = by_line_.find(kernel_.instructions[id].line);
    return found == by_line_.end() ? nullptr : &listed_.lines[found->second];
  }
  void rest_on(ir::InstructionId id, std::string what) {
    CodeLine* line = what.empty() ? nullptr : line_of(id);
    if (line == nullptr) return;
    std::vector<std::string>& all = line->rests_on;
    if (std::find(all.begin(), all.end(), what) == all.end()) all.push_back(std::move(what));
  }

  const ir::Kernel& kernel_;
  const frontend::AnalyzedKernel& analyzed_;
  const ir::Flow& flow_;
  LineTexts& texts_;
  const BoundKernel* bound_;
  ListedKernel listed_;
  std::map<uint32_t, size_t> by_line_;  // into listed_.lines
  std::vector<int64_t> executions_;     // by block of the kernel
  std::vector<std::string> labels_;     // by block of the kernel
};

void Lister::add_lines() {
  const std::vector<timing::InstructionCost> none;
  for (ViewedLine& viewed :
       viewed_lines(kernel_, analyzed_.listing, bound_ == nullptr ? none : bound_->report.analysis.costs, texts_)) {
    CodeLine line;
    static_cast<ViewedLine&>(line) = std::move(viewed);
    if (listed_.is_machine_code) {
      const ir::ListedInstruction& instruction = analyzed_.listing[listed_.lines.size()];
      line.offset = instruction.offset;
      line.control = instruction.control;
      line.waits = instruction.waits;
      line.ptx_line = instruction.ptx_line;
    }
    if (line.source_line > 0) line.source_text = texts_.of_source(line.source_file, line.source_line);
    by_line_.emplace(line.line, listed_.lines.size());
    listed_.lines.push_back(std::move(line));
  }
}

// A block for each line where one of the kernel's begins; of copies the first.
void Lister::add_blocks() {
  std::map<size_t, ir::BlockId> leaders;  // by its first line
  for (ir::BlockId b = 0; b < kernel_.blocks.size(); ++b) {
    if (kernel_.blocks[b].count == 0) continue;
    const auto found = by_line_.find(kernel_.instructions[kernel_.blocks[b].first].line);
    if (found != by_line_.end()) leaders.emplace(found->second, b);
  }
  std::map<size_t, std::string> names;
  for (auto leader = leaders.begin(); leader != leaders.end(); ++leader) {
    CodeBlock block;
    block.first = leader->first;
    const auto next = std::next(leader);
    block.count = (next == leaders.end() ? listed_.lines.size() : next->first) - block.first;
    const std::string& own = kernel_.blocks[leader->second].label;
    if (listed_.is_machine_code) {
      const ir::ListedInstruction& instruction = analyzed_.listing[block.first];
      block.function = instruction.function;
      block.label = listed_.lines[block.first].place;
    } else {
      block.label = own.empty() ? "B" + std::to_string(listed_.blocks.size()) : own;
    }
    names.emplace(block.first, block.label);
    listed_.blocks.push_back(std::move(block));
  }
  labels_.assign(kernel_.blocks.size(), "");
  for (ir::BlockId b = 0; b < kernel_.blocks.size(); ++b) {
    if (kernel_.blocks[b].count == 0) continue;
    const auto found = by_line_.find(kernel_.instructions[kernel_.blocks[b].first].line);
    if (found != by_line_.end()) labels_[b] = names.at(found->second);
  }
  size_t i = 0;
  for (const auto& [first, id] : leaders) add_block(id, listed_.blocks[i++]);
}

void Lister::add_block(ir::BlockId id, CodeBlock& block) {
  const ir::Block& own = kernel_.blocks[id];
  for (const ir::BlockId next : own.successors) {
    const std::string& label = labels_[next];
    if (!label.empty() && std::find(block.next.begin(), block.next.end(), label) == block.next.end()) {
      block.next.push_back(label);
    }
  }
  block.may_end = own.may_end || own.successors.empty();
  if (!has_flow()) return;
  const ir::BlockFlow& flow = flow_.blocks[id];
  if (flow.loop != ir::no_loop) block.loop = flow.loop;
  block.divergent = flow.divergent;
}

void Lister::add_costs() {
  const KernelReport& report = bound_->report;
  listed_.machine = report.machine.name;
  listed_.description = report.machine.description;
  listed_.clock_khz = report.machine.clock_khz;
  listed_.worst = report.analysis.worst;
  if (const solver::Bound* headline = headline_bound(report.analysis)) {
    listed_.makespan = headline->makespan;
    listed_.assumptions = headline->assumptions;
  }
  executions_ = block_executions(kernel_, report.analysis.costs);
  for (CodeBlock& block : listed_.blocks) {
    for (size_t i = block.first; i < block.first + block.count; ++i) {
      block.executions = std::max(block.executions, listed_.lines[i].executions);
    }
  }
  add_figures();
  add_accesses();
  add_path();
}

// What the machine file states of each instruction, and how far it can be trusted.
void Lister::add_figures() {
  const timing::Machine& machine = bound_->machine;
  const bool needs_calls = kernel_.calls_outside() && !timing::has_calls(machine);
  const timing::Machine own = needs_calls ? timing::with_calls(machine) : machine;
  const auto costs = timing::costs_of(kernel_, own);
  if (!costs) return;
  for (const ir::Block& block : kernel_.blocks) {
    std::map<CodeLine*, int64_t> issue;
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      CodeLine* line = line_of(i);
      if (line == nullptr) continue;
      const timing::OperationFigures& figures = costs->of(kernel_.instructions[i]);
      const int64_t transactions = i < flow_.transactions.size() ? flow_.transactions[i] : 1;
      const int64_t latency = timing::worst_latency(figures, std::max<int64_t>(transactions, 1));
      line->latency = std::max(line->latency.value_or(0), latency);
      issue[line] += figures.gap;
      if (figures.evidence == timing::Evidence::assumed) rest_on(i, std::string(unmeasured));
    }
    for (const auto& [line, cycles] : issue) line->issue = std::max(line->issue.value_or(0), cycles);
  }
}

// How many pieces accesses fall into, and what they touch.
void Lister::add_accesses() {
  std::map<std::pair<int64_t, std::string>, const MemoryAccess*> accesses;
  for (const MemoryAccess& access : bound_->report.accesses) {
    accesses.emplace(std::pair(access.line, access.instruction), &access);
  }
  for (ir::InstructionId i = 0; i < kernel_.instructions.size(); ++i) {
    const ir::Instruction& instruction = kernel_.instructions[i];
    const ir::Operation& operation = kernel_.operation(instruction);
    const uint32_t pieces = i < flow_.transactions.size() ? flow_.transactions[i] : 0;
    const auto access = accesses.find(std::pair(int64_t{instruction.line}, operation.text));
    if (access != accesses.end()) {
      const MemoryAccess& where = *access->second;
      rest_on(i, counted(where.pieces, "line") + " of " + (where.object.empty() ? "memory" : where.object) + ", " +
                     touched(where, bound_->report));
    } else if (operation.space == ir::MemorySpace::shared && pieces > 1) {
      rest_on(i, counted(pieces, "bank-conflict way"));
    }
  }
}

// The child of `ancestor` that contains the loop; itself if that is its parent.
ir::LoopId Lister::child_of(ir::LoopId loop, ir::LoopId ancestor) const {
  while (loop != ir::no_loop && flow_.loops[loop].parent != ancestor) loop = flow_.loops[loop].parent;
  return loop;
}

// The blocks of a loop, or of the kernel, that the worst path executes.
std::string Lister::path_of(ir::LoopId loop, std::set<ir::LoopId>& done, size_t& room) const {
  std::string text;
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : " ") + more; };
  for (const ir::BlockId b : flow_.order) {
    if (executions_[b] == 0 || labels_[b].empty() || room == 0) continue;
    const ir::LoopId own = flow_.blocks[b].loop;
    if (own == loop) {
      add(labels_[b]);
      if (--room == 0) add("...");
      continue;
    }
    const ir::LoopId child = child_of(own, loop);
    if (child == ir::no_loop || !done.insert(child).second) continue;
    const std::string inner = path_of(child, done, room);
    const auto& trips = flow_.loops[child].trip_count;
    add("(" + inner + ")x" + (trips ? thousands(*trips) : "?"));
  }
  return text;
}

void Lister::add_path() {
  if (!has_flow()) return;
  std::set<ir::LoopId> done;
  size_t room = most_blocks_of_path;
  listed_.worst_path = path_of(ir::no_loop, done, room);
}

// Why a kernel has no bound: its own errors, or else all that belong to no kernel.
support::Diagnostics reasons_of(const AnalyzeReport& report, const std::string& file, const std::string& kernel) {
  support::Diagnostics of_others;
  for (const FailedKernel& failed : report.failed) {
    if (failed.file == file && failed.name == kernel) return failed.errors;
    if (!failed.name.empty()) of_others.insert(of_others.end(), failed.errors.begin(), failed.errors.end());
  }
  support::Diagnostics reasons;
  std::copy_if(report.errors.begin(), report.errors.end(), std::back_inserter(reasons),
               [&](const auto& error) { return is_error(error) && !has_same(of_others, error); });
  return reasons;
}

struct NameAndFile {
  std::string file, name;
  auto operator<=>(const NameAndFile&) const = default;
};

}  // namespace

ListingReport list_instructions(const BoundRequest& request) {
  ListingReport listing;
  std::set<NameAndFile> listed;
  BoundRequest own = request;
  own.string_model = false;
  own.inspect = [&](const BoundKernel& kernel) {
    listing.kernels.push_back(Lister(kernel.analyzed, kernel.texts, &kernel).run());
    listed.insert({kernel.report.file, kernel.report.name});
  };
  AnalyzeReport report = bound_kernels(own);
  if (!has_error(report.errors)) {
    listing.errors = std::move(report.errors);
    return listing;
  }
  // What could not be bounded: with control flow where that can be found, else without.
  support::Diagnostics placed;  // reasons that stand with their kernels
  for (const LoopsAre loops : {LoopsAre::as_found, LoopsAre::not_analyzed}) {
    KernelRequest kernels = request.kernels;
    kernels.unknown_opcodes = true;
    const KernelFiles files = read_files(kernels, loops);
    for (const KernelFile& file : files.files) {
      if (!file.source) continue;
      LineTexts texts(file.source);
      for (const frontend::AnalyzedKernel& kernel : file.kernels) {
        if (!listed.insert({texts.input(), kernel.kernel.name}).second) continue;
        listing.kernels.push_back(Lister(kernel, texts, nullptr).run());
        listing.kernels.back().reasons = reasons_of(report, file.name, kernel.kernel.name);
        const auto& reasons = listing.kernels.back().reasons;
        placed.insert(placed.end(), reasons.begin(), reasons.end());
      }
    }
  }
  for (support::Diagnostic& error : report.errors) {
    if (!has_same(placed, error)) listing.errors.push_back(std::move(error));
  }
  return listing;
}

}  // namespace warpspan::app
