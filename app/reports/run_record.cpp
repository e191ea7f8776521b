// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/run_record.hpp"

#include <algorithm>

#include "support/sha256.hpp"
#include "support/shell_quote.hpp"

namespace warpspan::app {

namespace {

template <typename T>
void add_once(std::vector<T>& all, const T& one) {
  // From the end: the kernels of a file come one after the other.
  if (std::find(all.rbegin(), all.rend(), one) == all.rend()) all.push_back(one);
}

}  // namespace

void RunRecord::add_input(const std::string& file, const std::string& bytes) {
  add_once(inputs, {file, support::sha256(bytes)});
}

void RunRecord::add_machine(const std::string& name, const std::string& toml) {
  add_once(machines, {name, support::sha256(toml)});
}

void RunRecord::add_assembler(const AssemblerRun& assembler) { add_once(assemblers, assembler); }

void RunRecord::add(const RunRecord& part) {
  for (const Hashed& input : part.inputs) add_once(inputs, input);
  for (const Hashed& machine : part.machines) add_once(machines, machine);
  for (const AssemblerRun& assembler : part.assemblers) add_once(assemblers, assembler);
}

std::string command_line(const RunRecord& run) {
  std::string text = "warpspan " + support::shell_quoted(run.command);
  for (const std::string& word : run.arguments) text += " " + support::shell_quoted(word);
  return text;
}

std::string program_version() { return WARPSPAN_VERSION; }

}  // namespace warpspan::app
