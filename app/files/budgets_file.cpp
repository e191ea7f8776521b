// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/budgets_file.hpp"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <set>

#include "app/files/launch_keys.hpp"
#include "app/files/value_place.hpp"
#include "app/reports/diagnostics.hpp"
#include "support/toml.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Result;
using support::TableReader;
using support::TomlFile;
using support::type_name;

constexpr size_t longest_text = 16'000'000;
constexpr TableReader::Range count_range = {0, std::numeric_limits<int32_t>::max()};
constexpr const char* no_budget_help = "write an entry: [[budget]], kernel = \"NAME\" and max = \"80 us\"";

using Keys = std::vector<std::string_view>;

Keys operator+(Keys keys, std::initializer_list<std::string_view> more) {
  keys.insert(keys.end(), more);
  return keys;
}

// The keys of a launch and of its limits.
Keys launch_keys() {
  return keys_of_launch() + std::initializer_list<std::string_view>{
                                "machine",   "facts",      "model",        "max",    "max_registers",   "max_spill",
                                "max_stack", "max_shared", "max_constant", "expect", "expect_tolerance"};
}

// The tables that a budget is read from: the first that has a key counts.
struct Layers {
  const toml::table* launch = nullptr;
  const toml::table* entry = nullptr;
  const toml::table* defaults = nullptr;

  const toml::node* find(std::string_view key) const {
    for (const toml::table* table : {launch, entry, defaults}) {
      if (table != nullptr && table->contains(key)) return table->get(key);
    }
    return nullptr;
  }
  // The same without [defaults].
  const toml::node* find_own(std::string_view key) const { return Layers{launch, entry, nullptr}.find(key); }
  const toml::table& innermost() const { return launch != nullptr ? *launch : *entry; }
};

class BudgetsReader {
 public:
  BudgetsReader(const std::string& name, std::string_view text)
      : name_(name), text_(text), folder_(std::filesystem::path(name).parent_path()), file_(name, text) {}

  Result<std::vector<Budget>> run() {
    const auto root = file_.parse();
    if (!root) return file_.errors();
    support::refuse_control_characters(file_, *root);
    check_keys(*root, "the budgets file", {"defaults", "budget"});
    read_defaults(*root);
    read_entries(*root);
    support::Diagnostics errors = each_once(file_.errors());
    if (!errors.empty()) return errors;
    return std::move(budgets_);
  }

 private:
  void error(const toml::node& value, std::string message, std::string help = {}) {
    file_.error(value.source(), std::move(message), std::move(help));
  }

  // Those of [defaults] are found again for each entry.
  static support::Diagnostics each_once(const support::Diagnostics& errors) {
    std::set<DiagnosticKey> known;
    support::Diagnostics once;
    for (const Diagnostic& one : errors) {
      if (known.insert(key_of(one)).second) once.push_back(one);
    }
    return once;
  }

  void check_keys(const toml::table& table, const std::string& title, const Keys& known) {
    TableReader reader(file_, table, title);
    for (const std::string_view key : known) reader.node(key);
    reader.finish();
  }

  void read_defaults(const toml::table& root) {
    const toml::node* value = root.get("defaults");
    if (value == nullptr) return;
    defaults_ = value->as_table();
    if (defaults_ == nullptr) {
      error(*value, "'defaults' must be a table, not " + std::string(type_name(*value)), "write [defaults]");
    } else {
      check_keys(*defaults_, "[defaults]", launch_keys() + std::initializer_list<std::string_view>{"file"});
    }
  }

  void read_entries(const toml::table& root) {
    const toml::node* value = root.get("budget");
    if (value == nullptr) {
      file_.error(root.source(), "the file has no budget", no_budget_help);
      return;
    }
    const toml::array* entries = value->as_array();
    if (entries == nullptr || entries->empty()) {
      error(*value, "'budget' must be an array of tables that is not empty",
            entries == nullptr && value->is_table() ? "write [[budget]], with two brackets on each side"
                                                    : no_budget_help);
      return;
    }
    for (const toml::node& entry : *entries) {
      if (const toml::table* table = entry.as_table()) {
        read_entry(*table);
      } else {
        error(entry, "a budget must be a table, not " + std::string(type_name(entry)), no_budget_help);
      }
    }
  }

  void read_entry(const toml::table& entry) {
    check_keys(entry, "[[budget]]",
               launch_keys() + std::initializer_list<std::string_view>{"file", "kernel", "label", "launches"});
    if (!entry.contains("kernel"))
      error(entry, "the budget names no kernel", "write kernel = \"NAME\", or \"*\" for all");
    const toml::node* launches = entry.get("launches");
    if (launches == nullptr) {
      read_budget({nullptr, &entry, defaults_});
      return;
    }
    const toml::array* array = launches->as_array();
    if (array == nullptr || array->empty()) {
      error(*launches, "'launches' must be an array of tables that is not empty",
            "write launches = [{ grid = 8, max = \"80 us\" }]");
      return;
    }
    for (const toml::node& launch : *array) {
      const toml::table* table = launch.as_table();
      if (table == nullptr) {
        error(launch, "a launch must be a table, not " + std::string(type_name(launch)));
        continue;
      }
      check_keys(*table, "a launch", launch_keys() + std::initializer_list<std::string_view>{"label"});
      read_budget({table, &entry, defaults_});
    }
  }

  void read_budget(const Layers& layers) {
    Budget budget;
    const toml::source_region& at = layers.innermost().source();
    budget.at = {name_, std::max<int64_t>(1, at.begin.line), std::max<int64_t>(1, at.begin.column)};
    budget.line = std::string(file_.line_at(at));
    if (read_text(layers, "kernel", budget.kernel)) {
      budget.kernel_place = place_of(text_, *layers.find("kernel"));
      budget.entry_place = place_of_entry(text_, *layers.entry);
    }
    read_text(layers, "label", budget.label);
    if (read_text(layers, "machine", budget.machine) && timing::is_machine_file(budget.machine)) {
      budget.machine = in_folder(budget.machine);
    }
    if (read_text(layers, "facts", budget.facts)) budget.facts = in_folder(budget.facts);
    read_model(layers);
    read_files(layers, budget);
    LaunchReader launch(file_, name_, [&layers](std::string_view key) { return layers.find(key); });
    launch.read(budget.launch);
    launch.read_assumptions(budget.assumed);
    budget.states_assumed = layers.find("assume") != nullptr;
    launch.read_compilation(budget.compilation);
    budget.time = read_time(layers, "max", budget.time_place);
    if (!budget.states_assumed) {
      budget.assume_place = place_for(text_, layers.innermost(), "assume");
      const bool is_empty = layers.innermost().is_inline() && layers.innermost().empty();
      if (is_empty) budget.assume_place->after = ", ";  // before the limit that it is written with
    }
    budget.expected = read_time(layers, "expect", budget.expected_place);
    read_tolerance(layers, budget);
    read_counts(layers, budget);
    budgets_.push_back(std::move(budget));
  }

  // Whether there is one.
  bool read_text(const Layers& layers, std::string_view key, std::string& to) {
    const toml::node* value = layers.find(key);
    if (value == nullptr) return false;
    const auto* text = value->as_string();
    if (text == nullptr) {
      error(*value, "'" + std::string(key) + "' must be a text, not " + std::string(type_name(*value)),
            "write " + std::string(key) + " = \"...\"");
    } else if (text->get().empty()) {
      error(*value, "'" + std::string(key) + "' must not be empty");
    } else {
      to = text->get();
    }
    return !to.empty();
  }

  void read_model(const Layers& layers) {
    std::string model = "pipeline";
    if (!read_text(layers, "model", model) || model == "pipeline") return;
    const bool is_string = model == "string";
    error(*layers.find("model"),
          is_string ? "the string model leaves out latencies: it does not bound the time of a kernel"
                    : "nothing is called '" + model + "' among the models",
          "write model = \"pipeline\", or leave the key out");
  }

  void read_files(const Layers& layers, Budget& budget) {
    const toml::node* value = layers.find("file");
    if (value == nullptr) return;
    for (const std::string& word : texts_of(file_, *value, "'file'")) {
      if (word == "-") error(*value, "'file' cannot be standard input", "give a file, a pattern or a folder");
      budget.files.push_back(word);
    }
    budget.folder = folder_.string();
  }

  // place: where it stands, or would have to.
  std::optional<TimeLimit> read_time(const Layers& layers, const std::string& key, ValuePlace& place) {
    const toml::node* own = layers.find_own(key);
    place = own != nullptr ? place_of(text_, *own) : place_for(text_, layers.innermost(), key);
    const toml::node* value = layers.find(key);
    if (value == nullptr) return std::nullopt;
    if (const auto* text = value->as_string()) {
      const auto time = parse_time_limit(text->get());
      if (time) return *time;
      for (const Diagnostic& wrong : time.errors()) error(*value, wrong.message, wrong.help);
    } else if (value->is_integer()) {
      const std::string number = std::to_string(value->as_integer()->get());
      error(*value, "'" + key + "' has no unit",
            "write " + key + " = \"" + number + " cycles\", \"" + number + " us\" or another unit of time");
    } else {
      error(*value, "'" + key + "' must be a text, not " + std::string(type_name(*value)),
            "write " + key + " = \"80 us\"");
    }
    return std::nullopt;
  }

  void read_tolerance(const Layers& layers, Budget& budget) {
    std::string text;
    if (!read_text(layers, "expect_tolerance", text)) return;
    const auto tolerance = parse_percent("expect_tolerance", text);
    const toml::node& value = *layers.find("expect_tolerance");
    if (tolerance) budget.tolerance = *tolerance;
    for (const Diagnostic& wrong : tolerance ? support::Diagnostics() : tolerance.errors())
      error(value, wrong.message, wrong.help);
    if (!budget.expected && layers.find_own("expect_tolerance") != nullptr)
      error(value, "'expect_tolerance' goes with 'expect'", "write expect = \"20 us\", or leave it out");
  }

  void read_counts(const Layers& layers, Budget& budget) {
    using Quantity = CheckedLimit::Quantity;
    for (const Quantity quantity :
         {Quantity::registers, Quantity::spill, Quantity::stack, Quantity::shared, Quantity::constant}) {
      const std::string key = "max_" + std::string(to_string(quantity));
      const toml::node* value = layers.find(key);
      if (layers.find_own(key) == nullptr)
        budget.most_places[static_cast<size_t>(quantity)] = place_for(text_, layers.innermost(), key);
      if (value == nullptr) continue;
      TableReader reader(file_, layers.innermost(), "[[budget]]");
      const auto most = reader.integer_in(*value, count_range, "'" + key + "'");
      const bool is_own = layers.find_own(key) != nullptr;
      budget.most[static_cast<size_t>(quantity)] =
          CountLimit{most.value_or(0), is_own ? std::optional(place_of(text_, *value)) : std::nullopt};
    }
  }

  std::string in_folder(const std::string& path) const { return (folder_ / path).string(); }

  std::string name_;
  std::string_view text_;
  std::filesystem::path folder_;
  TomlFile file_;
  const toml::table* defaults_ = nullptr;
  std::vector<Budget> budgets_;
};

}  // namespace

Result<std::vector<Budget>> parse_budgets(const std::string& name, std::string_view text) {
  if (text.size() > longest_text) {
    auto wrong = support::usage_error("the budgets file is larger than 16 MB", "give several files, one a run");
    wrong.location.file = name;
    return wrong;
  }
  return BudgetsReader(name, text).run();
}

std::string with_values(std::string_view text, std::vector<NewValue> values) {
  std::stable_sort(values.begin(), values.end(),
                   [](const NewValue& a, const NewValue& b) { return a.place.begin > b.place.begin; });
  std::string result(text);
  for (const auto& [place, value] : values) {
    result.replace(place.begin, place.end - place.begin, place.before + value + place.after);
  }
  return result;
}

}  // namespace warpspan::app
