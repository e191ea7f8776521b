// SPDX-License-Identifier: GPL-3.0-or-later
#include "ir/path_record.hpp"

#include <catch2/catch.hpp>

using namespace warpspan;
using namespace warpspan::ir;

namespace {

using Node = PathRecord::Node;

int64_t times(const PathRecord& record, Node end, Node node, size_t measure = 0) {
  return record.times(end, measure)[node].value().value();
}

}  // namespace

TEST_CASE("a sum has each of its terms so often as they say, terms of terms too") {
  PathRecord record;
  const Node a = record.leaf(), b = record.leaf();
  const Node once = record.sum({{a, 1}, {b, 3}});
  const Node loop = record.sum({{once, 10}, {b, 1}});
  CHECK(times(record, loop, a) == 10);
  CHECK(times(record, loop, b) == 31);
  CHECK(times(record, once, loop) == 0);
}

TEST_CASE("what is taken away again does not count") {
  PathRecord record;
  const Node a = record.leaf(), b = record.leaf();
  const Node later = record.sum({{a, 1}, {b, 1}});
  const Node more = record.sum({{later, 1}, {later, 1'000'000}, {a, -1'000'000}});
  CHECK(times(record, more, a) == 1);
  CHECK(times(record, more, b) == 1'000'001);
}

TEST_CASE("nothing adds nothing, and a single term is its own sum") {
  PathRecord record;
  const Node a = record.leaf();
  CHECK(record.sum({{PathRecord::nothing, 5}, {a, 0}}) == PathRecord::nothing);
  CHECK(record.sum({{PathRecord::nothing, 1}, {a, 1}}) == a);
  CHECK(times(record, record.sum({{a, 2}}), a) == 2);
  CHECK(times(record, PathRecord::nothing, a) == 0);
}

TEST_CASE("each measure takes its own way") {
  PathRecord record;
  const Node a = record.leaf(), b = record.leaf();
  const Node join = record.choice(a, b, {false, true, false});
  const Node end = record.sum({{join, 4}, {b, 1}});
  CHECK(times(record, end, a, 0) == 4);
  CHECK(times(record, end, b, 0) == 1);
  CHECK(times(record, end, a, 1) == 0);
  CHECK(times(record, end, b, 1) == 5);
  CHECK(times(record, end, b, 2) == 1);
  CHECK(record.choice(a, b, {false, false}) == a);
  CHECK(record.choice(a, b, {true, true}) == b);
}

TEST_CASE("a count beyond 64 bits is no number") {
  PathRecord record;
  const Node a = record.leaf(), b = record.leaf();
  Node end = record.sum({{a, INT64_MAX}});
  end = record.sum({{end, 3}, {b, 1}});
  CHECK(record.times(end)[a].overflowed());
  CHECK(times(record, end, b) == 1);
}
