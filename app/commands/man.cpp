// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan man: the manual page.
#include <memory>

#include "app/cli/man_page.hpp"

namespace warpspan::app {

namespace {

constexpr const char* footer =
    "Examples:\n"
    "  warpspan man --output warpspan.1\n";

Run declare(OptionSet& set, AllCommands all) {
  const auto output = std::make_shared<std::string>();
  set.text("--output", "FILE", "Write it to this file; default: standard output", *output);
  return [output, all] { return Outcome{man_page(described(all())), {}, *output}; };
}

}  // namespace

Command man_command(AllCommands all) {
  return {"man", "Print the manual page", footer, [all](OptionSet& set) { return declare(set, all); }};
}

}  // namespace warpspan::app
