// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/recorded_run.hpp"

#include "app/files/json_reader.hpp"
#include "app/reports/json.hpp"

namespace warpspan::app {

namespace {

std::vector<Hashed> read_hashes(JsonReader& reader, const JsonValue& value, const char* key) {
  std::vector<Hashed> all;
  for (const JsonValue& entry : reader.array(value)) {
    reader.object(entry, {key, "sha256"});
    all.push_back({reader.text(entry[key]), reader.text(entry["sha256"])});
  }
  return all;
}

RunRecord read_run(JsonReader& reader, const JsonValue& value) {
  reader.object(value, {"command", "arguments", "inputs", "machines", "assemblers"});
  RunRecord run;
  run.command = reader.text(value["command"]);
  for (const JsonValue& word : reader.array(value["arguments"])) run.arguments.push_back(reader.text(word));
  run.inputs = read_hashes(reader, value["inputs"], "file");
  run.machines = read_hashes(reader, value["machines"], "name");
  for (const JsonValue& entry : reader.array(value["assemblers"])) {
    reader.object(entry, {"command", "version"});
    run.assemblers.push_back({reader.text(entry["command"]), reader.text(entry["version"])});
  }
  return run;
}

bool is_report(const nlohmann::json& document) {
  const auto is_text = [&document](const char* key) { return document.contains(key) && document[key].is_string(); };
  return document.is_object() && is_text("schema") && is_text("version") && document.contains("run");
}

support::Diagnostic cannot_be_repeated(const support::SourceFile& report, std::string message, std::string help) {
  support::Diagnostic error = support::usage_error(std::move(message), std::move(help));
  error.location.file = report.name();
  return error;
}

}  // namespace

support::Result<RecordedRun> read_recorded_run(const support::SourceFile& report) {
  const auto document = parse_json(report);
  if (!document) return document.errors();
  if (!is_report(*document)) {
    return cannot_be_repeated(report, "the file is no report that tells how it was made",
                              "give what analyze, check, compare or rta wrote with --format json");
  }
  const JsonValue root(&*document, "");
  if (root["run"].is_null()) {
    return cannot_be_repeated(
        report,
        "the report is of a run whose options could not be read, or of an update that failed: there is "
        "nothing to repeat",
        "");
  }
  JsonReader reader(report.name());
  RecordedRun recorded;
  recorded.version = reader.text(root["version"]);
  recorded.run = read_run(reader, root["run"]);
  if (!reader.errors().empty()) return reader.errors();
  return recorded;
}

std::string first_difference(const std::string& a, const std::string& b, bool seconds_aside) {
  const auto changes = nlohmann::json::diff(nlohmann::json::parse(a), nlohmann::json::parse(b));
  for (const auto& change : changes) {
    const auto place = change["path"].get<std::string>();
    if (!seconds_aside || !place.ends_with("/seconds")) return place;
  }
  return {};
}

std::string with_seconds_of(const std::string& recorded, const std::string& made) {
  const Json from = Json::parse(recorded);
  Json document = Json::parse(made);
  const Json places = document.flatten();
  for (const auto& [place, value] : places.items()) {
    const Json::json_pointer pointer(place);
    if (place.ends_with("/seconds") && from.contains(pointer)) document[pointer] = from.at(pointer);
  }
  return dump(document);
}

}  // namespace warpspan::app
