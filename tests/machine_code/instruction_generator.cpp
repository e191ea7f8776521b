// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/machine_code/instruction_generator.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>

#include "frontend/object/cubin.hpp"
#include "frontend/sass/words/bits.hpp"
#include "frontend/sass/words/decode.hpp"
#include "frontend/sass/words/opcode_table.hpp"
#include "frontend/sass/words/word_layout.hpp"
#include "tests/machine_code/interpreter/lane.hpp"
#include "tests/paths.hpp"
#include "tests/reference/command_options.hpp"

namespace warpspan::machine_code {

namespace {

using reference::Random;
using sass::RegisterClass;

constexpr int first_of_new_encoding = 100;

bool same_encoding(int a, int b) { return (a >= first_of_new_encoding) == (b >= first_of_new_encoding); }

bool is_in_pool(const sass::Operand& operand) {
  using sass::OperandKind;
  const bool has_registers = operand.kind == OperandKind::registers;
  if (operand.kind == OperandKind::constant) {
    return operand.bank == 0 && operand.first == sass::no_register && operand.second == sass::no_register &&
           operand.second_count == 0;
  }
  if (!has_registers) return operand.kind == OperandKind::immediate;
  if (operand.first == sass::no_register) return true;
  switch (operand.register_class) {
    case RegisterClass::general: return operand.first + operand.count <= general_pool;
    case RegisterClass::uniform: return operand.first + operand.count <= uniform_pool;
    case RegisterClass::barrier: return false;
    default: return operand.first < 7;
  }
}

}  // namespace

std::vector<Known> known_words() {
  std::vector<Known> words = {
#define SASS_WORD(architecture, high, low, text) {architecture, {low, high}},
#include "tests/frontend/sass/words/words.def"
#undef SASS_WORD
  };
  const std::filesystem::path data = warpspan::test::source_dir() + "/tests/machine_code/data";
  for (const auto& entry : std::filesystem::directory_iterator(data)) {
    if (entry.path().extension() != ".cubin") continue;
    const std::string bytes = warpspan::test::content_of(entry.path());
    const auto cubin = object::read_cubin({"kernels.cubin", bytes});
    for (const object::Function& function : cubin->functions) {
      const auto* code = reinterpret_cast<const uint8_t*>(function.code.data());
      const auto architecture = static_cast<int>(cubin->architecture.number);
      const auto decoded = sass::decode_bytes({code, function.code.size()}, architecture);
      for (const sass::Instruction& each : *decoded) words.push_back({architecture, each.word});
    }
  }
  return words;
}

uint32_t any_number(Random& random) {
  const auto word = static_cast<uint32_t>(random.next());
  switch (random.below(6)) {
    case 0: return random.pick<uint32_t>({0, 1, 2, UINT32_MAX, 0x80000000, 0x7fffffff, 0x80000001, UINT32_MAX - 1});
    case 1: return static_cast<uint32_t>(random.below(70));
    case 2: return 0 - static_cast<uint32_t>(random.below(70));
    default: return word >> random.pick({0, 0, 0, 1, 16, 24});
  }
}

std::vector<std::vector<sass::Word>> words_for(int architecture, const std::vector<Known>& words) {
  std::map<std::string, std::vector<sass::Word>> by_name;
  for (const Known& known : words) {
    if (!same_encoding(known.architecture, architecture)) continue;
    const sass::Instruction decoded = sass::decode_word(known.word, architecture, 0);
    if (!decoded.known() || action_of(decoded.mnemonic()) == nullptr) continue;
    // What floating-point instructions compute is not followed, and opcodes of conversions depend on the sizes.
    const bool moves = decoded.mnemonic().starts_with("HFMA2");
    if (conversion_action(decoded.mnemonic()) != nullptr) continue;
    if (float_action(decoded.mnemonic()) != nullptr && !moves) continue;
    by_name[std::string(decoded.mnemonic())].push_back(known.word);
  }
  std::vector<std::vector<sass::Word>> result;
  for (auto& [name, own] : by_name) result.push_back(std::move(own));
  return result;
}

void InstructionGenerator::put(sass::Word& word, unsigned bit, unsigned bits, uint64_t value) const {
  for (unsigned i = 0; i < bits; ++i) {
    uint64_t& half = bit + i >= 64 ? word.high : word.low;
    const unsigned at = (bit + i) % 64;
    half = (half & ~(uint64_t{1} << at)) | (value >> i & 1) << at;
  }
}

uint64_t InstructionGenerator::any_register() {
  return random_.chance(20) ? uint64_t{sass::no_register} : random_.below(general_pool);
}

// The bit behind the number says not, where there is one.
void InstructionGenerator::put_predicate(sass::Word& word, unsigned bit, bool may_be_negated) {
  put(word, bit, 3, random_.pick<uint64_t>({0, 1, 2, 7, 7}));
  if (may_be_negated) put(word, bit + 3, 1, random_.below(2));
}

sass::Word InstructionGenerator::any_word() { return random_.of(random_.of(words_)); }

sass::Word InstructionGenerator::mutate(sass::Word word) {
  const sass::Opcode* row = sass::find_opcode(word, architecture_);
  const sass::WordLayout layout = sass::layout_of(*row, sass::key_of(word), architecture_);
  const uint64_t form = sass::field(word, 9, 3);
  for (const unsigned bit : {16U, 24U, 64U}) {
    if (random_.chance(90)) put(word, bit, 8, any_register());
  }
  if (form == 4 || form == 2) {
    if (random_.chance(80)) put(word, 32, 32, any_number(random_));
  } else if (form == 5 || form == 3) {
    put(word, 38, 16, random_.of(constants_));
    put(word, 54, 5, 0);
  } else if (random_.chance(90)) {
    put(word, 32, 8, any_register());
  }
  for (const unsigned bit : {62U, 63U, 72U, 73U, 74U, 75U, 76U, 77U, 78U, 79U, 80U}) {
    if (random_.chance(12)) put(word, bit, 1, random_.below(2));
  }
  if (random_.chance(30)) put_predicate(word, 81, false);
  if (random_.chance(20)) put_predicate(word, 84, false);
  if (random_.chance(25)) put_predicate(word, 87, true);
  if (random_.chance(15)) put_predicate(word, 77, true);
  if (random_.chance(15)) put_predicate(word, 68, true);
  put(word, 12, 4, random_.chance(75) ? 7 : random_.pick<uint64_t>({0, 1, 2, 8, 9, 10, 15}));
  return layout.applied_to(word);
}

std::optional<sass::Instruction> InstructionGenerator::accept(const sass::Word& word) const {
  const sass::Instruction decoded = sass::decode_word(word, architecture_, 0);
  if (!decoded.known() || action_of(decoded.mnemonic()) == nullptr) return std::nullopt;
  const auto operands = decoded.operands();
  if (!std::all_of(operands.begin(), operands.end(), is_in_pool)) return std::nullopt;
  return decoded;
}

// What goes on from a predicate that the low half wrote; mostly as ptxas does it.
std::optional<sass::Word> InstructionGenerator::high_half(const sass::Instruction& low) {
  const std::string_view name = low.mnemonic();
  const bool sum = name.ends_with("IADD3") || name == "IADD", shifted = name.ends_with("LEA"),
             compares = name.ends_with("ISETP");
  if (!sum && !shifted && !compares) return std::nullopt;
  const sass::WordLayout layout = sass::layout_of(*low.opcode, sass::key_of(low.word), architecture_);
  sass::Word word = low.word;
  const uint64_t form = sass::field(word, 9, 3);
  uint64_t carry = sass::field(word, sum && random_.chance(30) ? 84 : 81, 3);
  if (random_.chance(5)) carry = random_.below(3);
  for (const unsigned bit : {16U, 24U, 32U, 64U}) {
    const uint64_t reg = sass::field(word, bit, 8);
    const bool number = bit == 32 && form != 1 && form != 6;
    const bool follows = !number && reg < general_pool && random_.chance(80);
    if (follows) put(word, bit, 8, reg + 1);
    if (!number && !follows && random_.chance(30)) put(word, bit, 8, any_register());
  }
  if (form == 5 && random_.chance(80)) put(word, 38, 16, sass::field(word, 38, 16) + 4);
  if (form == 4 && random_.chance(60)) put(word, 32, 32, any_number(random_));
  if (random_.chance(10)) put(word, 12, 4, random_.pick<uint64_t>({0, 1, 7, 9}));
  if (compares) {
    put(word, 72, 1, 1);
    put(word, 73, 1, random_.below(2));
    put(word, 68, 3, carry);
    put(word, 71, 1, random_.chance(5) ? 1 : 0);
    if (random_.chance(30)) put_predicate(word, 81, false);
    if (random_.chance(10)) put(word, 76, 3, random_.below(8));
    return layout.applied_to(word);
  }
  put(word, 74, 1, 1);
  put(word, 81, 6, 63);
  put(word, 87, 3, carry);
  put(word, 90, 1, random_.chance(5) ? 1 : 0);
  if (sum && random_.chance(70)) put(word, 77, 4, 15);  // no second carry
  if (sum && random_.chance(15)) put(word, 77, 4, random_.below(3));
  if (shifted) put(word, 80, 1, random_.chance(95) ? 1 : 0);
  if (shifted && random_.chance(20)) put(word, 73, 1, random_.below(2));
  if (shifted && random_.chance(10)) put(word, 75, 5, random_.below(32));
  if (random_.chance(8)) put(word, random_.pick({63U, 72U, 75U}), 1, random_.below(2));
  return layout.applied_to(word);
}

sass::Instruction InstructionGenerator::next() {
  for (;;) {
    sass::Word word = mutate(any_word());
    const bool continues = before_ && random_.chance(60);
    if (continues) word = high_half(*before_).value_or(word);
    // IMAD.X goes on from sums too.
    const sass::Instruction plain = sass::decode_word(word, architecture_, 0);
    if (plain.mnemonic() == "IMAD" && before_ && random_.chance(70)) {
      put(word, 74, 1, 1);
      put(word, 81, 3, 7);
      put(word, 87, 3, sass::field(before_->word, 81, 3));
      put(word, 90, 1, 0);
      if (random_.chance(70)) put(word, 24, 8, 255);
      if (random_.chance(70) && sass::field(word, 9, 3) == 4) put(word, 32, 32, random_.below(2));
    }
    const auto made = accept(word);
    // Writes all predicates, and then none is known.
    const bool forgets = made && made->mnemonic() == "R2P" && random_.chance(90);
    if (!made || forgets) {
      before_.reset();
      continue;
    }
    // What stands between two halves does no harm, mostly.
    if (!before_ || random_.chance(70)) before_ = *made;
    return *made;
  }
}

sass::Instruction InstructionGenerator::move(RegisterClass register_class, unsigned reg, uint32_t value) const {
  const bool uniform = register_class == RegisterClass::uniform;
  // MOV R0, 0x0; UMOV UR0, 0x0
  sass::Word word =
      uniform ? sass::Word{0x0000000000007882, 0x000fe20000000000} : sass::Word{0x0000000000007802, 0x000fe20000000f00};
  put(word, 16, 8, reg);
  put(word, 32, 32, value);
  return sass::decode_word(word, architecture_, 0);
}

}  // namespace warpspan::machine_code
