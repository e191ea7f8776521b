// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/compare/compare_match.hpp"

#include <catch2/catch.hpp>
#include <random>

using namespace warpspan;
using namespace warpspan::app;

namespace {

KernelFigures kernel(const std::string& name, const std::string& file = "k.ptx") {
  KernelFigures figures;
  figures.name = name;
  figures.file = file;
  return figures;
}

std::vector<KernelFigures> kernels(const std::vector<std::string>& names) {
  std::vector<KernelFigures> all;
  for (const std::string& name : names) all.push_back(kernel(name));
  return all;
}

// "0-1 name, 1-0 similarity".
std::string text_of(const KernelMatches& matches) {
  std::string text;
  for (const KernelMatch& match : matches.pairs) {
    text += (text.empty() ? "" : ", ") + std::to_string(match.base) + "-" + std::to_string(match.other) + " " +
            std::string(to_string(match.how));
  }
  return text;
}

std::string matched(const std::vector<std::string>& base, const std::vector<std::string>& other) {
  const KernelMatches matches = match_kernels(kernels(base), kernels(other));
  CHECK(matches.errors.empty());
  return text_of(matches);
}

}  // namespace

TEST_CASE("kernels of the same name are the same, in any order") {
  CHECK(matched({"a", "b", "c"}, {"c", "x1234567", "a"}) == "0-2 name, 2-0 name");
  CHECK(matched({}, {"a"}).empty());
}

TEST_CASE("a name without parameters is the same kernel if nothing else has it") {
  CHECK(matched({"_Z5saxpyfPKfPfi"}, {"_Z5saxpyfPKfPfl"}) == "0-0 short-name");
  CHECK(matched({"saxpy"}, {"_Z5saxpyfPKfPfi"}) == "0-0 short-name");
  CHECK(matched({"_Z5saxpyfPKfPfi", "_Z5saxpydPKdPdi"}, {"_Z5saxpyfPKfPfl"}).empty());
}

TEST_CASE("kernels are renamed only where one of each side is near") {
  CHECK(names_are_similar("saxpy", "saxpy_v2"));
  CHECK(names_are_similar("saxpy", "fast_saxpy"));
  CHECK(names_are_similar("transpose", "tranpsose"));
  CHECK(names_are_similar("_Z3foofPKf", "_Z9quxquxquxfPKf"));
  CHECK_FALSE(names_are_similar("_Z3foov", "_Z9quxquxquxv"));
  CHECK_FALSE(names_are_similar("saxpy", "daxbz"));
  CHECK(matched({"a", "saxpy"}, {"saxpy_v2", "a"}) == "0-1 name, 1-0 similarity");
  CHECK(matched({"saxpy"}, {"saxpy_v2", "saxpy_v3"}).empty());
  CHECK(matched({"saxpy_v2", "saxpy_v3"}, {"saxpy"}).empty());
  CHECK(matched({"histogram"}, {"transpose"}).empty());
}

TEST_CASE("a name that several files have is told apart by their names, or refused") {
  const std::vector<KernelFigures> base = {kernel("k", "old/a.ptx"), kernel("k", "old/b.ptx")};
  CHECK(text_of(match_kernels(base, {kernel("k", "new/b.json"), kernel("k", "new/a.ptx")})) == "0-1 name, 1-0 name");
  const KernelMatches open = match_kernels(base, {kernel("k", "new/c.ptx")});
  CHECK(open.pairs.empty());
  REQUIRE(open.errors.size() == 1);
  CHECK(open.errors[0].message == "kernel 'k' is in several files: old/a.ptx and old/b.ptx");
  CHECK(open.errors[0].cause == support::Cause::usage);
}

TEST_CASE("with the sides changed the pairs are the same") {
  const std::vector<std::string> names = {"saxpy",     "saxpy_v2", "saxpy2",           "_Z5saxpyfPKfPfi",
                                          "transpose", "trnspose", "_Z6reduceILi4EEv", "_Z6reduceILi8EEv",
                                          "scan",      "scan_add"};
  std::mt19937 random(7);
  size_t pairs = 0;
  for (int round = 0; round < 500; ++round) {
    std::vector<KernelFigures> sides[2];
    for (auto& side : sides) {
      for (const std::string& name : names) {
        for (const char* file : {"a.ptx", "b.ptx"}) {
          if (random() % 4 == 0) side.push_back(kernel(name, file));
        }
      }
      std::shuffle(side.begin(), side.end(), random);
    }
    const KernelMatches there = match_kernels(sides[0], sides[1]);
    KernelMatches back = match_kernels(sides[1], sides[0]);
    for (KernelMatch& match : back.pairs) std::swap(match.base, match.other);
    std::sort(back.pairs.begin(), back.pairs.end(), [](auto& a, auto& b) { return a.base < b.base; });
    CHECK(text_of(there) == text_of(back));
    CHECK(there.errors.size() == back.errors.size());
    pairs += there.pairs.size();
  }
  CHECK(pairs > 500);
}
