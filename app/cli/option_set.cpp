#include "app/cli/option_set.hpp"

#include <algorithm>

namespace warpspan::app {

support::Result<std::string> parse_text(const std::string& option, const std::string& text) {
  if (text.empty()) return support::usage_error(option + ": expected a value, got an empty one");
  return text;
}

Option& OptionSet::declare(Option::Kind kind, std::string name, std::string value, std::string help) {
  return options_.emplace_back(Option{kind, std::move(name), std::move(value), std::move(help), {}, false});
}

void OptionSet::text(std::string name, std::string value, std::string help, std::string& to) {
  this->value(std::move(name), std::move(value), std::move(help), parse_text, to);
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
