// All figures of a machine for people: board, limits, tables of resources, caches and operations, each with its source.
#include <fmt/format.h>

#include <algorithm>

#include "app/reports/machine_reports.hpp"
#include "app/reports/readable.hpp"
#include "support/checked.hpp"
#include "timing/machine/conditions.hpp"

namespace warpspan::app {

namespace {

using timing::Machine;
using timing::OperationFigures;
using timing::Provenance;
using timing::ResourceFigures;

std::string provenance(timing::Evidence evidence, const std::string& source) {
  return source.empty() ? std::string(to_string(evidence)) : fmt::format("{}; {}", to_string(evidence), source);
}

// Figures that stand together: a heading with their origin, then one line each.
std::string group(const std::string& heading, const Provenance& from, const std::vector<Row>& rows, size_t width) {
  return "\n" + wrap(heading + ": ", provenance(from.evidence, from.source), width) +
         table({Align::left, Align::right}, rows, 2);
}

std::string span(const timing::Span& span) {
  return span.least == span.most ? thousands(span.least) : thousands(span.least) + " to " + thousands(span.most);
}

std::string lane_width(const support::Rational& value) { return support::to_string(value) + " warps per cycle"; }

std::string general(const Machine& m, size_t width) {
  std::string out = group(
      "board", m.board, {{"multiprocessors", thousands(m.multiprocessors)}, {"clock", frequency(m.clock_khz)}}, width);
  out += group("issue", m.issue,
               {{"threads of a warp", thousands(timing::warp_size)},
                {"schedulers", thousands(m.schedulers)},
                {"cycles between two issues of a warp", thousands(m.issue_gap)},
                {"cycles an instruction holds its scheduler", thousands(m.issue_hold)}},
               width);
  out += group("limits of a multiprocessor", m.limits,
               {{"warps", thousands(m.max_warps)},
                {"blocks", span(m.max_blocks)},
                {"named barriers of all blocks", span(m.barriers)},
                {"threads of a block", thousands(m.max_threads_per_block)},
                {"shared memory", span(m.shared_bytes) + " bytes"},
                {"shared memory of a block", thousands(m.shared_bytes_per_block) + " bytes"},
                {"shared memory granularity", thousands(m.shared_granularity) + " bytes"},
                {"shared memory reserved for a block", thousands(m.shared_reserved_per_block) + " bytes"},
                {"registers", thousands(m.registers)},
                {"registers of a block", thousands(m.registers_per_block)},
                {"registers of a thread", thousands(m.registers_per_thread)},
                {"register granularity", span(m.register_granularity)},
                {"partitions of registers at a launch", thousands(m.launch_partitions)}},
               width);
  if (m.dispatch) {
    out += group("dispatch of blocks", m.dispatch->provenance,
                 {{"cycles from a block's turn to its start", thousands(m.dispatch->latency)},
                  {"cycles from a block's turn to the next one's", thousands(m.dispatch->interval)}},
                 width);
  }
  if (m.operand_read) {
    out += group("reading of operands", m.operand_read->provenance,
                 {{"cycles from the issue until a queue has read them", thousands(m.operand_read->latency)}}, width);
  }
  out += group("units of the string model", m.units,
               {{"load/store (L)", lane_width(m.unit_width[0])},
                {"core (C)", lane_width(m.unit_width[1])},
                {"special function (S)", lane_width(m.unit_width[2])}},
               width);
  return out;
}

// What the machine instructions cost that the table of expansions tells.
std::string sequences(const Machine& m, size_t width) {
  if (!m.sequence) return {};
  std::vector<std::string> architectures;
  for (const int64_t one : m.sequence->architectures) architectures.push_back(std::to_string(one));
  const auto more = [&m](timing::MachineClass one) { return thousands(m.sequence->more[static_cast<size_t>(one)]); };
  return group("machine instructions that a form takes beyond those of its operation", m.sequence->provenance,
               {{"counted for compute capabilities (times ten)", joined(architectures)},
                {"cycles of each", thousands(m.sequence->latency)},
                {"more of a special function or conversion", more(timing::MachineClass::special)},
                {"more of double precision", more(timing::MachineClass::double_precision)},
                {"more of a branch", more(timing::MachineClass::branch)},
                {"more for a guard", thousands(m.sequence->predicate)}},
               width);
}

// Numbers the sources of a table, each once, for a list under it.
class Footnotes {
 public:
  std::string mark(const std::string& source) {
    if (source.empty()) return "";
    const auto known = std::find(sources_.begin(), sources_.end(), source);
    if (known == sources_.end()) sources_.push_back(source);
    return fmt::format("{})", std::distance(sources_.begin(), std::find(sources_.begin(), sources_.end(), source)) + 1);
  }

  std::string text(size_t width) const {
    std::string out;
    for (size_t i = 0; i < sources_.size(); ++i) out += wrap(fmt::format("  {:>3}) ", i + 1), sources_[i], width);
    return out;
  }

 private:
  std::vector<std::string> sources_;
};

std::string resources(const Machine& machine, Footnotes& footnotes) {
  std::vector<Row> rows = {{"resource", "servers", "shared by the warps of a", "standing", "from"}};
  for (const ResourceFigures& resource : machine.resources) {
    rows.push_back({resource.name, thousands(resource.servers), std::string(to_string(resource.sharing)),
                    std::string(to_string(resource.evidence)), footnotes.mark(resource.source)});
  }
  return "\n" + table({Align::left, Align::right, Align::left, Align::left, Align::right}, rows, 0);
}

// Rounded up to three decimals.
std::string in_thousandths(const support::Rational& value) {
  const int64_t thousandths =
      static_cast<int64_t>((support::Int128(value.numerator) * 1000 + value.denominator - 1) / value.denominator);
  return fmt::format("{}.{:03}", thousands(thousandths / 1000), thousandths % 1000);
}

std::string lines(const Machine& machine, Footnotes& footnotes) {
  std::vector<Row> rows = {{"lines through", "granted", "cycles of a line", "for at most", "standing", "from"}};
  for (const ResourceFigures& resource : machine.resources) {
    if (!resource.lines) continue;
    for (const auto guarantee : {timing::Guarantee::same_bank, timing::Guarantee::spread, timing::Guarantee::stream}) {
      const timing::LineTime& time = resource.lines->of(guarantee);
      const bool limited = guarantee != timing::Guarantee::same_bank && resource.lines->reach > 0;
      rows.push_back({resource.name,
                      guarantee == timing::Guarantee::same_bank ? "nothing" : std::string(to_string(guarantee)),
                      in_thousandths(time.cycles), limited ? thousands(resource.lines->reach) + " bytes" : "",
                      std::string(to_string(time.provenance.evidence)), footnotes.mark(time.provenance.source)});
    }
  }
  if (rows.size() == 1) return {};
  return "\n" + table({Align::left, Align::left, Align::right, Align::right, Align::left, Align::right}, rows, 0);
}

std::string data_caches(const Machine& machine, Footnotes& footnotes) {
  if (machine.data_caches.empty()) return {};
  std::vector<Row> rows = {
      {"data cache", "bytes", "line", "of which keep", "hit", "shared by the warps of a", "standing", "from"}};
  for (const timing::DataCache& cache : machine.data_caches) {
    rows.push_back({cache.name, thousands(cache.bytes), thousands(cache.line), support::to_string(cache.kept),
                    thousands(cache.hit), std::string(to_string(cache.sharing)),
                    std::string(to_string(cache.provenance.evidence)), footnotes.mark(cache.provenance.source)});
  }
  return "\n" + table({Align::left, Align::right, Align::right, Align::right, Align::right, Align::left, Align::left,
                       Align::right},
                      rows, 0);
}

// What something holds: "issue 2, load_store 4+2"; of what serves lines, lines.
std::string holds(const Machine& machine, const std::vector<timing::Hold>& all) {
  std::string text;
  for (const timing::Hold& hold : all) {
    text += (text.empty() ? "" : ", ") + machine.resources[hold.resource].name + " " +
            std::to_string(hold.per_transaction ? hold.first : hold.cycles);
    if (hold.per_transaction) text += "+" + std::to_string(hold.cycles);
  }
  return text;
}

std::string code_caches(const Machine& machine, Footnotes& footnotes, size_t width) {
  if (!machine.fetch) return {};
  std::vector<Row> rows = {{"code cache", "bytes", "miss", "holds", "shared by the warps of a", "standing", "from"}};
  for (const timing::CodeCache& cache : machine.fetch->caches) {
    rows.push_back({cache.name, thousands(cache.bytes), thousands(cache.miss), holds(machine, cache.holds),
                    std::string(to_string(cache.sharing)), std::string(to_string(cache.evidence)),
                    footnotes.mark(cache.source)});
  }
  return group("instruction fetch", machine.fetch->provenance,
               {{"bytes of a line", thousands(machine.fetch->line)},
                {"machine instructions of a line", thousands(machine.fetch->instructions)}},
               width) +
         "\n" +
         table({Align::left, Align::right, Align::right, Align::left, Align::left, Align::left, Align::right}, rows,
               0) +
         "  miss: cycles to the next one, of the last one to memory; holds: cycles, or lines, it holds a resource\n";
}

std::string with_transactions(int64_t first, int64_t further) {
  return thousands(first) + (further == 0 ? "" : "+" + thousands(further));
}

// Which forms a rule is for: "setp.*", or "opcodes atom, red; types f32".
std::string forms_of(const timing::FormRule& rule) {
  std::string text = joined(rule.forms);
  const auto add = [&text](const char* what, const std::vector<std::string>& words) {
    if (!words.empty()) text += (text.empty() ? "" : "; ") + std::string(what) + " " + joined(words);
  };
  add("opcodes", rule.opcodes);
  add("types", rule.types);
  add("modifiers", rule.modifiers);
  return text;
}

// One row of the table of operations.
Row operation_row(const Machine& machine, ir::OperationKind kind, const OperationFigures& figures, std::string forms,
                  Footnotes& footnotes) {
  return {std::string(ir::to_string(kind)),
          thousands(figures.latency.best),
          thousands(figures.latency.average),
          with_transactions(figures.latency.worst, figures.per_transaction),
          thousands(figures.gap),
          thousands(figures.instructions),
          holds(machine, figures.holds),
          std::string(to_string(figures.evidence)),
          footnotes.mark(figures.source),
          std::move(forms)};
}

// The figures of each kind: first of the forms that have their own, then of the others.
std::string operations(const Machine& machine, Footnotes& footnotes) {
  std::vector<Row> rows = {
      {"operation", "best", "average", "worst", "gap", "instr.", "holds", "standing", "from", "forms"}};
  for (size_t k = 0; k < machine.operations.size(); ++k) {
    const auto kind = static_cast<ir::OperationKind>(k);
    const size_t before = rows.size();
    for (const auto& own : machine.form_figures) {
      if (own.kind == kind) rows.push_back(operation_row(machine, kind, own.figures, forms_of(own.rule), footnotes));
    }
    const std::string others = rows.size() == before ? "" : "others";
    if (machine.otherwise[k]) rows.push_back(operation_row(machine, kind, *machine.otherwise[k], others, footnotes));
  }
  const std::vector<Align> alignments = {Align::left,  Align::right, Align::right, Align::right, Align::right,
                                         Align::right, Align::left,  Align::left,  Align::right, Align::left};
  return "\n" + table(alignments, rows, 0) +
         "  best, average, worst: cycles to the issue of a dependent instruction; gap: to the next issue of the warp;\n"
         "  instr.: machine instructions it stands for; holds: cycles, or lines, it holds a resource;\n"
         "  a+b: a for the first memory transaction, b for each further one\n";
}

std::string notes(const Machine& machine, size_t width) {
  std::string out;
  out += "\nassumptions\n";
  for (const std::string& assumption : timing::assumptions_of(machine)) out += wrap("  - ", assumption, width);
  if (!machine.ptx_assumptions.empty()) out += "\nassumptions about PTX\n";
  for (const std::string& assumption : machine.ptx_assumptions) out += wrap("  - ", assumption, width);
  if (!machine.references.empty()) out += "\nsources\n";
  for (const timing::Reference& reference : machine.references) {
    out += wrap(fmt::format("  {:<8}", "[" + reference.key + "]") + " ", reference.text, width);
  }
  return out;
}

}  // namespace

std::string machine_text(const Machine& machine, size_t width) {
  std::string out = machine.name + ": " + machine.description + "\n";
  if (!machine.targets.empty()) out += "default for " + joined(machine.targets) + "\n";
  Footnotes footnotes;
  out += general(machine, width);
  out += resources(machine, footnotes);
  out += lines(machine, footnotes);
  out += data_caches(machine, footnotes);
  out += code_caches(machine, footnotes, width);
  out += operations(machine, footnotes);
  out += sequences(machine, width);
  out += "\nwhere the figures of the tables are from\n" + footnotes.text(width);
  return out + notes(machine, width);
}

}  // namespace warpspan::app
