// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of functions that a kernel calls: how long one without a body takes, how deep a recursive one is
// nested.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "app/facts/fact_kind.hpp"
#include "app/facts/fact_text.hpp"
#include "app/facts/fact_values.hpp"
#include "support/digits.hpp"
#include "support/nearest.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostics;

// --- Reading.

// "NAME=TIME": a function without a body, and how long one call of a warp takes: "20us", "5000" cycles.
Diagnostics read_call_cost(const GivenFact& given, ir::Launch& launch) {
  const std::string& text = given.text;
  const size_t sign = text.rfind('=');
  if (sign == 0 || sign == std::string::npos) {
    return {expected(given.name, "NAME=TIME, such as vprintf=20us or malloc=5000 for cycles", text)};
  }
  ir::CallCost cost{text.substr(0, sign), {}, {}, {}, given.origin};
  if (auto wrong = give_time(cost, text.substr(sign + 1))) {
    wrong->message = given.name + ": " + text + ": " + wrong->message;
    return {*wrong};
  }
  if (cost.time.amount == 0) return {expected(given.name, "a time above 0", text)};
  launch.call_costs.push_back(std::move(cost));
  return {};
}

// "NAME=DEPTH": a recursive function, and how many activations of it a thread's stack has at most, 1..2^63-1.
Diagnostics read_recursion(const GivenFact& given, ir::Launch& launch) {
  const std::string& text = given.text;
  const size_t sign = text.rfind('=');
  const auto depth = sign == 0 || sign == std::string::npos
                         ? std::nullopt
                         : support::parse_digits<int64_t>(std::string_view(text).substr(sign + 1));
  if (!depth || *depth < 1) {
    return {expected(given.name, "NAME=DEPTH with a number from 1, such as fibonacci=16", text)};
  }
  launch.recursions.push_back({text.substr(0, sign), *depth, {}, given.origin});
  return {};
}

// --- In a file of facts.

void read_call(FactsTable& table, const toml::key& key, const toml::node& value, ir::Launch& launch) {
  ir::CallCost cost{std::string(key.str()), {}, {}, table.kernel, table.origin_of(key.source())};
  if (give_time(cost, text_of(value))) {
    return table.error(value.source(),
                       "'" + cost.function + "' of [kernel.calls] must be a time, or a number of cycles",
                       "write " + cost.function + " = \"20 us\", or " + cost.function + " = 5000 for cycles");
  }
  if (cost.time.amount == 0) {
    return table.error(value.source(), "the time of a call of '" + cost.function + "' is not filled in",
                       "give the longest time of one call of a warp, as " + cost.function + " = \"20 us\"");
  }
  launch.call_costs.push_back(std::move(cost));
}

void read_calls_table(FactsTable& table, ir::Launch& launch) {
  table.for_each_value("calls",
                       [&](const toml::key& key, const toml::node& value) { read_call(table, key, value, launch); });
}

void read_depth(FactsTable& table, const toml::key& key, const toml::node& value, ir::Launch& launch) {
  ir::Recursion recursion{std::string(key.str()), 0, table.kernel, table.origin_of(key.source())};
  const std::string what = "'" + recursion.function + "' of [kernel.recursion]";
  const auto depth = table.reader.integer_in(value, FactsTable::not_negative, what);
  if (!depth) return;
  if (*depth == 0) {
    return table.error(value.source(), "the depth of '" + recursion.function + "' is not filled in",
                       "give the most activations of it that are on a thread's stack at the same time, as " +
                           recursion.function + " = 16");
  }
  recursion.depth = *depth;
  launch.recursions.push_back(std::move(recursion));
}

void read_recursion_table(FactsTable& table, ir::Launch& launch) {
  table.for_each_value("recursion",
                       [&](const toml::key& key, const toml::node& value) { read_depth(table, key, value, launch); });
}

// The fact of those that may be for the kernel which names the function; null if there is none.
template <typename Fact>
const Fact* fact_for(const std::string& function, const ir::KernelCode& code, const std::vector<Fact>& all) {
  const auto names = [&](const Fact& fact) {
    return is_for(fact, code) && support::names_symbol(fact.function, function);
  };
  const auto found = std::find_if(all.begin(), all.end(), names);
  return found == all.end() ? nullptr : &*found;
}

// A function, and what is given for it.
template <typename Fact>
struct FunctionFact {
  std::string function;
  const Fact* given;  // or null
};

std::vector<FunctionFact<ir::CallCost>> calls_of(const ir::KernelCode& code, const ir::Launch& given) {
  std::vector<FunctionFact<ir::CallCost>> calls;
  for (const std::string& function : code.external_functions) {
    calls.push_back({function, fact_for(function, code, given.call_costs)});
  }
  return calls;
}

// Those that were given, and those that have to be.
std::vector<FunctionFact<ir::Recursion>> depths_of(const ir::KernelCode& code, const ir::Launch& given) {
  std::vector<FunctionFact<ir::Recursion>> depths;
  for (const ir::RecursiveFunction& function : code.recursive_functions) {
    const ir::Recursion* depth = fact_for(function.name, code, given.recursions);
    if (depth != nullptr || function.lacks_depth) depths.push_back({function.name, depth});
  }
  return depths;
}

// "  # fibonacci(int)", where the name says less, and the end of the line.
std::string with_readable(const std::string& name) {
  const std::string readable = support::demangled(name);
  return readable == name ? "\n" : "  # " + support::printable(readable) + "\n";
}

std::string write_calls(const ir::KernelCode& code, const ir::Launch& given) {
  const auto calls = calls_of(code, given);
  if (calls.empty()) return {};
  std::string out =
      "\n# Functions that are called and have no body in the file; link them in (nvcc -dlto, clang with its bitcode), "
      "or\n"
      "# say how long one call of a warp takes at most, as \"20 us\", or 5000 for cycles.\n"
      "[kernel.calls]\n";
  for (const auto& [function, cost] : calls) {
    out += toml_key(function) + " = " + (cost == nullptr ? "0" : toml_text(cost->text)) + with_readable(function);
  }
  return out;
}

std::string write_recursion(const ir::KernelCode& code, const ir::Launch& given) {
  const auto depths = depths_of(code, given);
  if (depths.empty()) return {};
  std::string out =
      "\n# Recursive functions: how many activations of each are on a thread's stack at the same time, at most.\n"
      "[kernel.recursion]\n";
  for (const auto& [function, recursion] : depths) {
    out += toml_key(function) + fmt::format(" = {}", recursion == nullptr ? 0 : recursion->depth) +
           with_readable(function);
  }
  return out;
}

void calls_to_json(const ir::KernelCode& code, const ir::Launch& given, Json& kernel) {
  Json calls = Json::array();
  for (const auto& [function, cost] : calls_of(code, given)) {
    calls.push_back({{"function", function}, {"time", cost == nullptr ? Json(nullptr) : Json(cost->text)}});
  }
  kernel["external_functions"] = code.external_functions;
  kernel["calls"] = std::move(calls);
}

void recursion_to_json(const ir::KernelCode& code, const ir::Launch& given, Json& kernel) {
  Json depths = Json::array();
  for (const auto& [function, recursion] : depths_of(code, given)) {
    depths.push_back(
        {{"function", function}, {"depth", recursion == nullptr ? Json(nullptr) : Json(recursion->depth)}});
  }
  kernel["recursion"] = std::move(depths);
}

// --- Checks: a time of a function that no chosen kernel calls without a body, a depth of one that none calls
// recursively.

std::vector<std::string> functions_of(const ir::KernelCode& code, const ir::CallCost&) {
  return code.external_functions;
}

std::vector<std::string> functions_of(const ir::KernelCode& code, const ir::Recursion&) {
  std::vector<std::string> names;
  for (const ir::RecursiveFunction& function : code.recursive_functions) names.push_back(function.name);
  return names;
}

support::Diagnostic unused(const ir::CallCost& cost, const std::vector<std::string>& names) {
  return about(cost, "no kernel calls a function '" + cost.function + "' that has no body",
               names.empty() ? "leave its time out" : "without a body are " + support::enumeration(names));
}

support::Diagnostic unused(const ir::Recursion& recursion, const std::vector<std::string>& names) {
  return about(recursion, "no kernel calls a function '" + recursion.function + "' recursively",
               names.empty() ? "leave its depth out" : "recursive are " + support::enumeration(names));
}

template <typename Fact>
void check_functions(const std::vector<Fact>& facts, const ReadFiles& files) {
  const auto is_unread = [](const ReadFile* file) { return file->names.empty() || file->codes.empty(); };
  if (std::any_of(files.begin(), files.end(), is_unread)) return;
  for (const Fact& fact : facts) {
    std::set<std::string> names;
    for (const ir::KernelCode* code : kernels_for(fact, files)) {
      const std::vector<std::string> own = functions_of(*code, fact);
      names.insert(own.begin(), own.end());
    }
    const auto is_named = [&fact](const std::string& name) { return support::names_symbol(fact.function, name); };
    if (std::none_of(names.begin(), names.end(), is_named)) {
      report_unused(unused(fact, {names.begin(), names.end()}), fact.origin, files);
    }
  }
}

void check_call_costs(const ir::Launch& launch, const ReadFiles& files) { check_functions(launch.call_costs, files); }

void check_recursions(const ir::Launch& launch, const ReadFiles& files) { check_functions(launch.recursions, files); }

}  // namespace

FactKind call_cost_fact() {
  return {.fact = ir::UserFact::call_cost,
          .subject = FactKind::Subject::calls,
          .option = "--call-cost",
          .value = "NAME=TIME",
          .help =
              "Longest time of one call of a warp of a function without a body, which keeps all others waiting: "
              "vprintf=20us, malloc=5000 for cycles; repeatable",
          .form = FactKind::Form::pairs,
          .key = "calls",
          .read = read_call_cost,
          .named_by = before_last_sign,
          .read_table = read_calls_table,
          .write_table = write_calls,
          .write_json = calls_to_json,
          .check = check_call_costs};
}

FactKind recursion_fact() {
  return {.fact = ir::UserFact::recursion,
          .subject = FactKind::Subject::calls,
          .option = "--recursion",
          .value = "NAME=DEPTH",
          .help =
              "Most activations of a recursive function that are on a thread's stack at the same time: fibonacci=16; "
              "repeatable",
          .form = FactKind::Form::pairs,
          .key = "recursion",
          .read = read_recursion,
          .named_by = before_last_sign,
          .read_table = read_recursion_table,
          .write_table = write_recursion,
          .write_json = recursion_to_json,
          .check = check_recursions};
}

}  // namespace warpspan::app
