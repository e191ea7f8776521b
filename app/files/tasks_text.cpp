// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/tasks_text.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "app/files/tasks_file.hpp"
#include "support/printable.hpp"
#include "support/toml_text.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::app {

namespace {

using amalthea::Entry;

// "12.5 us": exact, in the largest unit that has at most three decimals and is not below 1.
std::string time_text(int64_t picoseconds) {
  struct Unit {
    const char* name;
    int64_t picoseconds;
  };
  constexpr Unit units[] = {{"s", 1'000'000'000'000}, {"ms", 1'000'000'000}, {"us", 1'000'000}, {"ns", 1000}};
  for (const Unit& unit : units) {
    const int64_t thousandth = unit.picoseconds / 1000;
    const bool is_last = unit.picoseconds == 1000;
    if (!is_last && (picoseconds < unit.picoseconds || picoseconds % thousandth != 0)) continue;
    std::string text = std::to_string(picoseconds / unit.picoseconds);
    if (const int64_t rest = picoseconds % unit.picoseconds / thousandth; rest > 0) {
      text += fmt::format(".{:03}", rest);
      text.erase(text.find_last_not_of('0') + 1);
    }
    return text + " " + unit.name;
  }
  return {};
}

class TasksText {
 public:
  TasksText(std::string model, const std::string& path) : model_(std::move(model)) {
    const bool is_file = !path.empty() && path != "-";
    const auto folder = [](const std::string& file) { return std::filesystem::absolute(file).parent_path(); };
    from_ = folder(model_);
    to_ = is_file ? folder(path) : from_;
  }

  std::string of(const amalthea::GpuTasks& tasks) {
    add_line("# From " + support::printable(std::filesystem::path(model_).filename().string()) +
                 ", by 'warpspan amalthea' (docs/amalthea.md).",
             tasks.gpu_at);
    add_line("[gpu]", tasks.gpu_at);
    for (const Entry& entry : tasks.gpu) add_line(assignment(entry), entry.at);
    for (const amalthea::GpuTask& task : tasks.tasks) add_task(task);
    return std::move(text_);
  }

  // The place in the model of a line of the text, from 1.
  const support::Location& place_of(int64_t line) const {
    return places_[std::min(static_cast<size_t>(std::max<int64_t>(line, 1)), places_.size()) - 1];
  }

 private:
  void add_line(const std::string& line, const support::Location& at) {
    text_ += line + "\n";
    places_.push_back(at);
  }

  void add_task(const amalthea::GpuTask& task) {
    add_line("", task.at);
    add_line("[[task]]", task.at);
    for (const Entry& entry : task.entries) add_line(assignment(entry), entry.at);
    add_line("work = [", task.at);
    for (const amalthea::Operation& operation : task.work) {
      std::string keys;
      for (const Entry& entry : operation.entries) keys += (keys.empty() ? "" : ", ") + assignment(entry);
      add_line("  { " + keys + " },  # " + support::printable(operation.comment), operation.at);
    }
    add_line("]", task.at);
  }

  std::string assignment(const Entry& entry) const {
    const auto text = [this, &entry](const auto& value) { return text_of(entry, value); };
    return entry.key + " = " + std::visit(text, entry.value);
  }

  std::string text_of(const Entry&, int64_t value) const { return std::to_string(value); }
  std::string text_of(const Entry&, bool value) const { return value ? "true" : "false"; }
  std::string text_of(const Entry& entry, const std::string& value) const {
    const bool is_path = entry.key == "machine" && timing::is_machine_file(value);
    return support::toml_text(is_path ? moved(value) : value);
  }
  std::string text_of(const Entry&, const amalthea::Path& value) const { return support::toml_text(moved(value.text)); }
  std::string text_of(const Entry&, const amalthea::Picoseconds& value) const {
    return support::toml_text(time_text(value.value));
  }
  std::string text_of(const Entry&, const std::vector<int64_t>& values) const {
    return values.size() == 1 ? std::to_string(values.front()) : fmt::format("[{}]", fmt::join(values, ", "));
  }
  std::string text_of(const Entry&, const amalthea::Pairs& pairs) const {
    std::string text;
    for (const auto& [name, value] : pairs)
      text += (text.empty() ? "" : ", ") + support::toml_text(name) + " = " + support::toml_text(value);
    return "{ " + text + " }";
  }
  std::string text_of(const Entry&, const std::vector<std::string>& values) const {
    std::string text;
    for (const std::string& value : values) text += (text.empty() ? "" : ", ") + support::toml_text(value);
    return "[" + text + "]";
  }

  // A path relative to the model, as seen from the tasks file.
  std::string moved(const std::string& path) const {
    if (std::filesystem::path(path).is_absolute() || from_ == to_) return path;
    return (from_ / path).lexically_normal().lexically_proximate(to_.lexically_normal()).string();
  }

  std::string model_;
  std::filesystem::path from_, to_;  // folders of the model and of the tasks file
  std::string text_;
  std::vector<support::Location> places_;  // by line
};

}  // namespace

support::Result<std::string> tasks_text(const amalthea::GpuTasks& tasks, const std::string& model,
                                        const std::string& path) {
  TasksText writer(model, path);
  std::string text = writer.of(tasks);
  const auto request = parse_tasks(model, text);
  if (request) return text;
  support::Diagnostics errors = request.errors();
  for (support::Diagnostic& error : errors) {
    error.location = writer.place_of(error.location.line);
    error.message = "as a tasks file: " + error.message;
    error.source_line.clear();
  }
  return errors;
}

}  // namespace warpspan::app
