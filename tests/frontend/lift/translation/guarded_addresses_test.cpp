// SPDX-License-Identifier: GPL-3.0-or-later
// Addresses of accesses under the guard by which they were selected.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;
using test::transactions_of;

namespace {

std::string guarded_load(const std::string& guard_of_address, const std::string& guard_of_load) {
  return "ld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\nld.global.u64 %d2, [%d1];\nld.global.u32 %r3, [%d1];\n"
         "setp.ne.u32 %p1, %r3, 0;\nsetp.ne.u32 %p2, %r3, 1;\n" +
         guard_of_address + " mad.wide.u32 %d2, %r1, 4, %d1;\nadd.s64 %d3, %d2, 128;\n" + guard_of_load +
         " ld.global.u32 %r2, [%d3];\nret;";
}

}  // namespace

TEST_CASE("an address is what it was selected to be where the guard holds") {
  CHECK(transactions_of(guarded_load("@%p1", "@%p1"), block_of(32)).back() == 2);
  CHECK(transactions_of(guarded_load("@!%p1", "@!%p1"), block_of(32)).back() == 2);
}

TEST_CASE("of another guard, which all lanes have or none, both addresses are looked at") {
  // Where the address is not written, it is one for all lanes, read from memory.
  CHECK(transactions_of(guarded_load("@%p1", "@%p2"), block_of(32)).back() == 2);
  CHECK(transactions_of(guarded_load("@%p1", "@!%p1"), block_of(32)).back() == 1);
}

TEST_CASE("of another guard, which some lanes may have, nothing is known") {
  std::string text = guarded_load("@%p1", "@%p2");
  const std::string of_all = "ld.global.u32 %r3, [%d1];";
  text.replace(text.find(of_all), of_all.size(), "mad.wide.u32 %d4, %r1, 4, %d1;\nld.global.u32 %r3, [%d4];");
  CHECK(transactions_of(text, block_of(32)).back() > 2);
}
