// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/option_set.hpp"

#include <algorithm>

namespace warpspan::app {

support::Result<std::string> parse_text(const std::string& option, const std::string& text) {
  if (text.empty()) return support::usage_error(option + ": expected a value, got an empty one");
  return text;
}

Option& OptionSet::declare(Option::Kind kind, std::string name, std::string value, std::string help) {
  return options_.emplace_back(Option{kind, std::move(name), std::move(value), std::move(help), {}});
}

void OptionSet::text(std::string name, std::string value, std::string help, std::string& to) {
  this->value(std::move(name), std::move(value), std::move(help), parse_text, to);
}

void OptionSet::last_text(std::string name, std::string value, std::string help, Read read) {
  Option& option = declare(Option::Kind::value, std::move(name), std::move(value), std::move(help));
  check([this, &option, read = std::move(read)] {
    if (!option.words.empty()) add(read(option.words.back()));
  });
}

void OptionSet::each_text(std::string name, std::string value, std::string help, Read read) {
  Option& option = declare(Option::Kind::value, std::move(name), std::move(value), std::move(help));
  option.repeatable = true;
  check([this, &option, read = std::move(read)] {
    for (const std::string& text : option.words) add(read(text));
  });
}

void OptionSet::flag(std::string name, std::string help, Read read) {
  Option& option = declare(Option::Kind::flag, std::move(name), {}, std::move(help));
  check([this, &option, read = std::move(read)] {
    if (option.given) add(read({}));
  });
}

void OptionSet::not_deciding(std::string_view name) {
  for (Option& option : options_) {
    if (option.name == name) option.decides = false;
  }
}

std::vector<std::string> OptionSet::deciding_words() const {
  std::vector<std::string> words;
  std::vector<std::string> last;
  for (const Option& option : options_) {
    if (!option.decides) continue;
    if (option.kind == Option::Kind::positional) last.insert(last.end(), option.words.begin(), option.words.end());
    if (option.kind == Option::Kind::flag && option.given) words.push_back(option.name);
    if (option.kind != Option::Kind::value) continue;
    const size_t first = option.repeatable || option.words.empty() ? 0 : option.words.size() - 1;
    for (size_t i = first; i < option.words.size(); ++i) words.push_back(option.name + "=" + option.words[i]);
  }
  const auto is_like_option = [](const std::string& word) { return word.size() > 1 && word.front() == '-'; };
  if (std::any_of(last.begin(), last.end(), is_like_option)) words.emplace_back("--");
  words.insert(words.end(), last.begin(), last.end());
  return words;
}

void OptionSet::record(std::vector<std::string>& to) {
  check([this, &to] { to = deciding_words(); });
}

bool OptionSet::is_given(std::string_view name) const {
  const auto found =
      std::find_if(options_.begin(), options_.end(), [name](const Option& option) { return option.name == name; });
  return found != options_.end() && (found->given || !found->words.empty());
}

void OptionSet::usage(std::string message, std::string help) {
  errors_.push_back(support::usage_error(std::move(message), std::move(help)));
}

support::Diagnostics OptionSet::read() {
  for (const auto& step : steps_) step();
  return errors_;
}

}  // namespace warpspan::app
