// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/app.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command_line.hpp"
#include "app/cli/output.hpp"
#include "app/cli/response_file.hpp"
#include "app/command_table.hpp"
#include "app/facts/spelling.hpp"
#include "app/reports/diagnostics.hpp"
#include "app/reports/errors_document.hpp"
#include "app/reports/exit_status.hpp"
#include "support/isolated.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

namespace {

using Words = std::vector<std::string>;

constexpr support::OutOfMemory out_of_memory = {
    "raise --memory",
    "error: out of memory for the second time; nothing is reported\n  help: raise --memory, or give --kernel\n",
    static_cast<int>(ExitStatus::not_bounded)};

// What has to be heeded even where something else on the command line is wrong.
void heed_colour(const Words& words) {
  const auto text = value_in(words, "--color");
  const auto colour = parse_colour("--color", text.value_or("auto"));
  if (colour) choose_colour(*colour);
}

Outcome without_report(support::Diagnostics errors) { return {{}, std::move(errors), {}}; }

// The one that the words begin with, or nothing.
std::optional<Command> command_of(const Words& words) {
  const std::vector<Command> commands = all_commands();
  const auto named = [&words](const Command& command) { return !words.empty() && command.name == words.front(); };
  const auto command = std::find_if(commands.begin(), commands.end(), named);
  return command == commands.end() ? std::nullopt : std::optional(*command);
}

Outcome outcome_without_run(const Words& words, const support::Diagnostics& errors) {
  const auto command = command_of(words);
  if (command && command->abandon) command->abandon(words);
  return without_report(errors);
}

Outcome outcome_of(const support::Result<Words>& words, const Words& given) {
  if (!words) return outcome_without_run(given, words.errors());
  const auto run = parse_command_line(all_commands(), *words);
  if (!run) return outcome_without_run(*words, run.errors());
  support::Diagnostic failure;
  try {
    return (*run)();
  } catch (const std::bad_alloc&) {
    failure.message = "out of memory; nothing is reported";
    failure.help = "raise --memory, or give --kernel";
  } catch (const std::exception& error) {
    failure = support::internal_error(std::string("internal error: ") + error.what());
  }
  return without_report({failure});
}

// The value of --output; "-" where it was read, or another word names the same file, which would perhaps be read.
std::string output_beside_inputs(const Words& words) {
  const std::string output = value_in(words, "--output").value_or("-");
  const auto is_output = [&output](const std::string& name) {
    std::error_code none;  // both must be there
    return std::filesystem::equivalent(name, output, none);
  };
  const auto uses = std::count_if(words.begin(), words.end(), [&](const std::string& word) {
    const size_t sign = word.rfind('=');
    return is_output(word) || (sign != std::string::npos && is_output(word.substr(sign + 1)));
  });
  return uses > 1 || support::was_read(output) ? "-" : output;
}

// A program that asked for JSON reads why there is no report.
void add_document(Outcome& outcome, const Words& words) {
  if (!outcome.report.empty() || !has_error(outcome.errors) || value_in(words, "--format") != "json") return;
  const auto command = command_of(words);
  const bool has_own = command && command->json_of_errors;
  outcome.report = has_own ? command->json_of_errors(outcome.errors) : errors_document(outcome.errors);
  if (outcome.path.empty()) outcome.path = output_beside_inputs(words);
}

}  // namespace

int run(int argc, const char* const* argv) {
  support::when_out_of_memory(out_of_memory);
  const Words given(argv + std::min(argc, 1), argv + argc);
  const auto words = with_response_files(given);
  const Words& known = words ? *words : given;
  heed_colour(known);
  Outcome outcome = outcome_of(words, given);
  outcome.errors = spelled(std::move(outcome.errors));
  refuse_overwriting(outcome);
  add_document(outcome, known);
  return static_cast<int>(deliver(std::move(outcome)));
}

}  // namespace warpspan::app
