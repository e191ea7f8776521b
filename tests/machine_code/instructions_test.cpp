// SPDX-License-Identifier: GPL-3.0-or-later
// Single instructions with random registers, numbers and modifiers, as the program executes them for estimates, against
// what the interpreter of these tests makes of each lane. More of them: suite_machine_code "[many-instructions]".
#include <catch2/catch.hpp>
#include <cmath>
#include <iostream>
#include <map>

#include "frontend/sass/words/opcode_table.hpp"
#include "frontend/sass/words/print.hpp"
#include "tests/frontend/sass/execution/executed.hpp"
#include "tests/machine_code/instruction_generator.hpp"
#include "tests/machine_code/interpreter/lane.hpp"

using namespace warpspan;
using reference::Random;

namespace {

constexpr uint32_t offset_of_constants = 0x210;

struct Numbers {
  execution::Registers registers;
  std::vector<uint32_t> constants;
};

Numbers any_numbers(Random& random) {
  Numbers made;
  for (unsigned r = 0; r < machine_code::general_pool; ++r) {
    for (uint32_t& lane : made.registers.general[r].lane) lane = machine_code::any_number(random);
  }
  for (unsigned r = 0; r < machine_code::uniform_pool; ++r)
    made.registers.uniform[r] = machine_code::any_number(random);
  for (unsigned r = 0; r < 7; ++r) {
    made.registers.predicates[r] = static_cast<uint32_t>(random.next());
    made.registers.uniform_predicates[r] = random.chance(50);
  }
  for (unsigned i = 0; i < 8; ++i) made.constants.push_back(machine_code::any_number(random));
  return made;
}

// Nothing: the interpreter does not know it.
std::optional<execution::Registers> by_interpreter(const sass::Instruction& instruction, const Numbers& numbers) {
  const machine_code::Action action = machine_code::action_of(instruction.mnemonic());
  if (action == nullptr) return std::nullopt;
  machine_code::Registers registers;
  for (unsigned r = 0; r < 256; ++r) registers.general[r] = numbers.registers.general[r].lane;
  registers.uniform = numbers.registers.uniform;
  registers.predicates = numbers.registers.predicates;
  registers.uniform_predicates = numbers.registers.uniform_predicates;
  std::map<uint32_t, machine_code::Bank> constants;
  for (unsigned i = 0; i < numbers.constants.size(); ++i)
    constants[0].put(offset_of_constants + 4 * i, numbers.constants[i], 4);
  machine_code::Machine machine{registers, constants, instruction, {}};
  const sass::Guard& guard = instruction.guard;
  uint32_t holds = UINT32_MAX;
  if (guard.number != sass::no_register)
    holds = guard.uniform ? (registers.uniform_predicates[guard.number] ? UINT32_MAX : 0)
                          : registers.predicates[guard.number];
  if (guard.negated) holds = ~holds;
  const bool once = instruction.opcode->unit == sass::Unit::uniform || instruction.mnemonic() == "ULDC" ||
                    instruction.mnemonic() == "LDCU";
  for (unsigned number = 0; number < 32; ++number) {
    if ((holds >> number & 1) == 0) continue;
    machine_code::Lane lane(machine, number);
    action(lane);
    if (once) break;
  }
  if (!machine.refusal.empty()) return std::nullopt;
  execution::Registers result;
  for (unsigned r = 0; r < 256; ++r) result.general[r].lane = registers.general[r];
  result.uniform = registers.uniform;
  result.predicates = registers.predicates;
  result.uniform_predicates = registers.uniform_predicates;
  return result;
}

bool is_nan(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }

// What is no number has many spellings, and which of them the host makes is not the machine's. To the interpreter all
// zeros are one, and the minimum of a signalling one and a number is none.
bool same(uint32_t a, uint32_t b) { return a == b || is_nan(a) || (a | b) << 1 == 0; }

std::string difference(const execution::Registers& expected, const execution::Registers& found) {
  for (unsigned r = 0; r < 255; ++r) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (!same(expected.general[r][lane], found.general[r][lane]))
        return "R" + std::to_string(r) + " of lane " + std::to_string(lane) + " is " +
               std::to_string(found.general[r][lane]) + ", by the interpreter " +
               std::to_string(expected.general[r][lane]);
    }
    if (!same(expected.uniform[r], found.uniform[r])) return "UR" + std::to_string(r);
  }
  if (expected.predicates != found.predicates) return "a predicate";
  return expected.uniform_predicates != found.uniform_predicates ? "a uniform predicate" : "";
}

void attack(int architecture, uint64_t seed, int count, std::map<std::string, int>& compared) {
  static const std::vector<machine_code::Known> known = machine_code::known_words();
  Random random(seed);
  const auto words = machine_code::words_for(architecture, known);
  std::vector<uint32_t> offsets;
  for (uint32_t i = 0; i < 6; ++i) offsets.push_back(offset_of_constants + 4 * i);
  machine_code::InstructionGenerator generator(random, architecture, words, offsets);
  for (int i = 0; i < count; ++i) {
    sass::Instruction instruction = generator.next();
    // .FTZ, .NAN and .XORSIGN of floating-point numbers, which the interpreter leaves out.
    if (instruction.mnemonic().starts_with("F")) instruction.word.high &= ~(uint64_t{7} << 16);
    const Numbers numbers = any_numbers(random);
    const auto expected = by_interpreter(instruction, numbers);
    const bool exists = !instruction.has(sass::Modifier::pairs) || !instruction.has(sass::Modifier::saturated);
    if (!expected || !exists) continue;
    execution::Banks banks;
    for (unsigned c = 0; c < numbers.constants.size(); ++c)
      banks[0].put(offset_of_constants + 4 * c, numbers.constants[c], 4);
    test::Executed subject(architecture, std::vector<sass::Instruction>{instruction}, banks);
    subject.registers() = numbers.registers;
    subject.run();
    const std::string text = sass::to_string(instruction);
    const std::string wrong =
        subject.unknown().empty() ? difference(*expected, subject.registers()) : "it is not known";
    INFO("sm_" << architecture << " seed " << seed << " instruction " << i << ": " << text << ": " << wrong);
    CHECK(wrong.empty());
    ++compared[std::string(instruction.mnemonic())];
  }
}

}  // namespace

TEST_CASE("execution: random instructions do to each lane what the interpreter does") {
  std::map<std::string, int> compared;
  for (const int architecture : {75, 80, 86, 90, 100, 120}) attack(architecture, 1, 3000, compared);
  CHECK(compared.size() >= 60);
}

TEST_CASE("execution: many random instructions", "[.][many-instructions]") {
  std::map<std::string, int> compared;
  for (uint64_t seed = 2; seed < 20; ++seed) {
    for (const int architecture : {75, 80, 86, 90, 100, 120}) attack(architecture, seed, 20'000, compared);
  }
  for (const auto& [mnemonic, count] : compared) std::cout << mnemonic << " " << count << "\n";
}
