// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan completion: what makes a shell complete command lines.
#include <memory>

#include "app/cli/completions.hpp"
#include "app/cli/option_values.hpp"
#include "support/nearest.hpp"

namespace warpspan::app {

namespace {

constexpr const char* footer =
    "Examples:\n"
    "  warpspan completion bash --output warpspan.bash\n"
    "  warpspan completion zsh --output _warpspan\n"
    "  warpspan completion fish --output warpspan.fish\n";

Run declare(OptionSet& set, AllCommands all) {
  const auto shell = std::make_shared<std::string>();
  const auto output = std::make_shared<std::string>();
  set.positional("SHELL", "bash, zsh or fish", [&set, to = shell.get()](const std::vector<std::string>& words) {
    const std::string help = "the shells are " + support::enumeration(shells());
    if (words.size() != 1) return set.usage(words.empty() ? "no shell is given" : "give one shell at a time", help);
    const auto known = parse_name(shells(), "SHELL", words.front());
    if (!known) return set.usage("no completions for '" + words.front() + "'", help);
    *to = *known;
  });
  set.text("--output", "FILE", "Write it to this file; default: standard output", *output);
  return [shell, output, all] { return Outcome{completions(*shell, described(all())), {}, *output}; };
}

}  // namespace

Command completion_command(AllCommands all) {
  return {"completion", "Print what makes a shell complete command lines", footer,
          [all](OptionSet& set) { return declare(set, all); }};
}

}  // namespace warpspan::app
