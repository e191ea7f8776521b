// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/nearest.hpp"

#include <catch2/catch.hpp>

using namespace warpspan::support;

TEST_CASE("the distance of two words") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("exact", "exact") == 0);
  CHECK(edit_distance("exact", "exakt") == 1);
  CHECK(edit_distance("exact", "xact") == 1);
  CHECK(edit_distance("xact", "exact") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("ab", "ba") == 2);
}

TEST_CASE("the nearest word, if one is near") {
  CHECK(nearest("exakt", {"list", "exact", "ilp"}) == "exact");
  CHECK(nearest("certifikat", {"list", "certificate"}) == "certificate");
  CHECK(nearest("warp", {"sigma", "wasp", "warps"}) == "wasp");  // the first of those that are as near
  CHECK(nearest("ab", {"cd", "a"}) == "a");
  CHECK(nearest("ab", {"cd"}).empty());
  CHECK(nearest("abc", {"acb"}).empty());
  CHECK(nearest("abc", {"acb"}, 2) == "acb");
  CHECK(nearest("X", {"L", "C"}).empty());
  CHECK(nearest("", {"L"}).empty());
  CHECK(nearest("anything", {}).empty());
  CHECK(nearest(std::string(1'000'000, 'x'), {"exact"}).empty());
}

TEST_CASE("lists of words") {
  CHECK(alternatives({}).empty());
  CHECK(alternatives({"a"}) == "a");
  CHECK(alternatives({"a", "b"}) == "a or b");
  CHECK(alternatives({"a", "b", "c"}) == "a, b or c");
  CHECK(enumeration({"a", "b", "c"}) == "a, b and c");
}
