// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/machine/write.hpp"

#include "support/toml_text.hpp"
#include "timing/machine/fields.hpp"
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
    write_times();
    write_sections();
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
  void provenance(Evidence evidence, const std::string& source) {
    entry("standing", toml_text(to_string(evidence)));
    entry("source", toml_text(source));
  }
  void provenance(const Provenance& from) { provenance(from.evidence, from.source); }
  // Without those that may be left out and are not set.
  template <typename Owner>
  void entries(std::span<const MachineField<Owner>> fields, const Owner& owner) {
    for (const MachineField<Owner>& field : fields) {
      if (std::get_if<ConstantFigure>(&field.figure) != nullptr) continue;
      with_value(field, owner, [&](const auto& value) {
        if (field.left_out != nullptr && is_unset(value, field.range)) return;
        if constexpr (std::is_same_v<Owner, DataCache>) {
          if (field.key == "hit") return entry(field.key, with_waits(owner.hit, owner.hit_translation, 0));
        }
        if constexpr (std::is_same_v<Owner, CodeCache>) {
          if (field.key == "miss") return entry(field.key, with_waits(owner.miss, owner.translation, owner.refresh));
        }
        entry(field.key, value_text(value, field.unit));
      });
    }
  }
  template <typename Owner>
  void entries(const Owner& owner) {
    entries(fields_of<Owner>(), owner);
  }

  std::string value_text(int64_t value, FigureUnit) const { return std::to_string(value); }
  std::string value_text(bool value, FigureUnit) const { return value ? "true" : "false"; }
  std::string value_text(Span span, FigureUnit) const;
  std::string value_text(const std::optional<Span>& span, FigureUnit unit) const { return value_text(*span, unit); }
  std::string value_text(const support::Rational& value, FigureUnit unit) const;
  std::string value_text(ResourceFigures::Sharing sharing, FigureUnit) const { return toml_text(to_string(sharing)); }
  std::string value_text(MachineClass one, FigureUnit) const { return toml_text(to_string(one)); }
  std::string value_text(const std::vector<Occupancy>& occupancies, FigureUnit) const;
  std::string value_text(const std::vector<int64_t>& list, FigureUnit) const;
  std::string value_text(const std::vector<std::string>& list, FigureUnit) const;

  void write_head();
  void write_times();
  void write_sections();
  void write_resources();
  void write_lines();
  void write_data_caches();
  void write_fetch();
  void write_sequence();
  void write_operations();
  void write_operation(const std::string& label, ir::OperationKind kind, const FormRule& rule,
                       const OperationFigures& figures);
  std::string cycles(const std::vector<std::pair<std::string, int64_t>>& by_name) const;
  std::string with_waits(int64_t worst, int64_t translation, int64_t refresh) const;

  const Machine& machine_;
  std::string out_;
};

void Writer::write_head() {
  entry("name", toml_text(machine_.name));
  entry("description", toml_text(machine_.description));
  if (!machine_.targets.empty()) entry("targets", value_text(machine_.targets, FigureUnit::none));
  out_ += "assumptions = [\n";
  for (const std::string& sentence : machine_.assumptions) out_ += "  " + toml_text(sentence) + ",\n";
  out_ += "]\n";
  if (!machine_.ptx_assumptions.empty()) {
    out_ += "ptx_assumptions = [\n";
    for (const std::string& sentence : machine_.ptx_assumptions) out_ += "  " + toml_text(sentence) + ",\n";
    out_ += "]\n";
  }
  if (!machine_.usual.empty()) table("usual");
  for (const Backing& backing : machine_.usual) entry(name_of(backing.assumption), toml_text(backing.evidence));
  table("sources");
  for (const Reference& reference : machine_.references) entry(toml_key(reference.key), toml_text(reference.text));
}

std::string Writer::value_text(Span span, FigureUnit unit) const {
  if (span.least == span.most) return value_text(span.least, unit);
  return "[" + std::to_string(span.least) + ", " + std::to_string(span.most) + "]";
}

std::string Writer::value_text(const support::Rational& value, FigureUnit unit) const {
  if (unit == FigureUnit::lanes) return std::to_string(lanes_of(value));
  return toml_text(support::to_string(value));
}

std::string Writer::value_text(const std::vector<Occupancy>& occupancies, FigureUnit) const {
  std::vector<std::pair<std::string, int64_t>> by_name;
  for (const Occupancy& occupancy : occupancies)
    by_name.emplace_back(machine_.resources[occupancy.resource].name, occupancy.cycles);
  return cycles(by_name);
}

std::string Writer::value_text(const std::vector<int64_t>& list, FigureUnit) const {
  std::string all;
  for (const int64_t one : list) all += (all.empty() ? "" : ", ") + std::to_string(one);
  return "[" + all + "]";
}

std::string Writer::value_text(const std::vector<std::string>& list, FigureUnit) const {
  std::string all;
  for (const std::string& text : list) all += (all.empty() ? "" : ", ") + toml_text(text);
  return "[" + all + "]";
}

// The numbers by which figures tell what of them is a wait.
void Writer::write_times() {
  if (!machine_.translation && !machine_.refresh) return;
  table("times");
  if (machine_.translation) entry("translation", std::to_string(machine_.translation->cycles));
  if (machine_.refresh) entry("refresh", std::to_string(machine_.refresh->cycles));
}

// "813 + translation + refresh"
std::string Writer::with_waits(int64_t worst, int64_t translation, int64_t refresh) const {
  if (translation == 0 && refresh == 0) return std::to_string(worst);
  int64_t rest = worst;
  std::string sum;
  for (; translation > 0; translation -= machine_.translation->cycles) {
    rest -= machine_.translation->cycles;
    sum += " + translation";
  }
  for (; refresh > 0; refresh -= machine_.refresh->cycles) {
    rest -= machine_.refresh->cycles;
    sum += " + refresh";
  }
  return toml_text((rest < 0 ? sum.substr(3) + " - " : "") + std::to_string(rest < 0 ? -rest : rest) +
                   (rest < 0 ? "" : sum));
}

void Writer::write_sections() {
  for (const MachineSection& section : machine_sections()) {
    if (section.is_known != nullptr && !section.is_known(machine_)) continue;
    table(std::string(section.key));
    entries(section.fields, machine_);
    provenance(section.provenance.of_const(machine_));
  }
}

void Writer::write_resources() {
  for (size_t r = 1; r < machine_.resources.size(); ++r) {
    const ResourceFigures& resource = machine_.resources[r];
    table("resource." + toml_key(resource.name));
    entries(resource);
    provenance(resource.evidence, resource.source);
  }
}

void Writer::write_lines() {
  for (const ResourceFigures& resource : machine_.resources) {
    if (!resource.lines) continue;
    const std::string name = "lines." + toml_key(resource.name);
    table(name);
    entries(*resource.lines);
    const auto write = [&](const std::string& key, const LineTime& time) {
      table(name + "." + key);
      entry("cycles", toml_text(support::to_string(time.cycles)));
      provenance(time.provenance);
    };
    for (const Guarantee guarantee : all_guarantees) {
      if (resource.lines->is_stated(guarantee)) write(key_of_guarantee(guarantee), resource.lines->of(guarantee));
    }
    for (const auto& [lines, time] : resource.lines->once) write(key_of_once(lines), time);
  }
}

void Writer::write_data_caches() {
  for (const DataCache& cache : machine_.data_caches) {
    table("data_cache." + toml_key(cache.name));
    entries(cache);
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
  entries(*machine_.fetch);
  provenance(machine_.fetch->provenance);
  for (const CodeCache& cache : machine_.fetch->caches) {
    table("code_cache." + toml_key(cache.name));
    entries(cache);
    provenance(cache.evidence, cache.source);
  }
}

void Writer::write_sequence() {
  if (!machine_.sequence) return;
  table("sequence");
  entries(*machine_.sequence);
  provenance(machine_.sequence->provenance);
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
  if (!rule.all()) entry("kinds", "[" + toml_text(ir::to_string(kind)) + "]");
  entries(rule);
  const Latency& latency = figures.latency;
  entry("latency", "[" + std::to_string(latency.best) + ", " + std::to_string(latency.average) + ", " +
                       with_waits(latency.worst, latency.translation, latency.refresh) + "]");
  entry("instructions", std::to_string(figures.instructions));
  entry("gap", std::to_string(figures.gap));
  std::vector<std::pair<std::string, int64_t>> first, further, retries;
  std::vector<int64_t> in_retries(machine_.resources.size());
  for (const Retries& loop : figures.retries) {
    retries.emplace_back(machine_.resources[loop.resource].name, loop.cycles);
    in_retries[loop.resource] = loop.cycles;
  }
  if (figures.per_transaction != 0) further.emplace_back("latency", figures.per_transaction);
  for (const Occupancy& occupancy : figures.occupancies) {
    const std::string& name = machine_.resources[occupancy.resource].name;
    // The issue slots of its instructions are not written down, and retries stand by themselves.
    const int64_t own =
        occupancy.resource == 0 ? figures.instructions * machine_.issue_occupancy : in_retries[occupancy.resource];
    if ((occupancy.resource != 0 && own == 0) || occupancy.first > own) first.emplace_back(name, occupancy.first - own);
    if (occupancy.per_transaction) further.emplace_back(name, occupancy.cycles);
  }
  if (!first.empty()) entry("holds", cycles(first));
  if (!retries.empty()) entry("rounds", cycles(retries));
  if (!further.empty()) entry("transaction", cycles(further));
  entries(figures);
  provenance(figures.evidence, figures.source);
}

}  // namespace

std::string to_toml(const Machine& machine) { return Writer(machine).text(); }

}  // namespace warpspan::timing
