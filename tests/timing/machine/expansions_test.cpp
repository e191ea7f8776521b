// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/machine/expansions.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "frontend/ptx/forms/form.hpp"
#include "tests/thinned.hpp"
#include "tests/timing/machine/all_forms.hpp"
#include "tests/timing/machine/expansion_rows.hpp"
#include "tests/timing/machine/machine_files.hpp"

using namespace warpspan;
using namespace warpspan::timing;

using ir::OperationKind;

namespace {

constexpr std::string_view table =
    "# made for tests\n"
    "# nothing was measured\n"
    "opcode\ttypes\tmodifiers\tvector\t75\t80\t86\t89\n"
    "add\ts32\t-\t1\t1 2 4/0/0/3\t=\t3 - -\t.\n"
    "add\ts32\tcc,sat\t1\t.\t- 6/1 5/0/2/0/0/1\t.\t.\n"
    "mad.hi\ts32\tsat\t1\t.\t- 6/1 5/0/2/0/0/1\t.\t.\n"
    "add\tu64\t-\t1\t.\t9 - -\t.\t=\n"
    "ld\tu8\tglobal\t4\t.\t7/0/0/0/2 - 7/0/0/0/2\t.\t.\n"
    "ld\tu8\tfar,global\t4\t.\t9/0/0/0/1 - -\t.\t.\n"
    "mov\tu64\t-\t1\t.\t2 - -\t.\t.\n"
    "mov\tu64\tglobal,variable\t1\t.\t5 - -\t.\t.\n"
    "mov\tu64\tlocal,variable\t1\t.\t3 - -\t.\t.\n"
    "mov\tu64\tspecial\t1\t.\t8/4 - -\t.\t.\n"
    "mov\tu64\tplain,special\t1\t.\t1/1 - -\t.\t.\n"
    "cvt\tf32,s32\trn\t1\t.\t2/1 - -\t.\t.\n"
    "shfl\tb32\tsync,up\t1\t.\t7/0/0/2/1 9/0/0/2/1 21/0/0/9/2\t.\t.\n"
    "shfl\tb32\tconstant,sync,up\t1\t.\t- 2/0/0/0/1 12/0/0/5/2\t.\t.\n";

ir::Operation with(ir::Operation operation, bool immediate, bool guarded) {
  operation.key.immediate = immediate;
  operation.key.guarded = guarded;
  return operation;
}

int64_t total(const ir::Operation& operation, const std::vector<int64_t>& architectures = {80}) {
  const auto found = ExpansionTable(table).find(operation, architectures);
  return found ? found->total : 0;
}

// A small machine with figures of sequences: 9 cycles each, a gap of one issue.
constexpr std::string_view sequence = R"(
[sequence]
architectures = [80]
latency = 9
average = 5
special = 40
double = 12
branch = 30
shuffle = 25
predicate = 14
rounds = 4
holds = { unit = 1 }
special_holds = { unit = 3 }
double_holds = { memory = 2 }
shuffle_holds = { unit = 4 }
standing = "assumed"
source = "a guess"

[operation.logic]
latency = [1, 2, 12]
instructions = 3
gap = 20
standing = "assumed"
source = "three instructions"

[operation.convert]
latency = [1, 2, 50]
gap = 6
holds = { unit = 8 }
expanded = true
class = "special"
typical = [7, 70]
standing = "assumed"
source = "one instruction"

[operation.move]
latency = [4, 5, 12]
gap = 6
expanded = true
standing = "assumed"
source = "one instruction"
)";

Machine machine_with_sequences() { return machine_of(std::string(small) + std::string(sequence)); }

OperationFigures figures(const Machine& machine, OperationKind kind, const Expansion& expansion) {
  return with_expansion(machine, *machine.otherwise[static_cast<size_t>(kind)], expansion);
}

int64_t occupied_of(const Machine& machine, const OperationFigures& figures, const std::string& resource) {
  for (const Occupancy& occupancy : figures.occupancies) {
    if (machine.resources[occupancy.resource].name == resource) return *occupied_cycles(occupancy, 1).value();
  }
  return 0;
}

}  // namespace

TEST_CASE("a form has the counts of its own row, of the largest architecture") {
  CHECK(total(operation("add.s32")) == 1);
  CHECK(total(operation("add.s32"), {75}) == 1);
  CHECK(total(operation("add.s32"), {86}) == 3);
  CHECK(total(operation("add.s32"), {75, 86}) == 3);
  CHECK(total(operation("add.s32"), {90}) == 0);
  CHECK(total(operation("sub.s32")) == 0);
  CHECK(total(operation("add.u64"), {80}) == 9);
  CHECK(total(operation("add.u64"), {86}) == 3);  // there is no such form: as the largest of its opcode, add.s32
  CHECK(total(operation("add.u64"), {89}) == 0);  // as the column to the left, which has no such form
  CHECK(ExpansionTable(table).architectures() == std::vector<int64_t>{75, 80, 86, 89});
  const auto convert = ExpansionTable(table).find(operation("cvt.rn.f32.s32"), {80});
  CHECK(convert == Expansion{2, {0, 1, 0, 0, 0}, false});
}

TEST_CASE("constants and guards are counted, and never count as less") {
  CHECK(total(with(operation("add.s32"), true, false)) == 2);
  CHECK(total(with(operation("add.s32"), false, true)) == 4);
  CHECK(total(with(operation("add.s32"), true, true)) == 4);
  CHECK(total(with(operation("add.s32"), true, true), {86}) == 3);  // nothing was counted with a guard
  // Where nothing was counted with registers, the larger of what was.
  const auto carry = ExpansionTable(table).find(operation("mad.hi.sat.s32"), {80});
  CHECK(carry == Expansion{6, {0, 1, 2, 0, 0}, true});
}

TEST_CASE("a form without a row has the largest counts of its types, or of its opcode") {
  CHECK(total(operation("add.sat.s32")) == 6);   // of add.s32
  CHECK(total(operation("add.u64")) == 9);       // its own
  CHECK(total(operation("add.cc.u64")) == 9);    // of add.u64
  CHECK(total(operation("add.rn.f32")) == 9);    // of add
  CHECK(total(operation("ld.global.u8")) == 9);  // another vector size
}

TEST_CASE("an address decides which row counts, and what an operation does not state counts at its worst") {
  ir::Operation load = operation("ld.global.v4.u8");
  CHECK(total(load) == 7);
  load.key.far = true;
  CHECK(total(load) == 9);
  load.key.of_variable = true;  // no row is of both: the largest of its modifiers
  CHECK(total(load) == 9);
  ir::Operation move = operation("mov.u64");
  CHECK(total(move) == 3);  // it may be the address of a local variable
  move.reads_constant = true;
  CHECK(total(move) == 5);
  move.kind = OperationKind::special_register;
  CHECK(total(move) == 8);
  move.key.plain_special = true;
  CHECK(total(move) == 1);
}

TEST_CASE("what threads do as one counts as under a guard, and less where the mask of threads is a constant") {
  ir::Operation shuffle = operation("shfl.sync.up.b32");
  CHECK(total(shuffle) == 21);
  shuffle.key.immediate = true;
  CHECK(total(shuffle) == 21);
  shuffle.key.constant_mask = true;
  CHECK(total(shuffle) == 12);
  shuffle.key.immediate = false;
  CHECK(total(shuffle) == 12);
  // Without a row for constant masks the larger of what was counted with others.
  ir::Operation other = operation("shfl.sync.down.b32");
  other.key.constant_mask = true;
  CHECK(total(other) == 21);
}

TEST_CASE("machine instructions beside the one of a form come one after another") {
  const Machine machine = machine_with_sequences();
  const OperationFigures one = figures(machine, OperationKind::move, {1, {}, false});
  CHECK(one == *machine.otherwise[static_cast<size_t>(OperationKind::move)]);
  const OperationFigures two = figures(machine, OperationKind::move, {2, {}, false});
  CHECK(two.latency == Latency{4, 10, 12 + 9});
  CHECK(two.gap == 6 + 9);
  CHECK(two.instructions == 2);
  CHECK(occupied_of(machine, two, "issue") == 4);
  CHECK(occupied_of(machine, two, "unit") == 1);
  // Two of them special, one double, two branches, and a predicate.
  const OperationFigures eight = figures(machine, OperationKind::move, {8, {0, 2, 1, 2, 0}, false});
  CHECK(eight.latency.worst == 12 + 7 * 9 + 2 * 40 + 12 + 2 * 30 + 14);
  CHECK(eight.gap == 6 + 7 * 9 + 2 * 40 + 12 + 2 * 30 + 14);
  CHECK(eight.instructions == 8);
  CHECK(occupied_of(machine, eight, "unit") == 7 + 2 * 3);
  CHECK(occupied_of(machine, eight, "memory") == 2);
}

TEST_CASE("moves before an operation come one after another, and occupy what plain machine instructions do") {
  const Machine machine = machine_with_sequences();
  const OperationFigures own = *machine.otherwise[static_cast<size_t>(OperationKind::move)];
  const OperationFigures moved = with_moves(machine, own, 3);
  CHECK(moved.latency == Latency{4, 5 + 3 * 5, 12 + 3 * 9});
  CHECK(moved.gap == 6 + 3 * 9);
  CHECK(moved.instructions == own.instructions + 3);
  CHECK(occupied_of(machine, moved, "issue") == occupied_of(machine, own, "issue") + 3 * 2);
  CHECK(occupied_of(machine, moved, "unit") == occupied_of(machine, own, "unit") + 3);
  REQUIRE(moved.sequence.size() == 2);
  CHECK(moved.sequence[0] == MachineInstructions{1, own.instructions, own.occupancies});
  CHECK(moved.sequence[1].times == 3);
  ir::Operation gathers;
  gathers.kind = OperationKind::logic;
  gathers.moves = 3;
  const OperationFigures alone = *machine.otherwise[static_cast<size_t>(OperationKind::logic)];
  CHECK(machine.figures(gathers) == with_moves(machine, alone, 3));
}

TEST_CASE("shuffles by which the lanes of an atomic add up what they have are no atomics") {
  const ExpansionTable counts(
      "opcode\ttypes\tmodifiers\tvector\t80\n"
      "atom\tu32\tadd,global\t1\t10/1/0/0/2/0/0/7 2/0/0/0/1 -\n");
  const auto found = counts.find(operation("atom.global.add.u32"), {80});
  REQUIRE(found == Expansion{10, {0, 1, 0, 0, 2, 0, 7}, false});
  const Machine machine = machine_with_sequences();
  const OperationFigures atomic = figures(machine, OperationKind::move, *found);
  CHECK(atomic.latency.worst == 12 + 9 * 9 + 40 + 7 * 25 + 14);
  CHECK(occupied_of(machine, atomic, "unit") == 9 + 3 + 7 * 4);
}

TEST_CASE("a single machine instruction of another class takes as long as that") {
  const Machine machine = machine_with_sequences();
  CHECK(figures(machine, OperationKind::move, {1, {0, 1, 0, 0, 0}, false}).latency.worst == 12 + 40);
}

TEST_CASE("each machine instruction of the class of an operation costs what it states") {
  const Machine machine = machine_with_sequences();
  CHECK(figures(machine, OperationKind::convert, {1, {0, 1, 0, 0, 0}, false}).latency == Latency{1, 2, 50});
  const OperationFigures three = figures(machine, OperationKind::convert, {3, {0, 2, 0, 0, 0}, false});
  CHECK(three.latency == Latency{7, 70, 2 * 50 + 9 + 14});
  CHECK(occupied_of(machine, three, "unit") == 2 * 8 + 1);
  CHECK(three.instructions == 3);
}

TEST_CASE("figures of a whole sequence are as they are stated unless a form takes more instructions") {
  const Machine machine = machine_with_sequences();
  const OperationFigures& stated = *machine.otherwise[static_cast<size_t>(OperationKind::logic)];
  CHECK(figures(machine, OperationKind::logic, {3, {0, 2, 0, 0, 0}, true}) == stated);
  const OperationFigures five = figures(machine, OperationKind::logic, {5, {0, 4, 0, 0, 0}, true});
  CHECK(five.instructions == 5);
  CHECK(five.latency.worst == 12 + 2 * 9 + 2 * 40 + 14);
}

TEST_CASE("each matrix instruction of a form costs what the operation states, and the others besides") {
  const Machine machine = machine_with_sequences();
  Expansion expansion;
  expansion.total = 7;
  expansion.of[static_cast<size_t>(MachineClass::matrix)] = 4;
  OperationFigures one = *machine.otherwise[static_cast<size_t>(OperationKind::move)];
  one.expanded = true;
  one.machine_class = MachineClass::matrix;
  one.latency = {10, 20, 30};
  one.typical.reset();
  const OperationFigures all = with_expansion(machine, one, expansion);
  CHECK(all.latency.worst == 4 * 30 + 3 * 9 + 14);
  CHECK(all.instructions == 7);
  CHECK(occupied_of(machine, all, "issue") == 7 * machine.issue_occupancy);
}

TEST_CASE("matrix instructions are the last count of a row, and left out where there are none") {
  const ExpansionTable counts(
      "opcode\ttypes\tmodifiers\tvector\t80\n"
      "add\ts32\t-\t1\t9/1/0/2/3/1/5 - 2\n");
  const auto found = counts.find(operation("add.s32"), {80});
  REQUIRE(found);
  CHECK(found->of == std::array<int64_t, machine_classes>{0, 1, 0, 2, 3, 5});
  CHECK(found->loop);
  const auto guarded = counts.find(with(operation("add.s32"), false, true), {80});
  REQUIRE(guarded);
  CHECK(guarded->of[static_cast<size_t>(MachineClass::matrix)] == 5);
}

TEST_CASE("a loop is run as often as a generation states") {
  const Machine machine = machine_with_sequences();
  const OperationFigures loop = figures(machine, OperationKind::move, {2, {}, true});
  CHECK(loop.latency.worst == 4 * (12 + 9));
  CHECK(loop.gap == 4 * (6 + 9));
  CHECK(loop.instructions == 4 * 2);
  CHECK(occupied_of(machine, loop, "issue") == 4 * 4);
}

TEST_CASE("a form that was not counted has no figures where its operation states one machine instruction") {
  const Machine machine = machine_with_sequences();
  ir::Operation unknown;
  unknown.kind = OperationKind::move;
  unknown.key.opcode = "no.such.opcode";
  CHECK_FALSE(machine.figures(unknown));
  unknown.kind = OperationKind::logic;
  CHECK(machine.figures(unknown));
}

TEST_CASE("errors in figures of sequences") {
  const auto error = [](std::string_view before, std::string_view after) {
    std::string text = std::string(small) + std::string(sequence);
    const size_t at = text.find(before);
    REQUIRE(at != std::string::npos);
    return errors_of(text.replace(at, before.size(), after));
  };
  CHECK(error("class = \"special\"", "class = \"spatial\"").find("unknown class 'spatial'") != std::string::npos);
  CHECK(error("rounds = 4", "rounds = 0").find("'rounds' must be between 1 and 1000000") != std::string::npos);
  CHECK(error("architectures = [80]", "architectures = 80").find("'architectures' must be an array of integers") !=
        std::string::npos);
  CHECK(error("expanded = true", "expanded = 1").find("'expanded' must be true or false, not an integer") !=
        std::string::npos);
  CHECK(errors_of(changed("[operation.set]\n", "[operation.set]\nexpanded = true\n"))
            .find("there are no figures of sequences") != std::string::npos);
}

TEST_CASE("the table of PTX has a row for each form, in order, with nothing written twice") {
  const test::ExpansionLines lines = test::expansion_lines();
  CHECK(lines.architectures == ptx_expansions().architectures());
  CHECK(lines.rows.size() > 9'000);
  const auto is_count = [](const std::string& text) {
    const std::vector<std::string> numbers = test::split(text, '/');
    const bool all_numbers = std::all_of(numbers.begin(), numbers.end(), [](const std::string& number) {
      return !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
    });
    return text == "-" || (all_numbers && numbers.size() <= 8 && (numbers.size() == 1 || numbers.back() != "0"));
  };
  std::vector<std::string> before;
  for (const std::vector<std::string>& row : lines.rows) {
    INFO(Catch::Detail::stringify(row));
    REQUIRE(row.size() == 4 + lines.architectures.size());
    const std::vector<std::string> key(row.begin(), row.begin() + 4);
    if (key <= before) FAIL("not behind the row before");
    before = key;
    std::string left = ".";
    for (auto cell = row.begin() + 4; cell != row.end(); ++cell) {
      if (*cell == ".") {
        left = *cell;
        continue;
      }
      if (*cell == "=" ? left == "." : *cell == left) FAIL("the mark for the column to the left is wrong or missing");
      if (*cell == "=") continue;
      left = *cell;
      const std::vector<std::string> counts = test::split(left, ' ');
      if (counts.size() != 3 || !std::all_of(counts.begin(), counts.end(), is_count)) FAIL("no three counts: " << left);
      if (left == "- - -") FAIL("a form without a shape");
    }
  }
}

TEST_CASE("no figure of a built-in machine is below the count of a form in the table of PTX") {
  std::map<std::string, Machine> machines;
  for (const std::string& name : builtin_machines()) machines.emplace(name, builtin(name));
  ptx::FormTable forms;
  int number = 0;
  for (const test::ExpansionRow& row : test::expansion_rows()) {
    if (number++ % test::taken_one_in != 0) continue;
    // The word: opcode, modifiers, vector size, types.
    std::string word = row.opcode;
    bool special = false, untold = false, constant = false, of_variable = false, far = false;
    for (const std::string& modifier : test::split(row.modifiers == "-" ? "" : row.modifiers, ',')) {
      special = special || modifier == "special";
      untold = untold || modifier == "wide";
      constant = constant || modifier == "constant";
      of_variable = of_variable || modifier == "variable";
      far = far || modifier == "far";
      const bool own = modifier == "special" || modifier == "constant" || modifier == "variable" || modifier == "far";
      if (!own && !untold) word += "." + modifier;
    }
    if (untold) continue;
    if (row.vector != "1") word += ".v" + row.vector;
    for (const std::string& type : test::split(row.types == "-" ? "" : row.types, ',')) word += "." + type;
    const ptx::Form* form = forms.find(word);
    if (form == nullptr) continue;  // modifiers of which the order counts
    INFO(row.text);
    for (const auto& [name, machine] : machines) {
      if (!machine.sequence) continue;
      const auto& wanted = machine.sequence->architectures;
      if (std::find(wanted.begin(), wanted.end(), row.architecture) == wanted.end()) continue;
      for (size_t cell = 0; cell < row.counts.size(); ++cell) {
        if (row.counts[cell] == "-") continue;
        ir::Operation operation = form->operation;
        if (special) operation.kind = OperationKind::special_register;
        operation.key.immediate = cell == 1;
        operation.key.guarded = cell == 2;
        operation.key.constant_mask = constant;
        operation.key.of_variable = of_variable;
        operation.key.far = far;
        const auto figures = machine.figures(operation);
        if (!figures) continue;  // refused
        INFO(name);
        const int64_t count = std::stoll(row.counts[cell]);
        CHECK(figures->instructions >= count);
        CHECK(figures->gap >= count);
        CHECK(figures->latency.worst >= std::min<int64_t>(count, 4));
      }
    }
  }
}

namespace {

int64_t retries_of(const Machine& machine, const ir::Operation& operation, const char* resource) {
  const auto figures = machine.figures(operation);
  REQUIRE(figures);
  for (const Retries& retries : figures->retries) {
    if (retries.resource == machine.resource(resource)) return retries.cycles;
  }
  return 0;
}

int64_t occupied_of_word(const Machine& machine, const ir::Operation& operation, const char* resource) {
  const auto figures = machine.figures(operation);
  REQUIRE(figures);
  return occupied_of(machine, *figures, resource);
}

}  // namespace

// The words with a space and without are rows of the table, so that it shows which part of the generic code is a loop:
// the one on global memory only where the word with .global is a loop, as reading the code of all of them shows.
TEST_CASE("an atomic on memory of either space fails by others only where its code for that space is a loop") {
  size_t global_loops = 0, shared_loops = 0, native = 0;
  std::vector<ir::Operation> atomics;
  for_each_form([&](const ir::Operation& operation) {
    const bool is_atomic = operation.kind == ir::OperationKind::atomic_generic && operation.key.opcode != "red.async";
    if (is_atomic && !operation.key.types.empty() && operation.key.vector_size <= 1) atomics.push_back(operation);
  });
  for (const char* name : {"volta", "turing", "ampere", "ampere-consumer", "ada", "hopper", "blackwell"}) {
    const auto machine = load_machine(name);
    REQUIRE(machine.ok());
    for (const ir::Operation& operation : atomics) {
      INFO(name << " " << operation.text);
      const auto with_word = [&](const std::string& word) {
        ir::Operation other = operation;
        other.kind = word == "shared" ? ir::OperationKind::atomic_shared : ir::OperationKind::atomic_global;
        auto& words = other.key.modifiers;
        words.insert(std::lower_bound(words.begin(), words.end(), word), word);
        return other;
      };
      const auto generic = expansion_of(*machine, operation), global = expansion_of(*machine, with_word("global")),
                 shared = expansion_of(*machine, with_word("shared"));
      REQUIRE((generic && global && shared));
      const std::string& type = operation.key.types.front();
      const bool is_half = type == "b16" || type == "f16" || type == "bf16";
      CHECK((retries_of(*machine, operation, "atomic") > 0) == is_half);
      CHECK((retries_of(*machine, operation, "shared_atomic") > 0) == (generic->loop || is_half));
      CHECK(occupied_of_word(*machine, operation, "shared_atomic") > 0);
      CHECK(occupied_of_word(*machine, operation, "atomic") >= 120);
      CHECK(occupied_of_word(*machine, operation, "network") > 0);
      if (is_half) {
        ++global_loops;
      } else if (generic->loop) {
        ++shared_loops;
      } else {
        ++native;
      }
    }
  }
  CHECK(global_loops > 10);
  CHECK(shared_loops > 20);
  CHECK(native > 100);
}

TEST_CASE("the table of expansions has no loop on global memory but of 16 bits, for architectures with native others") {
  for (const test::ExpansionRow& row : test::expansion_rows()) {
    if ((row.opcode != "atom" && row.opcode != "red") || row.modifiers.find("global") == std::string::npos) continue;
    const bool is_loop = std::any_of(row.counts.begin(), row.counts.end(), [](const std::string& counts) {
      const std::vector<std::string> numbers = test::split(counts, '/');
      return numbers.size() > 5 && numbers[5] == "1";
    });
    const bool is_half = (row.types == "b16" || row.types == "f16" || row.types == "bf16") && row.vector == "1";
    INFO(row.text);
    CHECK(is_loop == is_half);
  }
}

TEST_CASE("atomics of a cluster cost what one of the cluster does, ordered ones and loops too") {
  const auto machine = load_machine("hopper");
  REQUIRE(machine.ok());
  ptx::FormTable forms;
  for (const char* word : {"atom.shared::cluster.add.u32", "atom.shared::cluster.add.f32",
                           "atom.acq_rel.cluster.shared::cluster.add.u32"}) {
    INFO(word);
    const ptx::Form* form = forms.find(word);
    REQUIRE(form != nullptr);
    CHECK(occupied_of_word(*machine, form->operation, "cluster") > 0);
  }
}
