// SPDX-License-Identifier: GPL-3.0-or-later
// The report of the library is that of the program with the same options, byte for byte.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "include/warpspan/warpspan.hpp"
#include "tests/app/run_program.hpp"

namespace {

using namespace warpspan;

std::string of_program(std::vector<std::string> words) {
  if (words.front() == "analyze") words.emplace_back("--explain");  // the library tells all
  words.insert(words.end(), {"--format", "json"});
  return test::run_warpspan(words).out;
}

}  // namespace

TEST_CASE("library: its JSON is that of the program") {
  const std::string root = test::source_dir();

  Request saxpy;
  saxpy.inputs = {{root + "/samples/saxpy.ptx"}};
  saxpy.block = {256};
  saxpy.grid = {4};
  saxpy.arguments = {{"3", "100000"}};
  saxpy.machine = "A100";
  saxpy.assume = {"usual", "no-spills"};
  saxpy.registers = 32;
  CHECK(bound(saxpy).json() == of_program({"analyze", saxpy.inputs[0].path, "--block=256", "--grid=4", "--arg=3=100000",
                                           "--machine=A100", "--assume=usual,no-spills", "--registers=32"}));

  Request code;
  code.inputs = {{root + "/tests/frontend/object/data/kernels.sm_80.cubin"}};
  code.block = {64, 2};
  code.grid = {2};
  code.simulate = Effort::never;
  CHECK(bound(code).json() ==
        of_program({"analyze", code.inputs[0].path, "--block=64,2", "--grid=2", "--simulate=never"}));

  Request refused;
  refused.inputs = {{root + "/samples/search.ptx"}};
  refused.block = {128};
  CHECK(bound(refused).json() == of_program({"analyze", refused.inputs[0].path, "--block=128"}));
  CHECK(needs(refused).json() == of_program({"facts", refused.inputs[0].path, "--block=128"}));
  CHECK(needs(refused).toml() == test::run_warpspan({"facts", refused.inputs[0].path, "--block=128"}).out);
}

TEST_CASE("library: its text is that of the program") {
  Request request;
  request.inputs = {{test::source_dir() + "/samples/saxpy.ptx"}};
  request.block = {256};
  CHECK(bound(request).text() == test::run_warpspan({"analyze", request.inputs[0].path, "--block=256"}).out);
}
