// SPDX-License-Identifier: GPL-3.0-or-later
// The first kernel of the JSON report of analyze.
#pragma once

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/app/run_program.hpp"

namespace warpspan::test {

using Json = nlohmann::ordered_json;

inline Json kernel_of(std::vector<std::string> words) {
  words.insert(words.begin(), "analyze");
  words.insert(words.end(), {"--explain", "--format", "json"});
  const ProgramRun run = run_warpspan(words);
  INFO(run.err);
  REQUIRE(run.status == 0);
  return Json::parse(run.out).at("kernels").at(0);
}

inline int64_t cycles_of(const Json& kernel) { return kernel.at("bounds").at(0).at("makespan"); }

}  // namespace warpspan::test
