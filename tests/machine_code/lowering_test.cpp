// SPDX-License-Identifier: GPL-3.0-or-later
// What machine instructions are lowered to, against what the interpreter makes of them. Random sequences; a million
// instructions: test_machine_code "[.lowering]".
#include "frontend/sass/lowering/lowering.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>

#include "frontend/object/cubin.hpp"
#include "frontend/sass/words/decode.hpp"
#include "frontend/sass/words/print.hpp"
#include "support/digits.hpp"
#include "tests/frontend/sass/lowering/steps_evaluator.hpp"
#include "tests/machine_code/instruction_generator.hpp"
#include "tests/machine_code/interpreter/lane.hpp"
#include "tests/reference/command_options.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;
using machine_code::Known;
using machine_code::known_words;
using machine_code::Registers;
using reference::Random;
using sass::RegisterClass;

namespace {

const ir::Extent block = {96, 3, 2}, grid = {7, 5, 1};

uint32_t parameter_area(int architecture) { return architecture >= 100 ? 0x380 : architecture >= 90 ? 0x210 : 0x160; }

// A kernel's parameters: a pointer, two words, a structure.
sass::Code code_for(int architecture) {
  sass::Code code;
  code.file = "random.cubin";
  code.name = "random";
  code.architecture = architecture;
  const int64_t area = parameter_area(architecture);
  code.parameters = {{area, 8}, {area + 8, 4}, {area + 12, 4}, {area + 16, 16}};
  code.parameter_bytes = 32;
  return code;
}

std::map<uint32_t, machine_code::Bank> constants_for(int architecture, Random& random) {
  std::map<uint32_t, machine_code::Bank> constants;
  machine_code::Bank& bank = constants[0];
  const sass::ConstantBank places = sass::constant_bank(architecture);
  const auto put = [&](int64_t at, const ir::Extent& extent) {
    const auto first = static_cast<uint64_t>(at);
    bank.put(first, static_cast<uint64_t>(extent.x), 4);
    bank.put(first + 4, static_cast<uint64_t>(extent.y), 4);
    bank.put(first + 8, static_cast<uint64_t>(extent.z), 4);
  };
  put(places.block_extent, block);
  put(places.grid_extent, grid);
  for (uint32_t i = 0; i < 32; i += 4) bank.put(parameter_area(architecture) + i, machine_code::any_number(random), 4);
  return constants;
}

bool guard_holds(const sass::Instruction& instruction, const Registers& registers) {
  const sass::Guard& guard = instruction.guard;
  bool holds = true;
  if (guard.number != sass::no_register) {
    holds = guard.uniform ? registers.uniform_predicates[guard.number] : (registers.predicates[guard.number] & 1) != 0;
  }
  return holds != guard.negated;
}

uint64_t machine_value(const Registers& registers, ir::RegisterId reg) {
  if (reg < sass::first_uniform) return registers.general[reg][0];
  if (reg < sass::first_predicate) return registers.uniform[reg - sass::first_uniform];
  if (reg < sass::first_uniform_predicate) return registers.predicates[reg - sass::first_predicate] & 1;
  return registers.uniform_predicates[reg - sass::first_uniform_predicate] ? 1 : 0;
}

// The registers that sequences name.
const std::vector<ir::RegisterId>& named_registers() {
  static const std::vector<ir::RegisterId> all = [] {
    std::vector<ir::RegisterId> named;
    for (ir::RegisterId i = 0; i < machine_code::general_pool; ++i) named.push_back(i);
    for (ir::RegisterId i = 0; i < machine_code::uniform_pool; ++i) named.push_back(sass::first_uniform + i);
    for (ir::RegisterId i = sass::first_predicate; i < sass::first_barrier; ++i) named.push_back(i);
    return named;
  }();
  return all;
}

struct Step {
  sass::Instruction instruction;
  std::map<ir::RegisterId, uint64_t> after;  // by register that is named
};

using WordsByArchitecture = std::map<int, std::vector<std::vector<sass::Word>>>;

constexpr int architectures[] = {75, 80, 86, 89, 90, 100, 120};

const WordsByArchitecture& all_words() {
  static const WordsByArchitecture words = [] {
    WordsByArchitecture all;
    const std::vector<Known> known = known_words();
    for (const int architecture : architectures) all[architecture] = machine_code::words_for(architecture, known);
    return all;
  }();
  return words;
}

struct Tally {
  int64_t instructions = 0, known = 0, unknown = 0, pairs = 0;
  std::map<std::string, std::pair<int64_t, int64_t>> by_name;  // results: known, unknown
  std::vector<std::string> wrong;
};

// One lane's run through a sequence, and the same sequence lowered.
class Experiment {
 public:
  Experiment(uint64_t seed, Tally& tally) : random_(seed), tally_(tally) {
    architecture_ = random_.of(architectures);
    constants_ = constants_for(architecture_, random_);
  }

  void run() {
    make();
    sass::Code code = code_for(architecture_);
    for (const Step& step : steps_) code.instructions.push_back(step.instruction);
    ir::Program program;
    program.bodies.emplace_back();
    program.variables.resize(code.parameters.size());
    sass::InstructionLowering lowering(code, program, std::nullopt);
    const ir::Body& body = program.bodies.front();
    sass::StepsEvaluator evaluator(body, parameters(code), block, grid);
    set_predicates(evaluator);
    for (size_t i = 0; i < steps_.size(); ++i) {
      lowering.lower(steps_[i].instruction, static_cast<uint32_t>(i + 1), 0);
      evaluator.run();
      if (!compare(evaluator, lowering, i)) return;
    }
    if (!evaluator.unknown().empty()) tally_.wrong.push_back(evaluator.unknown());
  }

 private:
  void make() {
    std::vector<uint32_t> offsets;
    for (uint32_t i = 0; i < 32; i += 4) offsets.push_back(parameter_area(architecture_) + i);
    const sass::ConstantBank places = sass::constant_bank(architecture_);
    for (const int64_t at : {places.block_extent, places.grid_extent}) {
      for (uint32_t i = 0; i < 12; i += 4) offsets.push_back(static_cast<uint32_t>(at) + i);
    }
    machine_code::InstructionGenerator generator(random_, architecture_, all_words().at(architecture_), offsets);
    for (unsigned p = 0; p < 7; ++p) {
      registers_.predicates[p] = random_.below(2) != 0 ? UINT32_MAX : 0;
      registers_.uniform_predicates[p] = random_.below(2) != 0;
    }
    first_ = registers_;
    for (unsigned r = 0; r < machine_code::general_pool; ++r)
      add(generator.move(RegisterClass::general, r, machine_code::any_number(random_)));
    for (unsigned r = 0; r < machine_code::uniform_pool; ++r)
      add(generator.move(RegisterClass::uniform, r, machine_code::any_number(random_)));
    moves_ = steps_.size();
    for (int i = 0; i < 24; ++i) add(generator.next());
  }

  // If the interpreter knows it.
  void add(const sass::Instruction& instruction) {
    const Registers before = registers_;
    machine_code::Machine machine{registers_, constants_, instruction, {}};
    machine_code::Lane lane(machine, 0);
    if (guard_holds(instruction, registers_)) machine_code::action_of(instruction.mnemonic())(lane);
    if (!machine.refusal.empty()) {
      registers_ = before;
      return;
    }
    steps_.push_back({instruction, {}});
    for (const ir::RegisterId reg : named_registers()) steps_.back().after[reg] = machine_value(registers_, reg);
  }

  std::vector<std::vector<uint8_t>> parameters(const sass::Code& code) const {
    std::vector<std::vector<uint8_t>> all;
    for (const sass::Code::Parameter& parameter : code.parameters) {
      all.emplace_back();
      for (int64_t i = 0; i < parameter.bytes; ++i) {
        const auto at = static_cast<uint64_t>(parameter.offset + i);
        all.back().push_back(static_cast<uint8_t>(constants_.at(0).load(at, 1).value_or(0)));
      }
    }
    return all;
  }

  void set_predicates(sass::StepsEvaluator& evaluator) const {
    for (unsigned p = 0; p < 7; ++p) {
      evaluator.set(sass::first_predicate + p, first_.predicates[p] & 1);
      evaluator.set(sass::first_uniform_predicate + p, first_.uniform_predicates[p] ? 1 : 0);
    }
  }

  // False if it is wrong.
  bool compare(const sass::StepsEvaluator& evaluator, const sass::InstructionLowering& lowering, size_t index) {
    const Step& step = steps_[index];
    if (index >= moves_) ++tally_.instructions;
    for (const ir::RegisterId reg : registers_of(sass::writes(step.instruction))) {
      if (reg >= sass::first_barrier) continue;
      const auto value = evaluator.get(reg);
      std::string name(step.instruction.mnemonic());
      if (step.instruction.has(sass::Modifier::extended)) name += " .X";
      auto& [known, unknown] = tally_.by_name[name];
      ++(value ? known : unknown);
      ++(value ? tally_.known : tally_.unknown);
    }
    for (const auto& [reg, value] : step.after) {
      if (!check(index, "register ", reg, evaluator.get(reg), value)) return false;
    }
    if (index < moves_) return true;
    for (const auto& [low, pair] : lowering.pairs()) {
      const auto first = step.after.find(low), second = step.after.find(low + 1);
      if (first == step.after.end() || second == step.after.end()) continue;
      if (evaluator.get(pair)) ++tally_.pairs;
      const uint64_t whole = first->second | second->second << 32;
      if (!check(index, "the pair at register ", low, evaluator.get(pair), whole)) return false;
    }
    return true;
  }

  bool check(size_t index, const char* what, ir::RegisterId reg, std::optional<uint64_t> lowered, uint64_t expected) {
    if (!lowered || *lowered == expected) return true;
    std::ostringstream out;
    out << "sm_" << architecture_ << ": " << what << reg << " is 0x" << support::hexadecimal(expected) << ", lowered 0x"
        << support::hexadecimal(*lowered) << " after\n";
    for (size_t i = index > moves_ + 4 ? index - 4 : moves_; i <= index; ++i)
      out << "    " << sass::to_string(steps_[i].instruction) << "\n";
    tally_.wrong.push_back(out.str());
    return false;
  }

  Random random_;
  Tally& tally_;
  int architecture_ = 0;
  std::map<uint32_t, machine_code::Bank> constants_;
  Registers first_, registers_;
  std::vector<Step> steps_;
  size_t moves_ = 0;
};

Tally attack(uint64_t first, int64_t instructions) {
  Tally tally;
  for (uint64_t seed = first; tally.instructions < instructions && tally.wrong.size() < 20; ++seed)
    Experiment(seed, tally).run();
  return tally;
}

std::string text_of(const Tally& tally) {
  std::ostringstream out;
  out << tally.instructions << " instructions, results known " << tally.known << ", unknown " << tally.unknown
      << ", pairs compared " << tally.pairs << "\n";
  for (const std::string& what : tally.wrong) out << "  WRONG " << what << "\n";
  return out.str();
}

}  // namespace

TEST_CASE("machine code: random instructions are lowered to what they compute") {
  const Tally tally = attack(test::first_seed(1, 10'000), test::thinned_seeds(10'000));
  INFO(text_of(tally));
  CHECK(tally.wrong.empty());
  CHECK(tally.known > tally.unknown);
}

// nvdisasm of CUDA 13: IADD3 R0, P0, R2, cx[UR4][0x210], RZ and IADD3.X R1, R3, cx[UR4][0x214], RZ, P0, !PT. At 0x210
// of bank 0 there is a parameter, which the bank that UR4 names has nothing to do with.
TEST_CASE("machine code: the halves of a bindless constant are no parameter") {
  const sass::Code code = code_for(90);
  ir::Program program;
  program.bodies.emplace_back();
  program.variables.resize(code.parameters.size());
  sass::InstructionLowering lowering(code, program, std::nullopt);
  sass::StepsEvaluator evaluator(program.bodies.front(), std::vector(4, std::vector<uint8_t>(16, 1)), block, grid);
  for (const ir::RegisterId reg : {2U, 3U}) evaluator.set(reg, 7);
  const std::vector<sass::Word> words = {{0x0000840402007a10, 0x000fe4000ff1e0ff},
                                         {0x0000850403017a10, 0x000fe400087fe4ff}};
  const auto instructions = sass::decode(words, 90);
  REQUIRE(instructions);
  for (const sass::Instruction& instruction : *instructions) {
    const auto operands = instruction.operands();
    CHECK(std::any_of(operands.begin(), operands.end(), [](const sass::Operand& operand) {
      return operand.kind == sass::OperandKind::constant && operand.second == 4;
    }));
    lowering.lower(instruction, 1, 0);
  }
  evaluator.run();
  CHECK_FALSE(evaluator.get(0));
  CHECK_FALSE(evaluator.get(1));
}

// Of 64 bits of constant bank 0 each half is known by itself, if it is: two parameters of 32 bits, two dimensions.
TEST_CASE("machine code: two parameters that are read at once are followed") {
  const std::vector<sass::Word> words = {{0x00008600ff0e7b82, 0x000e240000000a00},   // LDC.64 R14, c[0x0][0x218]
                                         {0x0000860000067ab9, 0x000fe20000000a00},   // ULDC.64 UR6, c[0x0][0x218]
                                         {0x00008a00ff107b82, 0x000e240000000a00},   // LDC.64 R16, c[0x0][0x228]
                                         {0x00000200ff127b82, 0x000e240000000a00},   // LDC.64 R18, c[0x0][0x8]
                                         {0x00008c00ff147b82, 0x000e240000000a00}};  // LDC.64 R20, c[0x0][0x230]
  sass::Code code = code_for(90);
  code.instructions = *sass::decode(words, 90);
  ir::Program program;
  program.bodies.emplace_back();
  program.variables.resize(code.parameters.size());
  sass::InstructionLowering lowering(code, program, std::nullopt);
  std::vector<std::vector<uint8_t>> parameters = {
      std::vector<uint8_t>(8, 9), {1, 0, 0, 0}, {2, 0, 0, 128}, std::vector<uint8_t>(16, 3)};
  sass::StepsEvaluator evaluator(program.bodies.front(), parameters, block, grid);
  for (const sass::Instruction& instruction : code.instructions) lowering.lower(instruction, 1, 0);
  evaluator.run();
  CHECK(evaluator.get(14) == 1U);
  CHECK(evaluator.get(15) == 0x80000002U);
  CHECK(evaluator.get(sass::first_uniform + 6) == 1U);
  CHECK(evaluator.get(sass::first_uniform + 7) == 0x80000002U);
  CHECK(evaluator.get(16) == 0x03030303U);  // of one parameter
  CHECK(evaluator.get(17) == 0x03030303U);
  CHECK_FALSE(evaluator.get(20));  // of none
  CHECK_FALSE(evaluator.get(21));
  CHECK(evaluator.get(18) == static_cast<uint64_t>(block.z));
  CHECK(evaluator.get(19) == static_cast<uint64_t>(grid.x));
}

namespace {

using Values = std::map<ir::RegisterId, uint32_t>;

// The words are lowered and executed with these values; calls check(evaluator).
template <typename Check>
void execute(const std::vector<sass::Word>& words, const Values& values, const sass::Code& code, const Check& check) {
  ir::Program program;
  program.bodies.emplace_back();
  program.variables.resize(code.parameters.size());
  sass::InstructionLowering lowering(code, program, std::nullopt);
  const std::vector<std::vector<uint8_t>> parameters = {
      {0xf0, 0xff, 0xff, 0xff, 2, 0, 0, 0}, {7, 0, 0, 0}, {9, 0, 0, 0}, std::vector<uint8_t>(16, 3)};
  sass::StepsEvaluator evaluator(program.bodies.front(), parameters, block, grid);
  for (const auto& [reg, value] : values) evaluator.set(reg, value);
  const auto instructions = sass::decode(words, code.architecture);
  REQUIRE(instructions);
  for (const sass::Instruction& instruction : *instructions) lowering.lower(instruction, 1, 0);
  evaluator.run();
  check(evaluator);
}

constexpr uint64_t first_parameter = 0x2fffffff0;
const std::vector<uint32_t> edges = {0, 1, 5, 0x3fffffff, 0x40000000, 0x7fffffff, 0x80000000, 0xc0000000, 0xffffffff};

uint64_t extended(uint32_t word) { return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(word))); }

}  // namespace

// LEA R0, P0, R3, R2, 0x9 and LEA.HI.X.SX32 R5, R2, RZ, 0x1, P0: a shifted number without a sign and one with it.
TEST_CASE("machine code: the sign of a number that LEA has added") {
  const std::vector<sass::Word> words = {{0x0000000203007211, 0x001fc800078048ff},
                                         {0x000000ff02057211, 0x000fe200000f0eff}};
  for (const uint32_t a : edges) {
    for (const uint32_t b : edges) {
      const uint64_t sum = uint64_t{b << 9} + extended(a);
      execute(words, {{2, a}, {3, b}}, code_for(89), [&](const sass::StepsEvaluator& evaluator) {
        CHECK(evaluator.get(0) == (sum & UINT32_MAX));
        CHECK(evaluator.get(5) == sum >> 32);
      });
    }
  }
}

// SHF.R.S64 R2, RZ, 0x1e, R4; IADD3 R2, P0, R2, c[0x0][0x160], RZ and LEA.HI.X.SX32 R3, R4, c[0x0][0x164], 0x2, P0.
TEST_CASE("machine code: a number with a sign that is shifted before it is added") {
  const std::vector<sass::Word> words = {{0x0000001eff027819, 0x001fc80000001004},
                                         {0x0000580002027a10, 0x000fc80007f1e0ff},
                                         {0x0000590004037a11, 0x000fca00000f16ff}};
  for (const uint32_t a : edges) {
    execute(words, {{4, a}}, code_for(89), [&](const sass::StepsEvaluator& evaluator) {
      const uint64_t sum = (extended(a) << 2) + first_parameter;
      CHECK(evaluator.get(2) == (sum & UINT32_MAX));
      CHECK(evaluator.get(3) == sum >> 32);
    });
  }
  // SHF.R.S64 R2, RZ, 0x1d, R4: by three bits, where the high half goes on by two.
  std::vector<sass::Word> others = words;
  others[0].low = 0x0000001dff027819;
  execute(others, {{4, 5}}, code_for(89), [](const sass::StepsEvaluator& evaluator) { CHECK_FALSE(evaluator.get(3)); });
}

// IADD3 R15, P0, R3, UR4, RZ; IMAD.U32 R5, RZ, RZ, UR4 and LEA.HI.X.SX32 R0, R5, R4, 0x1, P0: of a copy of what was
// added.
TEST_CASE("machine code: the sign of a copy") {
  const std::vector<sass::Word> words = {{0x00000004030f7c10, 0x000fe2000ff1e0ff},
                                         {0x00000004ff057e24, 0x000fe4000f8e00ff},
                                         {0x0000000405007211, 0x000fe400000f0eff}};
  for (const uint32_t a : edges) {
    const Values values = {{3, 0x90000000}, {4, 6}, {sass::first_uniform + 4, a}};
    execute(words, values, code_for(89), [&](const sass::StepsEvaluator& evaluator) {
      CHECK(evaluator.get(0) == (extended(a) + 0x690000000) >> 32);
    });
  }
  // The uniform register has another number since.
  std::vector<sass::Word> others = words;
  others.insert(others.begin() + 1, {0x0000000100047882, 0x000fe20000000000});  // UMOV UR4, 0x1
  execute(others, {{3, 1}, {4, 6}, {sass::first_uniform + 4, 5}}, code_for(89),
          [](const sass::StepsEvaluator& evaluator) { CHECK_FALSE(evaluator.get(0)); });
}

// IADD3.X R37, R32, c[0x0][0x170], RZ, PT, !PT
TEST_CASE("machine code: a sum and one, which is always carried") {
  execute({{0x00005c0020257a10, 0x000fc60003ffe4ff}}, {{32, 11}}, code_for(89),
          [](const sass::StepsEvaluator& evaluator) { CHECK(evaluator.get(37) == 11U + 0x03030303U + 1); });
}

// IMAD.WIDE R4, R11, R4, c[0x2][0x0]
TEST_CASE("machine code: constants of the assembler's own are known") {
  const std::vector<sass::Word> words = {{0x008000000b047625, 0x000fca00078e0204}};
  sass::Code code = code_for(89);
  const Values values = {{11, 3}, {4, 5}};
  execute(words, values, code, [](const sass::StepsEvaluator& evaluator) { CHECK_FALSE(evaluator.get(4)); });
  code.own_constants = {{{2, 0}, 0xfffffff0}, {{2, 4}, 1}};
  execute(words, values, code, [](const sass::StepsEvaluator& evaluator) {
    CHECK(evaluator.get(4) == 0xffffffffU);
    CHECK(evaluator.get(5) == 1U);
  });
}

TEST_CASE("attack: a million random instructions are lowered to what they compute", "[.][lowering]") {
  const char* first = std::getenv("WARPSPAN_ATTACK_FIRST");
  const Tally tally = attack(first == nullptr ? 1 : std::strtoull(first, nullptr, 10), 1'000'000);
  std::cout << text_of(tally);
  for (const auto& [name, counts] : tally.by_name)
    std::cout << "  " << name << ": known " << counts.first << ", unknown " << counts.second << "\n";
  CHECK(tally.wrong.empty());
}
