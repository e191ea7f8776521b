// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/shell_quote.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <memory>

using warpspan::support::shell_quoted;

namespace {

// What the shell hands over for the words.
std::string taken_by_shell(const std::string& words) {
  const std::string command = "printf '%s|' " + words;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::string out;
  std::array<char, 256> buffer{};
  while (const size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) out.append(buffer.data(), count);
  return out;
}

}  // namespace

TEST_CASE("words that a shell takes as they are stay as they are") {
  CHECK(shell_quoted("n=1024") == "n=1024");
  CHECK(shell_quoted("--loop-bound=a/b.c:4,5") == "--loop-bound=a/b.c:4,5");
  CHECK(shell_quoted("$L__BB0_2=N") == "'$L__BB0_2=N'");
  CHECK(shell_quoted("") == "''");
}

TEST_CASE("a shell reads back what was quoted") {
  std::string words, expected;
  for (const std::string word :
       {"$L__BB0_2=N", "reduce<512>", "it's", "", "a b", "*", "`x`", "\"", "\\", "~", "{a,b}", "#"}) {
    words += shell_quoted(word) + " ";
    expected += word + "|";
  }
  CHECK(taken_by_shell(words) == expected);
}
