// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/fleet/archive.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace warpspan::app;
using namespace warpspan::support;

namespace {

enum class Colour : uint8_t { red, green };

struct Inner {
  std::optional<int64_t> number;
  std::string text;
  friend auto operator<=>(const Inner&, const Inner&) = default;
};

struct Outer {
  bool flag = false;
  Colour colour = Colour::red;
  int64_t least = 0, most = 0;
  uint32_t all_bits = 0;
  double real = 0;
  std::vector<Inner> list;
  std::map<std::pair<std::string, int>, Inner> table;
  std::set<std::string> names;
  std::array<int64_t, 3> fixed{};
  std::tuple<int, std::string> tuple;
  std::vector<Outer> below;
  friend bool operator==(const Outer&, const Outer&) = default;
};

Outer example() {
  Outer value;
  value.flag = true;
  value.colour = Colour::green;
  value.least = std::numeric_limits<int64_t>::min();
  value.most = std::numeric_limits<int64_t>::max();
  value.all_bits = UINT32_MAX;
  value.real = -0.1;
  value.list = {{-1, ""}, {std::nullopt, std::string("a\0b", 3)}};
  value.table = {{{"x", -7}, {64, "y"}}, {{"x", 8}, {}}};
  value.names = {"p", "q"};
  value.fixed = {1, -2, 300};
  value.tuple = {5, "five"};
  value.below.resize(2);
  value.below[1].real = 1e300;
  return value;
}

}  // namespace

TEST_CASE("an archive gives back what was put into it, member by member") {
  const Outer value = example();
  const auto back = unarchived<Outer>(archived(value));
  REQUIRE(back);
  CHECK(*back == value);
  CHECK(unarchived<Result<std::string>>(archived(Result<std::string>("fine"))).value().value() == "fine");
  const auto failed = unarchived<Result<std::string>>(archived(Result<std::string>(usage_error("wrong", "right"))));
  REQUIRE(failed);
  REQUIRE_FALSE(*failed);
  CHECK(failed->errors().front().help == "right");
  CHECK(failed->errors().front().cause == Cause::usage);
}

TEST_CASE("structures have as many fields as they have members, whatever these are") {
  struct Three {
    std::optional<std::string> a;
    std::vector<std::optional<int>> b;
    std::array<int, 4> c;
  };
  Three three{"x", {1}, {}};
  CHECK(with_fields(three, [](const auto&... fields) { return sizeof...(fields); }) == 3);
  struct None {};
  None none;
  CHECK(with_fields(none, [](const auto&... fields) { return sizeof...(fields); }) == 0);
}

TEST_CASE("different values have different archives") {
  const Outer value = example();
  const auto differs = [&](auto change) {
    Outer other = value;
    change(other);
    return archived(other) != archived(value);
  };
  CHECK(differs([](Outer& o) { o.flag = false; }));
  CHECK(differs([](Outer& o) { o.list.push_back({}); }));
  CHECK(differs([](Outer& o) { o.list[0].number.reset(); }));
  CHECK(differs([](Outer& o) { o.below.back().names.insert("r"); }));
  CHECK(archived(std::vector<std::string>{"ab", "c"}) != archived(std::vector<std::string>{"a", "bc"}));
}

TEST_CASE("bytes that are no archive are none, wherever they are cut or changed, and end in no crash") {
  const std::string bytes = archived(example());
  for (size_t size = 0; size < bytes.size(); ++size) CHECK_FALSE(unarchived<Outer>(bytes.substr(0, size)));
  CHECK_FALSE(unarchived<Outer>(bytes + "x"));
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    for (const char c : {'\x00', '\x7f', '\xff'}) {
      changed[i] = c;
      static_cast<void>(unarchived<Outer>(changed));
    }
  }
}
