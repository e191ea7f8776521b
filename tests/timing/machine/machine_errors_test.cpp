// SPDX-License-Identifier: GPL-3.0-or-later
#include <catch2/catch.hpp>

#include "tests/timing/machine/machine_files.hpp"

using namespace warpspan;
using namespace warpspan::timing;

TEST_CASE("what is no TOML is one error") {
  CHECK(errors_of("name = \"x\"\nboard = \n") ==
        "m.toml:2:9: error: not a TOML file: Error while parsing key-value pair: expected value, saw '\\n'\n"
        "  board = \n"
        "          ^\n");
}

TEST_CASE("an empty file misses everything") {
  std::string expected;
  for (const char* key :
       {"name", "description", "assumptions", "sources", "board", "issue", "limits", "lanes", "operation"}) {
    expected += "m.toml:1:1: error: missing key '" + std::string(key) +
                "' in the file\n  help: docs/machines.md describes all keys\n";
  }
  CHECK(errors_of("") == expected);
}

TEST_CASE("a missing key is reported at its table") {
  CHECK(errors_of(changed("standing = \"measured\"\nsource = \"[BOOK] 5\"\n", "source = \"[BOOK] 5\"\n")) ==
        "m.toml:56:1: error: missing key 'standing' in [operation.simple]\n"
        "  [operation.simple]\n"
        "  ^\n"
        "  help: docs/machines.md describes all keys\n");
  CHECK(errors_of(changed("source = \"[BOOK] 1\"\n", "")) ==
        "m.toml:9:1: error: missing key 'source' in [board]\n"
        "  [board]\n"
        "  ^\n"
        "  help: docs/machines.md describes all keys\n");
}

TEST_CASE("an unknown key is reported with the nearest known one") {
  CHECK(errors_of(changed("gap = 30", "gpa = 30")) ==
        "m.toml:66:1: error: unknown key 'gpa' in [operation.set]\n"
        "  gpa = 30\n"
        "  ^\n"
        "  help: did you mean 'gap'?\n");
  CHECK(errors_of(changed("[limits]\n", "[limits]\nvoltage = 3\n")) ==
        "m.toml:24:1: error: unknown key 'voltage' in [limits]\n"
        "  voltage = 3\n"
        "  ^\n"
        "  help: known are barriers, blocks, launch_partitions, register_granularity, registers, registers_per_block, "
        "registers_per_thread, "
        "shared_bytes, "
        "shared_bytes_per_block, shared_granularity, shared_reserved_per_block, shared_settings, source, standing, "
        "threads_per_block or "
        "warps\n");
  CHECK(errors_of(changed("[board]", "colour = \"red\"\n\n[board]")) == "no errors");  // it is a source, if an idle one
  CHECK(
      errors_of(changed("[sources]", "colour = \"red\"\n\n[sources]")) ==
      "m.toml:6:1: error: unknown key 'colour' in the file\n"
      "  colour = \"red\"\n"
      "  ^\n"
      "  help: known are assumptions, based_on, board, code_cache, data_cache, description, dispatch, fetch, issue, "
      "lanes, "
      "limits, lines, name, operand_read, operation, ptx_assumptions, refresh, resource, sequence, simulated_atomics, "
      "simulated_blocks, simulated_code, simulated_memory, simulated_units, sources, targets, times, translation or "
      "usual\n");
}

TEST_CASE("warps have 32 threads") {
  CHECK(errors_of(changed("warp_size = 32\n", "")) == "no errors");
  const std::string help = "  help: write warp_size = 32, or leave it out\n";
  for (const std::string size : {"64", "16", "0", "32.0", "\"32\""}) {
    const std::string errors = errors_of(changed("warp_size = 32", "warp_size = " + size));
    CHECK(errors.find(": error: every machine has warps of 32 threads\n  warp_size = " + size + "\n") !=
          std::string::npos);
    CHECK(errors.find(help) == errors.size() - help.size());
  }
}

TEST_CASE("texts and keys have no control characters") {
  CHECK(
      errors_of(changed("[sources]", "[sources]\n\"a\\u0007\" = \"x\\ny\"")).find("a control character in 'a\\x07'") !=
      std::string::npos);
  CHECK(errors_of(changed("[sources]", "[sources]\na = \"x\\ny\"")).find("a control character in 'x\\x0ay'") !=
        std::string::npos);
}

TEST_CASE("values of a wrong type") {
  CHECK(errors_of(changed("schedulers = 2", "schedulers = 2.5")) ==
        "m.toml:17:14: error: 'schedulers' must be an integer, not a number with a fraction\n"
        "  schedulers = 2.5\n"
        "               ^\n");
  CHECK(errors_of(changed("schedulers = 2", "schedulers = \"2\"")) ==
        "m.toml:17:14: error: 'schedulers' must be an integer, not a text\n"
        "  schedulers = \"2\"\n"
        "               ^\n");
  CHECK(errors_of(changed("name = \"small\"", "name = 3")) ==
        "m.toml:1:8: error: 'name' must be a text, not an integer\n"
        "  name = 3\n"
        "         ^\n"
        "  help: write name = \"...\"\n");
  CHECK(errors_of(changed("targets = [\"sm_1\", \"sm_2\"]", "targets = \"sm_1\"")) ==
        "m.toml:3:11: error: 'targets' must be an array of texts, not a text\n"
        "  targets = \"sm_1\"\n"
        "            ^\n"
        "  help: write targets = [\"...\"]\n");
  CHECK(errors_of(changed("[\"no fetch\", \"no refresh\"]", "[\"no fetch\", true]")) ==
        "m.toml:4:28: error: 'assumptions' must hold texts, not true or false\n"
        "  assumptions = [\"no fetch\", true]\n"
        "                             ^\n");
  CHECK(errors_of(changed("holds = { unit = 5 }", "holds = 5")) ==
        "m.toml:68:9: error: 'holds' must be a table, not an integer\n"
        "  holds = 5\n"
        "          ^\n");
  CHECK(errors_of(changed("latency = 18", "latency = [18, 20]")) ==
        "m.toml:58:11: error: 'latency' must be an integer or an array of three\n"
        "  latency = [18, 20]\n"
        "            ^\n"
        "  help: write latency = 18 or latency = [best, average, worst]\n");
  CHECK(errors_of(changed("latency = 18", "latency = [18, 20, 1979-05-27]")) ==
        "m.toml:58:20: error: 'latency' must be an integer, not a date or time\n"
        "  latency = [18, 20, 1979-05-27]\n"
        "                     ^\n");
  CHECK(errors_of(changed(
            "[resource.memory]\nservers = 1\nsharing = \"device\"\nstanding = \"assumed\"\nsource = \"a guess\"\n",
            "[resource]\nmemory = 1\n")) ==
        "m.toml:51:10: error: 'memory' of [resource] must be a table\n"
        "  memory = 1\n"
        "           ^\n"
        "  help: write [resource.memory]\n"
        "m.toml:72:21: error: resource 'memory' is not declared\n"
        "  holds = { unit = 2, memory = 61, issue = 1 }\n"
        "                      ^\n"
        "  help: add a table [resource.memory]\n"
        "m.toml:73:42: error: resource 'memory' is not declared\n"
        "  transaction = { latency = 61, issue = 3, memory = 70 }\n"
        "                                           ^\n"
        "  help: add a table [resource.memory]\n");
}

TEST_CASE("numbers out of range") {
  CHECK(errors_of(changed("latency = 18", "latency = -18")) ==
        "m.toml:58:11: error: 'latency' must be between 0 and 1000000000\n"
        "  latency = -18\n"
        "            ^\n");
  CHECK(errors_of(changed("multiprocessors = 3", "multiprocessors = 0")) ==
        "m.toml:10:19: error: 'multiprocessors' must be between 1 and 1000000000\n"
        "  multiprocessors = 0\n"
        "                    ^\n");
  CHECK(errors_of(changed("unit = 5", "unit = -5")) ==
        "m.toml:68:18: error: 'unit' of 'holds' must be between 0 and 1000000000\n"
        "  holds = { unit = -5 }\n"
        "                   ^\n");
  CHECK(errors_of(changed("instructions = 3", "instructions = 0")) ==
        "m.toml:67:16: error: 'instructions' must be between 1 and 1000000\n"
        "  instructions = 0\n"
        "                 ^\n");
}

TEST_CASE("what lies between two values is written as such") {
  const Machine machine = machine_of(changed("blocks = 8", "blocks = [8, 16]"));
  CHECK(machine.max_blocks.least == 8);
  CHECK(machine.max_blocks.most == 16);
  CHECK(errors_of(changed("blocks = 8", "blocks = [16, 8]")) ==
        "m.toml:25:10: error: 'blocks' must not fall from least to most\n"
        "  blocks = [16, 8]\n"
        "           ^\n"
        "  help: write blocks = 18 or blocks = [least, most]\n");
  CHECK(errors_of(changed("blocks = 8", "blocks = [1, 2, 3]")) ==
        "m.toml:25:10: error: 'blocks' must be an integer or an array of two\n"
        "  blocks = [1, 2, 3]\n"
        "           ^\n"
        "  help: write blocks = 18 or blocks = [least, most]\n");
}

TEST_CASE("a block larger than the dispatcher's interval is for takes it several times") {
  const DispatchFigures figures = {700, 2, 8, {}};
  CHECK(figures.interval_of(1) == 2);
  CHECK(figures.interval_of(8) == 2);
  CHECK(figures.interval_of(9) == 4);
  CHECK(figures.interval_of(32) == 8);
}

TEST_CASE("a dispatcher has both its times") {
  const std::string lanes = "[lanes]\n";
  const std::string origin = "standing = \"assumed\"\nsource = \"a guess\"\n\n";
  const Machine machine = machine_of(changed(lanes, "[dispatch]\nlatency = 700\ninterval = 5\n" + origin + lanes));
  REQUIRE(machine.dispatch);
  CHECK(machine.dispatch->latency == 700);
  CHECK(machine.dispatch->interval == 5);
  CHECK(machine.dispatch->interval_of(machine.max_threads_per_block / warp_size) == 5);
  CHECK(machine.dispatch->provenance.source == "a guess");
  CHECK(errors_of(changed(lanes, "[dispatch]\nlatency = 700\n" + origin + lanes))
            .rfind("m.toml:37:1: error: missing key 'interval' in [dispatch]\n", 0) == 0);
}

TEST_CASE("a latency must not fall from best to worst") {
  CHECK(errors_of(changed("[350, 400, 500]", "[350, 500, 400]")) ==
        "m.toml:73:11: error: 'latency' must not fall from best over average to worst\n"
        "  latency = [350, 500, 400]\n"
        "            ^\n"
        "  help: write latency = 18 or latency = [best, average, worst]\n");
}

TEST_CASE("a gap must leave room for all machine instructions") {
  CHECK(errors_of(changed("gap = 30", "gap = 17")) ==
        "m.toml:66:7: error: 'gap' must be at least 18: 3 machine instructions, each 6 after the one before\n"
        "  gap = 17\n"
        "        ^\n");
  CHECK(errors_of(changed("gap = 34", "gap = 5")) ==
        "m.toml:74:7: error: 'gap' must be at least 6: 1 machine instruction, each 6 after the one before\n"
        "  gap = 5\n"
        "        ^\n");
}

TEST_CASE("a further transaction occupies a resource at least as long as the first") {
  CHECK(
      errors_of(changed("memory = 70", "memory = 60")) ==
      "m.toml:76:15: error: a further transaction must occupy 'memory' for at least the 61 cycles of the first, or not "
      "at all\n"
      "  transaction = { latency = 61, issue = 3, memory = 60 }\n"
      "                ^\n");
}

TEST_CASE("rounds of a loop need a resource with one server, which more than a scheduler's warps share") {
  const std::string with_rounds = changed("[operation.simple]",
                                          "[operation.\"atomic.global\"]\nlatency = 900\nrounds = { "
                                          "memory = 800 }\nstanding = \"assumed\"\nsource = \"a guess\"\n\n"
                                          "[operation.simple]");
  const auto with = [&with_rounds](const std::string& rounds) {
    std::string text = with_rounds;
    return text.replace(text.find("memory = 800"), 12, rounds);
  };
  const Machine machine = machine_of(with("memory = 800"));
  const auto figures = machine.figures(ir::OperationKind::atomic_global);
  REQUIRE(figures);
  CHECK(figures->retries == std::vector<Retries>{{2, 800}});
  CHECK(figures->occupancies == std::vector<Occupancy>{{0, 2, false, 2}, {2, 800, false, 800}});
  CHECK(errors_of(with("unit = 800")) ==
        "m.toml:58:10: error: rounds need a resource of a multiprocessor or the device with one server that is "
        "occupied for cycles, and 'unit' is none\n"
        "  rounds = { unit = 800 }\n"
        "           ^\n"
        "  help: declare one for them\n");
  CHECK(errors_of(with("issue = 800")).find("and 'issue' is none") != std::string::npos);
}

TEST_CASE("kinds must be known and given once") {
  CHECK(errors_of(changed("\"fp32\"", "\"load.globl\"")) ==
        "m.toml:57:21: error: unknown operation kind 'load.globl'\n"
        "  kinds = [\"int.add\", \"load.globl\"]\n"
        "                      ^\n"
        "  help: did you mean 'load.global'?\n");
  CHECK(errors_of(changed("\"fp32\"", "\"hyperspace\"")) ==
        "m.toml:57:21: error: unknown operation kind 'hyperspace'\n"
        "  kinds = [\"int.add\", \"hyperspace\"]\n"
        "                      ^\n"
        "  help: docs/machines.md lists the kinds\n");
  CHECK(errors_of(changed("\"fp32\"", "\"load.global\"")) ==
        "m.toml:72:1: error: operation kind 'load.global' is given twice\n"
        "  [operation.\"load.global\"]\n"
        "  ^\n"
        "  help: it was first given in line 57\n");
  CHECK(errors_of(changed("[operation.set]", "[operation.move]")) ==
        "m.toml:63:9: error: 'kinds' of [operation.move] does not contain 'move'\n"
        "  kinds = [\"int.add\"]\n"
        "          ^\n"
        "  help: add it, or name the table otherwise\n");
  CHECK(errors_of(changed("kinds = [\"int.add\", \"fp32\"]", "kinds = []")) ==
        "m.toml:57:9: error: 'kinds' must not be empty\n"
        "  kinds = []\n"
        "          ^\n");
  CHECK(errors_of(changed("[operation.simple]\nkinds = [\"int.add\", \"fp32\"]", "[operation.simple]")) ==
        "m.toml:56:1: error: unknown operation kind 'simple'\n"
        "  [operation.simple]\n"
        "  ^\n"
        "  help: docs/machines.md lists the kinds\n");
}

TEST_CASE("forms must not be empty") {
  CHECK(errors_of(changed("forms = [\"add.sat.*\", \"sub.*.s32\"]", "forms = []")) ==
        "m.toml:63:10: error: operation kind 'int.add' is given twice\n"
        "  kinds = [\"int.add\"]\n"
        "           ^\n"
        "  help: it was first given in line 57\n"
        "m.toml:64:9: error: 'forms' must not be empty\n"
        "  forms = []\n"
        "          ^\n"
        "  help: leave it out for all forms\n");
  CHECK(errors_of(changed("\"add.sat.*\", ", "\"\", ")) ==
        "m.toml:64:10: error: a form must not be empty\n"
        "  forms = [\"\", \"sub.*.s32\"]\n"
        "           ^\n"
        "  help: write a pattern such as \"setp.*\"\n");
}

TEST_CASE("resources must be declared, and the issue slot must not") {
  CHECK(errors_of(changed("unit = 5", "united = 5")) ==
        "m.toml:68:11: error: resource 'united' is not declared\n"
        "  holds = { united = 5 }\n"
        "            ^\n"
        "  help: add a table [resource.united]\n");
  CHECK(errors_of(changed("[resource.unit]", "[resource.issue]")) ==
        "m.toml:44:1: error: resource 'issue' is given by [issue]\n"
        "  [resource.issue]\n"
        "  ^\n"
        "  help: leave [resource.issue] out\n"
        "m.toml:68:11: error: resource 'unit' is not declared\n"
        "  holds = { unit = 5 }\n"
        "            ^\n"
        "  help: add a table [resource.unit]\n"
        "m.toml:75:11: error: resource 'unit' is not declared\n"
        "  holds = { unit = 2, memory = 61, issue = 1 }\n"
        "            ^\n"
        "  help: add a table [resource.unit]\n");
  CHECK(errors_of(changed("sharing = \"device\"", "sharing = \"world\"")) ==
        "m.toml:52:11: error: unknown sharing 'world'\n"
        "  sharing = \"world\"\n"
        "            ^\n"
        "  help: write scheduler, multiprocessor or device\n");
}

TEST_CASE("standings are known, and only an assumption may go without a cited source") {
  CHECK(errors_of(changed("standing = \"simulator\"\nsource = \"[BOOK] 6\"",
                          "standing = \"certain\"\nsource = \"[BOOK] 6\"")) ==
        "m.toml:77:12: error: unknown standing 'certain'\n"
        "  standing = \"certain\"\n"
        "             ^\n"
        "  help: write official, measured, simulator or assumed\n");
  CHECK(errors_of(changed("\"[BOOK] 6\"", "\"my friend\"")) ==
        "m.toml:78:10: error: figures that are simulator must cite a source\n"
        "  source = \"my friend\"\n"
        "           ^\n"
        "  help: write its key of [sources] in brackets, such as \"[KEY] table 2\"\n");
  CHECK(errors_of(changed("\"[BOOK] 6\"", "\"[BOOK] 6, [WEB]\"")) ==
        "m.toml:78:10: error: source 'WEB' is not declared\n"
        "  source = \"[BOOK] 6, [WEB]\"\n"
        "           ^\n"
        "  help: add it to [sources]\n");
  CHECK(errors_of(changed("\"[BOOK] 6\"", "\" \"")) ==
        "m.toml:78:10: error: 'source' must not be empty\n"
        "  source = \" \"\n"
        "           ^\n"
        "m.toml:78:10: error: figures that are simulator must cite a source\n"
        "  source = \" \"\n"
        "           ^\n"
        "  help: write its key of [sources] in brackets, such as \"[KEY] table 2\"\n");
}

TEST_CASE("targets are .target names") {
  CHECK(errors_of(changed("\"sm_2\"", "\"volta\"")) ==
        "m.toml:3:20: error: unknown target 'volta'\n"
        "  targets = [\"sm_1\", \"volta\"]\n"
        "                     ^\n"
        "  help: a target is written as in .target, such as \"sm_80\"\n");
}

TEST_CASE("all errors of a file in one run, in its order") {
  std::string text = changed("clock_khz = 1000", "clock_khz = -1");
  text.replace(text.find("latency = 18"), 12, "latency = [3, 2, 1]");
  text.replace(text.find("warps = 48\n"), 11, "");
  const support::Result<Machine> machine = parse_machine("m.toml", text);
  REQUIRE_FALSE(machine);
  REQUIRE(machine.errors().size() == 3);
  CHECK(machine.errors()[0].message == "'clock_khz' must be between 1 and 1000000000");
  CHECK(machine.errors()[1].message == "missing key 'warps' in [limits]");
  CHECK(machine.errors()[2].message == "'latency' must not fall from best over average to worst");
}
