// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/html/charts.hpp"

#include <catch2/catch.hpp>

using namespace warpspan::app;

namespace {

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("heat rises with the part of the whole, from a two hundredth on") {
  CHECK(heat_of(0, 1000).empty());
  CHECK(heat_of(4, 1000).empty());
  CHECK(heat_of(5, 1000) == "h1");
  CHECK(heat_of(250, 1000) == "h4");
  CHECK(heat_of(1000, 1000) == "h8");
  CHECK(heat_of(2000, 1000) == "h8");
  CHECK(heat_of(0, 0).empty());
  CHECK(heat_of(INT64_MAX, INT64_MAX) == "h8");
  std::string before;
  for (int64_t part = 0; part <= 1000; ++part) {
    CHECK(before <= heat_of(part, 1000));
    before = heat_of(part, 1000);
  }
}

TEST_CASE("an axis has 1, 2 or 5 times a power of ten between its ticks") {
  CHECK(axis_step(1, 10) == 1);
  CHECK(axis_step(10, 10) == 1);
  CHECK(axis_step(11, 10) == 2);
  CHECK(axis_step(49, 10) == 5);
  CHECK(axis_step(99, 10) == 10);
  CHECK(axis_step(1'234, 10) == 200);
  CHECK(axis_step(INT64_MAX, 10) == 1'000'000'000'000'000'000);
}

TEST_CASE("steps share one logarithmic axis") {
  // 10 ns, 100 ns and 1 us: over the decades from 1 ns, of which the least keeps a bar, to 1 us.
  const std::string steps = time_steps({{"nothing", "1 us", "", "", "here", 1'000'000},
                                        {"+ <b>", "100 ns", "10x", "a & b", "", 100'000},
                                        {"expected", "10 ns", "", "", "guess", 10'000}});
  CHECK(has(steps, "<rect y=\"2\" width=\"1000.00\""));
  CHECK(has(steps, "<rect y=\"2\" width=\"666.67\""));
  CHECK(has(steps, "<rect y=\"2\" width=\"333.33\""));
  CHECK(has(steps, "<span class=\"drawn here\">"));
  CHECK(has(steps, "+ &lt;b&gt;"));
  CHECK(has(steps, "a &amp; b"));
  for (const char* tick : {">1 ns</i>", ">10 ns</i>", ">100 ns</i>", ">1 us</i>"}) CHECK(has(steps, tick));
}

TEST_CASE("steps of any size have bars") {
  CHECK(time_steps({}).empty());
  for (const int64_t value : {int64_t{0}, int64_t{1}, int64_t{9}, int64_t{10}, INT64_MAX}) {
    const std::string one = time_steps({{"a", "b", "c", "d", "", value}});
    CHECK(count(one, "<rect ") == 1);
    CHECK_FALSE(has(one, "nan"));
    CHECK_FALSE(has(one, "inf"));
    CHECK_FALSE(has(one,
                    "-"
                    "1"));
  }
  const std::string wide = time_steps({{"a", "", "", "", "", 1}, {"b", "", "", "", "", INT64_MAX}});
  CHECK(has(wide, ">1 ps</i>"));
  CHECK(has(wide, ">10000000 s</i>"));
}

TEST_CASE("a stacked bar has its parts one behind the other, and a mark") {
  const std::string bar = stacked_bar("all", {{"c0", "first", 25}, {"c1", "<second>", 50}}, 100, 80);
  CHECK(has(bar, "<rect class=\"c0\" x=\"0.00\" width=\"250.00\""));
  CHECK(has(bar, "<rect class=\"c1\" x=\"250.00\" width=\"500.00\""));
  CHECK(has(bar, "&lt;second&gt;"));
  CHECK(has(bar, "d=\"M800.00 0V22\""));
}
