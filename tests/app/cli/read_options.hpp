// SPDX-License-Identifier: GPL-3.0-or-later
// Reads words with a command that has the options under test and no others.
#pragma once

#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <vector>

#include "app/cli/command_line.hpp"

namespace warpspan::test {

// "message | help" of each error, one per line.
template <typename T>
std::string text_of_errors(const support::Result<T>& result) {
  if (result) return "no error";
  std::string text;
  for (const support::Diagnostic& error : result.errors()) {
    CHECK(error.cause == support::Cause::usage);
    text += error.message + (error.help.empty() ? "" : " | " + error.help) + "\n";
  }
  return text;
}

inline support::Result<app::Run> parse(const std::vector<app::Command>& commands,
                                       const std::vector<const char*>& words) {
  return app::parse_command_line(commands, {words.begin(), words.end()});
}

// What is wrong with the words as options of a command.
inline std::string read_options(std::vector<const char*> words, const std::function<void(app::OptionSet&)>& declare) {
  words.insert(words.begin(), "command");
  const auto run = [] { return app::Outcome{}; };
  const app::Command command = {"command", "For tests", "", [&](app::OptionSet& options) {
                                  declare(options);
                                  return app::Run(run);
                                }};
  return text_of_errors(parse({command}, std::move(words)));
}

}  // namespace warpspan::test
