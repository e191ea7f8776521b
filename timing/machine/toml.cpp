#include "timing/machine/toml.hpp"

#include <algorithm>
#include <array>

#include "support/nearest.hpp"
#include "support/printable.hpp"

namespace warpspan::timing {

namespace {

std::string_view line_of(std::string_view text, int64_t line) {
  for (int64_t i = 1; i < line; ++i) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

std::string quoted(std::string_view word) { return "'" + std::string(word) + "'"; }

// The keys of a table in the order of the file.
std::vector<std::string> in_file_order(const toml::table& table) {
  std::vector<std::pair<toml::source_position, std::string>> keys;
  for (auto&& [key, value] : table) keys.emplace_back(key.source().begin, std::string(key.str()));
  std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (auto& [at, name] : keys) names.push_back(std::move(name));
  return names;
}

// The keys that a text cites: "[THES] table 7, [GSIM]" cites THES and GSIM.
std::vector<std::string> citations(std::string_view text) {
  std::vector<std::string> keys;
  for (size_t open = text.find('['); open != std::string_view::npos; open = text.find('[', open + 1)) {
    const size_t close = text.find(']', open);
    if (close != std::string_view::npos) keys.emplace_back(text.substr(open + 1, close - open - 1));
  }
  return keys;
}

}  // namespace

std::string_view type_name(const toml::node& value) {
  switch (value.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "an array";
    case toml::node_type::string: return "a text";
    case toml::node_type::integer: return "an integer";
    case toml::node_type::floating_point: return "a number with a fraction";
    case toml::node_type::boolean: return "true or false";
    default: return "a date or time";
  }
}

std::optional<toml::table> TomlFile::parse() {
  try {
    return toml::parse(text_, std::string_view(name_));
  } catch (const toml::parse_error& failure) {
    error(failure.source(), "not a TOML file: " + std::string(failure.description()), "");
    return std::nullopt;
  }
}

void TomlFile::error(const toml::source_region& at, std::string message, std::string help) {
  support::Diagnostic diagnostic;
  diagnostic.cause = cause_;
  diagnostic.location = {name_, std::max<int64_t>(1, at.begin.line), std::max<int64_t>(1, at.begin.column)};
  diagnostic.message = std::move(message);
  diagnostic.help = std::move(help);
  diagnostic.source_line = std::string(line_of(text_, diagnostic.location.line));
  errors_.push_back(std::move(diagnostic));
}

std::string_view TomlFile::line_at(const toml::source_region& at) const {
  return line_of(text_, std::max<int64_t>(1, at.begin.line));
}

support::Diagnostics TomlFile::errors() const {
  support::Diagnostics sorted = errors_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const support::Diagnostic& a, const support::Diagnostic& b) {
    return std::pair(a.location.line, a.location.column) < std::pair(b.location.line, b.location.column);
  });
  return sorted;
}

const toml::node* TableReader::node(std::string_view key) {
  known_.emplace(key);
  return table_.get(key);
}

const toml::node* TableReader::required(std::string_view key) {
  const toml::node* value = node(key);
  if (value == nullptr) error(at(), "missing " + quoted(key) + " in " + title_, "docs/machines.md describes all keys");
  return value;
}

const toml::source_region& TableReader::at(std::string_view key) const { return table_.get(key)->source(); }

std::optional<int64_t> TableReader::integer_in(const toml::node& value, Range range, const std::string& what) {
  const auto* integer = value.as_integer();
  if (integer == nullptr) {
    error(value.source(), what + " must be an integer, not " + std::string(type_name(value)), "");
    return std::nullopt;
  }
  if (integer->get() < range.least || integer->get() > range.most) {
    error(value.source(),
          what + " must be between " + std::to_string(range.least) + " and " + std::to_string(range.most), "");
    return std::nullopt;
  }
  return integer->get();
}

int64_t TableReader::integer(std::string_view key, Range range) {
  const toml::node* value = required(key);
  return value == nullptr ? range.least : integer_in(*value, range, quoted(key)).value_or(range.least);
}

int64_t TableReader::integer_or(std::string_view key, Range range, int64_t otherwise) {
  const toml::node* value = node(key);
  return value == nullptr ? otherwise : integer_in(*value, range, quoted(key)).value_or(range.least);
}

Text TableReader::text(std::string_view key) {
  const toml::node* value = required(key);
  if (value == nullptr) return {{}, at()};
  const auto* string = value->as_string();
  if (string == nullptr) {
    error(value->source(), quoted(key) + " must be a text, not " + std::string(type_name(*value)),
          "write " + std::string(key) + " = \"...\"");
  } else if (string->get().find_first_not_of(" \t\r\n") == std::string::npos) {
    error(value->source(), quoted(key) + " must not be empty", "");
  }
  return {string == nullptr ? std::string() : string->get(), value->source()};
}

std::vector<Text> TableReader::texts_of(const toml::node& value, std::string_view key) {
  const auto* array = value.as_array();
  if (array == nullptr) {
    error(value.source(), quoted(key) + " must be an array of texts, not " + std::string(type_name(value)),
          "write " + std::string(key) + " = [\"...\"]");
    return {};
  }
  std::vector<Text> all;
  for (const toml::node& element : *array) {
    if (const auto* string = element.as_string()) {
      all.push_back({string->get(), element.source()});
    } else {
      error(element.source(), quoted(key) + " must hold texts, not " + std::string(type_name(element)), "");
    }
  }
  return all;
}

std::vector<Text> TableReader::texts(std::string_view key) {
  const toml::node* value = required(key);
  return value == nullptr ? std::vector<Text>{} : texts_of(*value, key);
}

std::vector<Text> TableReader::texts_or_none(std::string_view key) {
  const toml::node* value = node(key);
  return value == nullptr ? std::vector<Text>{} : texts_of(*value, key);
}

// An integer, which stands for all, or as many as there are, none below the one before it; all the least of the range
// after an error.
std::vector<int64_t> TableReader::ascending(std::string_view key, Range range, const std::vector<std::string>& names) {
  std::vector<int64_t> figures(names.size(), range.least);
  const toml::node* value = required(key);
  if (value == nullptr) return figures;
  if (value->is_integer()) {
    figures.assign(names.size(), integer_in(*value, range, quoted(key)).value_or(range.least));
    return figures;
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  const std::string help = "write " + std::string(key) + " = 18 or " + std::string(key) + " = [" + list + "]";
  const auto* array = value->as_array();
  if (array == nullptr || array->size() != names.size()) {
    error(value->source(), quoted(key) + " must be an integer or an array of " + (names.size() == 2 ? "two" : "three"),
          help);
    return figures;
  }
  for (size_t i = 0; i < names.size(); ++i) {
    const auto figure = integer_in((*array)[i], range, quoted(key));
    if (!figure) return std::vector<int64_t>(names.size(), range.least);
    figures[i] = *figure;
  }
  if (!std::is_sorted(figures.begin(), figures.end())) {
    const std::string over = names.size() == 3 ? " over " + names[1] : "";
    error(value->source(), quoted(key) + " must not fall from " + names.front() + over + " to " + names.back(), help);
  }
  return figures;
}

Span TableReader::span(std::string_view key, Range range) {
  const std::vector<int64_t> figures = ascending(key, range, {"least", "most"});
  return {figures[0], figures[1]};
}

Latency TableReader::latency(std::string_view key, Range range) {
  const std::vector<int64_t> figures = ascending(key, range, {"best", "average", "worst"});
  return {figures[0], figures[1], figures[2]};
}

Provenance TableReader::provenance(const std::vector<Reference>& references) {
  const std::vector<std::string> words = {"official", "measured", "simulator", "assumed"};
  Provenance provenance;
  const Text standing = text("standing");
  for (int i = 0; i < kinds_of_evidence; ++i) {
    if (standing.text == to_string(static_cast<Evidence>(i))) provenance.evidence = static_cast<Evidence>(i);
  }
  if (!standing.text.empty() && standing.text != to_string(provenance.evidence)) {
    error(standing.at, "unknown standing " + quoted(standing.text), "write " + support::alternatives(words));
  }
  provenance.source = text("source").text;
  if (!provenance.source.empty()) check_citations(provenance, references);
  return provenance;
}

void TableReader::check_citations(const Provenance& provenance, const std::vector<Reference>& references) {
  const std::vector<std::string> cited = citations(provenance.source);
  for (const std::string& key : cited) {
    const auto known = [&key](const Reference& reference) { return reference.key == key; };
    if (std::any_of(references.begin(), references.end(), known)) continue;
    error(at("source"), "source " + quoted(key) + " is not declared", "add it to [sources]");
  }
  if (cited.empty() && provenance.evidence != Evidence::assumed) {
    error(at("source"), "figures that are " + std::string(to_string(provenance.evidence)) + " must cite a source",
          "write its key of [sources] in brackets, such as \"[KEY] table 2\"");
  }
}

const toml::table* TableReader::table(std::string_view key) {
  const toml::node* value = required(key);
  if (value == nullptr) return nullptr;
  if (!value->is_table())
    error(value->source(), quoted(key) + " must be a table, not " + std::string(type_name(*value)), "");
  return value->as_table();
}

void TableReader::finish() {
  for (auto&& [key, value] : table_) {
    if (known_.contains(key.str())) continue;
    const std::vector<std::string> candidates(known_.begin(), known_.end());
    const auto meant = support::nearest(key.str(), {known_.begin(), known_.end()}, 2);
    error(key.source(), "unknown key " + quoted(key.str()) + " in " + title_,
          !meant.empty() ? "did you mean " + quoted(meant) + "?" : "known are " + support::alternatives(candidates));
  }
}

namespace {

void refuse_control_characters(TomlFile& file, std::string_view text, const toml::source_region& at) {
  if (support::printable(text) == text) return;
  file.error(at, "a control character in '" + std::string(text) + "'", "write it on one line, without escapes");
}

void refuse_control_characters(TomlFile& file, const toml::node& node) {
  if (const auto* string = node.as_string()) refuse_control_characters(file, string->get(), node.source());
  if (const auto* table = node.as_table()) refuse_control_characters(file, *table);
  if (const auto* array = node.as_array()) {
    for (const toml::node& element : *array) refuse_control_characters(file, element);
  }
}

}  // namespace

void refuse_control_characters(TomlFile& file, const toml::table& table) {
  for (auto&& [key, value] : table) {
    refuse_control_characters(file, key.str(), key.source());
    refuse_control_characters(file, value);
  }
}

void for_each_table(TomlFile& file, const toml::table& tables, const std::string& key,
                    const std::function<void(const std::string& name, TableReader& table)>& read) {
  for (const std::string& name : in_file_order(tables)) {
    const std::string title = "[" + key + "." + (name.find('.') == std::string::npos ? name : '"' + name + '"') + "]";
    const toml::node& node = *tables.get(name);
    if (const toml::table* table = node.as_table()) {
      TableReader reader(file, *table, title);
      read(name, reader);
      reader.finish();
    } else {
      file.error(node.source(), quoted(name) + " of [" + key + "] must be a table", "write " + title);
    }
  }
}

}  // namespace warpspan::timing
