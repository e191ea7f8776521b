// SPDX-License-Identifier: GPL-3.0-or-later
// The most copies at one line, against counting them at every offset where they can begin.
#include "frontend/lift/footprints/sharing.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

using namespace warpspan::lift;

namespace {

// Where the first begins so many bytes after the beginning of a line.
int64_t counted_from(int64_t offset, int64_t bytes, const std::vector<Repetition>& repetitions) {
  std::vector<int64_t> begins = {0};
  for (const Repetition& r : repetitions) {
    std::vector<int64_t> all;
    for (const int64_t begin : begins) {
      for (int64_t u = 0; u < r.count; ++u) all.push_back(begin + r.stride * u);
    }
    begins = std::move(all);
  }
  const int64_t origin = int64_t{1} << 20;
  int64_t most = 0;
  std::map<int64_t, int64_t> at;
  for (const int64_t begin : begins) {
    const int64_t first = origin + offset + begin;
    for (int64_t line = first / 128; line <= (first + bytes - 1) / 128; ++line) ++at[line];
  }
  for (const auto& [line, copies] : at) most = std::max(most, copies);
  return most;
}

int64_t counted(int64_t bytes, const std::vector<Repetition>& repetitions) {
  int64_t most = 0;
  for (int64_t offset = 0; offset < 128; ++offset) most = std::max(most, counted_from(offset, bytes, repetitions));
  return most;
}

}  // namespace

TEST_CASE("no more copies meet at a line than are reported") {
  const std::vector<int64_t> strides = {0, 1, -4, 60, 128, 129, 250, -512, 4096};
  for (const int64_t bytes : {1, 4, 64, 100, 128, 300}) {
    for (const int64_t a : strides) {
      for (const int64_t b : strides) {
        for (const int64_t c : {0, 64, 1536}) {
          const std::vector<Repetition> repetitions = {{a, 3}, {b, 4}, {c, 2}};
          INFO(bytes << " bytes, strides " << a << ", " << b << ", " << c);
          CHECK(counted(bytes, repetitions) <= most_at_a_line(bytes, repetitions));
        }
      }
    }
  }
}

TEST_CASE("copies beside each other meet at a line where it cuts them, however many there are") {
  CHECK(most_at_a_line(128, {{128, 32}, {4096, 1'000'000}}) == 2);
  CHECK(most_at_a_line(128, {{128, 32}, {5000, 1'000}}) == 2);
  CHECK(most_at_a_line(64, {{1 << 16, 2}, {1 << 17, 8}, {64, 1024}, {1 << 20, 64}}) == 3);
  CHECK(most_at_a_line(512, {{512, 1 << 20}}) == 2);
  CHECK(most_at_a_line(4, {{4, 1000}}) == 33);
  CHECK(most_at_a_line(1, {{128, 1000}}) == 1);
}

TEST_CASE("copies at the same offset all meet") {
  CHECK(most_at_a_line(4, {{0, 264}, {0, 32}}) == 264 * 32);
  CHECK(most_at_a_line(128, {{0, 264}, {128, 32}}) == 264 * 2);
  CHECK(most_at_a_line(4, {{4096, 30}, {4096, 30}}) == 30);  // sums of numbers that are the same
}

TEST_CASE("what does not fit is as many as there can be") {
  CHECK(most_at_a_line(4, {{0, INT64_MAX}, {0, 2}}) == INT64_MAX);
  CHECK(most_at_a_line(4, {{INT64_MIN, 2}}) == INT64_MAX);
  CHECK(most_at_a_line(4, {{INT64_MAX, 3}}) == 1);
  CHECK(most_at_a_line(INT64_MAX, {{1, 3}}) == INT64_MAX);
}

TEST_CASE("where copies begin at a known place of a line, no more meet than are reported, and no more than anywhere") {
  const std::vector<int64_t> strides = {0, 60, 128, -256, 512, 4096};
  for (const int64_t bytes : {1, 4, 100, 128, 256, 300}) {
    for (const int64_t first : {-130, -4, 0, 4, 28, 100, 128}) {
      for (const int64_t a : strides) {
        for (const int64_t b : strides) {
          const std::vector<Repetition> repetitions = {{a, 5}, {b, 4}};
          INFO(bytes << " bytes at " << first << ", strides " << a << ", " << b);
          const int64_t most = most_at_a_line_from(first, bytes, repetitions);
          CHECK(counted_from(first, bytes, repetitions) <= most);
          CHECK(most <= most_at_a_line(bytes, repetitions));
        }
      }
    }
  }
  CHECK(most_at_a_line_from(0, 128, {{128, 1000}}) == 1);
  CHECK(most_at_a_line_from(4, 128, {{128, 1000}}) == 2);
  CHECK(most_at_a_line_from(-4, 128, {{128, 1000}}) == 2);
  CHECK(most_at_a_line_from(256, 256, {{256, 1000}, {1 << 20, 8}}) == 1);
}
