// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/file_reads.hpp"

#include <catch2/catch.hpp>

#include "support/sha256.hpp"
#include "support/source_file.hpp"
#include "tests/files.hpp"

using namespace warpspan::support;
using namespace warpspan::test;

TEST_CASE("a record has what is read while it lives, and what was looked for in vain") {
  const TemporaryFolder folder;
  write_file(folder.file("a"), "text");
  static_cast<void>(read_source(folder.file("a")));
  const ReadRecord outer;
  {
    const ReadRecord inner;
    static_cast<void>(read_source(folder.file("a")));
    static_cast<void>(read_source(folder.file("none")));
    REQUIRE(inner.reads().size() == 2);
    CHECK(inner.reads()[0].path == folder.file("a"));
    CHECK(inner.reads()[0].sha256 == sha256("text"));
    CHECK(inner.reads()[1].path == folder.file("none"));
    CHECK(inner.reads()[1].sha256.empty());
    CHECK(inner.is_repeatable());
  }
  ReadRecord::add_known("at hand", sha256("x"));
  CHECK(outer.reads().size() == 3);
}

TEST_CASE("what was disturbed need not come out the same again") {
  const ReadRecord before;
  report_disturbance();
  const ReadRecord after;
  CHECK_FALSE(before.is_repeatable());
  CHECK(after.is_repeatable());
}

TEST_CASE("what a worker has read counts as read") {
  const TemporaryFolder folder;
  write_file(folder.file("a"), "text");
  remember_read(folder.file("a"));
  CHECK(was_read(folder.file("a")));
}
