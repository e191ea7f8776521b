// SPDX-License-Identifier: GPL-3.0-or-later
// Every command that samples/README.md recommends does what it says, for the sample of each compiler.
#include <catch2/catch.hpp>

#include "tests/app/run_program.hpp"
#include "tests/app/sample_options.hpp"

TEST_CASE("the commands of the samples' table all give a bound") {
  const auto commands = warpspan::test::sample_commands();
  size_t analyzed = 0;
  for (const auto& command : commands) {
    for (const std::string& file : command.files) {
      std::vector<std::string> options = command.options;
      options.insert(options.begin(), {"analyze", file, "--model", "all", "--time-limit", "0"});
      const auto run = warpspan::test::run_warpspan(options);
      INFO(file << "\n" << run.err);
      CHECK(run.status == 0);
      CHECK(run.out.find("\n  at most ") != std::string::npos);
      ++analyzed;
    }
  }
  CHECK(commands.size() >= 20);
  CHECK(analyzed >= 40);
}
