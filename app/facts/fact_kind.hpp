// SPDX-License-Identifier: GPL-3.0-or-later
// One kind of user fact: how it is given as an option, as a key of budgets and tasks and in a file of facts, what is
// checked of it, and what reports say of it. Each source of this folder with a function NAME_fact() is one; FactKind is
// all that the rest of the program knows of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/facts/facts_table.hpp"
#include "app/facts/read_file.hpp"
#include "app/reports/json.hpp"
#include "frontend/frontend.hpp"
#include "ir/kernel_code.hpp"
#include "ir/launch.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

// A fact as it was given.
struct GivenFact {
  std::string name;  // which errors begin with: "--block", "'block'"
  std::string text;  // its value
  ir::Origin origin;
};

struct FactKind {
  // How it is given: once, the last one counts; by itself; or once for each of what it names, as NAME=VALUE.
  enum class Form : uint8_t { value, flag, pairs };
  // The commands that have the option: all that take a launch; those that place blocks on a multiprocessor; those that
  // bound on a machine.
  enum class Group : uint8_t { launch, block_needs, machine };
  // What it is about. Assumptions are listed in this order.
  enum class Subject : uint8_t { launch, values, memory, loops, calls };
  // What its key in a file of budgets or tasks has: an integer, integers, a text...
  enum class Key : uint8_t { truth, pairs, integer, integers_or_text, integer_or_text, number_or_text };

  ir::UserFact fact;
  Subject subject = Subject::launch;

  // As an option.
  const char* option;  // "--block"
  const char* value;   // "X[,Y[,Z]]"; of a flag ""
  const char* help;    // one sentence
  Form form = Form::value;
  Group group = Group::launch;
  // Whether reports with and without it cannot be compared. What a kernel's report tells by itself is compared there.
  bool is_compared = true;

  // As a key of files.
  std::string_view key;  // "block"
  Key key_form = Key::pairs;

  // Reads its value into the launch; the errors in it.
  support::Diagnostics (*read)(const GivenFact& given, ir::Launch& launch) = nullptr;
  // What a pair that was read names, as "n" of "n=100"; to name it twice is an error.
  std::string (*named_by)(const std::string& text) = nullptr;

  // What a file of facts has of it: reads that table into the launch.
  void (*read_table)(FactsTable& table, ir::Launch& launch) = nullptr;
  // Writes it, with what is to be filled in for the kernel; empty where there is nothing.
  std::string (*write_table)(const ir::KernelCode& code, const ir::Launch& given) = nullptr;
  // Adds the keys of 'warpspan facts --format json'.
  void (*write_json)(const ir::KernelCode& code, const ir::Launch& given, Json& kernel) = nullptr;

  // Checks the facts of a launch against all files that were read with it.
  void (*check)(const ir::Launch& launch, const ReadFiles& files) = nullptr;
  // What a bound of the kernel rests on because of it, in sentences.
  std::vector<std::string> (*assumptions)(const frontend::AnalyzedKernel& analyzed) = nullptr;
};

// All kinds, in the order of ir::UserFact.
const std::vector<FactKind>& fact_kinds();
const FactKind& kind_of(ir::UserFact fact);

// The fact of "NAME=VALUE" up to the first, or last, sign: FactKind::named_by.
std::string before_first_sign(const std::string& text);
std::string before_last_sign(const std::string& text);

// Such an error: "--block: expected X[,Y[,Z]] with numbers from 1, got '0'".
support::Diagnostic expected(const std::string& name, const std::string& what, std::string_view got);

// A fact that the check refuses: at its place in a file, or with its option before the message.
template <typename Fact>
support::Diagnostic about(const Fact& fact, const std::string& message, std::string help) {
  support::Diagnostic error = support::usage_error(message, std::move(help));
  if (fact.origin.is_file()) {
    error.location = fact.origin.location;
    error.source_line = fact.origin.line;
  } else {
    error.message = fact.origin.giver + ": " + message;
  }
  return error;
}

}  // namespace warpspan::app
