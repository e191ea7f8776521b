#include "app/reports/json.hpp"

namespace warpspan::app {

namespace {

const char* to_string(support::Cause cause) {
  switch (cause) {
    case support::Cause::usage: return "usage";
    case support::Cause::input: return "input";
    case support::Cause::internal: return "internal";
  }
  return "internal";
}

Json hashes(const std::vector<Hashed>& all, const char* key) {
  Json json = Json::array();
  for (const Hashed& one : all) json.push_back({{key, one.name}, {"sha256", one.sha256}});
  return json;
}

}  // namespace

Json by_unit(const std::array<int64_t, ir::unit_classes>& values) {
  Json json = Json::object();
  for (size_t k = 0; k < values.size(); ++k) {
    json[std::string(1, ir::symbol(static_cast<ir::UnitClass>(k)))] = values[k];
  }
  return json;
}

Json line_to_json(const std::optional<solver::Line>& line) {
  if (!line) return nullptr;
  return {{"slope", support::to_string(line->slope)},
          {"intercept", support::to_string(line->intercept)},
          {"valid_from", line->least_workers},
          {"valid_to",
           line->most_workers == std::numeric_limits<int64_t>::max() ? Json(nullptr) : Json(line->most_workers)}};
}

Json errors_to_json(const support::Diagnostics& errors) {
  Json json = Json::array();
  for (const support::Diagnostic& error : errors) {
    json.push_back({{"file", error.location.file},
                    {"line", error.location.line},
                    {"column", error.location.column},
                    {"message", error.message},
                    {"help", error.help},
                    {"cause", to_string(error.cause)}});
  }
  return json;
}

Json run_to_json(const RunRecord& run) {
  if (run.command.empty()) return nullptr;
  return {{"command", run.command},
          {"arguments", run.arguments},
          {"inputs", hashes(run.inputs, "file")},
          {"machines", hashes(run.machines, "name")}};
}

// Pure ASCII: what a terminal might act on, if the document goes there, is escaped.
std::string dump(const Json& document) { return document.dump(2, ' ', true, Json::error_handler_t::replace) + "\n"; }

}  // namespace warpspan::app
