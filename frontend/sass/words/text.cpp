// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/words/text.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "support/digits.hpp"

namespace warpspan::sass {
namespace {

constexpr std::string_view advice = "print encodings: nvdisasm -c -hex FILE, or cuobjdump -sass FILE";
constexpr uint64_t largest_function = uint64_t{1} << 32;

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// "/* 0x0123456789abcdef */" anywhere in the line; nvdisasm -plr writes its table behind it.
std::optional<uint64_t> encoding_of(std::string_view line) {
  const size_t begin = line.find("/* 0x");
  if (begin == std::string_view::npos) return std::nullopt;
  line.remove_prefix(begin + 5);
  return support::parse_digits<uint64_t>(line.substr(0, line.find(' ')), 16);
}

// "/*00a0*/" at the beginning of the line: the offset of an instruction.
std::optional<uint64_t> offset_of(std::string_view line) {
  if (!line.starts_with("/*")) return std::nullopt;
  const size_t end = line.find("*/");
  if (end == std::string_view::npos || line.substr(2, 1) == " ") return std::nullopt;
  return support::parse_digits<uint64_t>(line.substr(2, end - 2), 16);
}

// 80 of "sm_80", "sm_80a", "sm_80f"; nothing else.
std::optional<int> architecture_of(std::string_view word) {
  if (!word.starts_with("sm_")) return std::nullopt;
  word.remove_prefix(3);
  int number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || number < 10 || number > 998) return std::nullopt;
  const std::string_view suffix(end, static_cast<size_t>(word.data() + word.size() - end));
  return suffix.empty() || suffix == "a" || suffix == "f" ? std::optional(number) : std::nullopt;
}

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  void line(std::string_view text) {
    ++line_;
    const std::string_view table = text.substr(0, text.find("//"));
    const std::string_view line = trimmed(table);
    if (line.empty()) return;
    if (waiting_) return second_half(line);
    if (const auto offset = offset_of(line)) return instruction(*offset, line);
    if (open_ && line.starts_with("/* 0x")) return without_text(line);
    if (line.starts_with(".target")) return set_architecture(trimmed(line.substr(7)));
    if (line.starts_with(".headerflags")) return header_flags(line);
    if (line.starts_with("code for ")) return set_architecture(trimmed(line.substr(9)));
    if (line.starts_with("arch = ")) return set_architecture(trimmed(line.substr(7)));
    if (line.starts_with("Function : ")) return begin(trimmed(line.substr(11)));
    if (line.starts_with(".section\t") || line.starts_with(".section ")) return section(trimmed(line.substr(8)));
    if (text.front() != ' ' && text.front() != '\t' && line.back() == ':')
      labels_[std::string(line.substr(0, line.size() - 1))] = next_offset_;
  }

  support::Result<std::vector<FunctionText>> result() {
    finish();
    if (errors_.empty() && functions_.empty()) error("no machine code of a function", std::string(advice));
    if (!errors_.empty()) return errors_;
    return std::move(functions_);
  }

 private:
  struct Indirect {
    uint64_t offset;
    std::vector<std::string> labels;
    int64_t line;
  };

  void error(std::string message, std::string help = {}) { error_at(line_, std::move(message), std::move(help)); }

  void error_at(int64_t line, std::string message, std::string help = {}) {
    if (errors_.size() >= 20) return;
    support::Diagnostic diagnostic;
    diagnostic.location = {file_, line, 0};
    diagnostic.message = std::move(message);
    diagnostic.help = std::move(help);
    errors_.push_back(std::move(diagnostic));
  }

  void set_architecture(std::string_view word) {
    if (const auto number = architecture_of(word.substr(0, word.find_first_of(" \t,")))) architecture_ = *number;
  }

  // .headerflags @"... EF_CUDA_SM80 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM80)": of cubins that the compilers before 13.0 wrote.
  void header_flags(std::string_view line) {
    constexpr std::string_view prefix = "EF_CUDA_SM";
    const size_t begin = line.find(prefix);
    if (begin == std::string_view::npos) return;
    const std::string_view rest = line.substr(begin + prefix.size());
    set_architecture("sm_" + std::string(rest.substr(0, rest.find_first_not_of("0123456789"))));
  }

  // A section .text.NAME begins a function, any other ends it.
  void section(std::string_view text) {
    const std::string_view name = text.substr(0, text.find_first_of(", \t"));
    if (name.starts_with(".text."))
      begin(name.substr(6));
    else
      finish();
  }

  void begin(std::string_view name) {
    finish();
    open_ = true;
    function_ = {};
    function_.name = std::string(name);
    function_.architecture = architecture_;
    function_.line = line_;
    if (architecture_ == 0)
      error("the architecture of function " + function_.name + " is not known",
            "expected a line .target sm_80 or code for sm_80 before it");
  }

  void instruction(uint64_t offset, std::string_view line) {
    if (!open_) return error("an instruction outside of a function");
    const auto encoding = encoding_of(line);
    if (!encoding) return without_encoding();
    if (offset != next_offset_ || offset > largest_function)
      return error("an instruction at an unexpected offset: not 16 bytes behind the one before it");
    low_ = *encoding;
    waiting_ = true;
    next_offset_ += word_bytes;
    indirect(offset, line);
  }

  // An instruction that the disassembler does not know: an encoding alone.
  void without_text(std::string_view line) {
    const auto encoding = encoding_of(line);
    if (!encoding) return error("an encoding that is no hexadecimal number of 64 bits");
    low_ = *encoding;
    waiting_ = true;
    next_offset_ += word_bytes;
  }

  void without_encoding() {
    if (!reported_)
      error("an instruction without its encoding, so without stall counts and scoreboards", std::string(advice));
    reported_ = true;
  }

  void second_half(std::string_view line) {
    waiting_ = false;
    const auto encoding = encoding_of(line);
    if (!encoding || offset_of(line))
      return error("the upper 64 bits of an instruction are missing", std::string(advice));
    function_.words.push_back({low_, *encoding});
  }

  // (*"BRANCH_TARGETS .L_x_1,.L_x_2"*)
  void indirect(uint64_t offset, std::string_view line) {
    constexpr std::string_view mark = "BRANCH_TARGETS ";
    const size_t at = line.find(mark);
    if (at == std::string_view::npos) return;
    std::string_view list = line.substr(at + mark.size());
    list = list.substr(0, list.find('"'));
    Indirect branch{offset, {}, line_};
    while (!list.empty()) {
      const size_t end = std::min(list.find(','), list.size());
      branch.labels.emplace_back(trimmed(list.substr(0, end)));
      list.remove_prefix(std::min(end + 1, list.size()));
    }
    indirect_.push_back(std::move(branch));
  }

  void finish() {
    if (waiting_) error("the upper 64 bits of the last instruction are missing", std::string(advice));
    waiting_ = false;
    if (open_ && !function_.words.empty()) {
      resolve();
      functions_.push_back(std::move(function_));
    }
    open_ = false;
    function_ = {};
    labels_.clear();
    indirect_.clear();
    next_offset_ = 0;
  }

  void resolve() {
    for (const Indirect& branch : indirect_) {
      IndirectTargets found{branch.offset, {}};
      for (const std::string& name : branch.labels) {
        const auto label = labels_.find(name);
        if (label == labels_.end())
          error_at(branch.line, "a target of an indirect branch is no label of the function: " + name);
        else
          found.targets.push_back(label->second);
      }
      std::sort(found.targets.begin(), found.targets.end());
      found.targets.erase(std::unique(found.targets.begin(), found.targets.end()), found.targets.end());
      function_.indirect_targets.push_back(std::move(found));
    }
  }

  const std::string& file_;
  int64_t line_ = 0;
  int architecture_ = 0;
  bool open_ = false;
  bool waiting_ = false;  // for the second line of an instruction
  bool reported_ = false;
  uint64_t low_ = 0;
  uint64_t next_offset_ = 0;
  FunctionText function_;
  std::map<std::string, uint64_t, std::less<>> labels_;
  std::vector<Indirect> indirect_;
  std::vector<FunctionText> functions_;
  support::Diagnostics errors_;
};

}  // namespace

bool is_disassembly(std::string_view text) {
  return text.find("Function : ") != std::string_view::npos ||
         text.find("\t.section\t.text.") != std::string_view::npos ||
         text.find(".section .text.") != std::string_view::npos;
}

support::Result<std::vector<FunctionText>> read_disassembly(std::string_view text, const std::string& file) {
  Reader reader(file);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    reader.line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.result();
}

}  // namespace warpspan::sass
