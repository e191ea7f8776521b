// SPDX-License-Identifier: GPL-3.0-or-later
// The options of one command: how each is shown, and how its words are read. Reading is strict, and collects the errors
// of all options, in the order in which they are declared.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support/result.hpp"

namespace warpspan::app {

// One option, or what is given without one.
struct Option {
  enum class Kind { positional, value, flag };

  Kind kind = Kind::value;
  std::string name;                // "--block"; of what is given without an option: "FILE"
  std::string value;               // what stands for the value in the help, "X[,Y[,Z]]"; empty for the other kinds
  std::string help;                // one sentence
  std::vector<std::string> words;  // as given, in order: all of them
  bool given = false;              // of a flag
  bool repeatable = false;         // of a value: all words count, not only the last one
  bool decides = true;             // the result; if not, only where it goes and how it looks
};

// A text that is not empty.
support::Result<std::string> parse_text(const std::string& option, const std::string& text);

// What options are read into must live until read().
class OptionSet {
 public:
  OptionSet() = default;
  OptionSet(const OptionSet&) = delete;
  OptionSet& operator=(const OptionSet&) = delete;

  // What is given without an option: `use` gets all of it.
  template <typename Use>
  void positional(std::string name, std::string help, Use use) {
    Option& option = declare(Option::Kind::positional, std::move(name), {}, std::move(help));
    check([&option, use] { use(option.words); });
  }
  // A value; the last one given counts. parse(name, text) is a Result of what `to` takes.
  template <typename Parse, typename T>
  void value(std::string name, std::string value, std::string help, Parse parse, T& to) {
    Option& option = declare(Option::Kind::value, std::move(name), std::move(value), std::move(help));
    check([this, &option, parse, &to] {
      if (!option.words.empty()) keep(parse(option.name, option.words.back()), [&to](const auto& read) { to = read; });
    });
  }
  // A text that is not empty.
  void text(std::string name, std::string value, std::string help, std::string& to);
  // A value that may be given several times: `use` gets each, and its text.
  template <typename Parse, typename Use>
  void each(std::string name, std::string value, std::string help, Parse parse, Use use) {
    Option& option = declare(Option::Kind::value, std::move(name), std::move(value), std::move(help));
    option.repeatable = true;
    check([this, &option, parse, use]() mutable {
      for (const std::string& text : option.words) {
        keep(parse(option.name, text), [&](const auto& read) { use(read, text); });
      }
    });
  }
  // The same, of what reads a text itself: its errors. The last one given, or each.
  using Read = std::function<support::Diagnostics(const std::string& text)>;
  void last_text(std::string name, std::string value, std::string help, Read read);
  void each_text(std::string name, std::string value, std::string help, Read read);
  // An option that the command does not have: what there is instead.
  void instead(std::string name, std::string help) { instead_[std::move(name)] = std::move(help); }
  const std::map<std::string, std::string>& instead() const { return instead_; }
  // Read with no text, where it is given.
  void flag(std::string name, std::string help, Read read);
  // `to` becomes true where it is given.
  template <typename T>
  requires std::is_assignable_v<T&, bool>
  void flag(std::string name, std::string help, T& to) {
    Option& option = declare(Option::Kind::flag, std::move(name), {}, std::move(help));
    check([&option, &to] {
      if (option.given) to = true;
    });
  }
  // The option of that name decides only where the result goes, and how it looks.
  void not_deciding(std::string_view name);
  // `to` gets the words that give what decides the result, "--block=256": in the order in which the options are
  // declared, but what is given without an option last.
  void record(std::vector<std::string>& to);
  // Called while options are read, after those declared before: for what must hold between several.
  void check(std::function<void()> step) { steps_.push_back(std::move(step)); }

  // For what is called while options are read: whether an option is given, rightly or not; errors.
  bool is_given(std::string_view name) const;
  void usage(std::string message, std::string help = {});
  void twice(const std::string& option) { usage(option + ": given twice"); }

  // In the order in which they are declared. Whoever splits the command line fills in the words.
  std::deque<Option>& options() { return options_; }
  const std::deque<Option>& options() const { return options_; }
  // Reads the words. The errors in them.
  support::Diagnostics read();

 private:
  std::vector<std::string> deciding_words() const;
  void add(const support::Diagnostics& errors) { errors_.insert(errors_.end(), errors.begin(), errors.end()); }
  Option& declare(Option::Kind kind, std::string name, std::string value, std::string help);
  // Uses the value of a result; its errors are kept.
  template <typename T, typename Use>
  void keep(const support::Result<T>& result, const Use& use) {
    if (result) {
      use(*result);
    } else {
      errors_.insert(errors_.end(), result.errors().begin(), result.errors().end());
    }
  }

  std::deque<Option> options_;  // does not move them
  std::map<std::string, std::string> instead_;
  std::vector<std::function<void()>> steps_;
  support::Diagnostics errors_;
};

}  // namespace warpspan::app
