// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/facts/facts_file.hpp"

#include <utility>

#include "app/facts/fact_kind.hpp"
#include "support/toml.hpp"

namespace warpspan::app {

namespace {

using support::Result;
using support::TableReader;
using support::TomlFile;

constexpr const char* schema = "warpspan.facts/1";
constexpr size_t digits_of_sha256 = 64;

void read_tables_of(TomlFile& file, const toml::node* value, const std::string& key, const std::string& title,
                    const std::function<void(TableReader&)>& read) {
  if (value == nullptr) return;
  const auto* array = value->as_array();
  if (array == nullptr || !array->is_array_of_tables()) {
    file.error(value->source(), "'" + key + "' must be an array of tables", "write " + title);
    return;
  }
  for (const toml::node& element : *array) {
    TableReader reader(file, *element.as_table(), title);
    read(reader);
    reader.finish();
  }
}

std::optional<std::vector<std::string>> texts_of(TableReader& reader, const std::string& key) {
  if (!reader.has(key)) return std::nullopt;
  std::vector<std::string> texts;
  for (support::Text& text : reader.texts(key)) texts.push_back(std::move(text.text));
  return texts;
}

void read_code(FactsTable& table) {
  TableReader& reader = table.reader;
  ExpectedCode code;
  if (reader.node("instructions") != nullptr) {
    code.instructions = reader.integer("instructions", FactsTable::not_negative);
  }
  code.parameters = texts_of(reader, "parameters");
  code.loops = texts_of(reader, "loops");
  code.call_lines = texts_of(reader, "call_lines");
  if (reader.node("sha256") == nullptr) return;
  code.sha256 = reader.text("sha256").text;
  if (code.sha256.size() != digits_of_sha256 ||
      code.sha256.find_first_not_of("0123456789abcdef") != std::string::npos) {
    table.error(reader.at("sha256"), "'sha256' must have 64 hexadecimal digits in small letters",
                "take the line out, or let 'warpspan facts' write it");
  }
  code.origin = table.origin_of(reader.at("sha256"));
  table.code = std::move(code);
}

class FactsReader {
 public:
  FactsReader(const std::string& name, std::string_view text) : name_(name), file_(name, text) {}

  Result<Facts> run() {
    const auto table = file_.parse();
    if (!table) return file_.errors();
    support::refuse_control_characters(file_, *table);
    TableReader root(file_, *table, "the file of facts");
    if (const toml::node* value = root.node("schema")) read_schema(*value);
    read_tables_of(file_, root.node("kernel"), "kernel", "[[kernel]]",
                   [this](TableReader& reader) { read_kernel(reader); });
    root.finish();
    support::Diagnostics errors = file_.errors();
    if (!errors.empty()) return errors;
    return std::move(facts_);
  }

 private:
  void read_schema(const toml::node& value) {
    if (value.is_string() && value.as_string()->get() == schema) return;
    file_.error(value.source(), "'schema' must be \"" + std::string(schema) + "\"",
                "a later version of warpspan may read this file");
  }

  void read_kernel(TableReader& reader) {
    FactsTable table(name_, file_, reader);
    KernelFacts facts;
    facts.origin = table.origin_of(reader.at());
    if (const auto name = table.required_text(reader, "name", "KERNEL")) facts.kernel = name->text;
    table.kernel = facts.kernel;
    read_code(table);
    for (const FactKind& kind : fact_kinds()) {
      if (kind.read_table != nullptr) kind.read_table(table, facts.launch);
    }
    facts.code = std::move(table.code);
    facts_.push_back(std::move(facts));
  }

  std::string name_;
  TomlFile file_;
  Facts facts_;
};

}  // namespace

ir::Origin FactsTable::origin_of(const toml::source_region& at) const {
  ir::Origin origin;
  origin.location = {name_, at.begin.line, at.begin.column};
  origin.line = std::string(file_.line_at(at));
  return origin;
}

std::optional<support::Text> FactsTable::required_text(TableReader& table, const std::string& key,
                                                       const std::string& example) {
  if (!table.has(key)) {
    error(table.at(), "missing key '" + key + "' in " + table.title(), "write " + key + " = \"" + example + "\"");
    return std::nullopt;
  }
  support::Text text = table.text(key);
  return text.text.empty() ? std::nullopt : std::optional(std::move(text));
}

void FactsTable::for_each_table(const std::string& key, const std::string& title,
                                const std::function<void(TableReader&)>& read) {
  read_tables_of(file_, reader.node(key), key, title, read);
}

void FactsTable::for_each_value(const std::string& key,
                                const std::function<void(const toml::key& key, const toml::node& value)>& read) {
  if (reader.node(key) == nullptr) return;
  const toml::table* table = reader.table(key);
  if (table == nullptr) return;
  for (auto&& [name, value] : *table) read(name, value);
}

std::string text_of(const toml::node& value) {
  if (value.is_integer()) return std::to_string(value.as_integer()->get());
  return value.is_string() ? value.as_string()->get() : std::string();
}

Result<Facts> parse_facts(const std::string& name, std::string_view text) { return FactsReader(name, text).run(); }

}  // namespace warpspan::app
