// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons of an extended counter of 16 bits with constants of 32, for every value of the counter.
#include <algorithm>
#include <array>

#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;

namespace {

struct Comparison {
  const char* text;
  bool (*holds)(uint32_t, uint32_t);
};

int32_t as_signed(uint32_t value) { return static_cast<int32_t>(value); }

constexpr std::array<Comparison, 10> comparisons = {{
    {"eq.u32", [](uint32_t a, uint32_t b) { return a == b; }},
    {"ne.u32", [](uint32_t a, uint32_t b) { return a != b; }},
    {"lt.u32", [](uint32_t a, uint32_t b) { return a < b; }},
    {"le.u32", [](uint32_t a, uint32_t b) { return a <= b; }},
    {"gt.u32", [](uint32_t a, uint32_t b) { return a > b; }},
    {"ge.u32", [](uint32_t a, uint32_t b) { return a >= b; }},
    {"lt.s32", [](uint32_t a, uint32_t b) { return as_signed(a) < as_signed(b); }},
    {"le.s32", [](uint32_t a, uint32_t b) { return as_signed(a) <= as_signed(b); }},
    {"gt.s32", [](uint32_t a, uint32_t b) { return as_signed(a) > as_signed(b); }},
    {"ge.s32", [](uint32_t a, uint32_t b) { return as_signed(a) >= as_signed(b); }},
}};

uint32_t extended(uint16_t value, bool is_signed) {
  return is_signed ? static_cast<uint32_t>(static_cast<int32_t>(static_cast<int16_t>(value))) : value;
}

// From `start` by 1 while the comparison holds; nothing where it always does.
std::optional<int64_t> trips_of(const Comparison& comparison, uint16_t start, bool is_signed, uint32_t constant) {
  for (int64_t trips = 1; trips <= 65536; ++trips) {
    if (!comparison.holds(extended(++start, is_signed), constant)) return trips;
  }
  return std::nullopt;
}

// "$lt_u32"
std::string label_of(const Comparison& comparison) {
  std::string label = std::string("$") + comparison.text;
  std::replace(label.begin(), label.end(), '.', '_');
  return label;
}

// A condition that is not known leads past the loop, so that those behind one without end are not dead.
std::string loop_text(const Comparison& comparison, const std::string& label, uint16_t start, bool is_signed,
                      uint32_t constant) {
  return "ld.volatile.global.u32 %r9, [%d1];\nsetp.eq.u32 %p2, %r9, 0;\n@%p2 bra " + label + "_end;\nmov.u16 %h1, " +
         std::to_string(start) + ";\n" + label + ":\nadd.u16 %h1, %h1, 1;\ncvt." + (is_signed ? "s32.s16" : "u32.u16") +
         " %r1, %h1;\nsetp." + comparison.text + " %p1, %r1, " + std::to_string(as_signed(constant)) + ";\n@%p1 bra " +
         label + ";\n" + label + "_end:\n";
}

}  // namespace

TEST_CASE("comparisons of extended counters with constants of every kind") {
  int64_t bounded = 0;
  int64_t endless = 0;
  for (const bool is_signed : {false, true}) {
    for (const uint32_t constant : {0U, 1U, 40U, 0x7fffU, 0x8000U, 0x8001U, 0xffffU, 0x10000U, 0x10001U, 0x18000U,
                                    0x7fffffffU, 0x80000000U, 0xffff7fffU, 0xffff8000U, 0xffff8001U, 0xffffffffU}) {
      for (const uint16_t start : {uint16_t{0}, uint16_t{0x7ff0}, uint16_t{0xfff0}}) {
        std::string body = "ld.param.u64 %d1, [p];\n";
        for (const Comparison& comparison : comparisons) {
          body += loop_text(comparison, label_of(comparison), start, is_signed, constant);
        }
        const ir::Flow facts = test::facts_of(body + "ret;", test::block_of(1));
        REQUIRE(facts.loops.size() == comparisons.size());
        for (size_t i = 0; i < comparisons.size(); ++i) {
          const auto expected = trips_of(comparisons[i], start, is_signed, constant);
          const auto& found = facts.loops[i].trip_count;
          INFO(comparisons[i].text << " with " << constant << " from " << start << (is_signed ? ", signed" : ""));
          if (found) CHECK(found == expected);
          bounded += found ? 1 : 0;
          endless += expected ? 0 : 1;
        }
      }
    }
  }
  CHECK(endless > 100);
  CHECK(bounded + endless == 960);
}
