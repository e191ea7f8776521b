#include "tests/reference/bounds.hpp"

#include <algorithm>

#include "ir/execution.hpp"

namespace warpspan::reference {

namespace {

using support::Integer;

size_t unit_of(const ir::Kernel& kernel, size_t instruction) {
  return static_cast<size_t>(ir::unit_class(kernel.operation(kernel.instructions[instruction]).kind));
}

// What one warp executed, in the measures of Bounds.
Bounds executed_by(const ir::Kernel& kernel, const WarpRecord& warp) {
  Bounds sums;
  sums.of_instruction = warp.executed;
  for (size_t i = 0; i < warp.executed.size(); ++i) {
    sums.of_class[unit_of(kernel, i)] += warp.executed[i];
    sums.of_all += warp.executed[i];
    sums.pieces += warp.pieces[i];
  }
  sums.of_string = sums.of_all;
  return sums;
}

class Findings {
 public:
  explicit Findings(const ir::Kernel& kernel) : kernel_(kernel) {}

  void check(const std::string& what, int64_t happened, int64_t bound) {
    if (happened > bound) add(what + ": " + std::to_string(happened) + ", bound " + std::to_string(bound));
  }
  void add(std::string what) { all_.push_back(std::move(what)); }
  std::string at(size_t instruction) const {
    return " of line " + std::to_string(kernel_.instructions[instruction].line) + " '" +
           kernel_.operation(kernel_.instructions[instruction]).text + "'";
  }
  std::vector<std::string> take() { return std::move(all_); }

 private:
  const ir::Kernel& kernel_;
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
  for (size_t i = 0; i < executed.of_instruction.size(); ++i) {
    findings.check("executions" + findings.at(i), executed.of_instruction[i], bounds.of_instruction[i]);
  }
}

void check_branches(const frontend::AnalysedKernel& analysed, const Subject& subject, const Record& record,
                    Findings& findings) {
  for (size_t b = 0; b < analysed.kernel.blocks.size(); ++b) {
    const ir::Block& block = analysed.kernel.blocks[b];
    if (block.count == 0) continue;
    const size_t last = block.first + block.count - 1;
    // Lanes that end part from the others without ever taking another way.
    if (!record.parted[last] || subject.program.steps[last].action == Action::leave) continue;
    if (!analysed.flow.blocks[b].divergent) findings.add("lanes parted at a branch called uniform" + findings.at(last));
  }
}

void check_loops(const frontend::AnalysedKernel& analysed, const Subject& subject, const Record& record,
                 Findings& findings) {
  for (size_t l = 0; l < record.most_turns.size(); ++l) {
    const uint32_t header = subject.graph.loops[l].header;
    const auto& loops = analysed.flow.loops;
    const auto same = std::find_if(loops.begin(), loops.end(), [&](const ir::Loop& loop) {
      return analysed.kernel.blocks[loop.header].first == header;
    });
    if (same == loops.end()) {
      findings.add("no loop was found at the header" + findings.at(header));
    } else {
      findings.check("turns of the loop at the header" + findings.at(header), record.most_turns[l],
                     same->trip_count.value_or(0));
    }
  }
}

}  // namespace

std::optional<Bounds> bounds_of(const frontend::AnalysedKernel& analysed) {
  const ir::Kernel& kernel = analysed.kernel;
  const size_t instructions = kernel.instructions.size();
  constexpr size_t classes = ir::unit_classes;
  const auto measure = [&](const ir::Instruction& instruction) {
    std::vector<Integer> values(classes + 2 + instructions);
    const auto index = static_cast<size_t>(&instruction - kernel.instructions.data());
    values[unit_of(kernel, index)] = values[classes] = values[classes + 2 + index] = 1;
    values[classes + 1] = int64_t{instruction.transactions};
    return values;
  };
  const auto totals = ir::largest_totals(kernel, analysed.flow, classes + 2 + instructions, measure);
  const auto string = ir::worst_string(kernel, analysed.flow, {1, 1, 1});
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
  bounds.of_instruction.assign(values.begin() + classes + 2, values.end());
  for (const Integer& count : string->counts) bounds.of_string += count.value().value_or(0);
  return bounds;
}

std::vector<std::string> violations(const frontend::AnalysedKernel& analysed, const Bounds& bounds,
                                    const Subject& subject, const Record& record) {
  Findings findings(analysed.kernel);
  for (const WarpRecord& warp : record.warps) {
    Bounds executed = executed_by(analysed.kernel, warp);
    check_sums(executed, bounds, findings);
  }
  for (size_t i = 0; i < record.most_pieces.size(); ++i) {
    findings.check("pieces of one access" + findings.at(i), record.most_pieces[i],
                   analysed.kernel.instructions[i].transactions);
  }
  check_branches(analysed, subject, record, findings);
  check_loops(analysed, subject, record, findings);
  return findings.take();
}

}  // namespace warpspan::reference
