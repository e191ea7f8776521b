// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/llvm_ir/flags.hpp"

#include <catch2/catch.hpp>

using namespace warpspan;
using namespace warpspan::llvm_ir;

TEST_CASE("flags of LLVM IR are read, the last of a kind counts") {
  const auto none = parse_flags({});
  REQUIRE(none);
  CHECK_FALSE(none->level);
  CHECK(none->target.empty());
  const auto all = parse_flags({"-O1", "-mcpu=sm_70", "-mattr=+ptx75", "-O3", "-mcpu=sm_90a"});
  REQUIRE(all);
  CHECK(all->level == 3);
  CHECK(all->target == "sm_90a");
  CHECK(all->ptx_version == "ptx75");
}

TEST_CASE("whatever else stands there is refused with the flags there are") {
  for (const char* word : {"-O4", "-O", "-Os", "-O33", "O3", "-mcpu=", "-mcpu=sm_", "-mcpu=gfx900", "-mcpu=sm_8x0",
                           "-mcpu=sm_80 ", "-mattr=ptx75", "-mattr=-ptx75", "-mattr=+ptx", "-mattr=+sm_80",
                           "-ffast-math", "", "-march=nvptx64", "-mcpu=SM_80"}) {
    INFO(word);
    const auto flags = parse_flags({"-O1", word});
    REQUIRE_FALSE(flags);
    CHECK(flags.errors().front().message == std::string("{flags}: LLVM IR is not compiled with '") + word + "'");
    CHECK(flags.errors().front().cause == support::Cause::usage);
    CHECK(flags.errors().front().help.find("-mcpu=sm_80") != std::string::npos);
  }
}
