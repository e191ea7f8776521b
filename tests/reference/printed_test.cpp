// SPDX-License-Identifier: GPL-3.0-or-later
// Random kernels are the same when they are printed and read again.
#include <catch2/catch.hpp>

#include "frontend/ptx/syntax/parser.hpp"
#include "tests/frontend/ptx/compare_modules.hpp"
#include "tests/reference/generators/families.hpp"

using namespace warpspan;

TEST_CASE("reference: random kernels of all families are the same when they are printed and read again") {
  for (const reference::Family& family : reference::families()) {
    for (uint64_t seed = 0; seed < 250; ++seed) {
      const std::string text = family.make(seed).text;
      const auto module = ptx::parse(std::make_shared<const support::SourceFile>("random.ptx", text));
      INFO(family.name << ", seed " << seed << "\n" << text);
      REQUIRE(module.ok());
      CHECK(test::changed_by_printing(*module) == "");
    }
  }
}
