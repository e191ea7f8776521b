// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/described_command.hpp"

#include <algorithm>
#include <utility>

namespace warpspan::app {

Run declare_options(const Command& command, OptionSet& options, Colour& colour) {
  Run run = command.declare(options);
  options.value("--color", "auto|always|never", "Colours of reports and errors; default: auto", parse_colour, colour);
  options.not_deciding("--color");
  return run;
}

std::vector<DescribedCommand> described(const std::vector<Command>& commands) {
  std::vector<DescribedCommand> all;
  for (const Command& command : commands) {
    OptionSet options;
    Colour colour = Colour::automatic;
    declare_options(command, options, colour);
    all.push_back({command.name, command.help, command.footer, std::move(options.options())});
  }
  return all;
}

std::vector<std::string> choices(const Option& option) {
  const auto is_of_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '|';
  };
  if (option.value.find('|') == std::string::npos) return {};
  if (!std::all_of(option.value.begin(), option.value.end(), is_of_word)) return {};
  std::vector<std::string> words(1);
  for (const char c : option.value) {
    if (c == '|') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

bool takes_file(const Option& option) {
  if (option.kind == Option::Kind::positional) return true;  // or a name, which is completed as nothing else
  return option.value.find("FILE") != std::string::npos || option.value == "DIR";
}

}  // namespace warpspan::app
