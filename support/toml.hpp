// SPDX-License-Identifier: GPL-3.0-or-later
// Typed access to the tables of a TOML file, with an error for everything that is not as it should be. One home for
// the wording of such errors; which keys there are is the caller's business.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostic.hpp"

namespace warpspan::support {

// A file, those it is based on, and their errors.
class TomlFile {
 public:
  // cause: of its errors.
  TomlFile(std::string name, std::string_view text, Cause cause = Cause::usage) : cause_(cause) {
    sources_.push_back({std::move(name), text});
  }

  // The root table, or nothing after an error if the text is not TOML.
  std::optional<toml::table> parse() { return parse_last(); }
  // The same of a file that this one is based on.
  std::optional<toml::table> parse_base(std::string name, std::string_view text) {
    sources_.push_back({std::move(name), text});
    return parse_last();
  }

  void error(const toml::source_region& at, std::string message, std::string help);

  // The line that contains the location, without its line end.
  std::string_view line_at(const toml::source_region& at) const;

  // All errors, by location, those of the file itself before those of its bases; those of one location in the order
  // they were found.
  Diagnostics errors() const;

  // What is said of a key that is missing, where all keys of such files are described.
  std::string help_for_missing;
  // Numbers that a text may name wherever an integer stands: "load + 18", "load - hit".
  std::map<std::string, int64_t, std::less<>> numbers;
  // Those of them that some text has named.
  std::set<std::string, std::less<>> numbers_named;
  // How often a number that was stated as a sum contains others: TableReader::names_in.
  std::map<std::string, std::map<std::string, int64_t>, std::less<>> sums;

 private:
  struct Source {
    std::string name;
    std::string_view text;
  };
  std::optional<toml::table> parse_last();
  const Source& source_of(const toml::source_region& at) const;

  std::vector<Source> sources_;  // the file, then what it is based on
  Cause cause_;
  std::vector<std::pair<size_t, Diagnostic>> errors_;  // with the file's index among sources_
};

struct Text {
  std::string text;
  toml::source_region at;
};

// What a user calls the type of a value: "an integer".
std::string_view type_name(const toml::node& value);

// One table, or one and those it is based on: where a key is missing, the next one has it. Every key that is asked for
// counts as known; finish() reports the others.
class TableReader {
 public:
  using Tables = std::vector<const toml::table*>;  // not empty; what is based on the others first

  // title: how errors name the table, such as "[board]".
  TableReader(TomlFile& file, const toml::table& table, std::string title)
      : TableReader(file, Tables{&table}, std::move(title)) {}
  TableReader(TomlFile& file, Tables tables, std::string title)
      : file_(file), tables_(std::move(tables)), title_(std::move(title)) {}

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
  bool truth_or(std::string_view key, bool otherwise);
  // An integer, which stands for all, or as many as there are names, none below the one before it; all the least of the
  // range after an error.
  std::vector<int64_t> ascending(std::string_view key, Range range, const std::vector<std::string>& names);
  // Tables whose keys the caller reads by itself: the key's own and those of the bases; none if it is missing or no
  // table.
  Tables tables(std::string_view key);
  // The same of the first alone, or nullptr.
  const toml::table* table(std::string_view key);
  const toml::node* node(std::string_view key);  // or nullptr

  bool has(std::string_view key) const { return found(key) != nullptr; }
  // Whether the table itself has it, whatever it is based on.
  bool has_own(std::string_view key) const { return tables_.front()->contains(key); }
  const toml::table& raw() const { return *tables_.front(); }
  const std::string& title() const { return title_; }
  const toml::source_region& at() const { return tables_.front()->source(); }
  // Of a key that is there.
  const toml::source_region& at(std::string_view key) const { return found(key)->source(); }

  void error(const toml::source_region& at, std::string message, std::string help) {
    file_.error(at, std::move(message), std::move(help));
  }
  // An integer in a range, or nothing after an error. what: names the value in the error.
  std::optional<int64_t> integer_in(const toml::node& value, Range range, const std::string& what);
  // How often an integer that has been read contains numbers of the file: those that its sum names, and those that
  // these contain. Nothing where it is no sum.
  std::map<std::string, int64_t> names_in(const toml::node& value);

  // Reports the keys that were not asked for, of the tables it is based on too.
  void finish();

 private:
  const toml::node* found(std::string_view key) const;
  const toml::node* required(std::string_view key);
  std::vector<Text> texts_of(const toml::node& value, std::string_view key);
  // found: as those of names_in.
  std::optional<int64_t> sum_of_names(const toml::node& value, const std::string& what,
                                      std::map<std::string, int64_t>& found);

  TomlFile& file_;
  Tables tables_;
  std::string title_;
  std::set<std::string, std::less<>> known_;
};

// An error for each text and each key of the table that contains what a terminal might act on: reports quote them.
void refuse_control_characters(TomlFile& file, const toml::table& table);

// The keys of tables of which the first is based on the others: those of the last in the order of its file, then what
// the one before it adds, and so on.
std::vector<std::string> keys_in_order(const TableReader::Tables& tables);

// The tables of a table of tables such as [resource.memory], each under its name, in the order of keys_in_order; their
// unknown keys are reported after `read`. key: of the outer table.
void for_each_table(TomlFile& file, const TableReader::Tables& tables, const std::string& key,
                    const std::function<void(const std::string& name, TableReader& table)>& read);

// How errors name a table of a table of tables: [operation.move], [operation."fp32.div"].
std::string title_of(const std::string& key, const std::string& name);

// One table of a table of tables with those it is based on; none after an error.
TableReader::Tables tables_named(TomlFile& file, const TableReader::Tables& tables, const std::string& key,
                                 const std::string& name);

}  // namespace warpspan::support
