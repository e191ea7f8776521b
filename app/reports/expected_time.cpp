// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/expected_time.hpp"

#include <fmt/format.h>

#include "support/checked.hpp"

namespace warpspan::app {

namespace {

struct Unit {
  const char* name;
  int64_t picoseconds;
};
constexpr Unit units[] = {{"s", 1'000'000'000'000}, {"ms", 1'000'000'000}, {"us", 1'000'000}, {"ns", 1000}};

// "1.2", "2.7", "3".
std::string times(int64_t hundredths) {
  std::string text = fmt::format("{}.{:02}", hundredths / 100, hundredths % 100);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::string_view to_string(ExpectedTime::Method method) {
  return method == ExpectedTime::Method::simulated ? "simulated" : "estimated";
}

std::string rough_duration(int64_t cycles, int64_t clock_khz) {
  const support::Int128 time = support::Int128{cycles} * 1'000'000'000 / clock_khz;  // picoseconds
  const Unit* unit = units;
  while (unit + 1 != std::end(units) && time < unit->picoseconds) ++unit;
  int decimals = 2;
  for (int64_t ten = 10; decimals > 0 && time >= support::Int128{unit->picoseconds} * ten; ten *= 10) --decimals;
  return fmt::format("{:.{}f} {}", static_cast<double>(time) / static_cast<double>(unit->picoseconds), decimals,
                     unit->name);
}

std::string caution(const ExpectedTime& expected) {
  std::string text =
      expected.method == ExpectedTime::Method::simulated ? "estimate, not safe: " : "rough estimate, not safe: ";
  if (expected.usual_factor)
    return text + "within " + times(*expected.usual_factor) + " times for two launches of three";
  return text + (expected.depends_on_data ? "what memory holds decides it" : "nobody has measured how far off it is");
}

}  // namespace warpspan::app
