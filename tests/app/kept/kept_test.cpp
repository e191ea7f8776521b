// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kept/kept.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <vector>

#include "app/kept/long_text.hpp"
#include "tests/app/run_program.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

// Text of which no two pieces are the same.
std::string counted_text(size_t lines) {
  std::string text;
  for (size_t i = 0; i < lines; ++i) text += std::to_string(i) + "\n";
  return text;
}

std::string in_pieces(const LongText& text) {
  std::string all;
  text.each_piece([&all](std::string_view piece) {
    all += piece;
    return true;
  });
  return all;
}

std::string write_text(const std::string& text) { return text; }
std::optional<std::string> read_text(std::string_view bytes) { return std::string(bytes); }

using TextShelf = Shelf<std::string>;

}  // namespace

TEST_CASE("bytes are read from wherever they are by then") {
  const std::string text = counted_text(500'000);  // several times what stays in memory
  const std::string before = std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "";
  for (const bool has_folder : {true, false}) {
    if (!has_folder) ::setenv("TMPDIR", "/nowhere/at/all", 1);
    PagedBytes bytes;
    for (size_t begin = 0; begin < text.size(); begin += 70'001)
      bytes.append(std::string_view(text).substr(begin, 70'001));
    CHECK(bytes.size() == text.size());
    CHECK(bytes.read(0, text.size()) == text);
    for (size_t begin = 0; begin + 200'000 < text.size(); begin += 99'991)
      CHECK(bytes.read(begin, 200'000) == text.substr(begin, 200'000));
    CHECK(bytes.read(text.size(), 0).empty());
  }
  if (before.empty()) {
    ::unsetenv("TMPDIR");
  } else {
    ::setenv("TMPDIR", before.c_str(), 1);
  }
}

TEST_CASE("what was put away leaves no file in the folder for temporary ones") {
  const test::TemporaryFolder folder;
  const std::string before = std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "";
  ::setenv("TMPDIR", folder.file("").c_str(), 1);
  PagedBytes bytes;
  bytes.append(counted_text(500'000));
  CHECK(folder.files() == 0);
  if (before.empty()) {
    ::unsetenv("TMPDIR");
  } else {
    ::setenv("TMPDIR", before.c_str(), 1);
  }
}

TEST_CASE("a long text is what was appended, and a copy is as it was when it was made") {
  const std::string piece = counted_text(300'000);
  LongText text("head\n");
  text.append(piece);
  const LongText copy = text;
  text.append("tail");
  CHECK(text.str() == "head\n" + piece + "tail");
  CHECK(in_pieces(text) == text.str());
  CHECK(copy.str() == "head\n" + piece);
  CHECK(LongText().empty());
  CHECK(LongText("").empty());
  CHECK(LongText().str().empty());
  CHECK_FALSE(copy.empty());
  size_t pieces = 0;
  text.each_piece([&pieces](std::string_view) { return ++pieces < 2; });
  CHECK(pieces == 2);
}

TEST_CASE("values that are put away are those that they were, in any order") {
  const auto shelf = std::make_shared<TextShelf>(write_text, read_text);
  std::vector<Kept<std::string>> all(3000);
  for (size_t i = 0; i < all.size(); ++i) {
    all[i] = std::string(i % 700, static_cast<char>('a' + i % 26)) + std::to_string(i);
    if (i % 3 != 0) all[i].put_away(shelf);
  }
  for (const size_t step : {size_t{1}, size_t{7}, size_t{1999}}) {
    for (size_t k = 0; k < all.size(); ++k) {
      const size_t i = k * step % all.size();
      CHECK(*all[i].get() == std::string(i % 700, static_cast<char>('a' + i % 26)) + std::to_string(i));
    }
  }
}

TEST_CASE("whoever looks at a value has it, whatever else is looked at meanwhile") {
  const auto shelf = std::make_shared<TextShelf>(write_text, read_text);
  Kept<std::string> a("a"), b("b");
  a.put_away(shelf);
  b.put_away(shelf);
  const auto first = a.get(), second = b.get();
  CHECK(*first == "a");
  CHECK(*second == "b");
}

TEST_CASE("a value that is changed is no copy's, and none is none") {
  const auto shelf = std::make_shared<TextShelf>(write_text, read_text);
  Kept<std::string> none;
  none.put_away(shelf);
  CHECK_FALSE(none);
  CHECK(none.get() == nullptr);
  for (const bool is_away : {false, true}) {
    Kept<std::string> one("one");
    if (is_away) one.put_away(shelf);
    const Kept<std::string> copy = one;
    one.edit() += " more";
    CHECK(*one.get() == "one more");
    CHECK(*copy.get() == "one");
    one.reset();
    CHECK_FALSE(one);
    CHECK(copy);
  }
}

TEST_CASE("a value that moves from one shelf to another is not read for that") {
  static int reads = 0;
  const auto read = [](std::string_view bytes) {
    ++reads;
    return std::optional<std::string>(bytes);
  };
  const auto shelf = std::make_shared<TextShelf>(write_text, read),
             other = std::make_shared<TextShelf>(write_text, read);
  Kept<std::string> one("one"), two("two");
  two.put_away(other);
  one.put_away(shelf);
  const Kept<std::string> copy = one;
  one.put_away(other);
  one.put_away(other);
  CHECK(one.bytes(write_text) == "one");
  CHECK(reads == 0);
  CHECK(*one.get() == "one");
  CHECK(*copy.get() == "one");
  CHECK(reads == 2);
}

TEST_CASE("a list of kept values is gone through as if all were there") {
  const auto shelf = std::make_shared<TextShelf>(write_text, read_text);
  KeptList<std::string> list{"a", "b"}, more{"c"};
  more.put_away(shelf);
  list.append(std::move(more));
  list.push_back(std::string("d"));
  const auto all = [&list] {
    std::string text;
    for (const std::string& one : list) text += one;
    return text;
  };
  CHECK(all() == "abcd");
  list.put_away(shelf);
  CHECK(all() == "abcd");
  CHECK(list.size() == 4);
  const auto first = list.at(0), last = list.at(3);
  CHECK(*first + *last == "ad");
  list.edit(1) = "B";
  CHECK(all() == "aBcd");
  CHECK(std::find(list.begin(), list.end(), "c") != list.end());
  CHECK(std::none_of(list.begin(), list.end(), [](const std::string& one) { return one == "b"; }));
  CHECK(KeptList<std::string>().empty());
  for (const std::string& none : KeptList<std::string>()) FAIL(none);
}
