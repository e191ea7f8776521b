// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/toml.hpp"

#include <algorithm>
#include <cctype>

#include "support/checked.hpp"
#include "support/nearest.hpp"
#include "support/printable.hpp"

namespace warpspan::support {

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

struct OtherFormat {
  std::string_view what, help;
};

// What else a file is that somebody may give, where that shows.
std::optional<OtherFormat> other_format(std::string_view text) {
  constexpr std::string_view analyze = "'warpspan analyze FILE' bounds its kernels";
  if (text.starts_with("\177ELF")) return OtherFormat{"it is an ELF file, as machine code is", analyze};
  if (text.find('\0') != std::string_view::npos) return OtherFormat{"it is no text", ""};
  const bool is_ptx = text.starts_with(".version ") || text.find("\n.version ") != std::string_view::npos;
  return is_ptx ? std::optional(OtherFormat{"it is PTX", analyze}) : std::nullopt;
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

std::optional<toml::table> TomlFile::parse_last() {
  const Source& source = sources_.back();
  if (const auto other = other_format(source.text)) {
    Diagnostic given;
    given.cause = cause_;
    given.location.file = source.name;
    given.message = "not a TOML file: " + std::string(other->what);
    given.help = other->help;
    errors_.emplace_back(sources_.size() - 1, std::move(given));
    return std::nullopt;
  }
  try {
    return toml::parse(source.text, std::string_view(source.name));
  } catch (const toml::parse_error& failure) {
    const std::string what(failure.description());
    const bool lacks_quotes = what.find("could not determine value type") != std::string::npos ||
                              what.find("expected digit, saw") != std::string::npos;  // 25ms
    error(failure.source(), "not a TOML file: " + what, lacks_quotes ? "texts stand in quotes: key = \"text\"" : "");
    return std::nullopt;
  }
}

const TomlFile::Source& TomlFile::source_of(const toml::source_region& at) const {
  const auto named = std::find_if(sources_.begin(), sources_.end(),
                                  [&at](const Source& source) { return at.path && *at.path == source.name; });
  return named == sources_.end() ? sources_.front() : *named;
}

void TomlFile::error(const toml::source_region& at, std::string message, std::string help) {
  const Source& source = source_of(at);
  Diagnostic diagnostic;
  diagnostic.cause = cause_;
  diagnostic.location = {source.name, std::max<int64_t>(1, at.begin.line), std::max<int64_t>(1, at.begin.column)};
  diagnostic.message = std::move(message);
  diagnostic.help = std::move(help);
  diagnostic.source_line = std::string(line_of(source.text, diagnostic.location.line));
  errors_.emplace_back(static_cast<size_t>(&source - sources_.data()), std::move(diagnostic));
}

std::string_view TomlFile::line_at(const toml::source_region& at) const {
  return line_of(source_of(at).text, std::max<int64_t>(1, at.begin.line));
}

Diagnostics TomlFile::errors() const {
  const auto place = [](const auto& error) {
    return std::tuple(error.first, error.second.location.line, error.second.location.column);
  };
  auto sorted = errors_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&place](const auto& a, const auto& b) { return place(a) < place(b); });
  Diagnostics all;
  for (auto& [file, error] : sorted) all.push_back(std::move(error));
  return all;
}

const toml::node* TableReader::found(std::string_view key) const {
  for (const toml::table* table : tables_) {
    if (const toml::node* value = table->get(key)) return value;
  }
  return nullptr;
}

const toml::node* TableReader::node(std::string_view key) {
  known_.emplace(key);
  return found(key);
}

const toml::node* TableReader::required(std::string_view key) {
  const toml::node* value = node(key);
  if (value == nullptr) error(at(), "missing key " + quoted(key) + " in " + title_, file_.help_for_missing);
  return value;
}

std::optional<int64_t> TableReader::integer_in(const toml::node& value, Range range, const std::string& what) {
  std::optional<int64_t> figure;
  if (const auto* integer = value.as_integer()) {
    figure = integer->get();
  } else if (value.is_string() && !file_.numbers.empty()) {
    std::map<std::string, int64_t> names;
    figure = sum_of_names(value, what, names);
    if (!figure) return std::nullopt;
  } else {
    error(value.source(), what + " must be an integer, not " + std::string(type_name(value)), "");
    return std::nullopt;
  }
  if (*figure < range.least || *figure > range.most) {
    error(value.source(),
          what + " must be between " + std::to_string(range.least) + " and " + std::to_string(range.most), "");
    return std::nullopt;
  }
  return figure;
}

// "load + 18": names and numbers with signs between them.
std::optional<int64_t> TableReader::sum_of_names(const toml::node& value, const std::string& what,
                                                 std::map<std::string, int64_t>& found) {
  const std::string& text = value.as_string()->get();
  Integer sum;
  int64_t sign = 1;
  size_t at = 0;
  while (true) {
    at = text.find_first_not_of(' ', at);
    const size_t end = at == std::string::npos ? at : text.find(' ', at);
    const std::string word = at == std::string::npos ? "" : text.substr(at, end - at);
    const auto known = file_.numbers.find(word);
    const bool digits = !word.empty() && word.size() < 10 && word.find_first_not_of("0123456789") == std::string::npos;
    if (known == file_.numbers.end() && !digits) {
      std::vector<std::string> names;
      for (const auto& [name, number] : file_.numbers) names.push_back(name);
      error(value.source(), what + " names '" + word + "', which no number is called",
            "known are " + alternatives(names));
      return std::nullopt;
    }
    if (!digits) {
      file_.numbers_named.insert(word);
      found[word] += sign;
      if (const auto parts = file_.sums.find(word); parts != file_.sums.end()) {
        for (const auto& [name, times] : parts->second) found[name] += sign * times;
      }
    }
    sum += Integer(sign) * (digits ? std::stoll(word) : known->second);
    at = text.find_first_not_of(' ', std::min(end, text.size()));
    if (at == std::string::npos) break;
    if (text[at] != '+' && text[at] != '-') {
      error(value.source(), what + " has no sign between two numbers", "write a sum such as \"load + 18\"");
      return std::nullopt;
    }
    sign = text[at++] == '+' ? 1 : -1;
  }
  if (!sum.value()) error(value.source(), what + " exceeds 64 bits", "");
  return sum.value();
}

std::map<std::string, int64_t> TableReader::names_in(const toml::node& value) {
  std::map<std::string, int64_t> names;
  if (value.is_string() && !file_.numbers.empty()) sum_of_names(value, "", names);
  return names;
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

bool TableReader::truth_or(std::string_view key, bool otherwise) {
  const toml::node* value = node(key);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) {
    error(value->source(), quoted(key) + " must be true or false, not " + std::string(type_name(*value)), "");
  }
  return value->value_or(otherwise);
}

const toml::table* TableReader::table(std::string_view key) {
  const toml::node* value = required(key);
  if (value == nullptr) return nullptr;
  if (!value->is_table())
    error(value->source(), quoted(key) + " must be a table, not " + std::string(type_name(*value)), "");
  return value->as_table();
}

TableReader::Tables TableReader::tables(std::string_view key) {
  Tables all;
  if (table(key) == nullptr) return all;
  for (const toml::table* table : tables_) {
    const toml::node* value = table->get(key);
    if (value != nullptr && value->is_table()) all.push_back(value->as_table());
  }
  return all;
}

void TableReader::finish() {
  for (const toml::table* table : tables_) {
    for (auto&& [key, value] : *table) {
      if (known_.contains(key.str())) continue;
      const std::vector<std::string> candidates(known_.begin(), known_.end());
      const auto meant = nearest(key.str(), {known_.begin(), known_.end()}, 2);
      error(key.source(), "unknown key " + quoted(key.str()) + " in " + title_,
            !meant.empty() ? "did you mean " + quoted(meant) + "?" : "known are " + alternatives(candidates));
    }
  }
}

namespace {

void refuse_control_characters(TomlFile& file, std::string_view text, const toml::source_region& at) {
  if (printable(text) == text) return;
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

std::vector<std::string> keys_in_order(const TableReader::Tables& tables) {
  std::vector<std::string> keys;
  for (auto table = tables.rbegin(); table != tables.rend(); ++table) {
    for (std::string& key : in_file_order(**table)) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
    }
  }
  return keys;
}

std::string title_of(const std::string& key, const std::string& name) {
  return "[" + key + "." + (name.find('.') == std::string::npos ? name : '"' + name + '"') + "]";
}

TableReader::Tables tables_named(TomlFile& file, const TableReader::Tables& tables, const std::string& key,
                                 const std::string& name) {
  TableReader::Tables found;
  for (const toml::table* table : tables) {
    const toml::node* node = table->get(name);
    if (node == nullptr) continue;
    if (!node->is_table()) {
      file.error(node->source(), quoted(name) + " of [" + key + "] must be a table", "write " + title_of(key, name));
      return {};
    }
    found.push_back(node->as_table());
  }
  return found;
}

void for_each_table(TomlFile& file, const TableReader::Tables& tables, const std::string& key,
                    const std::function<void(const std::string& name, TableReader& table)>& read) {
  for (const std::string& name : keys_in_order(tables)) {
    TableReader::Tables found = tables_named(file, tables, key, name);
    if (found.empty()) continue;
    TableReader reader(file, std::move(found), title_of(key, name));
    read(name, reader);
    reader.finish();
  }
}

}  // namespace warpspan::support
