// SPDX-License-Identifier: GPL-3.0-or-later
// What machine files hold to be usual, and the page on assumptions.
#include <catch2/catch.hpp>

#include "tests/files.hpp"
#include "tests/paths.hpp"
#include "tests/timing/machine/machine_files.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/machine/conditions.hpp"
#include "timing/machine/write.hpp"

using namespace warpspan;
using namespace warpspan::timing;

namespace {

std::string with_usual(const std::string& lines) {
  std::string text(small);
  return text.insert(text.find("[sources]"), "[usual]\n" + lines + "\n");
}

std::string page() { return warpspan::test::read_file(warpspan::test::source_dir() + "/docs/assumptions.md"); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a machine file states what is usual, and which runs back it") {
  const Machine machine = machine_of(with_usual("stream = \"three copies\"\nptx-order = \"one run\"\n"));
  REQUIRE(machine.usual.size() == 2);
  CHECK(machine.usual[0] == Backing{Assumption::ptx_order, "one run"});
  CHECK(machine.usual[1] == Backing{Assumption::stream, "three copies"});
  CHECK(machine.usual_assumptions().has(Assumption::spread));  // which stream contains
  CHECK(machine_of(to_toml(machine)) == machine);
  CHECK(machine_of(std::string(small)).usual.empty());
}

TEST_CASE("what is usual is wrong without runs, or by another name") {
  CHECK(has(errors_of(with_usual("spread = \"\"\n")), "error: what backs 'spread' is not stated"));
  CHECK(has(errors_of(with_usual("spreads = \"runs\"\n")), "error: unknown key 'spreads' in [usual]"));
  CHECK(has(errors_of(with_usual("spread = 3\n")), "must be a text"));
}

TEST_CASE("what runs of one board back is not usual on a board that is based on it") {
  CHECK_FALSE(builtin("hopper").usual.empty());
  const Machine board = machine_of("name = \"nvl\"\ndescription = \"a board\"\nbased_on = \"hopper\"\n");
  CHECK(board.usual.empty());
}

TEST_CASE("what is about the program is usual on no machine") {
  for (const std::string& name : builtin_machines()) {
    for (const Backing& backing : builtin(name).usual) {
      INFO(name);
      for (const Assumption other : {Assumption::warm_code, Assumption::warm_parameters, Assumption::no_spills,
                                     Assumption::aligned, Assumption::plain_textures}) {
        CHECK(backing.assumption != other);
      }
    }
  }
}

TEST_CASE("docs/assumptions.md has each assumption, what it means, how to find out, and the runs that back it") {
  const std::string text = page();
  std::string of_hopper;
  for (const std::string_view name : assumption_names()) {
    const Assumption one = *assumption_named(name);
    INFO(name);
    CHECK(has(text, "## " + std::string(identifier_of(one)) + " `" + std::string(name) + "`\n"));
    CHECK(has(text, "| sentence | " + std::string(sentence(one)).substr(6) + " |"));
    CHECK(has(text, "| in the hardware | " + std::string(explanation(one).meaning) + " |"));
    CHECK(has(text, "| to find out | " + std::string(explanation(one).finding_out) + " |"));
  }
  for (const std::string& name : builtin_machines()) {
    std::string names;
    for (const Backing& backing : builtin(name).usual) {
      CHECK(has(text, "| held against runs: `" + name + "` | " + backing.evidence + " |"));
      names += (names.empty() ? "`" : ", `") + std::string(name_of(backing.assumption)) + "`";
    }
    INFO(name);
    if (!names.empty()) CHECK(has(text, "| `" + name + "` | " + names + " |"));
  }
}

TEST_CASE("identifiers of what every bound assumes follow one another, behind those of what may be assumed") {
  int number = 20;
  for (const Condition& one : conditions()) CHECK(one.identifier == "A-" + std::to_string(++number));
  CHECK(assumptions_of(builtin("orin")).front().starts_with("A-21: "));
}
