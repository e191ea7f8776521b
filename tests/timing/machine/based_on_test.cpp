// SPDX-License-Identifier: GPL-3.0-or-later
#include <catch2/catch.hpp>

#include "tests/timing/machine/all_forms.hpp"
#include "tests/timing/machine/machine_files.hpp"
#include "timing/machine/write.hpp"

using namespace warpspan;
using namespace warpspan::timing;

using ir::OperationKind;

namespace {

// A new board of a known generation.
constexpr std::string_view board = R"(name = "my-board"
description = "a board of the GA100"
based_on = "ampere"

[board]
multiprocessors = 7
clock_khz = 1000000
standing = "assumed"
source = "a guess"

[times]
refresh_ns = 200

[lines.memory.same_bank]
ps = 50500
)";

std::string with(std::string_view lines) { return std::string(board) + std::string(lines); }

int64_t worst_load(const Machine& machine) {
  return machine.otherwise[static_cast<size_t>(OperationKind::load_global)]->latency.worst;
}

}  // namespace

TEST_CASE("a new board takes ten lines") {
  const Machine machine = machine_of(std::string(board));
  const Machine ampere = builtin("ampere");
  CHECK(machine.name == "my-board");
  CHECK(machine.targets.empty());  // a target has one machine
  CHECK(machine.multiprocessors == 7);
  CHECK(machine.board.source == "a guess");
  CHECK(machine.limits == ampere.limits);
  CHECK(machine.max_warps == ampere.max_warps);
  CHECK(occupied(machine, OperationKind::load_local, "memory", 1) == 51);
  CHECK(occupied(machine, OperationKind::store_local, "memory", 1) == 102);  // a line fetched and one written back
  CHECK(worst_load(machine) == worst_load(ampere) - 494 + 200);              // 350 ns at 1,410 MHz
  CHECK(occupied(ampere, OperationKind::load_local, "memory", 1) == 95);
  CHECK(machine.dispatch->interval == 3);  // 2.9 ns at 1 GHz
}

TEST_CASE("times and rates of a board are cycles, rounded up") {
  const int64_t without = worst_load(machine_of(std::string(board))) - 200;
  const auto refresh = [without](const std::string& times, int64_t clock_khz) {
    std::string text(board.substr(0, board.find("[times]")));
    text.replace(text.find("1000000"), 7, std::to_string(clock_khz));
    return worst_load(machine_of(text + "[times]\n" + times)) - without;
  };
  CHECK(refresh("refresh_ns = 47", 1410000) == 67);  // 66.27
  CHECK(refresh("refresh_ns = 47", 1000000) == 47);
  CHECK(refresh("refresh_ns = 47", 1000001) == 48);
  CHECK(refresh("refresh_ps = 47001", 1000000) == 48);
  CHECK(refresh("refresh = 40", 1000000) == 40);
  CHECK(refresh("refresh_bytes_per_second = 4000000000", 1000000) == 32);  // 128 bytes in 32 ns
  CHECK(refresh("refresh_bytes_per_second = 3999999999", 1000000) == 33);
  CHECK(refresh("refresh_bytes_per_second = 1000000000000000", 1000000) == 1);
}

TEST_CASE("a number of a board that no figure names is an error") {
  std::string text(board);
  CHECK(errors_of(text.insert(text.find("refresh_ns"), "row_cycle_ns = 50\n")) ==
        "m.toml:12:1: error: no figure names the number 'row_cycle'\n"
        "  row_cycle_ns = 50\n"
        "  ^\n"
        "  help: docs/machines.md lists the names of the built-in files; rates of memory stand in "
        "[lines.memory.NAME]\n");
}

TEST_CASE("a time that is no number of cycles is an error") {
  const auto times = [](const std::string& lines) {
    std::string text(board);
    return text.insert(text.find("refresh_ns"), lines);
  };
  CHECK(errors_of(times("hit_ns = -1\n")) ==
        "m.toml:12:10: error: 'hit_ns' must be between 0 and 1000000000\n  hit_ns = -1\n           ^\n");
  CHECK(errors_of(times("hit_bytes_per_second = 0\n")) ==
        "m.toml:12:24: error: 'hit_bytes_per_second' must be between 128 and 1000000000000000\n"
        "  hit_bytes_per_second = 0\n                         ^\n");
  CHECK(errors_of(times("hit_bytes_per_second = 128\n").replace(with("").find("1000000"), 7, "1000001"))
            .find("'hit_bytes_per_second' is more than 1000000000 cycles") != std::string::npos);
  std::string fast(board);
  fast.replace(fast.find("clock_khz = 1000000"), 19, "clock_khz = 1000000000");
  fast.replace(fast.find("refresh_ns = 200"), 16, "refresh_ns = 1000000000");
  CHECK(errors_of(fast).find("'refresh_ns' is more than 1000000000 cycles") != std::string::npos);
}

TEST_CASE("a figure may be a sum of named times") {
  const auto worst = [](const std::string& text) {
    return machine_of(with("[operation.\"load.shared\"]\nlatency = [1, 2, \"" + text + "\"]\n"))
        .otherwise[static_cast<size_t>(OperationKind::load_shared)]
        ->latency.worst;
  };
  CHECK(worst("refresh") == 200);
  CHECK(worst("refresh + 7 - refresh + 10") == 17);
  CHECK(worst("77") == 77);
  const auto error = [](const std::string& text) {
    return errors_of(with("[operation.\"load.shared\"]\nlatency = [1, 2, \"" + text + "\"]\n"));
  };
  CHECK(error("refersh").find("'latency' names 'refersh', which no number is called") != std::string::npos);
  CHECK(error("refresh 7").find("'latency' has no sign between two numbers") != std::string::npos);
  CHECK(error("").find("'latency' names '', which no number is called") != std::string::npos);
  CHECK(error("refresh +").find("'latency' names '', which no number is called") != std::string::npos);
  CHECK(error("1 - refresh").find("'latency' must be between 0 and 1000000000") != std::string::npos);
  // In a file without times a text is no number.
  CHECK(errors_of(changed("latency = 18", "latency = \"18\"")).find("must be an integer") != std::string::npos);
}

TEST_CASE("what a machine is based on must exist") {
  CHECK(errors_of("based_on = \"amprere\"\n")
            .rfind("m.toml:1:12: error: no machine or generation is called 'amprere'", 0) == 0);
  CHECK(errors_of("based_on = 80\n").rfind("m.toml:1:12: error: 'based_on' must be a text, not an integer", 0) == 0);
  CHECK(errors_of(with("[operation.branch]\nbased_on = \"leaf\"\n")).find("no operation table is called 'leaf'") !=
        std::string::npos);
}

TEST_CASE("operation tables that are based on one another in a circle are an error") {
  const std::string text = with("[operation.branch]\nbased_on = \"call\"\n[operation.call]\nbased_on = \"branch\"\n");
  CHECK(errors_of(text).find("is based on itself") != std::string::npos);
}

TEST_CASE("a table based on another takes over what it does not say, but not its forms") {
  const Machine machine = machine_of(with("[operation.branch]\nbased_on = \"branch_indexed\"\nlatency = 5000\n"));
  const auto branch = machine.otherwise[static_cast<size_t>(OperationKind::branch)];
  REQUIRE(branch);
  CHECK(branch->latency.worst == 5000);
  CHECK(branch->instructions == builtin("ampere").otherwise[static_cast<size_t>(OperationKind::branch)]->instructions);
}

TEST_CASE("a machine may lack an operation of the machine it is based on") {
  const Machine machine = machine_of(with("[operation.fp16]\nabsent = true\n[operation.half_sign]\nabsent = true\n"));
  CHECK(builtin("ampere").otherwise[static_cast<size_t>(OperationKind::fp16)]);
  CHECK_FALSE(machine.otherwise[static_cast<size_t>(OperationKind::fp16)]);
  CHECK_FALSE(machine.figures(OperationKind::fp16));
}

TEST_CASE("errors in what a machine overrides are reported at its lines") {
  CHECK(errors_of(with("[limits]\nwarps = 0\n")) ==
        "m.toml:17:9: error: 'warps' must be between 1 and 1000000000\n  warps = 0\n          ^\n");
  CHECK(errors_of(with("[limits]\nwrap = 1\n")).rfind("m.toml:17:1: error: unknown key 'wrap' in [limits]", 0) == 0);
}

TEST_CASE("a flattened machine is read back as the same machine") {
  std::vector<Machine> machines = {machine_of(std::string(board)), machine_of(std::string(small))};
  for (const std::string& name : builtin_machines()) machines.push_back(builtin(name));
  for (const Machine& machine : machines) {
    INFO(machine.name);
    const Machine again = machine_of(to_toml(machine));
    // form by form first, since the difference of whole machines shows little
    CHECK(again.references == machine.references);
    CHECK(again.resources == machine.resources);
    CHECK(again.fetch == machine.fetch);
    CHECK(again.form_figures == machine.form_figures);
    CHECK(again.otherwise == machine.otherwise);
    CHECK(again == machine);
    CHECK(to_toml(again) == to_toml(machine));
  }
}

TEST_CASE("texts with quotes and backslashes are read back") {
  const Machine machine = machine_of(changed("\"a book\"", "\"a \\\"book\\\" in C:\\\\books\""));
  CHECK(machine.references[0].text == "a \"book\" in C:\\books");
  CHECK(machine_of(to_toml(machine)) == machine);
}

template <typename Visit>
void for_each_machine_instruction(const Visit& visit) {
  const auto instruction = [&visit](const char* mnemonic, ir::OperationKind kind,
                                    const std::vector<std::string>& modifiers = {}) {
    ir::Operation operation;
    operation.text = operation.key.opcode = mnemonic;
    operation.key.modifiers = modifiers;
    operation.kind = kind;
    operation.machine = ir::MachineIssue{};
    visit(operation);
  };
#define SASS_KIND(mnemonic, kind) instruction(mnemonic, ir::OperationKind::kind);
#include "frontend/sass/words/operation_kinds.def"
#undef SASS_KIND
  for (const char* shape : {"TEX.1D", "TEX.2D"}) instruction(shape, ir::OperationKind::texture);
  // What `few` makes of them.
  instruction("ATOMG", ir::OperationKind::atomic_global, {"few"});
  instruction("RED", ir::OperationKind::reduce_global, {"few"});
}

TEST_CASE("every rule of a built-in machine decides some form") {
  std::vector<ir::Operation> operations;
  for_each_form([&operations](const ir::Operation& operation) { operations.push_back(operation); });
  REQUIRE(operations.size() > 70'000);
  for_each_machine_instruction([&operations](const ir::Operation& operation) { operations.push_back(operation); });
  for (const std::string& name : builtin_machines()) {
    const Machine machine = builtin(name);
    std::vector<bool> decides(machine.form_figures.size(), false);
    for (const ir::Operation& operation : operations) {
      const OperationFigures* stated = machine.stated(operation);
      for (size_t i = 0; i < decides.size(); ++i) {
        if (stated == &machine.form_figures[i].figures) decides[i] = true;
      }
    }
    for (size_t i = 0; i < decides.size(); ++i) {
      const auto& rule = machine.form_figures[i];
      if (!rule.rule.forms.empty()) continue;  // patterns may be wider than what there is
      INFO(name << ": rule " << i << " of " << ir::to_string(rule.kind) << ", latency " << rule.figures.latency.worst
                << ", " << rule.figures.source);
      CHECK(decides[i]);
    }
  }
}
