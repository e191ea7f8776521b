// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of built-in machines say twice.
#include <toml++/toml.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <sstream>

#include "tests/paths.hpp"

using namespace warpspan;
using namespace warpspan::timing;

namespace {

using Values = std::map<std::string, std::string>;  // by "operation.move.latency"

std::string text_of(const toml::node& node) {
  std::ostringstream text;
  node.visit([&text](const auto& value) { text << value; });
  return text.str();
}

void collect(const toml::table& table, const std::string& prefix, Values& values) {
  for (auto&& [key, value] : table) {
    const std::string name = prefix + std::string(key.str());
    if (value.is_table() && !value.as_table()->is_inline()) {
      collect(*value.as_table(), name + ".", values);
    } else {
      values[name] = text_of(value);
    }
  }
}

struct Data {
  std::string based_on;
  Values values;
};

// The files of generations and boards, by name.
std::map<std::string, Data> all_files() {
  std::map<std::string, Data> files;
  for (const char* folder : {"generations", "boards"}) {
    for (const auto& file : std::filesystem::directory_iterator(warpspan::test::source_dir() + "/timing/machine/data/" +
                                                                std::string(folder))) {
      const toml::table root = toml::parse_file(file.path().string());
      Data& data = files[file.path().stem().string()];
      data.based_on = root["based_on"].value_or(std::string());
      collect(root, "", data.values);
    }
  }
  return files;
}

}  // namespace

TEST_CASE("no file of a machine states again what it is based on states") {
  const std::map<std::string, Data> files = all_files();
  REQUIRE(files.size() > 30);
  for (const auto& [name, data] : files) {
    for (const auto& [key, value] : data.values) {
      if (key == "based_on") continue;
      for (std::string base = data.based_on; !base.empty(); base = files.at(base).based_on) {
        const auto inherited = files.at(base).values.find(key);
        if (inherited == files.at(base).values.end()) continue;
        INFO(name << " and " << base << ": " << key << " = " << value);
        CHECK(inherited->second != value);
        break;
      }
    }
  }
}

TEST_CASE("no two files of machines have the same table of operations") {
  std::map<std::string, std::string> owners;
  for (const auto& [name, data] : all_files()) {
    std::map<std::string, std::pair<std::string, int>> tables;
    for (const auto& [key, value] : data.values) {
      const std::string table = key.substr(0, key.rfind('.'));
      if (key.rfind("operation.", 0) != 0) continue;
      tables[table].first += key + " = " + value + "\n";
      ++tables[table].second;
    }
    for (const auto& [table, stated] : tables) {
      if (stated.second < 4) continue;  // a few keys that differ from the base may agree by chance
      const auto [owner, fresh] = owners.emplace(stated.first, name);
      INFO(owner->second << " and " << name << ":\n" << stated.first);
      CHECK(fresh);
    }
  }
}
