#include "timing/machine/write.hpp"

#include "support/toml_text.hpp"
#include "timing/machine/read_memory.hpp"

namespace warpspan::timing {

namespace {

using support::toml_key;
using support::toml_text;

class Writer {
 public:
  explicit Writer(const Machine& machine) : machine_(machine) {}

  std::string text() {
    write_head();
    write_general();
    write_resources();
    write_lines();
    write_data_caches();
    write_fetch();
    write_sequence();
    write_operations();
    return out_;
  }

 private:
  void table(const std::string& name) { out_ += "\n[" + name + "]\n"; }
  void entry(std::string_view key, const std::string& value) { out_ += std::string(key) + " = " + value + "\n"; }
  void entry(std::string_view key, int64_t value) { entry(key, std::to_string(value)); }
  void entry(std::string_view key, Span span) {
    if (span.least == span.most) return entry(key, span.least);
    entry(key, "[" + std::to_string(span.least) + ", " + std::to_string(span.most) + "]");
  }
  void entry(std::string_view key, const std::vector<std::string>& list) {
    std::string all;
    for (const std::string& text : list) all += (all.empty() ? "" : ", ") + toml_text(text);
    entry(key, "[" + all + "]");
  }
  void entry_unless_empty(std::string_view key, const std::vector<std::string>& list) {
    if (!list.empty()) entry(key, list);
  }
  void provenance(Evidence evidence, const std::string& source) {
    entry("standing", toml_text(to_string(evidence)));
    entry("source", toml_text(source));
  }
  void provenance(const Provenance& from) { provenance(from.evidence, from.source); }

  void write_head();
  void write_general();
  void write_resources();
  void write_lines();
  void write_data_caches();
  void write_fetch();
  void write_sequence();
  void write_operations();
  void write_operation(const std::string& label, ir::OperationKind kind, const FormRule& rule,
                       const OperationFigures& figures);
  std::string cycles(const std::vector<std::pair<std::string, int64_t>>& by_name) const;

  const Machine& machine_;
  std::string out_;
};

void Writer::write_head() {
  entry("name", toml_text(machine_.name));
  entry("description", toml_text(machine_.description));
  entry_unless_empty("targets", machine_.targets);
  out_ += "assumptions = [\n";
  for (const std::string& sentence : machine_.assumptions) out_ += "  " + toml_text(sentence) + ",\n";
  out_ += "]\n";
  if (!machine_.ptx_assumptions.empty()) {
    out_ += "ptx_assumptions = [\n";
    for (const std::string& sentence : machine_.ptx_assumptions) out_ += "  " + toml_text(sentence) + ",\n";
    out_ += "]\n";
  }
  table("sources");
  for (const Reference& reference : machine_.references) entry(toml_key(reference.key), toml_text(reference.text));
}

void Writer::write_general() {
  const Machine& m = machine_;
  table("board");
  entry("multiprocessors", m.multiprocessors);
  entry("clock_khz", m.clock_khz);
  if (m.integrated) entry("integrated", "true");
  provenance(m.board);
  table("issue");
  entry("schedulers", m.schedulers);
  entry("gap", m.issue_gap);
  entry("hold", m.issue_hold);
  provenance(m.issue);
  table("limits");
  entry("warps", m.max_warps);
  entry("blocks", m.max_blocks);
  entry("barriers", m.barriers);
  entry("threads_per_block", m.max_threads_per_block);
  entry("shared_bytes", m.shared_bytes);
  entry("shared_bytes_per_block", m.shared_bytes_per_block);
  entry("shared_granularity", m.shared_granularity);
  entry("shared_reserved_per_block", m.shared_reserved_per_block);
  entry("registers", m.registers);
  entry("registers_per_block", m.registers_per_block);
  entry("registers_per_thread", m.registers_per_thread);
  entry("register_granularity", m.register_granularity);
  entry("launch_partitions", m.launch_partitions);
  provenance(m.limits);
  if (m.dispatch) {
    table("dispatch");
    entry("latency", m.dispatch->latency);
    entry("interval", m.dispatch->interval);
    provenance(m.dispatch->provenance);
  }
  if (m.operand_read) {
    table("operand_read");
    entry("latency", m.operand_read->latency);
    provenance(m.operand_read->provenance);
  }
  table("lanes");
  const auto lanes = [&m](ir::UnitClass unit) {
    const support::Rational& width = m.unit_width[static_cast<size_t>(unit)];
    return width.numerator * warp_size / width.denominator;
  };
  entry("load_store", lanes(ir::UnitClass::load_store));
  entry("core", lanes(ir::UnitClass::core));
  entry("special", lanes(ir::UnitClass::special));
  provenance(m.units);
}

void Writer::write_resources() {
  for (size_t r = 1; r < machine_.resources.size(); ++r) {
    const ResourceFigures& resource = machine_.resources[r];
    table("resource." + toml_key(resource.name));
    entry("servers", resource.servers);
    entry("sharing", toml_text(to_string(resource.sharing)));
    if (resource.at_issue) entry("at_issue", "true");
    if (resource.lane_bytes > 0) entry("lane_bytes", resource.lane_bytes);
    provenance(resource.evidence, resource.source);
  }
}

void Writer::write_lines() {
  for (const ResourceFigures& resource : machine_.resources) {
    if (!resource.lines) continue;
    const std::string name = "lines." + toml_key(resource.name);
    table(name);
    entry("reach", resource.lines->reach);
    for (const Guarantee guarantee : {Guarantee::same_bank, Guarantee::spread, Guarantee::stream}) {
      const LineTime& time = resource.lines->of(guarantee);
      table(name + "." + key_of_guarantee(guarantee));
      entry("cycles", toml_text(support::to_string(time.cycles)));
      provenance(time.provenance);
    }
  }
}

void Writer::write_data_caches() {
  for (const DataCache& cache : machine_.data_caches) {
    table("data_cache." + toml_key(cache.name));
    entry("sharing", toml_text(to_string(cache.sharing)));
    entry("bytes", cache.bytes);
    entry("line", cache.line);
    entry("kept", toml_text(support::to_string(cache.kept)));
    if (cache.as_operands) entry("as_operands", "true");
    entry("hit", cache.hit);
    provenance(cache.provenance);
  }
}

// "{ memory = 61, latency = 61 }"
std::string Writer::cycles(const std::vector<std::pair<std::string, int64_t>>& by_name) const {
  std::string all;
  for (const auto& [name, count] : by_name) {
    all += (all.empty() ? "" : ", ") + toml_key(name) + " = " + std::to_string(count);
  }
  return "{ " + all + " }";
}

void Writer::write_fetch() {
  if (!machine_.fetch) return;
  table("fetch");
  entry("line", machine_.fetch->line);
  entry("instructions", machine_.fetch->instructions);
  provenance(machine_.fetch->provenance);
  for (const CodeCache& cache : machine_.fetch->caches) {
    table("code_cache." + toml_key(cache.name));
    entry("sharing", toml_text(to_string(cache.sharing)));
    entry("bytes", cache.bytes);
    entry("miss", cache.miss);
    std::vector<std::pair<std::string, int64_t>> held;
    for (const Hold& hold : cache.holds) held.emplace_back(machine_.resources[hold.resource].name, hold.cycles);
    if (!held.empty()) entry("holds", cycles(held));
    if (cache.shared > 0) entry("shared", cache.shared);
    provenance(cache.evidence, cache.source);
  }
}

void Writer::write_sequence() {
  if (!machine_.sequence) return;
  const SequenceFigures& sequence = *machine_.sequence;
  table("sequence");
  std::string architectures;
  for (const int64_t one : sequence.architectures) {
    architectures += (architectures.empty() ? "" : ", ") + std::to_string(one);
  }
  entry("architectures", "[" + architectures + "]");
  entry("latency", sequence.latency);
  entry("average", sequence.average);
  for (const MachineClass one :
       {MachineClass::special, MachineClass::double_precision, MachineClass::branch, MachineClass::shuffle}) {
    entry(to_string(one), sequence.more[static_cast<size_t>(one)]);
  }
  entry("predicate", sequence.predicate);
  entry("rounds", sequence.rounds);
  const auto entry_of = [this](std::string_view key, const std::vector<Hold>& holds) {
    std::vector<std::pair<std::string, int64_t>> held;
    for (const Hold& hold : holds) held.emplace_back(machine_.resources[hold.resource].name, hold.cycles);
    if (!held.empty()) entry(key, cycles(held));
  };
  entry_of("holds", sequence.holds);
  entry_of("special_holds", sequence.special_holds);
  entry_of("double_holds", sequence.double_holds);
  entry_of("shuffle_holds", sequence.shuffle_holds);
  provenance(sequence.provenance);
}

void Writer::write_operations() {
  std::array<int, ir::operation_kinds> tables{};
  for (const Machine::FormFigures& some : machine_.form_figures) {
    const std::string kind(ir::to_string(some.kind));
    const int number = ++tables[static_cast<size_t>(some.kind)];
    write_operation("some " + kind + " " + std::to_string(number), some.kind, some.rule, some.figures);
  }
  for (int k = 0; k < ir::operation_kinds; ++k) {
    const auto kind = static_cast<ir::OperationKind>(k);
    const auto& figures = machine_.otherwise[static_cast<size_t>(k)];
    if (figures) write_operation(std::string(ir::to_string(kind)), kind, {}, *figures);
  }
  if (out_.find("\n[operation.") == std::string::npos) table("operation");
}

void Writer::write_operation(const std::string& label, ir::OperationKind kind, const FormRule& rule,
                             const OperationFigures& figures) {
  table("operation." + toml_key(label));
  if (!rule.all()) entry("kinds", std::vector<std::string>{std::string(ir::to_string(kind))});
  entry_unless_empty("forms", rule.forms);
  entry_unless_empty("opcodes", rule.opcodes);
  entry_unless_empty("types", rule.types);
  entry_unless_empty("modifiers", rule.modifiers);
  if (rule.loop) entry("loop", "true");
  const Latency& latency = figures.latency;
  entry("latency", "[" + std::to_string(latency.best) + ", " + std::to_string(latency.average) + ", " +
                       std::to_string(latency.worst) + "]");
  entry("instructions", figures.instructions);
  entry("gap", figures.gap);
  std::vector<std::pair<std::string, int64_t>> first, further, rounds;
  std::vector<int64_t> in_rounds(machine_.resources.size());
  for (const Rounds& loop : figures.rounds) {
    rounds.emplace_back(machine_.resources[loop.resource].name, loop.cycles);
    in_rounds[loop.resource] = loop.cycles;
  }
  if (figures.per_transaction != 0) further.emplace_back("latency", figures.per_transaction);
  for (const Hold& hold : figures.holds) {
    const std::string& name = machine_.resources[hold.resource].name;
    // The issue slots of its instructions are not written down, and rounds stand by themselves.
    const int64_t own = hold.resource == 0 ? figures.instructions * machine_.issue_hold : in_rounds[hold.resource];
    if ((hold.resource != 0 && own == 0) || hold.first > own) first.emplace_back(name, hold.first - own);
    if (hold.per_transaction) further.emplace_back(name, hold.cycles);
  }
  if (!first.empty()) entry("holds", cycles(first));
  if (!rounds.empty()) entry("rounds", cycles(rounds));
  if (!further.empty()) entry("transaction", cycles(further));
  if (figures.expanded) entry("expanded", "true");
  if (figures.machine_class != MachineClass::plain) entry("class", toml_text(to_string(figures.machine_class)));
  if (figures.typical) entry("typical", *figures.typical);
  if (figures.plain_textures) entry("plain_textures", "true");
  provenance(figures.evidence, figures.source);
}

}  // namespace

std::string to_toml(const Machine& machine) { return Writer(machine).text(); }

}  // namespace warpspan::timing
