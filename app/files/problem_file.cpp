// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/problem_file.hpp"

#include <cmath>
#include <limits>

#include "app/cli/option_values.hpp"
#include "support/toml.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Result;
using support::TableReader;
using support::TomlFile;
using support::type_name;

constexpr TableReader::Range positive = {1, std::numeric_limits<int64_t>::max()};
constexpr size_t longest_text = 64'000'000;

class ProblemReader {
 public:
  ProblemReader(const std::string& name, std::string_view text) : file_(name, text, support::Cause::input) {}

  Result<ProblemSettings> run() {
    const auto table = file_.parse();
    if (!table) return file_.errors();
    TableReader root(file_, *table, "the problem file");
    read_root(root);
    root.finish();
    support::Diagnostics errors = file_.errors();
    if (!errors.empty()) return errors;
    return std::move(settings_);
  }

 private:
  void error(const toml::node& value, std::string message, std::string help = {}) {
    file_.error(value.source(), std::move(message), std::move(help));
  }

  // The value that a parser of text finds, or errors at the place of the text.
  template <typename T>
  void keep(const toml::node& value, const Result<T>& result, std::optional<T>& to) {
    if (result) {
      to = *result;
      return;
    }
    for (const Diagnostic& wrong : result.errors()) error(value, wrong.message, wrong.help);
  }

  const std::string* text_of(const toml::node& value, const std::string& what) {
    const auto* text = value.as_string();
    if (text == nullptr) error(value, what + " must be a text, not " + std::string(type_name(value)));
    return text == nullptr ? nullptr : &text->get();
  }

  void read_root(TableReader& root) {
    if (const toml::node* value = root.node("string")) read_string(*value);
    if (const toml::node* value = root.node("warps")) read_warps(*value, root);
    if (const toml::node* value = root.node("methods")) read_methods(*value);
    if (const toml::node* value = root.node("time_limit")) read_time_limit(*value);
    if (const toml::node* value = root.node("horizon")) {
      if (const auto* text = text_of(*value, "'horizon'")) {
        keep(*value, parse_horizon("'horizon'", *text), settings_.horizon);
      }
    }
    if (const toml::node* value = root.node("schedule")) {
      if (!value->is_boolean())
        error(*value, "'schedule' must be true or false, not " + std::string(type_name(*value)));
      settings_.schedule = value->value<bool>();
    }
    if (const toml::node* value = root.node("target")) {
      settings_.target = root.integer_in(*value, positive, "'target'");
    }
    const toml::node* sigma = root.node("sigma");
    const toml::node* units = root.node("units");
    if (sigma != nullptr && units != nullptr)
      error(*units, "both [sigma] and [units] are given", "leave one of them out");
    if (sigma != nullptr) read_classes(*sigma, "sigma", &ProblemReader::read_sigma);
    if (units != nullptr) read_classes(*units, "units", &ProblemReader::read_units);
  }

  void read_string(const toml::node& value) {
    const std::string* text = text_of(value, "'string'");
    if (text == nullptr) return;
    const auto string = parse_string("'string'", *text);
    if (string) {
      settings_.string = *string;
      return;
    }
    for (const Diagnostic& wrong : string.errors())
      file_.error(place_in(value, *text, wrong), wrong.message, wrong.help);
  }

  // Where in the file an error of the text is: inside of it where it stands in quotes on one line as it is, else at its
  // beginning.
  toml::source_region place_in(const toml::node& value, const std::string& text, const Diagnostic& wrong) const {
    toml::source_region place = value.source();
    const std::string_view line = file_.line_at(place);
    const auto begin = static_cast<size_t>(place.begin.column);  // behind the quote, from 0
    if (wrong.location.line == 1 && begin <= line.size() && line.substr(begin, text.size()) == text) {
      place.begin.column += static_cast<toml::source_index>(wrong.location.column);
    }
    return place;
  }

  void read_warps(const toml::node& value, TableReader& root) {
    if (value.is_string()) {
      keep(value, parse_warps("'warps'", value.as_string()->get()), settings_.warps);
      return;
    }
    const auto* array = value.as_array();
    if (array == nullptr && !value.is_integer()) {
      error(value, "'warps' must be an integer, an array of integers or a text, not " + std::string(type_name(value)),
            "write warps = 4, warps = [1, 2, 8] or warps = \"1..48\"");
      return;
    }
    std::string list;
    const auto add = [&](const toml::node& element) {
      const auto number = root.integer_in(element, positive, "'warps'");
      if (number) list += (list.empty() ? "" : ",") + std::to_string(*number);
    };
    if (array == nullptr) add(value);
    if (array != nullptr && array->empty()) error(value, "'warps' must not be empty");
    for (size_t i = 0; array != nullptr && i < array->size(); ++i) add((*array)[i]);
    if (!list.empty()) keep(value, parse_warps("'warps'", list), settings_.warps);
  }

  void read_methods(const toml::node& value) {
    if (value.is_string()) {
      keep(value, parse_methods("'methods'", value.as_string()->get()), settings_.methods);
      return;
    }
    const auto* array = value.as_array();
    if (array == nullptr || array->empty()) {
      error(value, "'methods' must be a text or an array of texts that is not empty",
            "write methods = [\"exact\", \"list\"]");
      return;
    }
    std::vector<solver::Method> methods;
    for (const toml::node& element : *array) {
      const std::string* text = text_of(element, "an entry of 'methods'");
      std::optional<std::vector<solver::Method>> named;
      if (text != nullptr) keep(element, parse_methods("'methods'", *text), named);
      if (named) methods.insert(methods.end(), named->begin(), named->end());
    }
    std::sort(methods.begin(), methods.end());
    methods.erase(std::unique(methods.begin(), methods.end()), methods.end());
    settings_.methods = std::move(methods);
  }

  void read_time_limit(const toml::node& value) {
    const auto seconds = value.is_number() ? value.value<double>() : std::nullopt;
    if (seconds && std::isfinite(*seconds) && *seconds >= 0 && *seconds <= most_seconds) {
      settings_.time_limit = seconds;
    } else {
      error(value, "'time_limit' must be a number of seconds from 0 to 1000000");
    }
  }

  using ReadClass = void (ProblemReader::*)(TableReader& table, const toml::node& value, size_t k);

  // A table with keys L, C and S.
  void read_classes(const toml::node& value, const std::string& key, ReadClass read) {
    if (!value.is_table()) {
      error(value, "'" + key + "' must be a table, not " + std::string(type_name(value)), "write [" + key + "]");
      return;
    }
    TableReader table(file_, *value.as_table(), "[" + key + "]");
    if (read == &ProblemReader::read_units) warp_size_ = table.integer_or("warp_size", {1, 1024}, 32);
    for (size_t k = 0; k < ir::unit_classes; ++k) {
      const std::string letter(1, ir::symbol(static_cast<ir::UnitClass>(k)));
      if (const toml::node* entry = table.node(letter)) (this->*read)(table, *entry, k);
    }
    table.finish();
  }

  void read_sigma(TableReader& table, const toml::node& value, size_t k) {
    const std::string letter(1, ir::symbol(static_cast<ir::UnitClass>(k)));
    if (value.is_string()) {
      keep(value, parse_width("[sigma]", letter, value.as_string()->get()), settings_.sigma[k]);
    } else if (const auto width = table.integer_in(value, positive, "'" + letter + "' of [sigma]")) {
      settings_.sigma[k] = support::Rational{*width, 1};
    }
  }

  void read_units(TableReader& table, const toml::node& value, size_t k) {
    const std::string letter(1, ir::symbol(static_cast<ir::UnitClass>(k)));
    const auto units = table.integer_in(value, positive, "'" + letter + "' of [units]");
    if (!units) return;
    const auto width = support::make_rational(*units, warp_size_);
    if (width && (width->numerator == 1 || width->denominator == 1)) {
      settings_.sigma[k] = *width;
    } else {
      error(value,
            "'" + letter + "' of [units] makes " + std::to_string(*units) + "/" + std::to_string(warp_size_) +
                " of a warp a cycle, which is neither a whole number nor 1/n",
            "give a divisor or a multiple of warp_size");
    }
  }

  TomlFile file_;
  ProblemSettings settings_;
  int64_t warp_size_ = 32;
};

}  // namespace

Result<ProblemSettings> parse_problem(const std::string& name, std::string_view text) {
  if (text.size() > longest_text) {
    Diagnostic wrong;
    wrong.location.file = name;
    wrong.message = "the problem file is larger than 64 MB";
    wrong.help = "write repetitions as numbers: L1000 or (LLC)^1000";
    return wrong;
  }
  return ProblemReader(name, text).run();
}

}  // namespace warpspan::app
