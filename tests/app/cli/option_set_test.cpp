// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/option_set.hpp"

#include "tests/app/cli/read_options.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

support::Result<int> parse_small(const std::string& option, const std::string& text) {
  if (text.size() == 1 && text[0] >= '0' && text[0] <= '9') return text[0] - '0';
  return support::usage_error(option + ": expected a digit, got '" + text + "'");
}

struct Values {
  std::vector<std::string> files;
  int once = -1;
  std::optional<int> maybe;
  std::vector<int> several;
  std::string text;
  bool flag = false;
  bool given = false;
};

std::string read(const std::vector<const char*>& words, Values& values) {
  return test::read_options(words, [&](OptionSet& set) {
    set.positional("FILE", "Files", [&](const std::vector<std::string>& files) { values.files = files; });
    set.value("--once", "N", "A digit", parse_small, values.once);
    set.value("--maybe", "N", "A digit", parse_small, values.maybe);
    set.each("--each", "N", "Digits", parse_small,
             [&](int value, const std::string& text) { values.several.push_back(text == "9" ? -9 : value); });
    set.text("--text", "TEXT", "A text", values.text);
    set.flag("--flag", "A flag", values.flag);
    set.check([&] {
      values.given = set.is_given("--once");
      if (values.once > 5) set.usage("--once: more than 5", "give less");
    });
  });
}

std::string errors_of(const std::vector<const char*>& words) {
  Values values;
  return read(words, values);
}

}  // namespace

TEST_CASE("what is not given stays as it is") {
  Values values;
  CHECK(read({}, values) == "no error");
  CHECK(values.files.empty());
  CHECK(values.once == -1);
  CHECK_FALSE(values.maybe);
  CHECK(values.several.empty());
  CHECK(values.text.empty());
  CHECK_FALSE(values.flag);
  CHECK_FALSE(values.given);
}

TEST_CASE("every kind of option is read") {
  Values values;
  CHECK(read({"a", "--once", "1", "b", "--maybe=2", "--each", "3", "--each", "9", "--text", "t", "--flag"}, values) ==
        "no error");
  CHECK(values.files == std::vector<std::string>{"a", "b"});
  CHECK(values.once == 1);
  CHECK(values.maybe == 2);
  CHECK(values.several == std::vector<int>{3, -9});
  CHECK(values.text == "t");
  CHECK(values.flag);
  CHECK(values.given);
}

TEST_CASE("errors come in the order of the declarations, and a check sees what was read before") {
  CHECK(errors_of({"--text", "", "--each", "x", "--each", "y", "--once", "7", "--maybe", "z"}) ==
        "--maybe: expected a digit, got 'z'\n"
        "--each: expected a digit, got 'x'\n"
        "--each: expected a digit, got 'y'\n"
        "--text: expected a value, got an empty one\n"
        "--once: more than 5 | give less\n");
  CHECK(errors_of({"--once"}) == "--once: 1 required N missing | see 'warpspan command --help'\n");
  CHECK(errors_of({"--other"}) == "unknown option '--other' | see 'warpspan command --help'\n");
}

TEST_CASE("what stands behind -- is no option") {
  Values values;
  CHECK(read({"a", "--flag", "--", "--once", "-b", "--"}, values) == "no error");
  CHECK(values.files == std::vector<std::string>{"a", "--once", "-b", "--"});
  CHECK(values.once == -1);
  CHECK(read({"--"}, values) == "no error");
  CHECK(values.files.empty());
  const auto none = [](OptionSet&) {};
  CHECK(test::read_options({"--", "a"}, none) == "unexpected argument 'a' | the command takes options only\n");
}

TEST_CASE("of a value that is given several times the last one counts") {
  Values values;
  CHECK(read({"--once", "x", "--text", "a", "--once", "2", "--text", "b"}, values) == "no error");
  CHECK(values.once == 2);
  CHECK(values.text == "b");
  CHECK(errors_of({"--once", "1", "--once", "x"}) == "--once: expected a digit, got 'x'\n");
}

TEST_CASE("the words that decide the result can be given again") {
  const auto recorded = [](const std::vector<const char*>& words) {
    std::vector<std::string> to;
    Values values;
    const std::string errors = test::read_options(words, [&](OptionSet& set) {
      set.positional("FILE", "Files", [&](const std::vector<std::string>& files) { values.files = files; });
      set.value("--once", "N", "A digit", parse_small, values.once);
      set.each("--each", "N", "Digits", parse_small, [](int, const std::string&) {});
      set.flag("--flag", "A flag", values.flag);
      set.text("--output", "FILE", "A text", values.text);
      set.not_deciding("--output");
      set.record(to);
    });
    CHECK(errors == "no error");
    return to;
  };
  using Words = std::vector<std::string>;
  CHECK(recorded({}).empty());
  CHECK(recorded({"b", "--flag", "--each", "2", "--output", "x", "--once", "1", "a", "--each=1", "--once=3"}) ==
        Words{"--once=3", "--each=2", "--each=1", "--flag", "b", "a"});
  CHECK(recorded({"-", "--once=1", "--", "-a", "--flag"}) == Words{"--once=1", "--", "-", "-a", "--flag"});
}

TEST_CASE("an option with a wrong value is given all the same") {
  Values values;
  CHECK(read({"--once", "x"}, values) == "--once: expected a digit, got 'x'\n");
  CHECK(values.given);
  CHECK(values.once == -1);
}
