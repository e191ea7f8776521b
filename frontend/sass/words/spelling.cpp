// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/words/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "frontend/sass/words/bits.hpp"
#include "frontend/sass/words/opcode_table.hpp"
#include "frontend/sass/words/operand_pattern.hpp"
#include "frontend/sass/words/print.hpp"
#include "support/digits.hpp"

namespace warpspan::sass {
namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string hexadecimal(uint64_t bits) { return "0x" + support::hexadecimal(bits); }

std::string with_sign(int64_t value) {
  return value < 0 ? "-" + hexadecimal(~static_cast<uint64_t>(value) + 1) : hexadecimal(static_cast<uint64_t>(value));
}

std::string decimal(double value) {
  constexpr double long_from = 4294967296.0;
  if (std::isnan(value)) return std::signbit(value) ? "-QNAN" : "+QNAN";
  if (std::isinf(value)) return value < 0 ? "-INF" : "+INF";
  return std::abs(value) >= long_from ? fmt::format("{:.20e}", value) : fmt::format("{:.20g}", value);
}

double half(uint64_t bits) {
  const auto exponent = static_cast<int>(bits >> 10 & 0x1f);
  const auto fraction = static_cast<double>(bits & 0x3ff);
  const double sign = (bits >> 15 & 1) != 0 ? -1 : 1;
  if (exponent == 0x1f) return fraction == 0 ? sign * INFINITY : NAN;
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
}

std::string name_of_register(RegisterClass of, uint8_t number) {
  constexpr std::string_view prefixes[] = {"R", "UR", "P", "UP", "B"};
  constexpr std::string_view fixed[] = {"RZ", "URZ", "PT", "UPT", "BZ"};
  const auto which = static_cast<size_t>(of);
  return number == no_register ? std::string(fixed[which]) : std::string(prefixes[which]) + std::to_string(number);
}

class Speller {
 public:
  Speller(const Instruction& instruction, int architecture)
      : instruction_(instruction), name_(instruction.mnemonic()), architecture_(architecture) {
    base_ = name_.substr(0, name_.find('.'));
  }

  std::string run() {
    add_operands();
    std::string text = guard() + head();
    std::string_view separator = " ";
    for (const std::string& operand : operands_) {
      if (text.ends_with("INF")) text += " ";
      text += separator;
      text += operand;
      separator = base_ == "RET" && operand.starts_with("R") ? " " : ", ";
    }
    return text;
  }

 private:
  std::string guard() const {
    const Guard& guard = instruction_.guard;
    if (guard.always()) return {};
    const RegisterClass of = guard.uniform ? RegisterClass::uniform_predicate : RegisterClass::predicate;
    return (guard.negated ? "@!" : "@") + name_of_register(of, guard.number) + " ";
  }
  bool bit(unsigned number) const {
    return ((number < 64 ? instruction_.word.low >> number : instruction_.word.high >> (number - 64)) & 1) != 0;
  }
  bool is(std::initializer_list<std::string_view> names) const { return is_one_of(base_, names); }
  bool is_high_half() const;
  bool is_float() const {
    return is({"FADD", "FMUL", "FFMA", "FSETP", "FSEL", "FMNMX", "FCHK", "FSET", "MUFU", "F2I", "FRND", "FMNMX3"});
  }
  bool is_double() const { return is({"DADD", "DMUL", "DFMA", "DSETP"}) || is_high_half(); }
  bool shows_all_predicates() const {
    return is({"ISETP", "UISETP", "FSETP",     "DSETP",   "HSETP2", "PLOP3", "UPLOP3", "FMNMX",
               "IMNMX", "SHFL",   "VIMNMX",    "UIMNMX",  "VOTE",   "VOTEU", "SEL",    "FSEL",
               "USEL",  "ELECT",  "VIADDMNMX", "VIMNMX3", "HMNMX2", "HSET2"});
  }

  std::string head() const;
  std::string conversion() const;
  std::string alias() const;
  std::string flags() const;
  std::string rows_of_matrices() const;
  std::string modifiers() const;
  void add_operands();
  bool is_hidden(const Operand& operand, size_t place) const;
  std::string operand_text(const Operand& operand) const;
  std::string address_text(const Operand& operand) const;
  std::string immediate_text(const Operand& operand) const;

  const Instruction& instruction_;
  std::string_view name_, base_;
  int architecture_;
  std::vector<std::string> operands_;
};

std::string modifier_word(const ModifierValue& modifier) {
  std::string_view list = values_of(modifier.modifier);
  if (list.empty()) return {};
  for (unsigned n = modifier.value; n > 0 && !list.empty(); --n)
    list.remove_prefix(std::min(list.find(' '), list.size() - 1) + 1);
  const std::string_view word = list.substr(0, list.find(' '));
  return word == "_" || word.empty() ? "" : "." + std::string(word);
}

// Of elements of 16 bits, 8 by 8; nothing of others, which were not compared.
std::string Speller::rows_of_matrices() const {
  const uint64_t size = field(instruction_.word, 72, 2), kind = field(instruction_.word, 75, 6);
  if (size > 2 || (kind != 0 && kind != 8)) return {};
  const char* counts[] = {"", ".2", ".4"};
  return std::string(kind == 0 ? ".16.M88" : ".16.MT88") + counts[size];
}

// What the tables do not decode because nothing is asked of it.
std::string Speller::flags() const {
  if (is({"FADD", "FMUL", "FFMA"})) return std::string(bit(80) ? ".FTZ" : "") + (bit(77) ? ".SAT" : "");
  if (base_ == "FMNMX") return bit(80) ? ".FTZ" : "";
  if (base_ == "BAR") return bit(80) ? ".DEFER_BLOCKING" : "";
  if (is({"LDSM", "STSM"})) return rows_of_matrices();
  if (base_ == "CALL") return bit(86) ? ".NOINC" : "";
  if (base_ == "RET") return bit(86) ? ".NODEC" : "";
  if (architecture_ < 80 && is({"LD", "LDG", "ST", "STG"})) {
    const auto order = instruction_.modifier(Modifier::ordering).value_or(0);
    return order == 0 || order == 4 ? ".SYS" : "";
  }
  if (is({"BSSY", "BSYNC", "BREAK"})) return bit(72) ? ".RELIABLE" : bit(73) ? ".RECONVERGENT" : "";
  return {};
}

// Names of IMAD for what it is used for.
std::string Speller::alias() const {
  if (name_ != "IMAD" || instruction_.has(Modifier::extended)) return {};
  const auto sources = instruction_.operands().subspan(2);
  const auto is_zero = [](const Operand& o) { return o.is_fixed_register() && !o.is_predicate() && !o.negated; };
  const bool is_uniform =
      sources[2].kind == OperandKind::registers && sources[2].register_class == RegisterClass::uniform;
  if (is_zero(sources[0]) && is_zero(sources[1])) return is_uniform ? "" : ".MOV";
  if (sources[1].kind != OperandKind::immediate) return {};
  if (sources[1].value == 1) return ".IADD";
  const auto factor = static_cast<uint32_t>(sources[1].value);
  return is_zero(sources[2]) && std::has_single_bit(factor) ? ".SHL" : "";
}

std::string Speller::modifiers() const {
  const auto has = [this](Modifier which) { return instruction_.modifier(which).value_or(0) != 0; };
  if (base_ == "MATCH") {
    return std::string(has(Modifier::any) ? ".ANY" : ".ALL") + (has(Modifier::wide) ? ".U64" : "");
  }
  if (base_ == "REDUX") {
    const auto operation = instruction_.modifier(Modifier::reduction);
    const bool is_plain = !operation || *operation == 0;  // .AND
    return (is_plain ? "" : modifier_word({Modifier::reduction, static_cast<uint16_t>(*operation)})) +
           (has(Modifier::is_signed) ? ".S32" : "");
  }
  std::string text;
  for (const ModifierValue& modifier : instruction_.modifiers()) {
    switch (modifier.modifier) {
      case Modifier::size:
        if (modifier.value != 4) text += modifier_word(modifier);
        break;
      case Modifier::shift_amount:
      case Modifier::lut:
      case Modifier::second_lut:
      case Modifier::sector_mask:
      case Modifier::atomic_type: break;
      case Modifier::extended: text += modifier.value == 0 ? "" : is({"ISETP", "UISETP"}) ? ".EX" : ".X"; break;
      case Modifier::barrier_reduction:
        if (instruction_.modifier(Modifier::barrier_operation) == 2) text += modifier_word(modifier);
        break;
      case Modifier::float_comparison:
        text += modifier_word(modifier) + (base_ == "FSETP" && bit(80) ? ".FTZ" : "");
        break;
      case Modifier::absolute: text += modifier.value == 0 ? ".REL" : ".ABS"; break;
      case Modifier::wide:
        text += is({"CS2R", "CS2UR"}) ? (modifier.value == 0 ? ".32" : "") : modifier_word(modifier);
        break;
      case Modifier::packed:
        if (modifier.value != 1) text += modifier_word(modifier);
        break;
      case Modifier::is_signed:
        if (is({"IMAD", "UIMAD"}) && instruction_.has(Modifier::extended)) break;
        text += modifier_word(modifier);
        break;
      default: text += modifier_word(modifier); break;
    }
  }
  return text;
}

// The types that a conversion is from and to, those of 32 bits with a sign left out, and how it rounds.
std::string Speller::conversion() const {
  const auto size_of = [this](Modifier which) { return 8U << instruction_.modifier(which).value_or(2); };
  const unsigned to = size_of(Modifier::destination_size), from = size_of(Modifier::source_size);
  const auto real = [](unsigned bits) { return ".F" + std::to_string(bits); };
  const auto whole = [](unsigned bits, bool has_sign) {
    return has_sign && bits == 32 ? "" : (has_sign ? ".S" : ".U") + std::to_string(bits);
  };
  const std::string ftz = base_ != "I2F" && bit(80) ? ".FTZ" : "";
  const std::string from_real = from == 32 ? "" : real(from);
  const unsigned rounding = instruction_.modifier(Modifier::rounding).value_or(0);
  constexpr std::string_view directions[] = {"", ".FLOOR", ".CEIL", ".TRUNC"};
  const std::string direction(directions[rounding % 4]);
  if (base_ == "F2I") {
    return ftz + whole(to, instruction_.modifier(Modifier::destination_signed) == 1) + from_real + direction +
           (bit(77) ? ".NTZ" : "");
  }
  if (base_ == "FRND") return ftz + from_real + direction;
  constexpr std::string_view modes[] = {"", ".RM", ".RP", ".RZ"};
  const std::string mode(modes[rounding % 4]);
  if (base_ == "F2F") return ftz + real(to) + real(from) + mode;
  return (to == 32 ? "" : real(to)) + whole(from, instruction_.modifier(Modifier::source_signed) == 1) + mode;
}

std::string Speller::head() const {
  std::string text(name_);
  if (base_ == "RED" && architecture_ >= 90) text = "REDG" + text.substr(3);
  if (is({"LD", "LDG", "ST", "STG", "ATOM", "ATOMG", "RED", "LDGSTS"})) {
    const auto is_wide = [](const Operand& o) {
      return o.kind == OperandKind::address && (o.count == 2 || o.descriptor || o.second_count == 2);
    };
    const auto operands = instruction_.operands();
    const size_t dot = text.find('.');
    if (std::any_of(operands.begin(), operands.end(), is_wide)) text.insert(std::min(dot, text.size()), ".E");
  }
  if (is({"F2I", "I2F", "F2F", "FRND"})) return text + conversion();
  if (text == "BMOV") text += ".32";
  if (base_ == "LDS" && architecture_ < 80 && bit(76)) text += ".U";
  if (base_ == "I2FP" || base_ == "UI2FP") {
    return text + ".F32" + (instruction_.modifier(Modifier::source_signed) == 1 ? ".S32" : ".U32") + flags();
  }
  if (is({"LOP3", "ULOP3", "PLOP3", "UPLOP3"})) text += ".LUT";
  return text + alias() + modifiers() + flags();
}

bool Speller::is_hidden(const Operand& operand, size_t place) const {
  if (base_ == "BAR" && operand.kind == OperandKind::immediate && place == 1 && operand.value == 0) return true;
  if (base_ == "BAR" && operand.is_predicate()) return instruction_.modifier(Modifier::barrier_operation) != 2;
  if (!operand.is_fixed_register()) return false;
  if (is({"ISETP", "UISETP"}) && place == 5) return !instruction_.has(Modifier::extended);
  if (base_ == "VIMNMX" && operand.role == Role::written) {
    return architecture_ < 100 || instruction_.modifier(Modifier::packed) != 1;
  }
  const bool is_high = instruction_.has(Modifier::high);
  if (is({"LEA", "ULEA"}) && !operand.is_predicate())
    return place == 4 && (!is_high || instruction_.has(Modifier::sign_extend));
  if (!operand.is_predicate()) return false;
  if (base_ == "MATCH") return instruction_.has(Modifier::any);
  if (shows_all_predicates()) return false;
  const bool is_written = operand.role == Role::written;
  if (is({"IADD3", "UIADD3"})) {
    return is_written ? architecture_ < 100 : !instruction_.has(Modifier::extended);
  }
  if (is({"LOP3", "ULOP3"})) return is_written;
  return true;
}

// Whether it is the upper half of a double.
bool Speller::is_high_half() const {
  const auto function = instruction_.modifier(Modifier::function);
  return base_ == "MUFU" && (function == 6 || function == 7);
}

std::string Speller::immediate_text(const Operand& operand) const {
  if (is_float() && !is_high_half()) return decimal(std::bit_cast<float>(static_cast<uint32_t>(operand.value)));
  const auto low = static_cast<uint32_t>(operand.value);
  if (is_double()) return decimal(std::bit_cast<double>(uint64_t{low} << 32));
  if (is({"HFMA2", "HADD2", "HMUL2"})) return decimal(half(low >> 16)) + ", " + decimal(half(low & 0xffff));
  const bool is_signed = is({"IADD3", "UIADD3", "IMAD", "UIMAD", "IADD"}) || is({"ISETP", "UISETP"}) ||
                         (base_ == "IMNMX" && instruction_.has(Modifier::is_signed));
  if (is_signed) return with_sign(static_cast<int32_t>(low));
  return hexadecimal(name_.find("64") != name_.npos ? static_cast<uint64_t>(operand.value) : low);
}

std::string Speller::address_text(const Operand& operand) const {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : "+") + part; };
  if (operand.first != no_register) {
    add(name_of_register(RegisterClass::general, operand.first));
    if (operand.count == 2 && operand.second != no_register) text += ".64";
    if (operand.count == 1 && operand.second_count == 2 && !operand.descriptor) text += ".U32";
    if (operand.scale > 1) text += ".X" + std::to_string(operand.scale);
  }
  if (operand.second != no_register && !operand.descriptor) {
    add(name_of_register(RegisterClass::uniform, operand.second));
  }
  if (operand.value != 0) add(with_sign(operand.value));
  if (text.empty()) text = "RZ";
  const bool is_described = operand.descriptor && operand.second != no_register && architecture_ >= 90;
  return (is_described ? "desc[" + name_of_register(RegisterClass::uniform, operand.second) + "]" : "") + "[" + text +
         "]";
}

std::string Speller::operand_text(const Operand& operand) const {
  std::string text;
  switch (operand.kind) {
    case OperandKind::registers:
      text = name_of_register(operand.register_class, operand.first);
      if (operand.is_predicate()) return (operand.negated ? "!" : "") + text;
      break;
    case OperandKind::constant: {
      std::string place;
      const auto add = [&place](const std::string& part) { place += (place.empty() ? "" : "+") + part; };
      if (operand.first != no_register) add(name_of_register(RegisterClass::general, operand.first));
      if (operand.second != no_register) add(name_of_register(RegisterClass::uniform, operand.second));
      if (operand.value != 0) add(with_sign(operand.value));
      text = "c[" + hexadecimal(operand.bank) + "][" + (place.empty() ? "RZ" : place) + "]";
      if (place.empty() && base_ == "LDCU") text = "c[" + hexadecimal(operand.bank) + "][URZ]";
      if (place.empty() && base_ != "LDC" && base_ != "LDCU") text = "c[" + hexadecimal(operand.bank) + "][0x0]";
      break;
    }
    case OperandKind::special_register:
      return operand.value == 255 ? "SRZ" : "SR_" + special_register_name(operand.value);
    case OperandKind::address: return address_text(operand);
    case OperandKind::immediate: text = immediate_text(operand); break;
    case OperandKind::label: return hexadecimal(static_cast<uint64_t>(operand.value));
  }
  if (operand.absolute) text = "|" + text + "|";
  if (is({"HFMA2", "HADD2", "HMUL2"}) && &operand == &instruction_.operands()[1] && bit(72)) return "-" + text;
  return (operand.negated ? "-" : operand.inverted ? "~" : "") + text;
}

void Speller::add_operands() {
  const auto operands = instruction_.operands();
  for (size_t i = 0; i < operands.size(); ++i) {
    if (base_ == "P2R" && i == 1 && operands[i].is_predicate()) {
      operands_.emplace_back("PR");
    } else if (base_ == "DEPBAR") {
      if (i < 2) operands_.push_back(i == 0 ? "SB" + std::to_string(operands[i].value) : operand_text(operands[i]));
    } else if (!is_hidden(operands[i], i)) {
      operands_.push_back(operand_text(operands[i]));
    }
  }
  // Numbers that are operands in the text: before the predicate of LOP3 and of a LEA with a carry, else behind all.
  const auto insert = [this](Modifier which, bool before_last) {
    const auto value = instruction_.modifier(which);
    if (value) operands_.insert(operands_.end() - (before_last ? 1 : 0), hexadecimal(*value));
  };
  if (is({"LOP3", "ULOP3"})) insert(Modifier::lut, true);
  if (is({"PLOP3", "UPLOP3"})) {
    insert(Modifier::lut, false);
    insert(Modifier::second_lut, false);
  }
  if (is({"LEA", "ULEA"})) insert(Modifier::shift_amount, instruction_.has(Modifier::extended));
  constexpr unsigned all_words = 0xff;
  if (instruction_.modifier(Modifier::sector_mask).value_or(all_words) != all_words)
    insert(Modifier::sector_mask, false);
}

}  // namespace

std::string spelled(const Instruction& instruction, int architecture) {
  return instruction.known() ? Speller(instruction, architecture).run() : to_string(instruction);
}

}  // namespace warpspan::sass
