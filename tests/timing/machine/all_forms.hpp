// SPDX-License-Identifier: GPL-3.0-or-later
// The operations of instruction words that the opcode tables allow, for tests of every form.
#pragma once

#include <functional>
#include <string>

#include "frontend/ptx/forms/form.hpp"
#include "frontend/ptx/forms/opcode_table.hpp"

namespace warpspan::timing {

// Visits each opcode with up to two types and up to one modifier besides a state space, for accesses also besides a
// scope, an operation or a vector, where the tables know the word; and the words that the tests of the tables have.
inline void for_each_form(const std::function<void(const ir::Operation& operation)>& visit) {
  ptx::FormTable forms;
  const auto add = [&](const std::string& word) {
    const ptx::Form* form = forms.find(word);
    if (form == nullptr) return;
    visit(form->operation);
    if (form->operation.key.opcode != "mov") return;
    ir::Operation read = form->operation;  // of a special register
    read.kind = ir::OperationKind::special_register;
    visit(read);
  };
  for (const ptx::OpcodeRow* row : ptx::opcode_rows()) {
    std::vector<std::string_view> spaces = {""};
    for (const std::string_view space : {"global", "shared", "local", "param", "const"}) {
      if (row->rule.choice == ptx::Rule::Choice::by_space && ptx::most_of(*row, space) > 0) spaces.push_back(space);
    }
    std::vector<std::string> words;
    std::vector<std::string> begins;
    for (const std::string_view space : spaces) {
      begins.push_back(std::string(row->opcode.name) + (space.empty() ? "" : "." + std::string(space)));
      if (row->rule.choice != ptx::Rule::Choice::by_space) continue;
      const std::string plain = begins.back();
      for (const char* beside : {".gpu", ".add", ".add.v2"}) begins.push_back(plain + beside);
    }
    for (const std::string& begin : begins) {
      words.push_back(begin);
      for (const std::string_view modifier : ptx::modifiers_of(*row)) {
        if (modifier == "m#n#k#") words.push_back(begin + ".m8n8k4");
        if (modifier.find('#') == std::string_view::npos) words.push_back(begin + "." + std::string(modifier));
      }
    }
    for (const std::string& word : words) {
      add(word);
      for (const std::string_view type : ptx::type_names()) {
        if (type.empty()) continue;
        const std::string typed = word + "." + std::string(type);
        add(typed);
        if (ptx::types_needed(row->rule) != 2) continue;
        for (const std::string_view other : ptx::type_names()) {
          if (!other.empty()) add(typed + "." + std::string(other));
        }
      }
    }
  }
#define WORD(text, kind, space, bytes) add(text);
#include "tests/frontend/ptx/forms/form_words.def"
#undef WORD
}

}  // namespace warpspan::timing
