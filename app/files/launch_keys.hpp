// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of a launch in TOML files: those of all kinds of facts (app/facts), and assume; and those of how files are
// read.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/facts/fact_kind.hpp"
#include "app/requests/kernels/compilation.hpp"
#include "support/result.hpp"
#include "support/toml.hpp"
#include "timing/assumptions/assumption.hpp"

namespace warpspan::app {

// The keys that LaunchReader reads.
std::vector<std::string_view> keys_of_launch();

// A text, or an array of texts that is not empty; errors name the value `what`.
std::vector<std::string> texts_of(support::TomlFile& file, const toml::node& value, const std::string& what);

class LaunchReader {
 public:
  // The value of a key, or nullptr.
  using Find = std::function<const toml::node*(std::string_view key)>;

  // name: of the file, for where reports say that values are from.
  LaunchReader(support::TomlFile& file, std::string name, Find find)
      : file_(file), name_(std::move(name)), find_(std::move(find)) {}

  // All but those of the others. Errors go to the file.
  void read(ir::Launch& launch);
  void read_assumptions(timing::Grant& assumed);
  // arch, flags and assemble, as --arch, --flags and --assemble take them.
  void read_compilation(Compilation& how);

 private:
  template <typename T, typename To>
  void keep(const toml::node& value, const support::Result<T>& result, To& to);
  template <typename Use>
  void for_each_pair(const std::string& key, const toml::node& value, const Use& use);
  void read_fact(const FactKind& kind, const toml::node& value, ir::Launch& launch);
  void read_words(std::string_view key, std::vector<std::string>& to);
  std::optional<std::string> text_of_number(const FactKind& kind, const toml::node& value, const std::string& what);
  std::optional<std::string> integer_text(const toml::node& value, const std::string& what);
  std::optional<std::string> decimal_text(const toml::node& value, const std::string& what);
  ir::Origin origin_of(const toml::node& value) const;
  void error(const toml::node& value, std::string message, std::string help = {}) {
    file_.error(value.source(), std::move(message), std::move(help));
  }

  support::TomlFile& file_;
  std::string name_;
  Find find_;
};

}  // namespace warpspan::app
