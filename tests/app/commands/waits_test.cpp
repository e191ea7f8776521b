// SPDX-License-Identifier: GPL-3.0-or-later
// How long threads wait in a loop, told on the command line, in budgets and in files of facts: of code that nvcc made.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.hpp"
#include "tests/paths.hpp"

namespace {

using Json = nlohmann::json;
using namespace warpspan::test;
using Words = std::vector<std::string>;

const std::string file = "tests/corpus/ptx/debug.nvcc-sm_80.ptx";
const std::string loop = "$L__BB5_2";

ProgramRun run(const Words& more) {
  Words words = {"analyze", file, "--kernel", "nap", "--block", "1", "--grid", "1"};
  words.insert(words.end(), more.begin(), more.end());
  return run_warpspan(words);
}

Json kernel_of(Words more) {
  more.insert(more.end(), {"--explain", "--format", "json", "--time-limit", "0"});
  const ProgramRun ran = run(more);
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  return Json::parse(ran.out).at("kernels").at(0);
}

int64_t makespan(const Json& kernel) { return kernel.at("bounds").at(0).at("makespan"); }

bool assumes(const Json& kernel, const std::string& sentence) {
  const Json& all = kernel.at("bounds").at(0).at("assumptions");
  return std::find(all.begin(), all.end(), sentence) != all.end();
}

}  // namespace

TEST_CASE("a loop that waits is refused, with the option to paste") {
  const ProgramRun refused = run({});
  CHECK(refused.status == 3);
  CHECK(contains(refused.err, "help: give the longest time that a thread waits in it each time (--wait '" + loop +
                                  "=2us'), or give its bound"));
}

TEST_CASE("the time of a wait, in an option, in a file of facts and in a budget, bounds the kernel") {
  const TemporaryFolder folder;
  const Json option = kernel_of({"--wait", loop + "=2us"});
  CHECK(
      assumes(option, "No thread is in the loop at '" + loop +
                          "' (line 407) for longer than 2000 ns each time it is entered, whatever else runs meanwhile "
                          "(--wait)."));
  CHECK(makespan(kernel_of({"--wait", "line:407=2.0 us"})) == makespan(option));
  // 1410 cycles of 1410 MHz are 1 us.
  CHECK(makespan(kernel_of({"--wait", loop + "=3us"})) == makespan(option) + 1410);

  const std::string facts = folder.file("facts.toml");
  write_file(facts, "[[kernel]]\nname = \"nap\"\n[[kernel.loop]]\nat = \"" + loop + "\"\nwait = \"2 us\"\n");
  CHECK(makespan(kernel_of({"--facts", facts})) == makespan(option));

  const std::string budgets = folder.file("budgets.toml");
  const auto check = [&](const std::string& most) {
    write_file(budgets, "[[budget]]\nfile = \"" + warpspan::test::source_dir() + "/" + file +
                            "\"\nkernel = \"nap\"\nblock = 1\ngrid = 1\nwaits = { \"" + loop +
                            "\" = \"2 us\" }\nmax = \"" + most + " cycles\"\n");
    const ProgramRun checked = run_warpspan({"check", "--budgets", budgets});
    INFO(checked.out << checked.err);
    return checked.status;
  };
  CHECK(check(std::to_string(makespan(option))) == 0);
  CHECK(check(std::to_string(makespan(option) - 1)) == 1);
}

TEST_CASE("times of waits that are none are refused") {
  const auto error = [](const Words& words) { return run(words).err; };
  for (const std::string text : {"=2", "=0us", "", "=-1us", "=2 turns"}) {
    CHECK(contains(error({"--wait", loop + text}),
                   "--wait: expected PLACE=TIME with a time such as 2us, 1.5ms or 500ns, got '" + loop + text + "'"));
    CHECK(contains(error({"--wait", loop + text}), "--wait 'kernel.cu:42 from kernel.cu:9=2us'"));
  }
  CHECK(contains(error({"--wait", loop + "=1us", "--wait", loop + "=2us"}), "--wait " + loop + ": given twice"));
  CHECK(contains(error({"--wait", "$L__BB5_9=2us"}),
                 "--wait '$L__BB5_9=2000ns' names no loop\n  help: did you mean '" + loop + "'?"));
}
