// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/saved_report.hpp"

#include <optional>
#include <string>

#include "app/files/json_reader.hpp"
#include "app/reports/names.hpp"
#include "support/checked.hpp"

namespace warpspan::app {

namespace {

// Reads the members of one document; the errors are in `reader`.
class ReportReader {
 public:
  explicit ReportReader(const std::string& file) : reader_(file) {}

  SavedReport report(const JsonValue& document) {
    SavedReport saved;
    const std::string schema = reader_.text(required(document, "schema"));
    if (!schema.empty() && schema != "warpspan.analyze/2" && schema != "warpspan.analyze/1") {
      reader_.error(document["schema"], "expected 'warpspan.analyze/2', got '" + schema + "'");
      return saved;
    }
    for (const JsonValue& kernel : reader_.array(required(document, "kernels"))) {
      saved.kernels.push_back(this->kernel(kernel));
    }
    saved.words = words_of(document["run"]);
    saved.machines = machines_of(document["run"]);
    for (const JsonValue& error : reader_.array(required(document, "errors")))
      saved.errors.push_back(diagnostic(error));
    return saved;
  }

  const support::Diagnostics& errors() const { return reader_.errors(); }

 private:
  // The member, or an error of the object that lacks it.
  JsonValue required(const JsonValue& object, const std::string& key) {
    JsonValue member = object[key];
    if (object.is_missing() || !member.is_missing()) return member;
    reader_.error(object, object.json().is_object() ? "member '" + key + "' is missing" : "expected an object");
    return member;
  }

  // Whether an older report may lack it and this one does.
  static bool is_known(const JsonValue& value) { return !value.is_missing() && !value.is_null(); }

  ir::Extent extent(const JsonValue& value) {
    const std::vector<JsonValue> all = reader_.array(value);
    if (all.size() == 3) return {reader_.integer(all[0], 1), reader_.integer(all[1], 1), reader_.integer(all[2], 1)};
    if (!value.is_missing() && value.json().is_array()) reader_.error(value, "expected three numbers");
    return {};
  }

  std::optional<timing::Span> span(const JsonValue& value) {
    if (!is_known(value)) return std::nullopt;
    return timing::Span{reader_.integer(required(value, "least"), 0), reader_.integer(required(value, "most"), 0)};
  }

  void bound(const JsonValue& bounds, KernelFigures& kernel) {
    bool found = false;
    for (const JsonValue& bound : reader_.array(bounds)) {
      const bool is_safe = reader_.boolean(required(bound, "safe"));
      const bool is_pipeline = reader_.text(required(bound, "model")) == "pipeline";
      const JsonValue makespan = required(bound, "makespan");
      if (!is_safe || !is_pipeline || !is_known(makespan)) continue;
      const int64_t cycles = reader_.integer(makespan, 0);
      if (found && cycles >= kernel.bound) continue;
      found = true;
      kernel.bound = cycles;
      kernel.parts = parts(required(bound, "parts"));
      kernel.assumptions.clear();
      if (bound.json().is_object() && bound["assumptions"].is_missing()) {
        reader_.error(bound, "the report was made without --explain, which a comparison needs");
        return;
      }
      for (const JsonValue& assumption : reader_.array(required(bound, "assumptions"))) {
        kernel.assumptions.push_back(reader_.text(assumption));
      }
    }
    if (!found) reader_.error(bounds, "no safe bound of the pipeline model");
  }

  // Older reports have none.
  std::optional<int64_t> headline(const JsonValue& headlines, const std::string& name) {
    if (!is_known(headlines)) return std::nullopt;
    const JsonValue cycles = required(required(headlines, name), "cycles");
    return is_known(cycles) ? std::optional(reader_.integer(cycles, 0)) : std::nullopt;
  }

  std::vector<NamedCycles> parts(const JsonValue& value) {
    std::vector<NamedCycles> all;
    support::Integer sum = 0;
    for (const JsonValue& part : reader_.array(value)) {
      all.push_back({part_name(reader_.text(required(part, "kind")), reader_.text(required(part, "name"))),
                     reader_.integer(required(part, "cycles"), 0)});
      sum += all.back().cycles;
    }
    if (!sum.value()) reader_.error(value, "cycles that exceed 2^63-1");
    return all;
  }

  std::vector<LoopFigure> loops(const JsonValue& value) {
    std::vector<LoopFigure> all;
    for (const JsonValue& loop : reader_.array(value)) {
      LoopFigure figure;
      figure.label = reader_.text(required(loop, "label"));
      if (is_known(loop["source_line"])) figure.source_line = reader_.integer(loop["source_line"], 0);
      if (is_known(loop["source_file"])) figure.source_file = reader_.text(loop["source_file"]);
      const JsonValue trips = required(loop, "trip_count");
      if (is_known(trips)) figure.trips = reader_.integer(trips, 1);
      all.push_back(std::move(figure));
    }
    return all;
  }

  std::optional<std::vector<SpaceTransactions>> transactions(const JsonValue& value) {
    if (!is_known(value)) return std::nullopt;
    std::vector<SpaceTransactions> all;
    for (const ir::MemorySpace space : memory_spaces) {
      const JsonValue count = value[std::string(to_string(space))];
      if (is_known(count)) all.push_back({space, reader_.integer(count, 0)});
    }
    return all;
  }

  std::optional<std::vector<std::string>> words_of(const JsonValue& run) {
    if (!is_known(run)) return std::nullopt;
    std::vector<std::string> all;
    for (const JsonValue& word : reader_.array(required(run, "arguments"))) all.push_back(reader_.text(word));
    return all;
  }

  std::vector<Hashed> machines_of(const JsonValue& run) {
    std::vector<Hashed> all;
    if (!is_known(run) || !is_known(run["machines"])) return all;
    for (const JsonValue& machine : reader_.array(run["machines"])) {
      all.push_back({reader_.text(required(machine, "name")), reader_.text(required(machine, "sha256"))});
    }
    return all;
  }

  // Neither is known where a report has none, or its lists were too long to tell.
  std::optional<std::vector<LineCost>> lines(const JsonValue& value) {
    if (!is_known(value)) return std::nullopt;
    std::vector<LineCost> all;
    for (const JsonValue& line : reader_.array(value)) {
      LineCost cost;
      cost.file = reader_.text(required(line, "file"));
      cost.line = reader_.integer(required(line, "line"), 0);
      cost.executions = reader_.integer(required(line, "executions"), 0);
      cost.own = reader_.integer(required(line, "own"), 0);
      cost.others = reader_.integer(required(line, "others"), 0);
      cost.resource = reader_.text(required(line, "resource"));
      cost.text = reader_.text(required(line, "text"));
      if (!(support::Integer(cost.own) + cost.others).value()) reader_.error(line, "cycles that exceed 2^63-1");
      all.push_back(std::move(cost));
    }
    return all.empty() ? std::nullopt : std::optional(std::move(all));
  }

  std::optional<std::vector<NamedCycles>> words(const JsonValue& value) {
    if (!is_known(value)) return std::nullopt;
    std::vector<NamedCycles> all;
    support::Integer sum = 0;
    for (const JsonValue& cost : reader_.array(value)) {
      all.push_back({reader_.text(required(cost, "instruction")), reader_.integer(required(cost, "cycles"), 0)});
      sum += all.back().cycles;
    }
    if (!sum.value()) reader_.error(value, "cycles that exceed 2^63-1");
    return all.empty() ? std::nullopt : std::optional(std::move(all));
  }

  std::optional<ExpectedTime> expected(const JsonValue& value) {
    if (!is_known(value)) return std::nullopt;
    ExpectedTime time;
    time.cycles = reader_.integer(required(value, "cycles"), 1);
    const std::string method = reader_.text(required(value, "method"));
    time.method = method == "simulated" ? ExpectedTime::Method::simulated : ExpectedTime::Method::estimated;
    if (is_known(value["usual_factor"])) time.usual_factor = reader_.integer(value["usual_factor"], 100);
    time.not_simulated = reader_.text(required(value, "not_simulated"));
    time.depends_on_data = reader_.boolean(required(value, "depends_on_data"));
    for (const JsonValue& sentence : reader_.array(required(value, "assumptions")))
      time.assumptions.push_back(reader_.text(sentence));
    return time;
  }

  KernelFigures kernel(const JsonValue& value) {
    KernelFigures kernel;
    kernel.file = reader_.text(required(value, "file"));
    kernel.name = reader_.text(required(value, "name"));
    kernel.machine = reader_.text(required(value, "machine"));
    const JsonValue launch = required(value, "launch");
    kernel.block = extent(required(launch, "block"));
    const JsonValue grid = required(launch, "grid");
    if (is_known(grid)) kernel.grid = extent(grid);
    kernel.registers = span(launch["registers"]);
    if (is_known(value["clock_khz"])) kernel.clock_khz = reader_.integer(value["clock_khz"], 1);
    bound(required(value, "bounds"), kernel);
    kernel.usual = headline(value["headlines"], "usual");
    kernel.nothing = headline(value["headlines"], "nothing");
    kernel.one_warp = reader_.integer(required(required(value, "single_warp"), "worst"), 0);
    const JsonValue instructions = required(value, "instructions");
    for (size_t k = 0; k < kernel.instructions.size(); ++k) {
      const std::string unit(1, ir::symbol(static_cast<ir::UnitClass>(k)));
      kernel.instructions[k] = reader_.integer(required(instructions, unit), 0);
    }
    kernel.loops = loops(required(value, "loops"));
    kernel.transactions = transactions(value["transactions"]);
    kernel.lines = lines(value["lines"]);
    if (kernel.lines) kernel.words = words(value["costs"]);
    kernel.expected = expected(value["expected"]);
    return kernel;
  }

  support::Diagnostic diagnostic(const JsonValue& value) {
    support::Diagnostic error;
    const std::string cause = reader_.text(required(value, "cause"));
    error.cause = cause == "usage"      ? support::Cause::usage
                  : cause == "internal" ? support::Cause::internal
                                        : support::Cause::input;
    error.location.file = reader_.text(required(value, "file"));
    error.location.line = reader_.integer(required(value, "line"), 0);
    error.location.column = reader_.integer(required(value, "column"), 0);
    error.message = reader_.text(required(value, "message"));
    error.help = reader_.text(required(value, "help"));
    return error;
  }

  JsonReader reader_;
};

}  // namespace

support::Result<SavedReport> read_saved_report(const support::SourceFile& file) {
  const auto document = parse_json(file);
  if (!document) return document.errors();
  ReportReader reader(file.name());
  SavedReport saved = reader.report({&*document, ""});
  if (!reader.errors().empty()) return reader.errors();
  return saved;
}

}  // namespace warpspan::app
