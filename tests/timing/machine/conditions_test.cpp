// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/machine/conditions.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "tests/timing/machine/machine_files.hpp"
#include "tests/timing/machine/machines_page.hpp"

using namespace warpspan;
using namespace warpspan::timing;

namespace {

bool is_assumed(const std::vector<std::string>& sentences, const std::string& name) {
  const std::string end = " (" + name + ").";
  return std::any_of(sentences.begin(), sentences.end(), [&end](const std::string& sentence) {
    return sentence.size() > end.size() && sentence.compare(sentence.size() - end.size(), end.size(), end) == 0;
  });
}

}  // namespace

TEST_CASE("what every bound assumes has a name of its own, and stands in the documentation") {
  const std::string text = test::machines_page();
  std::set<std::string_view> names;
  for (const Condition& one : conditions()) {
    INFO(one.name);
    CHECK(names.insert(one.name).second);
    CHECK(one.sentence.back() != '.');
    CHECK(text.find("| `" + std::string(one.name) + "` | " + std::string(one.sentence) + " |") != std::string::npos);
  }
  for (const char* name : {"own-memory", "steady-clocks", "no-ecc", "quiet-board", "clean-cache"})
    CHECK(names.contains(name));
}

TEST_CASE(
    "every machine assumes what no file states, and those of chips with a CPU that no other engine uses their memory") {
  const std::set<std::string> integrated = {"tx1", "tx2", "xavier", "orin", "thor", "gb10", "ampere-88"};
  for (const std::string& name : builtin_machines()) {
    INFO(name);
    const Machine machine = builtin(name);
    CHECK(machine.integrated == integrated.contains(name));
    const std::vector<std::string> all = assumptions_of(machine), shared = assumptions_of(machine, true);
    for (const Condition& one : conditions()) {
      INFO(one.name);
      const bool always = one.when == Condition::When::always, chip = one.when == Condition::When::undisturbed_chip;
      CHECK(is_assumed(all, std::string(one.name)) == (!chip || machine.integrated));
      CHECK(is_assumed(shared, std::string(one.name)) == always);
    }
    for (const std::string& own : machine.assumptions) CHECK(std::find(all.begin(), all.end(), own) != all.end());
  }
  const Machine own = machine_of(std::string(small));
  CHECK_FALSE(own.integrated);
  CHECK(is_assumed(assumptions_of(own), "own-memory"));
  CHECK(assumptions_of(own).back() == "no refresh");
}

TEST_CASE("a board that is based on one with a CPU has one") {
  const Machine board = machine_of("name = \"nano\"\ndescription = \"a board\"\nbased_on = \"orin\"\n");
  CHECK(board.integrated);
  const Machine alone =
      machine_of("name = \"card\"\ndescription = \"a board\"\nbased_on = \"orin\"\n[board]\nintegrated = false\n");
  CHECK_FALSE(alone.integrated);
  CHECK(errors_of(changed("clock_khz = 1000\n", "clock_khz = 1000\nintegrated = 1\n")).find("'integrated'") !=
        std::string::npos);
}
