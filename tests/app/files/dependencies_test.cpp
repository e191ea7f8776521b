// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/dependencies.hpp"

#include <catch2/catch.hpp>

using namespace warpspan;
using namespace warpspan::app;

TEST_CASE("a rule escapes what make and ninja would read as something else") {
  CHECK(dependency_rule("stamp", {}) == "stamp:\n");
  CHECK(dependency_rule("out dir/stamp", {"a.ptx", "b c.ptx", "d#$e:f.ptx"}) ==
        "out\\ dir/stamp: \\\n  a.ptx \\\n  b\\ c.ptx \\\n  d\\#$$e\\:f.ptx\n");
}
