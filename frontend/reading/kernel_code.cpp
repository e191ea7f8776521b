// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/reading/kernel_code.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "frontend/ptx/calls/call_graph.hpp"
#include "frontend/ptx/syntax/lexer.hpp"
#include "frontend/reading/given_calls.hpp"
#include "frontend/reading/loop_places.hpp"
#include "support/sha256.hpp"

namespace warpspan::frontend {

namespace {

// The entry and what it can call, directly or not, by where they stand in the module; without a body too.
std::vector<uint32_t> reachable_functions(const ptx::Module& module, uint32_t entry) {
  std::vector<uint32_t> found = {entry};
  std::set<uint32_t> known = {entry};
  for (size_t i = 0; i < found.size(); ++i) {
    const ptx::Function& function = module.functions[found[i]];
    for (const ptx::Instruction& instruction : function.instructions) {
      if (!ptx::is_call(instruction)) continue;
      const uint32_t callee = ptx::called_function(function, instruction);
      if (callee != ptx::none && known.insert(callee).second) found.push_back(callee);
    }
  }
  return found;
}

// The words of a function's text without line tables, one a line.
class Words {
 public:
  explicit Words(std::string_view text) : source_("", std::string(text)), lexer_(source_) { advance(); }

  std::string all() {
    std::string words;
    while (token_.kind != ptx::Token::Kind::end) {
      if (token_.is(".loc")) {
        skip_location();
      } else {
        words.append(token_.text).push_back('\n');
        advance();
      }
    }
    return words;
  }

 private:
  void advance() { token_ = lexer_.next(); }

  void skip_numbers(int count) {
    for (int i = 0; i < count && token_.kind == ptx::Token::Kind::integer; ++i) advance();
  }

  // .loc FILE LINE COLUMN {, function_name LABEL{+OFFSET}, inlined_at FILE LINE COLUMN}
  void skip_location() {
    advance();
    skip_numbers(3);
    while (token_.is(',')) {
      advance();
      const bool is_inlined = token_.text == "inlined_at";
      advance();
      if (is_inlined) {
        skip_numbers(3);
        continue;
      }
      advance();
      if (!token_.is('+')) continue;
      advance();
      skip_numbers(1);
    }
  }

  support::SourceFile source_;
  ptx::Lexer lexer_;
  ptx::Token token_;
};

// Declarations of variables outside of functions, each as its words from the space on, ".const ... ;": what code reads
// from constants and tables decides on its loops.
class Declarations {
 public:
  explicit Declarations(const ptx::Module& module) {
    const std::string_view text = module.source->text();
    size_t begin = 0;
    for (const ptx::Function& function : module.functions) {
      if (function.offset > begin) read(text.substr(begin, function.offset - begin));
      begin = std::max<size_t>(begin, function.end_offset + 1);
    }
    if (begin < text.size()) read(text.substr(begin));
  }

  // Those that have a word in common with the code, or with one of these, in their order.
  std::string used_by(const std::string& code) const {
    std::set<std::string_view> known = lines_of(code);
    std::vector<bool> is_used(all_.size(), false);
    for (bool is_new = true; is_new;) {
      is_new = false;
      for (size_t i = 0; i < all_.size(); ++i) {
        const auto is_known = [&known](std::string_view name) { return known.contains(name); };
        if (is_used[i] || std::none_of(all_[i].names.begin(), all_[i].names.end(), is_known)) continue;
        known.insert(all_[i].names.begin(), all_[i].names.end());
        is_used[i] = is_new = true;
      }
    }
    std::string used;
    for (size_t i = 0; i < all_.size(); ++i) used += is_used[i] ? all_[i].words : "";
    return used;
  }

 private:
  struct Declaration {
    std::string words;
    std::vector<std::string> names;
  };

  static std::set<std::string_view> lines_of(const std::string& words) {
    std::set<std::string_view> lines;
    for (size_t begin = 0, end = 0; (end = words.find('\n', begin)) != std::string::npos; begin = end + 1) {
      lines.insert(std::string_view(words).substr(begin, end - begin));
    }
    return lines;
  }

  void read(std::string_view text) {
    const support::SourceFile source("", std::string(text));
    ptx::Lexer lexer(source);
    Declaration one;
    for (ptx::Token token = lexer.next(); token.kind != ptx::Token::Kind::end; token = lexer.next()) {
      const bool begins = token.is(".const") || token.is(".global") || token.is(".shared") || token.is(".local");
      if (begins) one = {};
      if (begins || !one.words.empty()) one.words.append(token.text).push_back('\n');
      if (token.kind == ptx::Token::Kind::identifier) one.names.emplace_back(token.text);
      if (!token.is(';')) continue;
      if (!one.words.empty()) all_.push_back(std::move(one));
      one = {};
    }
  }

  std::vector<Declaration> all_;
};

void add_calls(const ptx::Module& module, const ptx::Function& function, std::vector<std::string>& calls) {
  for (const ptx::Instruction& instruction : function.instructions) {
    if (!ptx::is_call(instruction)) continue;
    const uint32_t callee = ptx::called_function(function, instruction);
    if (callee == ptx::none || !module.functions[callee].has_body) continue;
    const CallPlace place = place_of_call(module, function, instruction.offset, instruction.position);
    calls.push_back(place.source_line == 0 ? "" : ir::source_place(place.source_file, place.source_line));
  }
}

ir::KernelParameter parameter_of(const ptx::Variable& variable) {
  ir::KernelParameter parameter;
  const int bits = ptx::bits(variable.type);
  const int64_t element = std::max(bits, 8) / 8;
  parameter.name = variable.name;
  parameter.type = ptx::to_string(variable.type);
  parameter.bytes = variable.bytes;
  const bool is_one = variable.bytes == element;
  if (!is_one) parameter.type += "[" + std::to_string(variable.bytes / element) + "]";
  parameter.is_integer = is_one && ptx::is_integer(variable.type);
  return parameter;
}

}  // namespace

ir::KernelCode code_of(const ptx::Module& module, const ptx::Function& entry, const ir::Launch& launch,
                       bool with_fingerprint) {
  ir::KernelCode code;
  code.name = entry.name;
  code.location = module.source->locate(entry.offset);
  for (const ptx::Parameter& parameter : entry.parameters) {
    code.parameters.push_back(parameter_of(module.variables[parameter.variable]));
  }
  const auto is_entry = [&entry](const ptx::Function& function) { return &function == &entry; };
  const auto first = std::find_if(module.functions.begin(), module.functions.end(), is_entry);
  std::string words;
  for (const uint32_t index : reachable_functions(module, static_cast<uint32_t>(first - module.functions.begin()))) {
    const ptx::Function& function = module.functions[index];
    code.instructions += static_cast<int64_t>(function.instructions.size());
    if (!function.has_body && !ptx::is_failed_assertion(function)) code.external_functions.emplace_back(function.name);
    add_calls(module, function, code.calls);
    if (!with_fingerprint || !function.has_body) continue;
    const std::string_view text = module.source->text();
    words += Words(text.substr(function.offset, function.end_offset + 1 - function.offset)).all();
  }
  const auto depths = depths_of(module, launch);
  for (const auto& [function, lacks] : ptx::recursive_functions(module, entry, depths ? *depths : ptx::Depths())) {
    code.recursive_functions.push_back({std::string(module.functions[function].name), lacks});
  }
  if (with_fingerprint) code.sha256 = support::sha256(words + Declarations(module).used_by(words));
  return code;
}

}  // namespace warpspan::frontend
