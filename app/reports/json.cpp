// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/json.hpp"

#include "app/reports/names.hpp"

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

Json diagnostics_to_json(const support::Diagnostics& diagnostics, bool warnings) {
  Json json = Json::array();
  for (const support::Diagnostic& diagnostic : diagnostics) {
    if ((diagnostic.severity == support::Severity::warning) != warnings) continue;
    json.push_back({{"file", diagnostic.location.file},
                    {"line", diagnostic.location.line},
                    {"column", diagnostic.location.column},
                    {"message", diagnostic.message},
                    {"help", diagnostic.help},
                    {"cause", to_string(diagnostic.cause)}});
  }
  return json;
}

}  // namespace

Json or_null(const std::optional<int64_t>& value) { return value ? Json(*value) : Json(nullptr); }

Json extent_to_json(const std::optional<ir::Extent>& extent) {
  return extent ? Json::array({extent->x, extent->y, extent->z}) : Json(nullptr);
}

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

Json errors_to_json(const support::Diagnostics& errors) { return diagnostics_to_json(errors, false); }

Json warnings_to_json(const support::Diagnostics& errors) { return diagnostics_to_json(errors, true); }

// Who gave the bound, or the time that it takes.
std::string giver_of(const ir::Loop& loop) {
  if (loop.given) return ir::to_string(loop.given_by);
  return loop.longest_wait ? ir::to_string(loop.wait_given_by) : std::string();
}

Json loops_to_json(const std::vector<ir::Loop>& loops) {
  Json json = Json::array();
  for (const ir::Loop& loop : loops) {
    Json one = {{"label", loop.label},
                {"line", loop.line},
                {"trip_count", loop.trip_count ? Json(*loop.trip_count) : Json(nullptr)},
                {"origin", to_string(loop.source)},
                {"source_file", loop.source_file},
                {"source_line", loop.source_line},
                {"given", loop.given ? Json(*loop.given) : Json(nullptr)},
                {"given_by", giver_of(loop)}};
    if (!loop.called_from.empty()) one["called_from"] = loop.called_from;
    json.push_back(std::move(one));
  }
  return json;
}

Json assemblers_to_json(const std::vector<AssemblerRun>& assemblers) {
  Json json = Json::array();
  for (const auto& [command, version] : assemblers) json.push_back({{"command", command}, {"version", version}});
  return json;
}

Json run_to_json(const RunRecord& run) {
  if (run.command.empty()) return nullptr;
  return {{"command", run.command},
          {"arguments", run.arguments},
          {"inputs", hashes(run.inputs, "file")},
          {"machines", hashes(run.machines, "name")},
          {"assemblers", assemblers_to_json(run.assemblers)}};
}

Json or_unknown(const std::optional<int64_t>& value) { return value ? Json(*value) : Json("unknown"); }

namespace {

// Pure ASCII: what a terminal might act on, if the document goes there, is escaped.
std::string written(const Json& value) { return value.dump(2, ' ', true, Json::error_handler_t::replace); }

}  // namespace

std::string dump(const Json& document) { return written(document) + "\n"; }

void JsonDocument::add(std::string_view key, const Json& value) {
  begin(key);
  append(value, 2);
}

LongText JsonDocument::take() {
  text_.append("\n}\n");
  return std::move(text_);
}

void JsonDocument::begin(std::string_view key) {
  text_.append((text_.empty() ? "{\n  " : ",\n  ") + written(Json(key)) + ": ");
}

// No line ends within a string: it is escaped there.
void JsonDocument::append(const Json& value, size_t indent) {
  const std::string text = written(value);
  const std::string blanks(indent, ' ');
  std::string indented;
  size_t begin = 0;
  for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    indented.append(text, begin, end + 1 - begin).append(blanks);
    begin = end + 1;
  }
  text_.append(indented.append(text, begin));
}

}  // namespace warpspan::app
