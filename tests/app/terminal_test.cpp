// SPDX-License-Identifier: GPL-3.0-or-later
// How the program looks: on terminals of some width, in files, with colours or without.
#include <catch2/catch.hpp>
#include <sstream>

#include "tests/app/run_program.hpp"

namespace {

using warpspan::test::contains;
using warpspan::test::ProgramRun;
using warpspan::test::read_file;
using warpspan::test::run_on_terminal;
using warpspan::test::run_warpspan;
using warpspan::test::TemporaryFolder;
using warpspan::test::write_file;

const std::string bad = "tests/samples/bad/";
const std::string copy_ptx = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry copy() { ret; }\n";

}  // namespace

TEST_CASE("terminal codes are for terminals, unless NO_COLOR is set") {
  const TemporaryFolder folder;
  write_file(folder.file("copy.ptx"), copy_ptx);
  const std::vector<std::string> arguments = {"analyze", "--block", "32", bad + "unknown_opcode.ptx",
                                              folder.file("copy.ptx")};
  const std::string kernel = "\033[1mkernel copy\033[0m";
  const std::string error = "\033[1;31merror:\033[0m unknown opcode";

  const ProgramRun coloured = run_on_terminal(arguments, {.environment = {"NO_COLOR=", "TERM=xterm"}});
  INFO(coloured.out);
  CHECK(coloured.status == 3);
  CHECK(contains(coloured.out, kernel));
  CHECK(contains(coloured.out, error));
  const auto with = [&arguments](const char* colour) {
    std::vector<std::string> words = arguments;
    words.insert(words.end(), {"--color", colour});
    return words;
  };
  const auto check_plain = [](const ProgramRun& plain) {
    CHECK(plain.status == 3);
    CHECK(contains(plain.out, "kernel copy"));
    CHECK_FALSE(contains(plain.out + plain.err, "\033"));
  };
  check_plain(run_on_terminal(arguments, {.environment = {"NO_COLOR=1", "TERM=xterm"}}));
  check_plain(run_on_terminal(arguments, {.environment = {"NO_COLOR=", "TERM=dumb"}}));
  check_plain(run_on_terminal(with("never"), {.environment = {"NO_COLOR=", "TERM=xterm"}}));
  check_plain(run_warpspan(with("auto")));
  const ProgramRun always = run_warpspan(with("always"), {.environment = {"NO_COLOR=1", "TERM=dumb"}});
  CHECK(contains(always.out, kernel));
  CHECK(contains(always.err, error));
  // Also what is wrong with the command line itself.
  CHECK(run_warpspan({"analyze", "--color=always", "--blok"}).err.rfind("\033[1;31merror:\033[0m unknown", 0) == 0);

  const ProgramRun piped = run_warpspan(arguments, {.environment = {"NO_COLOR="}});
  CHECK(piped.status == 3);
  CHECK(contains(piped.out, "kernel copy"));
  CHECK(contains(piped.err, "error: unknown opcode"));
  CHECK_FALSE(contains(piped.out + piped.err, "\033"));

  std::vector<std::string> to_file = arguments;
  to_file.insert(to_file.end(), {"--output", folder.file("report.txt")});
  run_on_terminal(to_file, {.environment = {"NO_COLOR="}});
  CHECK(contains(read_file(folder.file("report.txt")), "kernel copy"));
  CHECK_FALSE(contains(read_file(folder.file("report.txt")), "\033"));
}

TEST_CASE("lines are as wide as the terminal, within limits, and as usual where there is none") {
  const std::vector<std::string> arguments = {"analyze", "samples/saxpy.ptx", "--block", "256",  "--grid", "4", "--arg",
                                              "3=4096",  "--explain",         "--color", "never"};
  // The longest line of the assumptions, which are cut at blanks only.
  const auto widest = [](const std::string& text) {
    std::istringstream lines(text.substr(text.find("\n  assumptions")));
    size_t most = 0;
    for (std::string line; std::getline(lines, line);)
      most = std::max(most, line.size() - (line.ends_with('\r') ? 1 : 0));
    return most;
  };
  const auto check = [&](const ProgramRun& run, size_t width) {
    CHECK(run.status == 0);
    CHECK(widest(run.out) <= width);
    CHECK(widest(run.out) > width - 12);
  };
  check(run_on_terminal(arguments, {}, 80), 80);
  check(run_on_terminal(arguments, {.environment = {"COLUMNS=110"}}, 80), 80);
  check(run_on_terminal(arguments, {.environment = {"COLUMNS=110"}}), 110);
  check(run_on_terminal(arguments, {}, 20), 80);
  check(run_on_terminal(arguments, {}, 300), 120);
  check(run_on_terminal(arguments), 100);
  check(run_warpspan(arguments), 100);
  check(run_warpspan(arguments, {.environment = {"COLUMNS=90"}}), 90);
  check(run_warpspan(arguments, {.environment = {"COLUMNS=70"}}), 80);
  for (const char* no_width : {"COLUMNS=", "COLUMNS=x", "COLUMNS=-5", "COLUMNS=80x"}) {
    check(run_warpspan(arguments, {.environment = {no_width}}), 100);
  }
  // A file is not on the terminal.
  const TemporaryFolder folder;
  std::vector<std::string> to_file = arguments;
  to_file.insert(to_file.end(), {"--output", folder.file("report.txt")});
  CHECK(run_on_terminal(to_file, {}, 80).status == 0);
  CHECK(read_file(folder.file("report.txt")) == run_warpspan(arguments).out);
}

TEST_CASE("hints can be pasted into a shell") {
  const ProgramRun run = run_warpspan({"analyze", "--block", "32", "samples/search.ptx"});
  CHECK(run.status == 3);
  CHECK(contains(run.err, "--loop-bound '$L__BB0_4=N'"));
}
