// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/machine/fields.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "tests/timing/machine/machine_files.hpp"
#include "tests/timing/machine/machines_page.hpp"
#include "timing/machine/write.hpp"

using namespace warpspan;
using namespace warpspan::timing;

namespace {

// Calls visit(section, owner's fields) for all tables of fields.
template <typename Visit>
void for_each_table_of_fields(const Visit& visit) {
  for (const MachineSection& section : machine_sections()) visit(std::string(section.key), section.fields);
  visit("resource", fields_of<ResourceFigures>());
  visit("lines", fields_of<LineTimes>());
  visit("data_cache", fields_of<DataCache>());
  visit("fetch", fields_of<FetchFigures>());
  visit("code_cache", fields_of<CodeCache>());
  visit("sequence", fields_of<SequenceFigures>());
  visit("rule", fields_of<FormRule>());
  visit("operation", fields_of<OperationFigures>());
}

// The keys of those that a file must state, or of all.
template <typename Owner>
std::vector<std::string> keys_of(std::span<const MachineField<Owner>> fields, bool required_only) {
  std::vector<std::string> keys;
  for (const MachineField<Owner>& field : fields) {
    const bool constant = std::holds_alternative<ConstantFigure>(field.figure);
    if (!required_only || (field.left_out == nullptr && !constant)) keys.emplace_back(field.key);
  }
  return keys;
}

}  // namespace

TEST_CASE("every figure of a table has a key of its own, and docs/machines.md describes it") {
  const std::string page = test::machines_page();
  size_t count = 0;
  for_each_table_of_fields([&](const std::string& section, const auto& fields) {
    std::set<std::string> seen;
    for (const std::string& key : keys_of(fields, false)) {
      INFO(section << " " << key);
      CHECK(seen.insert(key).second);
      CHECK(page.find("`" + key + "`") != std::string::npos);
      ++count;
    }
  });
  CHECK(count > 60);
}

TEST_CASE(
    "a figure of the board, issue, limits, dispatch, operands or lanes that must be stated is missed by its key") {
  const std::string whole = to_toml(builtin("hopper"));
  for (const MachineSection& section : machine_sections()) {
    for (const std::string& key : keys_of(section.fields, true)) {
      std::string text = whole;
      const size_t table = text.find("\n[" + std::string(section.key) + "]\n");
      REQUIRE(table != std::string::npos);
      const size_t line = text.find("\n" + key + " = ", table);
      REQUIRE(line != std::string::npos);
      text.erase(line, text.find('\n', line + 1) - line);
      INFO(section.key << " " << key);
      CHECK(errors_of(text).find("missing key '" + key + "' in [" + std::string(section.key) + "]") !=
            std::string::npos);
    }
  }
}

TEST_CASE("what a file leaves out of the limits follows from the rest of it") {
  Machine machine;
  machine.max_blocks = {16, 32};
  machine.schedulers = 3;
  for (const MachineSection& section : machine_sections()) {
    for (const MachineField<Machine>& field : section.fields) {
      if (field.left_out != nullptr) field.left_out(machine);
    }
  }
  CHECK(machine.barriers == Span{16, 32 * 16});
  CHECK(machine.launch_partitions == 3);
  CHECK(machine.registers_per_thread == 255);
  CHECK(!machine.integrated);
}

TEST_CASE("the types of the figures of a section are visited by themselves") {
  SequenceFigures sequence;
  sequence.occupancies = {{1, 2, false, 2}};
  sequence.shuffle_occupancies = {{3, 4, false, 4}, {5, 6, false, 6}};
  size_t lists = 0, resources = 0;
  for_each_figure<std::vector<Occupancy>>(sequence, [&](const std::vector<Occupancy>& holds) {
    ++lists;
    for (const Occupancy& occupancy : holds) resources += occupancy.resource;
  });
  CHECK(lists == 4);
  CHECK(resources == 1 + 3 + 5);
}

TEST_CASE("a value outside its range, an empty list, false and plain stand for what is not set") {
  CHECK(is_unset(int64_t{0}, {1, 9}));
  CHECK(!is_unset(int64_t{0}, {0, 9}));
  CHECK(!is_unset(int64_t{9}, {1, 9}));
  CHECK(is_unset(false, {}));
  CHECK(is_unset(std::optional<Span>{}, {}));
  CHECK(is_unset(MachineClass::plain, {}));
  CHECK(is_unset(std::vector<Occupancy>{}, {}));
  CHECK(!is_unset(Span{}, {}));
}
