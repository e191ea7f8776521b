// Typed access to the tables of a TOML file, with an error for everything that is not as it should be. One place for
// the wording of such errors; which keys there are is the caller's business.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostic.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// A file and its errors.
class TomlFile {
 public:
  // cause: of its errors.
  TomlFile(std::string name, std::string_view text, support::Cause cause = support::Cause::usage)
      : name_(std::move(name)), text_(text), cause_(cause) {}

  // The root table, or nothing after an error if the text is not TOML.
  std::optional<toml::table> parse();

  void error(const toml::source_region& at, std::string message, std::string help);

  // The line that holds the place, without its line end.
  std::string_view line_at(const toml::source_region& at) const;

  // All errors, by place; those of one place in the order they were found.
  support::Diagnostics errors() const;

 private:
  std::string name_;
  std::string_view text_;
  support::Cause cause_;
  support::Diagnostics errors_;
};

struct Text {
  std::string text;
  toml::source_region at;
};

// What a user calls the type of a value: "an integer".
std::string_view type_name(const toml::node& value);

// One table. Every key that is asked for counts as known; finish() reports the others.
class TableReader {
 public:
  // title: how errors name the table, such as "[board]".
  TableReader(TomlFile& file, const toml::table& table, std::string title)
      : file_(file), table_(table), title_(std::move(title)) {}

  struct Range {
    int64_t least, most;
  };

  // The value of a key. After an error (missing, unless optional; wrong type; out of range): the least of the range, an
  // empty text, no texts.
  int64_t integer(std::string_view key, Range range);
  int64_t integer_or(std::string_view key, Range range, int64_t otherwise);
  Text text(std::string_view key);
  std::vector<Text> texts(std::string_view key);
  std::vector<Text> texts_or_none(std::string_view key);
  // An integer, or an array of two that do not fall: [least, most].
  Span span(std::string_view key, Range range);
  // An integer, or an array of three that do not fall.
  Latency latency(std::string_view key, Range range);
  // The keys 'standing' and 'source'. A figure that is more than assumed must cite a source, and only these.
  Provenance provenance(const std::vector<Reference>& references);
  // A table whose keys the caller reads by itself, or nullptr.
  const toml::table* table(std::string_view key);
  const toml::node* node(std::string_view key);  // or nullptr

  bool has(std::string_view key) const { return table_.contains(key); }
  const toml::table& raw() const { return table_; }
  const std::string& title() const { return title_; }
  const toml::source_region& at() const { return table_.source(); }
  // Of a key that is there.
  const toml::source_region& at(std::string_view key) const;

  void error(const toml::source_region& at, std::string message, std::string help) {
    file_.error(at, std::move(message), std::move(help));
  }
  // An integer in a range, or nothing after an error. what: names the value in the error.
  std::optional<int64_t> integer_in(const toml::node& value, Range range, const std::string& what);

  // Reports the keys that nobody asked for.
  void finish();

 private:
  void check_citations(const Provenance& provenance, const std::vector<Reference>& references);
  const toml::node* required(std::string_view key);
  std::vector<int64_t> ascending(std::string_view key, Range range, const std::vector<std::string>& names);
  std::vector<Text> texts_of(const toml::node& value, std::string_view key);

  TomlFile& file_;
  const toml::table& table_;
  std::string title_;
  std::set<std::string, std::less<>> known_;
};

// An error for each text and each key of the table that holds what a terminal might act on: reports quote them.
void refuse_control_characters(TomlFile& file, const toml::table& table);

// The tables of a table of tables such as [resource.memory], each under its name, in the order of the file; their
// unknown keys are reported after `read`. key: of the outer table.
void for_each_table(TomlFile& file, const toml::table& tables, const std::string& key,
                    const std::function<void(const std::string& name, TableReader& table)>& read);

}  // namespace warpspan::timing
