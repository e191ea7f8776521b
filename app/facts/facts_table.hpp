// SPDX-License-Identifier: GPL-3.0-or-later
// The table of one kernel in a file of facts, as the kinds of facts read it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "ir/launch.hpp"
#include "support/toml.hpp"

namespace warpspan::app {

// The code that facts were written for.
struct ExpectedCode {
  std::string sha256;
  ir::Origin origin;
  std::optional<int64_t> instructions;
  std::optional<std::vector<std::string>> parameters, loops;  // ir::remembered
  std::optional<std::vector<std::string>> call_lines;         // ir::KernelCode::calls
};

class FactsTable {
 public:
  static constexpr support::TableReader::Range positive = {1, std::numeric_limits<int64_t>::max()};
  static constexpr support::TableReader::Range not_negative = {0, std::numeric_limits<int64_t>::max()};

  // name: of the file.
  FactsTable(std::string name, support::TomlFile& file, support::TableReader& own_table)
      : reader(own_table), name_(std::move(name)), file_(file) {}

  support::TableReader& reader;
  std::string kernel;                // pattern
  std::optional<ExpectedCode> code;  // if the facts are for certain code only

  void error(const toml::source_region& at, std::string message, std::string help = {}) {
    file_.error(at, std::move(message), std::move(help));
  }
  ir::Origin origin_of(const toml::source_region& at) const;

  // The text of a key that must be there; nothing after an error.
  std::optional<support::Text> required_text(support::TableReader& table, const std::string& key,
                                             const std::string& example);
  // The tables of an array of tables, which may be left out.
  void for_each_table(const std::string& key, const std::string& title,
                      const std::function<void(support::TableReader&)>& read);
  // The keys and values of a table that may be left out.
  void for_each_value(const std::string& key,
                      const std::function<void(const toml::key& key, const toml::node& value)>& read);

 private:
  std::string name_;
  support::TomlFile& file_;
};

// The text of a value that is an integer or a text; else empty.
std::string text_of(const toml::node& value);

}  // namespace warpspan::app
