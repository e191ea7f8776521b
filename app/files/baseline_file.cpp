// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/baseline_file.hpp"

#include <fmt/format.h>

#include <set>
#include <tuple>

#include "app/files/json_reader.hpp"
#include "app/reports/json.hpp"
#include "support/checked.hpp"

namespace warpspan::app {

namespace {

using Quantity = CheckedLimit::Quantity;

constexpr const char* schema = "warpspan.baseline/1";
constexpr const char* renew = "write it anew with --update-baseline, once it is removed";

struct FigureKey {
  const char* key;
  Quantity quantity;
};
constexpr FigureKey figure_keys[] = {{"bound", Quantity::makespan},      {"expected", Quantity::expected},
                                     {"registers", Quantity::registers}, {"spill", Quantity::spill},
                                     {"stack", Quantity::stack},         {"shared", Quantity::shared},
                                     {"constant", Quantity::constant}};
static_assert(std::size(figure_keys) == quantities);

// In one line of text.
std::string in_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

support::Diagnostics as_wrong_use(support::Diagnostics errors) {
  for (support::Diagnostic& one : errors) {
    one.cause = support::Cause::usage;
    one.help = renew;
  }
  return errors;
}

class BaselineReader {
 public:
  explicit BaselineReader(const std::string& file) : reader_(file) {}

  Baseline read(const JsonValue& document) {
    Baseline baseline;
    const JsonValue tag = document["schema"];
    if (tag.is_missing() || !tag.json().is_string() || tag.json() != schema) {
      reader_.error(document, std::string("expected a baseline, with \"schema\": \"") + schema + "\"");
      return baseline;
    }
    reader_.object(document, {"schema", "version", "kernels"});
    baseline.version = reader_.text(document["version"]);
    for (const JsonValue& one : reader_.array(document["kernels"])) {
      if (reader_.full()) break;
      BaselineKernel kernel = this->kernel(one);
      if (!known_.insert({kernel.file, kernel.kernel, kernel.machine, kernel.options}).second)
        reader_.error(one, "the kernel stands twice");
      baseline.kernels.push_back(std::move(kernel));
    }
    return baseline;
  }

  const support::Diagnostics& errors() const { return reader_.errors(); }

 private:
  std::optional<int64_t> count(const JsonValue& value) {
    if (value.is_missing() || value.is_null()) return std::nullopt;
    return reader_.integer(value, 0);
  }

  BaselineKernel kernel(const JsonValue& value) {
    BaselineKernel one;
    reader_.object(value, {"kernel", "file", "label", "machine", "machine_sha256", "options", "bound", "usual",
                           "expected", "registers", "spill", "stack", "shared", "constant", "lines"});
    one.kernel = reader_.text(value["kernel"]);
    one.file = reader_.text(value["file"]);
    one.label = reader_.text(value["label"]);
    one.machine = reader_.text(value["machine"]);
    one.machine_sha256 = reader_.text(value["machine_sha256"]);
    for (const JsonValue& option : reader_.array(value["options"])) one.options.push_back(reader_.text(option));
    for (const auto& [key, quantity] : figure_keys) one.figures[static_cast<size_t>(quantity)] = count(value[key]);
    one.usual = count(value["usual"]);
    support::Integer bound = 0, expected = 0;
    for (const JsonValue& row : reader_.array(value["lines"])) {
      one.lines.push_back(line(row));
      bound += one.lines.back().bound;
      expected += one.lines.back().expected;
    }
    const auto is_sum = [&](Quantity quantity, const support::Integer& sum) {
      return sum.value() == one.figures[static_cast<size_t>(quantity)].value_or(0);
    };
    if (!is_sum(Quantity::makespan, bound) || !is_sum(Quantity::expected, expected))
      reader_.error(value, "the cycles of the lines do not add up to those of the kernel");
    return one;
  }

  BaselineLine line(const JsonValue& value) {
    reader_.object(value, {"file", "line", "text", "bound", "expected"});
    return {reader_.text(value["file"]), reader_.integer(value["line"], 0), reader_.text(value["text"]),
            reader_.integer(value["bound"], 0), reader_.integer(value["expected"], 0)};
  }

  JsonReader reader_;
  std::set<std::tuple<std::string, std::string, std::string, std::vector<std::string>>> known_;
};

}  // namespace

std::string baseline_text(const Baseline& baseline) {
  std::string text =
      fmt::format("{{\"schema\": {}, \"version\": {}, \"kernels\": [", in_line(schema), in_line(baseline.version));
  const char* before = "\n";
  for (const BaselineKernel& one : baseline.kernels) {
    Json head = {{"kernel", one.kernel},
                 {"file", one.file},
                 {"label", one.label},
                 {"machine", one.machine},
                 {"machine_sha256", one.machine_sha256},
                 {"options", one.options}};
    for (const auto& [key, quantity] : figure_keys) head[key] = or_null(one.figures[static_cast<size_t>(quantity)]);
    head["usual"] = or_null(one.usual);
    std::string row = in_line(head);
    row.pop_back();
    text += before + row + ",\"lines\":[";
    const char* between = "\n ";
    for (const BaselineLine& line : one.lines) {
      text += between + in_line({{"file", line.file},
                                 {"line", line.line},
                                 {"text", line.text},
                                 {"bound", line.bound},
                                 {"expected", line.expected}});
      between = ",\n ";
    }
    text += "]}";
    before = ",\n";
  }
  return text + "\n]}\n";
}

support::Result<Baseline> read_baseline(const support::SourceFile& file) {
  const auto document = parse_json(file);
  if (!document) {
    return as_wrong_use(document.errors());
  }
  BaselineReader reader(file.name());
  Baseline baseline = reader.read({&*document, ""});
  if (reader.errors().empty()) {
    baseline.name = file.name();
    return baseline;
  }
  return as_wrong_use(reader.errors());
}

}  // namespace warpspan::app
