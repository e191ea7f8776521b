// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/tasks_file.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

#include "app/cli/option_values.hpp"
#include "app/files/launch_keys.hpp"
#include "app/requests/numbers/time_limit.hpp"
#include "solver/response/response_bound.hpp"
#include "support/nearest.hpp"
#include "support/toml.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::app {

namespace {

namespace rt = solver::response_times;
using support::Diagnostic;
using support::Result;
using support::TableReader;
using support::TomlFile;
using support::type_name;

constexpr size_t longest_text = 16'000'000;
constexpr int64_t most_integer = std::numeric_limits<int64_t>::max();
constexpr TableReader::Range from_0 = {0, most_integer};
constexpr TableReader::Range from_1 = {1, most_integer};
constexpr TableReader::Range amounts = {0, std::numeric_limits<int32_t>::max()};
constexpr int64_t picoseconds_of_second = 1'000'000'000'000;
constexpr std::array<std::string_view, rt::kinds> capacity_keys = {"blocks", "threads", "shared", "registers"};
constexpr const char* no_task_help = "write a task: [[task]], name = \"NAME\", stream = 1 and work = [...]";
constexpr const char* operation_help =
    "write { copy = \"to-device\", time = \"100 us\" }, { kernel = \"NAME\", file = \"FILE\", block = 256, grid = 8 } "
    "or { blocks = 8, threads = 256, time = \"1 ms\" }";
constexpr const char* time_help = "write a number and its unit: \"33 ms\", \"80 us\" or \"500 ns\"";

class TasksReader {
 public:
  TasksReader(const std::string& name, std::string_view text)
      : name_(name), folder_(std::filesystem::path(name).parent_path()), file_(name, text) {
    request_.name = name;
  }

  Result<ResponseRequest> run() {
    const auto root = file_.parse();
    if (!root) return file_.errors();
    if (too_large(*root)) return file_.errors();
    support::refuse_control_characters(file_, *root);
    TableReader reader(file_, *root, "the tasks file");
    request_.gpu = place_of(*root);
    if (const toml::node* gpu = reader.node("gpu")) {
      read_gpu(*gpu);
    } else {
      file_.error(root->source(), "the file has no [gpu]", "write [gpu] and machine = \"NAME\"");
    }
    if (const toml::array* tasks = tasks_of(reader)) read_tasks(*tasks);
    reader.finish();
    support::Diagnostics errors = file_.errors();
    if (!errors.empty()) return errors;
    return std::move(request_);
  }

 private:
  void error(const toml::node& value, std::string message, std::string help = {}) {
    file_.error(value.source(), std::move(message), std::move(help));
  }

  void missing(const TableReader& table, const char* key, const char* help) {
    file_.error(table.at(), "missing key '" + std::string(key) + "' in " + table.title(), help);
  }

  TasksPlace place_of(const toml::node& value) const {
    const toml::source_region& at = value.source();
    return {{name_, std::max<int64_t>(1, at.begin.line), std::max<int64_t>(1, at.begin.column)},
            std::string(file_.line_at(at))};
  }

  // Before anything else is looked at: a million errors are no help.
  bool too_large(const toml::table& root) {
    const toml::array* tasks = root.get_as<toml::array>("task");
    if (tasks == nullptr || tasks->size() <= rt::most_tasks) return false;
    error((*tasks)[rt::most_tasks], "the file has " + std::to_string(tasks->size()) + " tasks",
          "bounds are found for at most " + std::to_string(rt::most_tasks) + " tasks");
    return true;
  }

  const toml::array* tasks_of(TableReader& root) {
    const toml::node* value = root.node("task");
    const toml::array* tasks = value == nullptr ? nullptr : value->as_array();
    if (tasks != nullptr && !tasks->empty()) return tasks;
    if (value == nullptr) {
      file_.error(root.at(), "the file has no task", no_task_help);
    } else {
      error(*value, "'task' must be an array of tables that is not empty", no_task_help);
    }
    return nullptr;
  }

  void read_gpu(const toml::node& value) {
    if (!value.is_table()) {
      error(value, "'gpu' must be a table, not " + std::string(type_name(value)), "write [gpu]");
      return;
    }
    request_.gpu = place_of(value);
    TableReader gpu(file_, *value.as_table(), "[gpu]");
    rt::Gpu& to = request_.workload.gpu;
    if (gpu.node("machine") != nullptr) read_machine(gpu);
    if (const toml::node* count = gpu.node("multiprocessors")) {
      request_.multiprocessors = gpu.integer_in(*count, {1, 65536}, "'multiprocessors'");
    }
    for (size_t kind = 0; kind < rt::kinds; ++kind) {
      const toml::node* amount = gpu.node(capacity_keys[kind]);
      if (amount == nullptr) continue;
      request_.capacity[kind] =
          gpu.integer_in(*amount, {1, amounts.most}, "'" + std::string(capacity_keys[kind]) + "'");
    }
    to.copy_engines = gpu.integer_or("copy_engines", {1, 2}, 1);
    if (to.copy_engines == 2) to.engine_of = {0, 1};
    if (const toml::node* rate = gpu.node("copy_rate")) copy_rate_ = gpu.integer_in(*rate, from_1, "'copy_rate'");
    request_.exclusive = gpu.truth_or("exclusive", false);
    if (const auto type = name_of(gpu, "null_stream", {"none", "legacy"})) {
      to.null_stream = *type == "legacy" ? rt::NullStream::legacy : rt::NullStream::none;
    }
    gpu.finish();
  }

  void read_machine(TableReader& gpu) {
    const std::string machine = gpu.text("machine").text;
    request_.machine_at = place_of(*gpu.node("machine"));
    request_.machine = timing::is_machine_file(machine) ? in_folder(machine) : machine;
  }

  // One of the names, or nothing if the key is missing or after an error.
  std::optional<std::string> name_of(TableReader& table, const char* key, const std::vector<std::string>& names) {
    const toml::node* value = table.node(key);
    if (value == nullptr) return std::nullopt;
    const auto* text = value->as_string();
    const std::string what = "'" + std::string(key) + "'";
    if (text == nullptr) {
      error(*value, what + " must be a text, not " + std::string(type_name(*value)),
            "write " + std::string(key) + " = \"" + names.front() + "\"");
      return std::nullopt;
    }
    const auto name = parse_name(names, what, text->get());
    if (name) return *name;
    for (const Diagnostic& wrong : name.errors()) error(*value, wrong.message, wrong.help);
    return std::nullopt;
  }

  // Times of one file have units, or none has.
  void count_unit(const toml::node& value, bool has_unit, const std::string& what) {
    if (has_units_ && *has_units_ != has_unit && !mixed_) {
      mixed_ = true;
      error(value, what + (has_unit ? " has a unit, and times before it have none" : " has no unit, as other times do"),
            "give all times of the file units, or none of them");
    }
    if (!has_units_) request_.has_units = has_unit;
    has_units_ = has_units_.value_or(has_unit);
  }

  // A time from `least` on, or nothing after an error.
  std::optional<int64_t> time_in(const toml::node& value, int64_t least, const std::string& what) {
    std::optional<int64_t> time;
    if (value.is_integer()) {
      count_unit(value, false, what);
      time = value.as_integer()->get();
    } else if (const auto* text = value.as_string()) {
      count_unit(value, true, what);
      time = time_of(value, text->get(), what);
      if (!time) return std::nullopt;
    } else {
      error(value, what + " must be a time, not " + std::string(type_name(value)), time_help);
      return std::nullopt;
    }
    if (*time >= least) return time;
    error(value, what + (least == 1 ? " must be more than 0" : " must not be negative"));
    return std::nullopt;
  }

  std::optional<int64_t> time_of(const toml::node& value, const std::string& text, const std::string& what) {
    const auto parsed = parse_time(text);
    const auto time = parsed ? whole_picoseconds(*parsed) : std::nullopt;
    if (!parsed) {
      error(value, what + ": " + parsed.errors().front().message, time_help);
    } else if (parsed->unit == TimeLimit::Unit::cycles) {
      error(value, what + ": how long '" + text + "' take depends on a clock", time_help);
    } else if (!time) {
      error(value, what + ": '" + text + "' is no whole number of picoseconds below 2^63", time_help);
    }
    return time;
  }

  std::optional<int64_t> time_or_none(TableReader& table, const char* key, int64_t least) {
    const toml::node* value = table.node(key);
    return value == nullptr ? std::nullopt : time_in(*value, least, "'" + std::string(key) + "'");
  }

  void read_tasks(const toml::array& tasks) {
    for (const toml::node& task : tasks) {
      if (const toml::table* table = task.as_table()) {
        read_task(*table);
      } else {
        error(task, "a task must be a table, not " + std::string(type_name(task)), no_task_help);
      }
    }
    if (operations_ <= rt::most_operations) return;
    error(tasks, "the tasks have " + std::to_string(operations_) + " operations",
          "bounds are found for at most " + std::to_string(rt::most_operations) + " operations");
  }

  void read_task(const toml::table& table) {
    TableReader reader(file_, table, "[[task]]");
    rt::Task task;
    if (reader.node("name") == nullptr) {
      missing(reader, "name", "write name = \"NAME\"");
    } else {
      task.name = reader.text("name").text;
      if (!task.name.empty() && !names_.insert(task.name).second)
        error(*table.get("name"), "another task is called '" + task.name + "'", "give each task a name of its own");
    }
    read_stream(reader, task);
    task.offset = time_or_none(reader, "offset", 0).value_or(0);
    task.period = time_or_none(reader, "period", 1);
    task.deadline = time_or_none(reader, "deadline", 1);
    request_.workload.tasks.push_back(std::move(task));
    request_.places.emplace_back();
    read_work(reader);
    reader.finish();
  }

  void read_stream(TableReader& reader, rt::Task& task) {
    const toml::node* stream = reader.node("stream");
    const toml::node* priority = reader.node("priority");
    if (stream == nullptr) missing(reader, "stream", "write stream = 1: tasks of one stream run one after another");
    if (priority != nullptr) {
      task.priority = reader.integer_in(*priority, {-most_integer, most_integer}, "'priority'").value_or(0);
    }
    const auto number = stream == nullptr ? std::nullopt : reader.integer_in(*stream, from_0, "'stream'");
    if (!number) return;
    task.stream = *number;
    const auto [known, added] = priorities_.emplace(task.stream, task.priority);
    if (added || known->second == task.priority) return;
    error(priority != nullptr ? *priority : *stream,
          "the priority is " + std::to_string(task.priority) + ", but stream " + std::to_string(task.stream) +
              " has priority " + std::to_string(known->second),
          "a priority is that of a stream: give its tasks the same one");
  }

  void read_work(TableReader& task) {
    const toml::node* value = task.node("work");
    const toml::array* work = value == nullptr ? nullptr : value->as_array();
    if (value == nullptr) {
      missing(task, "work", operation_help);
    } else if (work == nullptr || work->empty()) {
      error(*value, "'work' must be an array of tables that is not empty", operation_help);
    } else {
      operations_ += work->size();
      for (const toml::node& operation : *work) read_operation(operation);
    }
  }

  void read_operation(const toml::node& value) {
    const toml::table* table = value.as_table();
    if (table == nullptr) {
      error(value, "an operation must be a table, not " + std::string(type_name(value)), operation_help);
      return;
    }
    request_.places.back().push_back(place_of(value));
    rt::Operation operation = rt::Kernel{};
    if (table->contains("copy")) {
      operation = copy_of(*table);
    } else if (table->contains("file") || table->contains("kernel")) {
      read_kernel_of_file(*table);
    } else if (table->contains("blocks")) {
      operation = kernel_of(*table);
    } else {
      error(value, "an operation is a copy, a kernel of a file or a number of blocks", operation_help);
    }
    request_.workload.tasks.back().operations.push_back(operation);
  }

  rt::Copy copy_of(const toml::table& table) {
    TableReader reader(file_, table, "a copy");
    rt::Copy copy;
    if (name_of(reader, "copy", {"to-device", "to-host"}) == "to-host") copy.direction = rt::Direction::to_host;
    const toml::node* bytes = reader.node("bytes");
    const auto time = time_or_none(reader, "time", 1);
    if (!reader.has("time") && bytes == nullptr) {
      missing(reader, "time", "write time = \"100 us\", or bytes = 4096 with copy_rate in [gpu]");
    } else if (reader.has("time") && bytes != nullptr) {
      error(*bytes, "both 'time' and 'bytes' are given", "leave one of them out");
    }
    copy.time = bytes == nullptr ? time.value_or(1) : time_of_bytes(reader, *bytes);
    reader.finish();
    return copy;
  }

  int64_t time_of_bytes(TableReader& reader, const toml::node& value) {
    const auto bytes = reader.integer_in(value, from_1, "'bytes'");
    count_unit(value, true, "the time of a copy in bytes");
    if (!copy_rate_ && !mixed_)
      error(value, "a copy in bytes, and no rate", "write copy_rate = BYTES_PER_SECOND in [gpu]");
    if (!bytes || !copy_rate_) return 1;
    const auto time = ceil_share(*bytes, support::WideInteger(picoseconds_of_second), *copy_rate_);
    if (!time) error(value, "the copy takes more than 2^63 picoseconds");
    return std::max<int64_t>(1, time.value_or(1));
  }

  rt::Kernel kernel_of(const toml::table& table) {
    TableReader reader(file_, table, "a kernel given by its blocks");
    rt::Kernel kernel;
    kernel.blocks = reader.integer_or("blocks", from_1, 1);
    const int64_t threads = reader.integer_or("threads", amounts, 0);
    const int64_t shared = reader.integer_or("shared", amounts, 0);
    const int64_t registers = reader.integer_or("registers", amounts, 0);
    if (registers > 0 && registers < threads) {
      error(*table.get("registers"), "'registers' are those of a whole block, and these are fewer than its threads",
            "multiply the registers of a thread by the threads of a block");
    }
    // Threads come in whole warps.
    const int64_t warps = ir::warps_of(threads);
    kernel.need = {1, warps * timing::warp_size, shared, registers};
    refuse_missing_needs(reader);
    const auto time = time_or_none(reader, "time", 1);
    if (!reader.has("time")) missing(reader, "time", "write time = \"1 ms\": the most that one block takes");
    kernel.block_time = time.value_or(1);
    reader.finish();
    return kernel;
  }

  // A need that is left out would let more blocks run at once than there are.
  void refuse_missing_needs(TableReader& kernel) {
    std::vector<std::string> missing_keys;
    for (size_t kind = 0; kind < rt::kinds; ++kind) {
      const bool is_limited = !request_.machine.empty() || request_.capacity[kind];
      if (is_limited && !kernel.has(capacity_keys[kind]))
        missing_keys.push_back("'" + std::string(capacity_keys[kind]) + "'");
    }
    if (missing_keys.empty()) return;
    file_.error(
        kernel.at(),
        "[gpu] limits " + support::enumeration(missing_keys) + ", and the kernel does not say what a block needs",
        "write threads = 256, shared = 0, registers = 8192: what one block takes");
  }

  void read_kernel_of_file(const toml::table& table) {
    TableReader reader(file_, table, "a kernel of a file");
    KernelOfFile kernel;
    if (reader.node("kernel") != nullptr) kernel.kernel = reader.text("kernel").text;
    if (reader.node("facts") != nullptr) kernel.facts = in_folder(reader.text("facts").text);
    if (reader.node("file") == nullptr) {
      missing(reader, "file", "write file = \"FILE\", relative to the tasks file");
    } else {
      const support::Text file = reader.text("file");
      if (file.text == "-") file_.error(file.at, "'file' cannot be standard input", "give the name of a file");
      kernel.file = in_folder(file.text);
    }
    if (!reader.has("grid")) {
      missing(reader, "grid", "write grid = 8: a bound without it is for one block alone on the GPU");
    }
    for (const std::string_view key : keys_of_launch()) reader.node(key);
    LaunchReader launch(file_, name_, [&table](std::string_view key) { return table.get(key); });
    launch.read(kernel.launch);
    launch.read_assumptions(kernel.assumed);
    launch.read_compilation(kernel.compilation);
    count_unit(table, true, "the bound of a kernel of a file");
    reader.finish();
    request_.bounded[{request_.workload.tasks.size() - 1, request_.places.back().size() - 1}] = std::move(kernel);
  }

  std::string in_folder(const std::string& path) const { return (folder_ / path).string(); }

  std::string name_;
  std::filesystem::path folder_;
  TomlFile file_;
  ResponseRequest request_;
  std::optional<bool> has_units_;  // of the times so far
  bool mixed_ = false;             // reported once
  std::optional<int64_t> copy_rate_;
  std::set<std::string> names_;
  std::map<int64_t, int64_t> priorities_;  // by stream
  size_t operations_ = 0;
};

}  // namespace

Result<ResponseRequest> parse_tasks(const std::string& name, std::string_view text) {
  if (text.size() > longest_text) {
    auto wrong = support::usage_error("the tasks file is larger than 16 MB",
                                      "bounds are found for at most " + std::to_string(rt::most_tasks) + " tasks");
    wrong.location.file = name;
    return wrong;
  }
  return TasksReader(name, text).run();
}

}  // namespace warpspan::app
