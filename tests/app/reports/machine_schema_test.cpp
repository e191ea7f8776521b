// SPDX-License-Identifier: GPL-3.0-or-later
// docs/schema/machine.schema.json against the tables of figures.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/files.hpp"
#include "tests/paths.hpp"
#include "timing/machine/fields.hpp"

using namespace warpspan;
using namespace warpspan::timing;

using Json = nlohmann::ordered_json;

namespace {

Json integer_schema(IntegerRange range) {
  if (range.least == 0) return {{"$ref", "#/$defs/count"}};
  return {{"type", "integer"}, {"minimum", range.least}};
}

Json array_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

Json span_schema() {
  return {{"type", "array"}, {"minItems", 2}, {"maxItems", 2}, {"items", {{"$ref", "#/$defs/count"}}}};
}

Json classes_schema() {
  Json names = Json::array();
  for (int c = 0; c < machine_classes; ++c) names.push_back(to_string(static_cast<MachineClass>(c)));
  return {{"enum", names}};
}

template <typename Field>
Json schema_of(const Field&, int64_t, IntegerRange range) {
  return integer_schema(range);
}
template <typename Field>
Json schema_of(const Field& field, bool, IntegerRange) {
  return field.json_unset == JsonUnset::not_there ? Json{{"const", true}} : Json{{"type", "boolean"}};
}
template <typename Field>
Json schema_of(const Field&, const Span&, IntegerRange) {
  return span_schema();
}
template <typename Field>
Json schema_of(const Field&, const std::optional<Span>&, IntegerRange) {
  return span_schema();
}
template <typename Field>
Json schema_of(const Field& field, const support::Rational&, IntegerRange range) {
  return field.unit == FigureUnit::lanes ? integer_schema(range) : Json{{"$ref", "#/$defs/fraction"}};
}
template <typename Field>
Json schema_of(const Field&, ResourceFigures::Sharing, IntegerRange) {
  return {{"$ref", "#/$defs/sharing"}};
}
template <typename Field>
Json schema_of(const Field&, MachineClass, IntegerRange) {
  return classes_schema();
}
template <typename Field>
Json schema_of(const Field&, const std::vector<Occupancy>&, IntegerRange) {
  return {{"$ref", "#/$defs/holds"}};
}
template <typename Field>
Json schema_of(const Field&, const std::vector<int64_t>&, IntegerRange range) {
  return array_of(integer_schema(range));
}
template <typename Field>
Json schema_of(const Field&, const std::vector<std::string>&, IntegerRange) {
  return array_of({{"type", "string"}});
}

// The figures of an owner stand in the schema of an object as their rows have them.
template <typename Owner>
void check_schema(const Json& object, std::span<const MachineField<Owner>> fields, const Owner& owner = {}) {
  for (const MachineField<Owner>& field : fields) {
    const std::string key(field.key);
    Json wanted;
    if (!field.meaning.empty()) wanted["description"] = field.meaning;
    wanted.update(with_value(field, owner, [&](const auto& value) { return schema_of(field, value, field.range); }));
    if (field.json_unset == JsonUnset::null) wanted["type"] = {wanted["type"], "null"};
    INFO(key << ": " << wanted.dump());
    REQUIRE(object["properties"].contains(key));
    const Json stated = object["properties"][key];
    CHECK(nlohmann::json::parse(stated.dump()) == nlohmann::json::parse(wanted.dump()));  // whatever the order
    const Json& required = object["required"];
    const bool is_required = std::find(required.begin(), required.end(), key) != required.end();
    CHECK(is_required == (field.json_unset != JsonUnset::not_there));
  }
}

}  // namespace

TEST_CASE("the schema of machines has every figure as its row does") {
  const Json schema = Json::parse(test::read_file(test::source_dir() + "/docs/schema/machine.schema.json"));
  const Json& all = schema["properties"];
  Machine machine;
  for (const MachineSection& section : machine_sections()) {
    if (section.add != nullptr) section.add(machine);
    check_schema(all[std::string(section.key)], section.fields, machine);
  }
  const Json& resource = all["resources"]["items"];
  check_schema(resource, fields_of<ResourceFigures>());
  check_schema(resource["properties"]["lines"], fields_of<LineTimes>());
  check_schema(all["data_caches"]["items"], fields_of<DataCache>());
  const Json& fetch = all["fetch"]["oneOf"][1];
  check_schema(fetch, fields_of<FetchFigures>());
  check_schema(fetch["properties"]["caches"]["items"], fields_of<CodeCache>());
  check_schema(all["sequence"]["oneOf"][1], fields_of<SequenceFigures>());
  check_schema(schema["$defs"]["operation"], fields_of<FormRule>());
  check_schema(schema["$defs"]["operation"], fields_of<OperationFigures>());
}
