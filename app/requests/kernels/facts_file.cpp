#include "app/requests/kernels/facts_file.hpp"

#include <limits>
#include <set>
#include <utility>

#include "app/requests/kernels/fact_values.hpp"
#include "support/toml.hpp"

namespace warpspan::app {

namespace {

using support::Result;
using support::TableReader;
using support::TomlFile;

constexpr const char* schema = "warpspan.facts/1";
constexpr TableReader::Range positive = {1, std::numeric_limits<int64_t>::max()};
constexpr TableReader::Range not_negative = {0, std::numeric_limits<int64_t>::max()};
constexpr size_t digits_of_sha256 = 64;

class FactsReader {
 public:
  FactsReader(const std::string& name, std::string_view text) : name_(name), file_(name, text) {}

  Result<Facts> run() {
    const auto table = file_.parse();
    if (!table) return file_.errors();
    support::refuse_control_characters(file_, *table);
    TableReader root(file_, *table, "the file of facts");
    if (const toml::node* value = root.node("schema")) read_schema(*value);
    for_each_table(root.node("kernel"), "kernel", "[[kernel]]", [this](TableReader& reader) { read_kernel(reader); });
    root.finish();
    support::Diagnostics errors = file_.errors();
    if (!errors.empty()) return errors;
    return std::move(facts_);
  }

 private:
  void error(const toml::source_region& at, std::string message, std::string help = {}) {
    file_.error(at, std::move(message), std::move(help));
  }

  ir::Origin origin_of(const toml::source_region& at) const {
    ir::Origin origin;
    origin.location = {name_, at.begin.line, at.begin.column};
    origin.line = std::string(file_.line_at(at));
    return origin;
  }

  // The tables of an array of tables.
  template <typename Read>
  void for_each_table(const toml::node* value, const std::string& key, const std::string& title, const Read& read) {
    if (value == nullptr) return;
    const auto* array = value->as_array();
    if (array == nullptr || !array->is_array_of_tables()) {
      return error(value->source(), "'" + key + "' must be an array of tables", "write " + title);
    }
    for (const toml::node& element : *array) {
      TableReader reader(file_, *element.as_table(), title);
      read(reader);
      reader.finish();
    }
  }

  // The text of a key that must be there; nothing after an error.
  std::optional<support::Text> required_text(TableReader& reader, const std::string& key, const std::string& example) {
    if (!reader.has(key)) {
      error(reader.at(), "missing key '" + key + "' in " + reader.title(), "write " + key + " = \"" + example + "\"");
      return std::nullopt;
    }
    support::Text text = reader.text(key);
    return text.text.empty() ? std::nullopt : std::optional(std::move(text));
  }

  void read_schema(const toml::node& value) {
    if (value.is_string() && value.as_string()->get() == schema) return;
    error(value.source(), "'schema' must be \"" + std::string(schema) + "\"",
          "a later version of warpspan may read this file");
  }

  void read_kernel(TableReader& reader) {
    KernelFacts facts;
    facts.origin = origin_of(reader.at());
    if (const auto name = required_text(reader, "name", "KERNEL")) facts.kernel = name->text;
    kernel_ = facts.kernel;
    read_code(reader, facts);
    std::set<std::string> places;
    for_each_table(reader.node("loop"), "loop", "[[kernel.loop]]",
                   [&](TableReader& loop) { read_loop(loop, places, facts); });
    for_each_value(reader, "args", [&](const toml::key& key, const toml::node& value) {
      const auto argument = argument_at(key.str());
      read_value(key, value, "args", argument, "\"s+8:4\" for 4 bytes of it from byte 8", facts.arguments);
    });
    for_each_value(reader, "globals", [&](const toml::key& key, const toml::node& value) {
      auto global = global_at(key.str());
      read_value(key, value, "globals", global, "\"table[3]\" for an element of an array", facts.globals);
    });
    for_each_value(reader, "calls",
                   [&](const toml::key& key, const toml::node& value) { read_call(key, value, facts); });
    for_each_value(reader, "recursion",
                   [&](const toml::key& key, const toml::node& value) { read_depth(reader, key, value, facts); });
    for_each_value(reader, "buffers", [&](const toml::key& key, const toml::node& value) {
      if (const auto bytes = size_of(reader, value, "'" + std::string(key.str()) + "' of [kernel.buffers]")) {
        facts.buffers.push_back({std::string(key.str()), *bytes, kernel_, origin_of(key.source())});
      }
    });
    facts_.push_back(std::move(facts));
  }

  // 4096, "4KB".
  std::optional<int64_t> size_of(TableReader& reader, const toml::node& value, const std::string& what) {
    if (!value.is_string()) return reader.integer_in(value, positive, what);
    const auto bytes = bytes_in(value.as_string()->get());
    if (bytes && *bytes > 0) return bytes;
    error(value.source(), what + " must be a number of bytes, or a text as \"64MB\"", "write 4096, or \"64MB\"");
    return std::nullopt;
  }

  void read_code(TableReader& reader, KernelFacts& facts) {
    ExpectedCode code;
    if (reader.node("instructions") != nullptr) code.instructions = reader.integer("instructions", not_negative);
    code.parameters = texts_of(reader, "parameters");
    code.loops = texts_of(reader, "loops");
    code.call_lines = texts_of(reader, "call_lines");
    if (reader.node("sha256") == nullptr) return;
    code.sha256 = reader.text("sha256").text;
    if (code.sha256.size() != digits_of_sha256 ||
        code.sha256.find_first_not_of("0123456789abcdef") != std::string::npos) {
      error(reader.at("sha256"), "'sha256' must have 64 hexadecimal digits in small letters",
            "take the line out, or let 'warpspan facts' write it");
    }
    code.origin = origin_of(reader.at("sha256"));
    facts.code = std::move(code);
  }

  static std::optional<std::vector<std::string>> texts_of(TableReader& reader, const std::string& key) {
    if (!reader.has(key)) return std::nullopt;
    std::vector<std::string> texts;
    for (support::Text& text : reader.texts(key)) texts.push_back(std::move(text.text));
    return texts;
  }

  void read_loop(TableReader& reader, std::set<std::string>& places, KernelFacts& facts) {
    const auto at = required_text(reader, "at", "kernel.cu:42");
    const toml::node* value = reader.node("trip_count");
    const bool has_wait = reader.has("wait");
    if (value == nullptr && !has_wait) {
      error(reader.at(), "missing key 'trip_count' in [[kernel.loop]]", "write trip_count = 64, say");
    }
    const auto trips = value == nullptr ? std::nullopt : reader.integer_in(*value, not_negative, "'trip_count'");
    const auto wait = has_wait ? std::optional(reader.text("wait")) : std::nullopt;
    if (!at || (value == nullptr ? !wait : !trips)) return;
    auto bound = loops_at(at->text);
    if (!bound || !bound->kernel.empty()) {
      return error(at->at, "'" + at->text + "' is no place of a loop",
                   "write a label as \"$L__BB0_2\", a line of the PTX as \"line:63\", or one of the source as "
                   "\"kernel.cu:42\", perhaps with the call of its function as \"kernel.cu:42 from kernel.cu:9\"");
    }
    const bool is_of_ptx = bound->line != 0 && bound->file.empty();
    const bool is_from_ptx = bound->from_line != 0 && bound->from_file.empty();
    if (facts.code && (is_of_ptx || is_from_ptx)) {
      return error(at->at,
                   "'" + at->text + "' may be another loop by now: 'sha256' does not tell where the code stands",
                   "name the loop by its label or by its line in the source, or take sha256 out");
    }
    if (facts.code && !facts.code->loops && !bound->file.empty()) {
      return error(at->at, "'" + at->text + "' may be another loop by now: 'sha256' does not tell source lines",
                   "keep 'loops' as 'warpspan facts' wrote it, name the loop by its label, or take sha256 out");
    }
    if (facts.code && !facts.code->call_lines && !bound->from_file.empty()) {
      return error(at->at, "'" + at->text + "' may be another call by now: 'sha256' does not tell source lines",
                   "keep 'call_lines' as 'warpspan facts' wrote it, or take sha256 out");
    }
    if (!places.insert(ir::place_of(*bound)).second) {
      return error(at->at, "'" + at->text + "' has a trip count above", "leave one of them out");
    }
    bound->kernel = kernel_;
    if (wait && wait->text.empty()) return;
    if (wait) {
      ir::LoopBound waiting = *bound;
      waiting.wait = nanoseconds_in(wait->text);
      waiting.origin = origin_of(wait->at);
      if (!waiting.wait) return error(wait->at, "'" + wait->text + "' is no time", "write wait = \"2 us\", say");
      facts.loop_bounds.push_back(std::move(waiting));
    }
    if (value == nullptr) return;
    bound->trip_count = trips.value_or(0);
    if (bound->trip_count == 0) {
      return error(reader.at("trip_count"), "the trip count of the loop at '" + at->text + "' is not filled in",
                   "give the most times its header runs each time it is entered, or take [[kernel.loop]] out");
    }
    bound->origin = origin_of(reader.at("trip_count"));
    facts.loop_bounds.push_back(std::move(*bound));
  }

  // The keys and values of a table that may be left out.
  template <typename Read>
  void for_each_value(TableReader& reader, const std::string& key, const Read& read) {
    if (reader.node(key) == nullptr) return;
    const toml::table* table = reader.table(key);
    if (table == nullptr) return;
    for (auto&& [name, value] : *table) read(name, value);
  }

  // argument: what the key names; `example`: how a part of a parameter or variable is named.
  void read_value(const toml::key& key, const toml::node& value, const std::string& table,
                  std::optional<ir::Argument> argument, const std::string& example, std::vector<ir::Argument>& to) {
    const std::string name(key.str());
    const bool is_parameter = table == "args";
    if (!argument) {
      return error(key.source(),
                   "'" + name + "' of [kernel." + table + "] is no " + (is_parameter ? "parameter" : "variable"),
                   std::string("write its name, ") + (is_parameter ? "its number, " : "") + "or " + example);
    }
    std::string text;
    if (value.is_integer()) text = std::to_string(value.as_integer()->get());
    if (value.is_string()) text = value.as_string()->get();
    if (text.empty()) {
      return error(value.source(), "'" + name + "' of [kernel." + table + "] must be an integer, or a text with one",
                   "write " + name + " = 1024, or a text such as \"0xff\" or \"1..4096\"");
    }
    if (const auto wrong = give_value(*argument, text)) {
      return error(value.source(), "'" + name + "' of [kernel." + table + "]: " + wrong->message, wrong->help);
    }
    argument->kernel = kernel_;
    argument->origin = origin_of(key.source());
    to.push_back(std::move(*argument));
  }

  void read_call(const toml::key& key, const toml::node& value, KernelFacts& facts) {
    ir::CallCost cost{std::string(key.str()), {}, {}, kernel_, origin_of(key.source())};
    std::string text;
    if (value.is_integer()) text = std::to_string(value.as_integer()->get());
    if (value.is_string()) text = value.as_string()->get();
    const std::string what = "'" + cost.function + "' of [kernel.calls]";
    if (const auto wrong = give_time(cost, text)) {
      return error(value.source(), what + " must be a time, or a number of cycles",
                   "write " + cost.function + " = \"20 us\", or " + cost.function + " = 5000 for cycles");
    }
    if (cost.time.amount == 0) {
      return error(value.source(), "the time of a call of '" + cost.function + "' is not filled in",
                   "give the longest time of one call of a warp, as " + cost.function + " = \"20 us\"");
    }
    facts.call_costs.push_back(std::move(cost));
  }

  void read_depth(TableReader& reader, const toml::key& key, const toml::node& value, KernelFacts& facts) {
    ir::Recursion recursion{std::string(key.str()), 0, kernel_, origin_of(key.source())};
    const std::string what = "'" + recursion.function + "' of [kernel.recursion]";
    const auto depth = reader.integer_in(value, not_negative, what);
    if (!depth) return;
    if (*depth == 0) {
      return error(value.source(), "the depth of '" + recursion.function + "' is not filled in",
                   "give the most activations of it that are on a thread's stack at the same time, as " +
                       recursion.function + " = 16");
    }
    recursion.depth = *depth;
    facts.recursions.push_back(std::move(recursion));
  }

  std::string name_;
  TomlFile file_;
  std::string kernel_;  // pattern of the table that is read
  Facts facts_;
};

}  // namespace

Result<Facts> parse_facts(const std::string& name, std::string_view text) { return FactsReader(name, text).run(); }

}  // namespace warpspan::app
