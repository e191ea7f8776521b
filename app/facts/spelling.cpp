// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/facts/spelling.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "app/facts/fact_kind.hpp"
#include "support/nearest.hpp"

namespace warpspan::app {

namespace {

// What can be given: as others mention it, as an option, and as a key of files; without a key "".
struct Spelling {
  std::string mention;
  std::string_view option, key;
};

// In the order in which keys are listed.
const std::vector<Spelling>& spellings() {
  static const std::vector<Spelling> all = [] {
    std::vector<Spelling> made;
    for (const FactKind& kind : fact_kinds()) made.push_back({ir::mention(kind.fact), kind.option, kind.key});
    for (const Spelling& other : {Spelling{"{machine}", "--machine", "machine"},
                                  {"{assume}", "--assume", "assume"},
                                  {"{arch}", "--arch", "arch"},
                                  {"{flags}", "--flags", "flags"},
                                  {"{assemble}", "--assemble", "assemble"},
                                  {"{ptx}", "--ptx", ""},
                                  {"{machine_code}", "--machine-code", ""},
                                  {"{unknown_opcodes}", "--unknown-opcodes", ""}}) {
      made.push_back(other);
    }
    return made;
  }();
  return all;
}

void replace_all(std::string& text, const std::string& what, std::string_view by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

void spell_loops(std::vector<ir::Loop>& loops) {
  for (ir::Loop& loop : loops) {
    loop.obstacle = spelled(std::move(loop.obstacle));
    for (auto* remedies : {&loop.remedies, &loop.array_remedies}) {
      for (std::string& remedy : *remedies) remedy = spelled(std::move(remedy));
    }
  }
}

}  // namespace

std::string spelled(std::string text) {
  if (text.find('{') == std::string::npos) return text;
  for (const Spelling& one : spellings()) replace_all(text, one.mention, one.option);
  return text;
}

support::Diagnostics spelled(support::Diagnostics errors) {
  for (support::Diagnostic& error : errors) {
    for (const Spelling& one : spellings()) {
      if (error.help.find(one.mention) != std::string::npos) error.mentions.push_back(one.mention);
    }
    error.message = spelled(std::move(error.message));
    error.help = spelled(std::move(error.help));
  }
  return errors;
}

void spell(frontend::Reading& reading) {
  reading.errors = spelled(std::move(reading.errors));
  for (frontend::FailedKernel& kernel : reading.failed) kernel.errors = spelled(std::move(kernel.errors));
  for (frontend::AnalyzedKernel& kernel : reading.kernels) {
    for (std::string& assumption : kernel.assumptions) assumption = spelled(std::move(assumption));
    spell_loops(kernel.flow.loops);
  }
  for (ir::KernelCode& code : reading.codes) {
    if (code.loops) spell_loops(*code.loops);
  }
}

void name_keys(support::Diagnostic& error, const support::Location& at) {
  error = spelled(support::Diagnostics{error}).front();
  std::vector<std::string> keys;
  for (const Spelling& known : spellings()) {
    const bool is_mentioned =
        std::find(error.mentions.begin(), error.mentions.end(), known.mention) != error.mentions.end();
    if (is_mentioned && !known.key.empty()) keys.push_back("'" + std::string(known.key) + "'");
  }
  if (keys.empty()) return;
  error.help += "; in " + at.file + ":" + std::to_string(at.line) +
                (keys.size() == 1 ? " that is the key " : " those are the keys ") + support::enumeration(keys);
}

}  // namespace warpspan::app
