// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/response_file.hpp"

#include <random>

#include "support/shell_quote.hpp"
#include "tests/app/cli/read_options.hpp"
#include "tests/app/run_program.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

using Words = std::vector<std::string>;
using test::TemporaryFolder;
using test::write_file;

Words words_of(const std::string& text) {
  const TemporaryFolder folder;
  write_file(folder.file("words"), text);
  const auto words = with_response_files({"@" + folder.file("words")});
  REQUIRE(words);
  return *words;
}

// Of a file of words; its name left out.
std::string error_of(const std::string& text) {
  const TemporaryFolder folder;
  write_file(folder.file("words"), text);
  const auto words = with_response_files({"@" + folder.file("words")});
  REQUIRE_FALSE(words);
  const support::Diagnostic& error = words.errors().front();
  CHECK(error.cause == support::Cause::usage);
  return std::to_string(error.location.line) + ":" + std::to_string(error.location.column) + " " + error.message;
}

}  // namespace

TEST_CASE("words stand apart as in a shell") {
  CHECK(words_of("").empty());
  CHECK(words_of("# nothing\n  \t\r\n").empty());
  CHECK(words_of("--block 16,16\n--arg n=4 # elements\n") == Words{"--block", "16,16", "--arg", "n=4"});
  CHECK(words_of("a#b c\\#d '#e' \\\n \\\n# no\nx\\\ny") == Words{"a#b", "c#d", "#e", "xy"});
  CHECK(words_of("'a b'\"c $d\"e '' \"\" a\\ b") == Words{"a bc $de", "", "", "a b"});
  CHECK(words_of("'\\' \"\\\"\\\\\" \\'") == Words{"\\", "\"\\", "'"});
  CHECK(words_of("\"\\a\\$\\\n\"") == Words{"\\a$"});
  CHECK(words_of("end\\") == Words{"end\\"});
  CHECK(words_of("'@x' \\@y") == Words{"@x", "@y"});
}

TEST_CASE("words that are quoted for a shell are read back") {
  std::mt19937 random(7);
  const std::string characters = "ab@-#$'\"\\ \t\n*`~;";
  for (int round = 0; round < 300; ++round) {
    Words words(random() % 6);
    std::string text;
    for (std::string& word : words) {
      for (size_t i = random() % 8; i > 0; --i) word += characters[random() % characters.size()];
      if (word == "--") word = "-";
      if (word.starts_with('@')) word.insert(0, "-");  // in front of a word it names a file
      text += support::shell_quoted(word) + (random() % 2 == 0 ? " " : "\n");
    }
    CHECK(words_of(text) == words);
  }
}

TEST_CASE("any bytes are words or an error") {
  std::mt19937 random(11);
  const std::string characters("a'\"\\ #\n@\0\xff", 10);
  for (int round = 0; round < 1000; ++round) {
    const TemporaryFolder folder;
    std::string text;
    for (size_t i = random() % 20; i > 0; --i) text += characters[random() % characters.size()];
    write_file(folder.file("words"), text);
    const auto words = with_response_files({"@" + folder.file("words")});
    CHECK((words || words.errors()[0].cause == support::Cause::usage));
  }
}

TEST_CASE("a file's words take its place, and files name files") {
  const TemporaryFolder folder;
  write_file(folder.file("inner"), "b 'c d'");
  write_file(folder.file("outer"), "a @" + folder.file("inner") + " e");
  const std::string outer = "@" + folder.file("outer");
  CHECK(*with_response_files({"x", outer, "@", "y"}) == Words{"x", "a", "b", "c d", "e", "@", "y"});
  CHECK(*with_response_files({outer, outer}) == Words{"a", "b", "c d", "e", "a", "b", "c d", "e"});
  CHECK(*with_response_files({"--", outer}) == Words{"--", outer});
}

TEST_CASE("what is wrong with a file of words is told at its place") {
  CHECK(error_of("a\n  b'c") == "2:3 a quote is never closed");
  CHECK(error_of("a @missing/file") == "1:3 cannot read 'missing/file': No such file or directory");
  const auto missing = with_response_files({"@missing"});
  REQUIRE_FALSE(missing);
  CHECK(missing.errors()[0].message == "cannot read 'missing': No such file or directory");
  CHECK(missing.errors()[0].help ==
        "give a file of words that exists, or write ./@missing for a file whose name begins with @");
}

TEST_CASE("files of words end") {
  const TemporaryFolder folder;
  write_file(folder.file("self"), "a @" + folder.file("self"));
  CHECK(with_response_files({"@" + folder.file("self")}).errors()[0].message ==
        "the file '" + folder.file("self") + "' names itself");
  const auto name = [&folder](int i) { return "@" + folder.file(std::to_string(i)); };
  for (int i = 0; i < 12; ++i) write_file(folder.file(std::to_string(i)), name(i + 1) + " " + name(i + 1));
  write_file(folder.file("12"), "");
  CHECK(with_response_files({name(0)}).errors()[0].message == "files of words are nested deeper than 10");
  CHECK(with_response_files({name(3)})->empty());
  std::string many;
  for (int i = 0; i < 60'000; ++i) many += "a ";
  write_file(folder.file("many"), many);
  CHECK(with_response_files({"@" + folder.file("many")}));
  CHECK_FALSE(with_response_files({"@" + folder.file("many"), "@" + folder.file("many")}));
}

TEST_CASE("the program takes words from files") {
  const TemporaryFolder folder;
  write_file(folder.file("words"), "--string LLC --warps # two\n2 --method list");
  const auto run = test::run_warpspan({"solve", "@" + folder.file("words")});
  CHECK(run.status == 0);
  CHECK(run.out == test::run_warpspan({"solve", "--string", "LLC", "--warps", "2", "--method", "list"}).out);
  write_file(folder.file("words"), "--string 'LLC");
  const auto wrong = test::run_warpspan({"solve", "@" + folder.file("words"), "--format", "json"});
  CHECK(wrong.status == 2);
  CHECK(wrong.err == folder.file("words") + ":1:10: error: a quote is never closed\n  --string 'LLC\n           ^\n" +
                         "  help: close it, or write \\'\n");
  CHECK(test::contains(wrong.out, "\"message\": \"a quote is never closed\""));
}
