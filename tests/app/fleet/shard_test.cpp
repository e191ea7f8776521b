// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/fleet/shard.hpp"

#include <catch2/catch.hpp>

using namespace warpspan;
using namespace warpspan::app;

namespace {

ShardReport report(size_t index, size_t of, const std::string& run = "r") {
  return {"check", {index, of}, run, {"k.ptx"}, std::string("a\0\xff", 3) + std::to_string(index)};
}

support::Result<ShardReport> read(const std::string& text) { return read_shard(support::SourceFile("s.json", text)); }

std::string message(const support::Result<std::vector<ShardReport>>& result) {
  return result ? "" : result.errors().front().message;
}

}  // namespace

TEST_CASE("a shard is a number of several") {
  const auto shard = parse_shard("--shard", "3/8");
  REQUIRE(shard);
  CHECK(shard->index == 3);
  CHECK(shard->of == 8);
  for (const char* wrong : {"", "3", "0/8", "9/8", "3/", "/8", "-1/8", "3/8x", "3/0", "1/1000000", " 3/8"}) {
    const auto result = parse_shard("--shard", wrong);
    REQUIRE_FALSE(result);
    CHECK(result.errors().front().message.starts_with("--shard: expected I/N"));
  }
}

TEST_CASE("each file is in one shard") {
  for (size_t of = 1; of < 6; ++of) {
    for (size_t file = 0; file < 20; ++file) {
      size_t owners = 0;
      for (size_t index = 1; index <= of; ++index) owners += Shard{index, of}.has(file) ? 1 : 0;
      CHECK(owners == 1);
    }
  }
}

TEST_CASE("what a shard has found is read back, and nothing else is taken for it") {
  const std::string text = to_json(report(2, 3));
  const auto back = read(text);
  REQUIRE(back);
  CHECK(back->results.str() == report(2, 3).results.str());
  CHECK(back->shard.index == 2);
  CHECK(back->shard.of == 3);
  for (const char* wrong : {"", "{}", "[]", "{\"schema\": 3}", "{\"schema\": \"warpspan.check/2\"}"}) {
    const auto result = read(wrong);
    REQUIRE_FALSE(result);
    CHECK(result.errors().front().message == "this is no shard of a run");
  }
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    other.replace(other.find(from), from.size(), to);
    const auto result = read(other);
    return result ? "" : result.errors().front().message;
  };
  CHECK(changed("\"shard\": 2", "\"shard\": 4") == "the shard is not whole");
  CHECK(changed("\"results\": \"", "\"results\": \"A") == "the shard is not whole");
  CHECK(changed("\"program\": \"", "\"program\": \"0") == "the shard was written by another build of warpspan");
  for (size_t size = 0; size < text.size() - 2; ++size) CHECK_FALSE(read(text.substr(0, size)));
}

TEST_CASE("all shards of one run, each once, in any order") {
  const auto all = all_shards({"c", "a", "b"}, {report(3, 3), report(1, 3), report(2, 3)});
  REQUIRE(all);
  CHECK(all->at(0).shard.index == 1);
  CHECK(all->at(2).shard.index == 3);
  CHECK(message(all_shards({"a"}, {report(1, 3)})) == "shards 2 and 3 of 3 are missing");
  CHECK(message(all_shards({"a", "b"}, {report(1, 3), report(3, 3)})) == "shard 2 of 3 is missing");
  CHECK(message(all_shards({"a", "b"}, {report(1, 2), report(1, 2)})) == "shard 1 is there twice: also a");
  CHECK(message(all_shards({"a", "b"}, {report(1, 2), report(2, 2, "s")})) == "the shard is of another run than a");
  CHECK(message(all_shards({"a", "b"}, {report(1, 2), report(2, 3)})) == "the shard is of another run than a");
}
