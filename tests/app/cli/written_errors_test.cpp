// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/written_errors.hpp"

#include <catch2/catch.hpp>

using namespace warpspan;
using namespace warpspan::app;

namespace {

support::Diagnostic error(const std::string& message, int64_t line, const std::string& help = "give --block") {
  support::Diagnostic one;
  one.location = {"k.ptx", line, 3};
  one.message = message;
  one.help = help;
  return one;
}

std::string block_of(const std::string& kernel) { return "the block of kernel " + kernel + " is not known"; }

}  // namespace

TEST_CASE("errors that say the same of several kernels are one, with all places") {
  CHECK(written({error(block_of("'a'"), 4), error(block_of("'b'"), 9), error(block_of("'c<1>' (_Z1cILi1EEvv)"), 12)},
                false) ==
        "k.ptx:4:3: error: the block of kernel 'a' is not known\n"
        "  help: give --block\n"
        "  the same: k.ptx:9 'b', k.ptx:12 'c<1>' (_Z1cILi1EEvv)\n");
}

TEST_CASE("errors of other causes stay apart") {
  const auto count = [](const support::Diagnostics& errors) {
    const std::string text = written(errors, false);
    size_t found = 0;
    for (size_t at = 0; (at = text.find("error: ", at)) != std::string::npos; ++at) ++found;
    return found;
  };
  CHECK(count({error(block_of("'a'"), 4), error(block_of("'b'"), 9, "give another")}) == 2);
  CHECK(count({error("unknown opcode 'a'", 4), error("unknown opcode 'b'", 9)}) == 2);
  CHECK(count({error("unknown opcode 'a'", 4), error("unknown opcode 'a'", 9)}) == 2);  // of no kernel
  support::Diagnostic warning = error(block_of("'b'"), 9);
  warning.severity = support::Severity::warning;
  CHECK(count({error(block_of("'a'"), 4), warning}) == 1);
  CHECK(written({}, false).empty());
  CHECK(count({error("kernel 'a", 1), error("kernel 'a (_Z", 2), error("kernel '' (_Z", 3)}) == 3);
}

TEST_CASE("of many places the first are told, and nothing acts on a terminal") {
  support::Diagnostics errors;
  for (int64_t line = 1; line <= 20; ++line)
    errors.push_back(error(block_of("'k" + std::to_string(line) + "\033'"), line));
  const std::string text = written(errors, false);
  CHECK(text.find("'k9\\x1b' and 11 more\n") != std::string::npos);
  CHECK(text.find('\033') == std::string::npos);
}
