// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reference/bounds.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ir/execution.hpp"
#include "ir/sizes.hpp"

namespace warpspan::reference {

namespace {

using support::Integer;

size_t last_line(const ir::Kernel& kernel) {
  uint32_t last = 0;
  for (const ir::Instruction& instruction : kernel.instructions) last = std::max(last, instruction.line);
  return last;
}

// The subject's steps in the terms of the kernel.
class Steps {
 public:
  explicit Steps(const Subject& subject) : subject_(subject) {
    for (const ptx::Instruction& instruction : subject.entry.instructions) {
      lines_.push_back(static_cast<size_t>(subject.module.source->locate(instruction.offset).line));
    }
  }

  size_t line(size_t step) const { return lines_[step]; }
  bool is_hidden(size_t step) const { return subject_.hidden.count(static_cast<int64_t>(lines_[step])) > 0; }
  const std::string& word(size_t step) const { return subject_.program.steps[step].form->text; }
  ir::UnitClass unit(size_t step) const {
    const Step& s = subject_.program.steps[step];
    const auto is_special = [](const Source& source) { return source.kind == Source::Kind::special; };
    const bool special = std::any_of(s.sources.begin(), s.sources.end(), is_special);
    return ir::unit_class(special ? ir::OperationKind::special_register : s.form->operation.kind);
  }
  std::string name(size_t step) const { return " of line " + std::to_string(line(step)) + " '" + word(step) + "'"; }

 private:
  const Subject& subject_;
  std::vector<size_t> lines_;
};

// What one warp executed, in the measures of Bounds.
Bounds executed_by(const Steps& steps, size_t lines, const WarpRecord& warp) {
  Bounds sums;
  sums.of_line.assign(lines, 0);
  for (size_t i = 0; i < warp.executed.size(); ++i) {
    if (steps.is_hidden(i)) continue;
    sums.of_class[static_cast<size_t>(steps.unit(i))] += warp.executed[i];
    sums.of_all += warp.executed[i];
    sums.pieces += warp.pieces[i];
    sums.of_line[steps.line(i)] += warp.executed[i];
  }
  sums.of_string = sums.of_all;
  return sums;
}

class Findings {
 public:
  void check(const std::string& what, int64_t happened, int64_t bound) {
    if (happened > bound) add(what + ": " + std::to_string(happened) + ", bound " + std::to_string(bound));
  }
  void add(std::string what) { all_.push_back(std::move(what)); }
  std::vector<std::string> take() { return std::move(all_); }

 private:
  std::vector<std::string> all_;
};

void check_sums(const Bounds& executed, const Bounds& bounds, Findings& findings) {
  for (size_t k = 0; k < executed.of_class.size(); ++k) {
    findings.check(std::string("instructions of class ") + ir::symbol(static_cast<ir::UnitClass>(k)),
                   executed.of_class[k], bounds.of_class[k]);
  }
  findings.check("instructions", executed.of_all, bounds.of_all);
  findings.check("length of the string", executed.of_string, bounds.of_string);
  findings.check("pieces of all accesses", executed.pieces, bounds.pieces);
  for (size_t line = 0; line < executed.of_line.size(); ++line) {
    findings.check("executions of line " + std::to_string(line), executed.of_line[line], bounds.of_line[line]);
  }
}

void check_accesses(const frontend::AnalyzedKernel& analyzed, const Steps& steps, const Record& record,
                    Findings& findings) {
  const std::vector<ir::Instruction>& instructions = analyzed.kernel.instructions;
  std::vector<int64_t> most(last_line(analyzed.kernel) + 1, 0);
  for (size_t i = 0; i < instructions.size(); ++i) {
    int64_t& here = most[instructions[i].line];
    here = std::max<int64_t>(here, analyzed.flow.transactions[i]);
  }
  for (size_t i = 0; i < record.most_pieces.size(); ++i) {
    if (steps.is_hidden(i)) continue;
    findings.check("pieces of one access" + steps.name(i), record.most_pieces[i], most[steps.line(i)]);
  }
}

void check_branches(const frontend::AnalyzedKernel& analyzed, const Subject& subject, const Steps& steps,
                    const Record& record, Findings& findings) {
  std::vector<bool> divergent(last_line(analyzed.kernel) + 1, false);
  for (size_t b = 0; b < analyzed.kernel.blocks.size(); ++b) {
    const ir::Block& block = analyzed.kernel.blocks[b];
    if (block.count == 0 || !analyzed.flow.blocks[b].divergent) continue;
    divergent[analyzed.kernel.instructions[block.first + block.count - 1].line] = true;
  }
  for (size_t i = 0; i < record.parted.size(); ++i) {
    // Lanes that end part from the others without ever taking another way.
    if (!record.parted[i] || steps.is_hidden(i) || subject.program.steps[i].action == Action::leave) continue;
    if (!divergent[steps.line(i)]) findings.add("lanes parted at a branch called uniform" + steps.name(i));
  }
}

void check_loops(const frontend::AnalyzedKernel& analyzed, const Subject& subject, const Steps& steps,
                 const Record& record, Findings& findings) {
  std::vector<std::optional<int64_t>> turns(last_line(analyzed.kernel) + 1);
  for (const ir::Loop& loop : analyzed.flow.loops) {
    auto& here = turns[analyzed.kernel.instructions[analyzed.kernel.blocks[loop.header].first].line];
    here = std::max(here.value_or(0), loop.trip_count.value_or(0));
  }
  for (size_t l = 0; l < record.most_turns.size(); ++l) {
    const uint32_t header = subject.graph.loops[l].header;
    if (steps.is_hidden(header)) continue;
    if (const auto& bound = turns[steps.line(header)]) {
      findings.check("turns of the loop at the header" + steps.name(header), record.most_turns[l], *bound);
    } else {
      findings.add("no loop was found at the header" + steps.name(header));
    }
  }
}

// Of each block of threads that was executed, how many warps executed what stands in a line.
void check_warps(const frontend::AnalyzedKernel& analyzed, const Steps& steps, const Record& record,
                 Findings& findings) {
  const ir::Extent& block = *analyzed.launch.block;
  const auto all = static_cast<size_t>((block.x * block.y * block.z + ir::warp_lanes - 1) / ir::warp_lanes);
  std::vector<int64_t> most(last_line(analyzed.kernel) + 1, 0);
  for (size_t b = 0; b < analyzed.kernel.blocks.size(); ++b) {
    const int64_t warps = analyzed.flow.blocks[b].warps.value_or(static_cast<int64_t>(all));
    for (uint32_t i = 0; i < analyzed.kernel.blocks[b].count; ++i) {
      most[analyzed.kernel.instructions[analyzed.kernel.blocks[b].first + i].line] += warps;
    }
  }
  for (size_t first = 0; first < record.warps.size(); first += all) {
    std::map<size_t, std::set<size_t>> warps;  // by line
    for (size_t w = first; w < std::min(first + all, record.warps.size()); ++w) {
      for (size_t i = 0; i < record.warps[w].executed.size(); ++i) {
        if (record.warps[w].executed[i] > 0 && !steps.is_hidden(i)) warps[steps.line(i)].insert(w);
      }
    }
    for (const auto& [line, own] : warps) {
      findings.check("warps that execute line " + std::to_string(line), static_cast<int64_t>(own.size()), most[line]);
    }
  }
}

}  // namespace

std::optional<Bounds> bounds_of(const frontend::AnalyzedKernel& analyzed) {
  const ir::Kernel& kernel = analyzed.kernel;
  const size_t lines = last_line(kernel) + 1;
  constexpr size_t classes = ir::unit_classes;
  const auto measure = [&](ir::InstructionId id) {
    const ir::Instruction& instruction = kernel.instructions[id];
    std::vector<Integer> values(classes + 2 + lines);
    const auto unit = static_cast<size_t>(ir::unit_class(kernel.operation(instruction).kind));
    values[unit] = values[classes] = values[classes + 2 + instruction.line] = 1;
    values[classes + 1] = int64_t{analyzed.flow.transactions[id]};
    return values;
  };
  const auto totals = ir::largest_totals(kernel, analyzed.flow, classes + 2 + lines, measure);
  const auto string = ir::worst_string(kernel, analyzed.flow, {1, 1, 1});
  if (!totals || !string) return std::nullopt;
  std::vector<int64_t> values;
  for (const Integer& total : *totals) {
    if (!total.value()) return std::nullopt;
    values.push_back(*total.value());
  }
  Bounds bounds;
  std::copy_n(values.begin(), classes, bounds.of_class.begin());
  bounds.of_all = values[classes];
  bounds.pieces = values[classes + 1];
  bounds.of_line.assign(values.begin() + classes + 2, values.end());
  for (const Integer& count : string->counts) bounds.of_string += count.value().value_or(0);
  return bounds;
}

std::vector<std::string> violations(const frontend::AnalyzedKernel& analyzed, const Bounds& bounds,
                                    const Subject& subject, const Record& record) {
  Findings findings;
  const Steps steps(subject);
  for (const WarpRecord& warp : record.warps) {
    check_sums(executed_by(steps, bounds.of_line.size(), warp), bounds, findings);
  }
  check_accesses(analyzed, steps, record, findings);
  check_branches(analyzed, subject, steps, record, findings);
  check_loops(analyzed, subject, steps, record, findings);
  check_warps(analyzed, steps, record, findings);
  return findings.take();
}

}  // namespace warpspan::reference
