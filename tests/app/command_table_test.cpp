// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of the program: what every one has to have, and what each says of wrong words.
#include "app/command_table.hpp"

#include <set>
#include <sstream>

#include "tests/app/cli/read_options.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

std::string errors_of(const std::vector<const char*>& words) {
  return test::text_of_errors(test::parse(all_commands(), words));
}

// "a 'b c'" is "a" and "b c".
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

// The commands after "warpspan" in the examples of a footer.
std::vector<std::string> examples_of(const std::string& footer) {
  std::vector<std::string> examples;
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);) {
    const size_t begin = line.find("warpspan ");
    if (line.rfind("  ", 0) == 0 && begin != std::string::npos) examples.push_back(line.substr(begin + 9));
  }
  return examples;
}

}  // namespace

TEST_CASE("every command has a name of its own, a help and options with one") {
  std::set<std::string> names;
  for (const Command& command : all_commands()) {
    INFO(command.name);
    CHECK(names.insert(command.name).second);
    CHECK_FALSE(command.help.empty());
    OptionSet options;
    const Run run = command.declare(options);
    CHECK(run != nullptr);
    for (const Option& option : options.options()) {
      INFO(option.name);
      CHECK_FALSE(option.help.empty());
      CHECK(option.value.empty() == (option.kind != Option::Kind::value));
    }
  }
}

TEST_CASE("every command has examples, which it reads") {
  for (const Command& command : all_commands()) {
    INFO(command.footer);
    const std::vector<std::string> examples = examples_of(command.footer);
    CHECK_FALSE(examples.empty());
    bool own = false;
    for (const std::string& example : examples) {
      INFO(example);
      std::vector<const char*> words;
      const std::vector<std::string> all = words_of(example);
      for (const std::string& word : all) words.push_back(word.c_str());
      CHECK(errors_of(words) == "no error");
      own = own || all.front() == command.name;
    }
    CHECK(own);
  }
}

TEST_CASE("no line of a help is longer than 120 characters") {
  for (const Command& command : all_commands()) {
    const auto run = test::parse(all_commands(), {command.name.c_str(), "--help"});
    REQUIRE(run);
    std::istringstream lines((*run)().report.str());
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(line.size() <= 120);
    }
  }
}

TEST_CASE("a command has its own options only") {
  CHECK(errors_of({"string", "a.ptx", "--block", "32", "--format", "json", "--arg", "n=1"}) == "no error");
  CHECK(errors_of({"string", "a.ptx", "--machine", "fermi"}) ==
        "unknown option '--machine' | see 'warpspan string --help'\n");
  CHECK(errors_of({"analyze", "a.ptx", "--warps", "4"}) ==
        "unknown option '--warps' | see 'warpspan analyze --help'\n");
}

TEST_CASE("what is given once or not at all is told") {
  CHECK(errors_of({"machines"}) == "no error");
  CHECK(errors_of({"machines", "fermi"}) == "no error");
  CHECK(errors_of({"machines", "fermi", "volta"}) == "give one machine at a time\n");
  CHECK(errors_of({"machines", "fermi", "--format", "toml"}) == "no error");
  CHECK(errors_of({"machines", "fermi", "--check"}) == "no error");
  CHECK(errors_of({"machines", "--check"}) == "no machine is given | give a machine's name or file\n");
  CHECK(errors_of({"machines", "fermi", "--check", "--format", "json"}) ==
        "--check is text only | leave out --format, and give --output a name without the ending of a format\n");
  CHECK(errors_of({"verify", "c.json", "--warps", "600"}) == "no error");
  CHECK(errors_of({"verify", "a.json", "b.json"}).rfind("give one certificate at a time | ", 0) == 0);
  CHECK(errors_of({"verify", "a.json", "--warps", "0"}) == "--warps: expected a number of warps from 1, got '0'\n");
  CHECK(errors_of({"solve", "p.toml", "--lp", "p.lp", "--certificate", "c.json", "--output", "report.json", "--format",
                   "json"}) == "no error");
  CHECK(errors_of({"solve", "--string", "X", "--string", "C", "--warps", "2"}) == "no error");
  CHECK(errors_of({"solve", "p.toml", "--certificate", ""}) == "--certificate: expected a value, got an empty one\n");
  CHECK(errors_of({"solve", "p.toml", "--format", "xml"}) ==
        "--format: expected text, json, html, csv or svg, got 'xml'\n");
  CHECK(errors_of({"solve", "p.toml", "--report", "html=p.html", "--certificate", "p.html"}) ==
        "--report: something else goes to 'p.html' too | give the report a file of its own\n");
}
