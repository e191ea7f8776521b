#include "timing/machine.hpp"

#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "timing/machine_check.hpp"

namespace warpspan::timing {

namespace {

using ir::OperationKind;

// A whole machine file; tests change single lines of it.
constexpr std::string_view small = R"(name = "small"
description = "a machine for tests"
targets = ["sm_1", "sm_2"]
assumptions = ["no fetch", "no refresh"]

[sources]
BOOK = "a book"

[board]
multiprocessors = 3
clock_khz = 1000
standing = "official"
source = "[BOOK] 1"

[issue]
warp_size = 32
schedulers = 2
gap = 6
hold = 2
standing = "measured"
source = "[BOOK] 2"

[limits]
warps = 48
blocks = 8
threads_per_block = 1024
shared_bytes = 49152
shared_bytes_per_block = 32768
shared_granularity = 128
shared_reserved_per_block = 1024
registers = 32768
registers_per_block = 16384
register_granularity = 64
standing = "simulator"
source = "[BOOK] 3"

[lanes]
load_store = 16
core = 48
special = 4
standing = "assumed"
source = "a guess"

[resource.unit]
servers = 4
sharing = "multiprocessor"
standing = "official"
source = "[BOOK] 4"

[resource.memory]
servers = 1
sharing = "device"
standing = "assumed"
source = "a guess"

[operation.simple]
kinds = ["int.add", "fp32"]
latency = 18
standing = "measured"
source = "[BOOK] 5"

[operation.set]
kinds = ["int.add"]
forms = ["add.sat.*", "sub.*.s32"]
latency = [10, 20, 40]
gap = 30
instructions = 3
holds = { unit = 5 }
standing = "assumed"
source = "a guess"

[operation."load.global"]
latency = [350, 400, 500]
gap = 34
holds = { unit = 2, memory = 61, issue = 1 }
transaction = { latency = 61, issue = 3, memory = 70 }
standing = "simulator"
source = "[BOOK] 6"
)";

// The file with `before` replaced by `after`; `before` occurs once.
std::string changed(std::string_view before, std::string_view after) {
  std::string text(small);
  const size_t at = text.find(before);
  REQUIRE(at != std::string::npos);
  REQUIRE(text.find(before, at + 1) == std::string::npos);
  return text.replace(at, before.size(), after);
}

std::string rendered(const support::Diagnostics& errors) {
  std::string all;
  for (const support::Diagnostic& error : errors) all += support::render(error, false);
  return all;
}

std::string errors_of(const std::string& text) {
  const support::Result<Machine> machine = parse_machine("m.toml", text);
  if (machine) return "no errors";
  for (const support::Diagnostic& error : machine.errors()) CHECK(error.cause == support::Cause::usage);
  return rendered(machine.errors());
}

Machine machine_of(const std::string& text) {
  support::Result<Machine> machine = parse_machine("m.toml", text);
  if (!machine) FAIL(rendered(machine.errors()));
  return *machine;
}

Machine builtin(const std::string& name) {
  support::Result<Machine> machine = load_machine(name);
  if (!machine) FAIL(rendered(machine.errors()));
  return *machine;
}

int64_t held(const Machine& machine, OperationKind kind, const std::string& resource, int64_t transactions) {
  for (const Hold& hold : machine.figures(kind)->holds) {
    if (machine.resources[hold.resource].name == resource) return *cycles_held(hold, transactions).value();
  }
  return 0;
}

}  // namespace

TEST_CASE("a machine file is read with all its figures") {
  const Machine machine = machine_of(std::string(small));
  CHECK(machine.name == "small");
  CHECK(machine.description == "a machine for tests");
  CHECK(machine.targets == std::vector<std::string>{"sm_1", "sm_2"});
  CHECK(machine.assumptions == std::vector<std::string>{"no fetch", "no refresh"});
  REQUIRE(machine.references.size() == 1);
  CHECK(machine.references[0].key == "BOOK");
  CHECK(machine.references[0].text == "a book");
  CHECK(machine.multiprocessors == 3);
  CHECK(machine.clock_khz == 1000);
  CHECK(machine.board.standing == Standing::official);
  CHECK(machine.board.source == "[BOOK] 1");
  CHECK(machine.warp_size == 32);
  CHECK(machine.schedulers == 2);
  CHECK(machine.issue_gap == 6);
  CHECK(machine.issue_hold == 2);
  CHECK(machine.issue.standing == Standing::measured);
  CHECK(machine.max_warps == 48);
  CHECK(machine.max_blocks == 8);
  CHECK(machine.max_threads_per_block == 1024);
  CHECK(machine.shared_bytes == 49152);
  CHECK(machine.shared_bytes_per_block == 32768);
  CHECK(machine.shared_granularity == 128);
  CHECK(machine.shared_reserved_per_block == 1024);
  CHECK(machine.registers == 32768);
  CHECK(machine.registers_per_block == 16384);
  CHECK(machine.register_granularity == 64);
  CHECK(machine.limits.standing == Standing::simulator);
  CHECK(machine.unit_width[static_cast<size_t>(ir::UnitClass::load_store)] == support::Rational{1, 2});
  CHECK(machine.unit_width[static_cast<size_t>(ir::UnitClass::core)] == support::Rational{3, 2});
  CHECK(machine.unit_width[static_cast<size_t>(ir::UnitClass::special)] == support::Rational{1, 8});
  CHECK(machine.units.source == "a guess");
}

TEST_CASE("resources keep the order of the file, after the issue slot") {
  const Machine machine = machine_of(std::string(small));
  REQUIRE(machine.resources.size() == 3);
  CHECK(machine.resources[0].name == "issue");
  CHECK(machine.resources[0].sharing == ResourceFigures::Sharing::scheduler);
  CHECK(machine.resources[0].servers == 1);
  CHECK(machine.resources[0].source == "[BOOK] 2");
  CHECK(machine.resources[1].name == "unit");
  CHECK(machine.resources[1].sharing == ResourceFigures::Sharing::multiprocessor);
  CHECK(machine.resources[1].servers == 4);
  CHECK(machine.resources[2].name == "memory");
  CHECK(machine.resources[2].sharing == ResourceFigures::Sharing::device);
}

TEST_CASE("an operation has its latency, gap, counts and holds") {
  const Machine machine = machine_of(std::string(small));
  const auto& load = machine.figures(OperationKind::load_global);
  REQUIRE(load);
  CHECK(load->latency.best == 350);
  CHECK(load->latency.average == 400);
  CHECK(load->latency.worst == 500);
  CHECK(load->gap == 34);
  CHECK(load->instructions == 1);
  CHECK(load->per_transaction == 61);
  CHECK(load->standing == Standing::simulator);
  CHECK(load->source == "[BOOK] 6");
  REQUIRE(load->holds.size() == 3);
  CHECK(load->holds[0].resource == 0);
  CHECK(held(machine, OperationKind::load_global, "issue", 1) == 3);
  CHECK(held(machine, OperationKind::load_global, "issue", 3) == 9);
  CHECK(held(machine, OperationKind::load_global, "unit", 1) == 2);
  CHECK(held(machine, OperationKind::load_global, "unit", 32) == 2);
  CHECK(held(machine, OperationKind::load_global, "memory", 0) == 61);
  CHECK(held(machine, OperationKind::load_global, "memory", 1) == 61);
  CHECK(held(machine, OperationKind::load_global, "memory", 32) == 61 + 31 * 70);
  CHECK_FALSE(machine.figures(OperationKind::load_shared));
}

TEST_CASE("a single latency stands for all three, and the gap follows from the issue gap") {
  const Machine machine = machine_of(std::string(small));
  const auto& fp32 = machine.figures(OperationKind::fp32);
  REQUIRE(fp32);
  CHECK(fp32->latency.best == 18);
  CHECK(fp32->latency.average == 18);
  CHECK(fp32->latency.worst == 18);
  CHECK(fp32->gap == 6);
  REQUIRE(fp32->holds.size() == 1);
  CHECK(held(machine, OperationKind::fp32, "issue", 0) == 2);
}

TEST_CASE("forms have figures of their own, and the kind's are safe for all of them") {
  const Machine machine = machine_of(std::string(small));
  const auto operation = [](const char* text) { return ir::Operation{text, OperationKind::int_add}; };
  const OperationFigures* ordinary = machine.figures(operation("add.s32"));
  REQUIRE(ordinary != nullptr);
  CHECK(ordinary->latency.worst == 18);
  for (const char* text : {"add.sat.s32", "sub.cc.s32"}) {
    const OperationFigures* figures = machine.figures(operation(text));
    REQUIRE(figures != nullptr);
    CHECK(figures->latency.worst == 40);
    CHECK(figures->instructions == 3);
  }
  const auto& kind = machine.figures(OperationKind::int_add);
  REQUIRE(kind);
  CHECK(kind->latency.best == 10);
  CHECK(kind->latency.average == 20);
  CHECK(kind->latency.worst == 40);
  CHECK(kind->gap == 30);
  CHECK(kind->instructions == 3);
  CHECK(kind->standing == Standing::assumed);
  CHECK(kind->source == "[BOOK] 5; a guess");
  CHECK(held(machine, OperationKind::int_add, "issue", 1) == 6);
  CHECK(held(machine, OperationKind::int_add, "unit", 1) == 5);
}

TEST_CASE("a kind that only some forms have figures of is refused as a whole") {
  const Machine machine =
      machine_of(changed("[operation.set]\nkinds = [\"int.add\"]", "[operation.set]\nkinds = [\"move\"]"));
  CHECK_FALSE(machine.figures(OperationKind::move));
  CHECK(machine.figures(ir::Operation{"add.sat.u32", OperationKind::move}) != nullptr);
  CHECK(machine.figures(ir::Operation{"mov.u32", OperationKind::move}) == nullptr);
}

TEST_CASE("patterns of forms") {
  CHECK(matches("setp.*", "setp.lt.s32"));
  CHECK(matches("*", ""));
  CHECK(matches("*16", "add.u16"));
  CHECK_FALSE(matches("*16", "add.u16x2"));
  CHECK(matches("cvt.*64.*32", "cvt.rn.f64.f64.u32"));
  CHECK(matches("a*b*c", "abbbc"));
  CHECK_FALSE(matches("a*b*c", "abbb"));
  CHECK_FALSE(matches("", "x"));
  CHECK(matches("", ""));
  CHECK_FALSE(matches("add", "add.s32"));
}

TEST_CASE("figures that are safe for two holds are never less than either") {
  const Hold plain{1, 10, false, 10};
  const Hold growing{1, 4, true, 2};
  OperationFigures a, b;
  a.holds = {plain};
  b.holds = {growing};
  const OperationFigures both = safe_for_both(a, b);
  REQUIRE(both.holds.size() == 1);
  for (int64_t n = 0; n <= 32; ++n) {
    CHECK(*cycles_held(both.holds[0], n).value() >= *cycles_held(plain, n).value());
    CHECK(*cycles_held(both.holds[0], n).value() >= *cycles_held(growing, n).value());
  }
}

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
    expected += "m.toml:1:1: error: missing '" + std::string(key) +
                "' in the file\n  help: docs/machines.md describes all keys\n";
  }
  CHECK(errors_of("") == expected);
}

TEST_CASE("a missing key is told at its table") {
  CHECK(errors_of(changed("standing = \"measured\"\nsource = \"[BOOK] 5\"\n", "source = \"[BOOK] 5\"\n")) ==
        "m.toml:56:1: error: missing 'standing' in [operation.simple]\n"
        "  [operation.simple]\n"
        "  ^\n"
        "  help: docs/machines.md describes all keys\n");
  CHECK(errors_of(changed("source = \"[BOOK] 1\"\n", "")) ==
        "m.toml:9:1: error: missing 'source' in [board]\n"
        "  [board]\n"
        "  ^\n"
        "  help: docs/machines.md describes all keys\n");
}

TEST_CASE("an unknown key is told with the nearest known one") {
  CHECK(errors_of(changed("gap = 30", "gpa = 30")) ==
        "m.toml:66:1: error: unknown key 'gpa' in [operation.set]\n"
        "  gpa = 30\n"
        "  ^\n"
        "  help: did you mean 'gap'?\n");
  CHECK(errors_of(changed("[limits]\n", "[limits]\nvoltage = 3\n")) ==
        "m.toml:24:1: error: unknown key 'voltage' in [limits]\n"
        "  voltage = 3\n"
        "  ^\n"
        "  help: known are blocks, register_granularity, registers, registers_per_block, shared_bytes, "
        "shared_bytes_per_block, shared_granularity, shared_reserved_per_block, source, standing, threads_per_block or "
        "warps\n");
  CHECK(errors_of(changed("[board]", "colour = \"red\"\n\n[board]")) == "no errors");  // it is a source, if an idle one
  CHECK(
      errors_of(changed("[sources]", "colour = \"red\"\n\n[sources]")) ==
      "m.toml:6:1: error: unknown key 'colour' in the file\n"
      "  colour = \"red\"\n"
      "  ^\n"
      "  help: known are assumptions, board, description, issue, lanes, limits, name, operation, resource, sources or "
      "targets\n");
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

TEST_CASE("a further transaction holds a resource at least as long as the first") {
  CHECK(errors_of(changed("memory = 70", "memory = 60")) ==
        "m.toml:76:15: error: a further transaction must hold 'memory' for at least the 61 cycles of the first, or not "
        "at all\n"
        "  transaction = { latency = 61, issue = 3, memory = 60 }\n"
        "                ^\n");
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
        "m.toml:63:9: error: 'kinds' of [operation.move] does not hold 'move'\n"
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
  CHECK(machine.errors()[1].message == "missing 'warps' in [limits]");
  CHECK(machine.errors()[2].message == "'latency' must not fall from best over average to worst");
}

TEST_CASE("every built-in machine loads, is named after its file and has nothing doubtful") {
  const std::vector<std::string> names = builtin_machines();
  CHECK(names.size() == 16);
  CHECK(std::is_sorted(names.begin(), names.end()));
  for (const std::string& name : names) {
    INFO(name);
    const Machine machine = builtin(name);
    CHECK(machine.name == name);
    CHECK_FALSE(machine.targets.empty());
    CHECK_FALSE(machine.assumptions.empty());
    CHECK(machine.warp_size == 32);
    CHECK(check_machine(machine).remarks == std::vector<std::string>{});
    // What every kernel needs.
    for (const OperationKind kind :
         {OperationKind::move, OperationKind::int_add, OperationKind::int_mul, OperationKind::logic,
          OperationKind::compare, OperationKind::fp32, OperationKind::special, OperationKind::special_register,
          OperationKind::barrier, OperationKind::branch, OperationKind::exit, OperationKind::load_param,
          OperationKind::load_shared, OperationKind::store_shared, OperationKind::load_global,
          OperationKind::store_global, OperationKind::load_local, OperationKind::store_local,
          OperationKind::atomic_global}) {
      INFO(ir::name(kind));
      REQUIRE(machine.figures(kind));
      CHECK(machine.figures(kind)->latency.worst > 0);
    }
  }
}

TEST_CASE("an access to memory holds the memory of every built-in machine once per transaction") {
  for (const std::string& name : builtin_machines()) {
    INFO(name);
    const Machine machine = builtin(name);
    for (const OperationKind kind :
         {OperationKind::load_global, OperationKind::store_global, OperationKind::load_local,
          OperationKind::store_local, OperationKind::load_generic, OperationKind::store_generic,
          OperationKind::atomic_global, OperationKind::reduce_global, OperationKind::load_const}) {
      INFO(ir::name(kind));
      const int64_t one = held(machine, kind, "memory", 1);
      CHECK(one >= 30);
      CHECK(held(machine, kind, "memory", 32) >= 32 * one);
      CHECK(machine.figures(kind)->per_transaction >= one);
    }
  }
}

TEST_CASE("embedded machine files are those of the source tree") {
  for (const std::string& name : builtin_machines()) {
    INFO(name);
    const support::Result<Machine> from_file = load_machine(SOURCE_DIR "/timing/machines/" + name + ".toml");
    if (!from_file) FAIL(rendered(from_file.errors()));
    const Machine embedded = builtin(name);
    CHECK(from_file->name == embedded.name);
    CHECK(from_file->assumptions == embedded.assumptions);
    REQUIRE(from_file->resources.size() == embedded.resources.size());
    for (size_t r = 0; r < embedded.resources.size(); ++r) {
      CHECK(from_file->resources[r].source == embedded.resources[r].source);
    }
    for (int k = 0; k < ir::operation_kinds; ++k) {
      const auto kind = static_cast<OperationKind>(k);
      REQUIRE(from_file->figures(kind).has_value() == embedded.figures(kind).has_value());
      if (embedded.figures(kind)) CHECK(from_file->figures(kind)->source == embedded.figures(kind)->source);
    }
  }
}

namespace {

std::string documentation() {
  std::ifstream file(SOURCE_DIR "/docs/machines.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("the documentation's example is a machine file without anything doubtful") {
  const std::string text = documentation();
  const size_t begin = text.find("```toml\n");
  REQUIRE(begin != std::string::npos);
  const size_t end = text.find("```", begin + 8);
  REQUIRE(end != std::string::npos);
  const Machine machine = machine_of(text.substr(begin + 8, end - begin - 8));
  CHECK(machine.name == "example");
  CHECK(check_machine(machine).remarks == std::vector<std::string>{});
  CHECK(machine.figures(ir::Operation{"setp.lt.s32", OperationKind::compare})->latency.worst == 13);
  CHECK(machine.figures(ir::Operation{"min.s32", OperationKind::compare})->latency.worst == 5);
}

TEST_CASE("the documentation lists all kinds and all built-in machines") {
  const std::string text = documentation();
  for (int k = 0; k < ir::operation_kinds; ++k) {
    const auto kind = static_cast<OperationKind>(k);
    const std::string row = "| `" + std::string(ir::name(kind)) + "` | " + std::string(ir::description(kind)) + " |";
    INFO(row);
    CHECK(text.find(row) != std::string::npos);
  }
  for (const std::string& name : builtin_machines()) {
    const Machine machine = builtin(name);
    std::string row = "| `" + name + "` | ";
    for (const std::string& target : machine.targets) row += (target == machine.targets.front() ? "" : ", ") + target;
    INFO(row);
    CHECK(text.find(row + " | ") != std::string::npos);
  }
}

TEST_CASE("a target has one machine") {
  std::map<std::string, std::string> owners;
  for (const std::string& name : builtin_machines()) {
    for (const std::string& target : builtin(name).targets) {
      INFO(target << ": " << name << " and " << owners[target]);
      CHECK(owners[target].empty());
      owners[target] = name;
      const support::Result<Machine> machine = machine_for_target(target);
      REQUIRE(machine);
      CHECK(machine->name == name);
    }
  }
}

TEST_CASE("the machine of a target") {
  const auto name_for = [](const char* target) {
    const support::Result<Machine> machine = machine_for_target(target);
    return machine ? machine->name : rendered(machine.errors());
  };
  CHECK(name_for("sm_20") == "fermi");
  CHECK(name_for("sm_52") == "maxwell");
  CHECK(name_for("sm_62") == "tx2");
  CHECK(name_for("sm_72") == "xavier");
  CHECK(name_for("sm_75") == "turing");
  CHECK(name_for("sm_80") == "ampere");
  CHECK(name_for("sm_86") == "ampere-consumer");
  CHECK(name_for("sm_87") == "orin");
  CHECK(name_for("sm_89") == "ada");
  CHECK(name_for("sm_90") == "hopper");
  CHECK(name_for("sm_90a") == "hopper");
  CHECK(name_for("sm_100f") == "blackwell");
  CHECK(name_for("sm_120a") == "blackwell-consumer");
  std::string known;
  for (const std::string& name : builtin_machines()) known += (known.empty() ? "" : ", ") + name;
  const std::string help = "  help: choose one with --machine NAME|FILE; known are " + known + "\n";
  CHECK(name_for("sm_35") == "error: no machine for target 'sm_35'\n" + help);
  CHECK(name_for("sm_13") == "error: no machine for target 'sm_13'\n" + help);
  CHECK(name_for("sm_8") == "error: no machine for target 'sm_8'\n" + help);
  CHECK(name_for("") == "error: no machine for target ''\n" + help);
  CHECK(name_for("a") == "error: no machine for target 'a'\n" + help);
}

TEST_CASE("machines are found by name or path") {
  CHECK(builtin("fermi").name == "fermi");
  std::string known;
  for (const std::string& name : builtin_machines()) known += (known.empty() ? "" : ", ") + name;
  const support::Result<Machine> unknown = load_machine("ferni");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.errors()[0].cause == support::Cause::usage);
  CHECK(rendered(unknown.errors()) == "error: unknown machine 'ferni'\n  help: known are " + known +
                                          "; a machine file is given by its path, such as my.toml\n");
  const support::Result<Machine> absent = load_machine("no/such/machine");
  REQUIRE_FALSE(absent);
  CHECK(rendered(absent.errors()) ==
        "error: cannot read 'no/such/machine': No such file or directory\n"
        "  help: give a file that exists and is readable\n");

  const std::string path = "machine_test_small.toml";
  std::ofstream(path) << small;
  const support::Result<Machine> own = load_machine(path);
  std::remove(path.c_str());
  if (!own) FAIL(rendered(own.errors()));
  CHECK(own->name == "small");
}

TEST_CASE("Fermi has the figures of its thesis") {
  const Machine fermi = builtin("fermi");
  CHECK(fermi.issue_gap == 6);
  CHECK(fermi.issue_hold == 2);
  CHECK(fermi.schedulers == 2);
  CHECK(fermi.unit_width[static_cast<size_t>(ir::UnitClass::load_store)] == support::Rational{1, 2});
  CHECK(fermi.unit_width[static_cast<size_t>(ir::UnitClass::core)] == support::Rational{1, 1});
  CHECK(fermi.unit_width[static_cast<size_t>(ir::UnitClass::special)] == support::Rational{1, 8});
  const auto figures = [&fermi](const char* text, OperationKind kind) {
    const OperationFigures* found = fermi.figures(ir::Operation{text, kind});
    REQUIRE(found != nullptr);
    return *found;
  };
  for (const auto& [text, kind] :
       {std::pair{"add.s32", OperationKind::int_add}, std::pair{"fma.rn.f32", OperationKind::fp32},
        std::pair{"mov.u32", OperationKind::special_register}}) {
    CHECK(figures(text, kind).latency.worst == 18);
    CHECK(figures(text, kind).gap == 6);
  }
  const OperationFigures cosine = figures("cos.approx.f32", OperationKind::special);
  CHECK(cosine.latency.best == 22);
  CHECK(cosine.latency.worst == 22);
  CHECK(cosine.gap == 6);
  CHECK(figures("ld.shared.f32", OperationKind::load_shared).latency.average == 26);
  CHECK(figures("st.shared.f32", OperationKind::store_shared).latency.average == 30);
  const OperationFigures load = figures("ld.global.f32", OperationKind::load_global);
  CHECK(load.latency.best == 350);
  CHECK(load.latency.average == 400);
  CHECK(load.latency.worst == 500);
  CHECK(figures("st.global.f32", OperationKind::store_global).latency.worst == 34);
  CHECK(figures("bar.sync", OperationKind::barrier).gap == 78);
  CHECK(held(fermi, OperationKind::load_shared, "load_store", 1) >= 2);
  const OperationFigures shared = figures("ld.shared.f32", OperationKind::load_shared);
  CHECK(shared.per_transaction == 38);
  CHECK(*cycles_held(shared.holds[1], 1).value() == 2);
  CHECK(*cycles_held(shared.holds[1], 32).value() == 2 + 31 * 38);
  CHECK(*cycles_held(load.holds.back(), 1).value() == 61);
  CHECK(*cycles_held(load.holds.back(), 32).value() == 32 * 61);
}

TEST_CASE("Fermi refuses what it cannot execute or nobody measured") {
  const Machine fermi = builtin("fermi");
  for (const OperationKind kind :
       {OperationKind::shuffle, OperationKind::matrix_multiply, OperationKind::copy_bulk, OperationKind::mbarrier,
        OperationKind::cluster_barrier, OperationKind::fp16, OperationKind::warp_reduce, OperationKind::sleep,
        OperationKind::fp64, OperationKind::texture}) {
    INFO(ir::name(kind));
    CHECK_FALSE(fermi.figures(kind));
  }
  CHECK(fermi.figures(ir::Operation{"cvt.s64.s32", OperationKind::convert64}) != nullptr);
  CHECK(fermi.figures(ir::Operation{"cvt.rn.f64.f32", OperationKind::convert64}) == nullptr);
  CHECK(fermi.figures(ir::Operation{"cvt.f64.f32", OperationKind::convert64}) == nullptr);
  CHECK(fermi.figures(ir::Operation{"cvt.rn.f32.f64", OperationKind::convert64}) == nullptr);
  CHECK(fermi.figures(ir::Operation{"cvt.rzi.s64.f64", OperationKind::convert64}) == nullptr);
  CHECK(fermi.figures(ir::Operation{"cvt.rn.f64.s64", OperationKind::convert64}) == nullptr);
}

TEST_CASE("a report on a machine") {
  const MachineReport report = check_machine(machine_of(std::string(small)));
  CHECK(report.missing.size() == static_cast<size_t>(ir::operation_kinds) - 3);
  CHECK(report.partial.empty());
  CHECK(report.tables == std::array<int64_t, standings>{2, 3, 2, 3});
  REQUIRE(report.ranges.size() == 3);
  CHECK(report.ranges[0].figure == "worst latency");
  CHECK(report.ranges[0].least == 18);
  CHECK(report.ranges[0].largest == 500);
  CHECK(report.ranges[1].figure == "gap");
  CHECK(report.ranges[1].least == 6);
  CHECK(report.ranges[1].largest == 34);
  CHECK(report.ranges[2].figure == "machine instructions");
  CHECK(report.ranges[2].least == 1);
  CHECK(report.ranges[2].largest == 3);
  CHECK(report.remarks.empty());
}

TEST_CASE("a report remarks on what is seldom meant") {
  std::string text = changed("BOOK = \"a book\"", "BOOK = \"a book\"\nLORE = \"hearsay\"");
  text.replace(text.find("[operation.set]"), 0,
               "[resource.spare]\nservers = 1\nsharing = \"device\"\nstanding = \"assumed\"\nsource = \"a guess\"\n\n"
               "[operation.\"fp32.div\"]\nlatency = 17\nstanding = \"assumed\"\nsource = \"a guess\"\n\n");
  text.replace(text.find("kinds = [\"int.add\"]"), 19, "kinds = [\"move\"]");
  const MachineReport report = check_machine(machine_of(text));
  CHECK(report.partial == std::vector<OperationKind>{OperationKind::move});
  CHECK(report.remarks == std::vector<std::string>{"fp32 is slower than fp32.div: 18 and 17 cycles at worst",
                                                   "no operation holds resource 'spare'",
                                                   "nothing cites source 'LORE'"});
}

}  // namespace warpspan::timing
