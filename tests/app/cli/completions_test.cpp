// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/completions.hpp"

#include <catch2/catch.hpp>
#include <memory>

#include "app/cli/man_page.hpp"
#include "app/cli/option_values.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

Command command(const std::string& name, const std::string& shades) {
  const auto declare = [shades](OptionSet& set) {
    const auto text = std::make_shared<std::string>();
    set.text("--shade", shades, "How it is drawn: as others do", *text);
    set.text("--facts", "FILE", "What's known", *text);
    set.text("--arg", "NAME=VALUE", "Value", *text);
    set.positional("FILE", ".ptx, or '-'", [](const std::vector<std::string>&) {});
    return Run([text] { return Outcome{}; });
  };
  return {name, "Does " + name, "Examples:\n  warpspan " + name + " \\\n", declare};
}

std::vector<DescribedCommand> two() { return described({command("draw", "dark|light"), command("paint", "red|blue")}); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a command is described with its options, and those of every command") {
  const auto commands = two();
  REQUIRE(commands.size() == 2);
  std::vector<std::string> names;
  for (const Option& option : commands.front().options) names.push_back(option.name);
  CHECK(names == std::vector<std::string>{"--shade", "--facts", "--arg", "FILE", "--color"});
  CHECK(choices(commands.front().options[0]) == std::vector<std::string>{"dark", "light"});
  CHECK(choices(commands.front().options[2]).empty());
  CHECK(takes_file(commands.front().options[1]));
  CHECK_FALSE(takes_file(commands.front().options[2]));
  CHECK(choices({Option::Kind::value, "--machine", "NAME|FILE", "", {}}).empty());
}

TEST_CASE("bash has one pattern for an option that is the same everywhere, one for each command where it is not") {
  const std::string text = completions("bash", two());
  CHECK(has(text, "*' --arg')"));
  CHECK(has(text, "'draw --shade')\n      COMPREPLY=($(compgen -W 'dark light'"));
  CHECK(has(text, "'paint --shade')"));
  CHECK(has(text, "draw) words='--help --shade --facts --arg --color' ;;"));
}

TEST_CASE("zsh and fish get what ends a word out of their words") {
  const std::string zsh = completions("zsh", two()), fish = completions("fish", two());
  CHECK(has(zsh, "'--shade=[How it is drawn]:dark|light:(dark light)'"));
  CHECK(has(zsh, "'--facts=[Whats known]:FILE:_files'"));
  CHECK(has(fish, "-l shade -x -a 'dark light' -d 'How it is drawn'"));
  CHECK(has(fish, "-l facts -r -F -d 'Whats known'"));
}

TEST_CASE("the manual page has no request of troff that is text") {
  const std::string page = man_page(two());
  CHECK(has(page, ".SS draw\n"));
  CHECK(has(page, "\n\\&.ptx, or '\\-'.\n"));
  CHECK(has(page, "warpspan draw \\e\n"));
  CHECK(has(page, ".SH EXIT STATUS\n"));
}
