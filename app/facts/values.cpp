// SPDX-License-Identifier: GPL-3.0-or-later
// Values that loops, branches and addresses depend on: of parameters, and of variables of the file.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/facts/fact_kind.hpp"
#include "app/facts/fact_text.hpp"
#include "app/facts/fact_values.hpp"
#include "app/facts/parameter_checks.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostics;

// --- Reading.

// sign: where its value begins behind.
Diagnostics take_value(const GivenFact& given, size_t sign, ir::Argument argument, std::vector<ir::Argument>& to) {
  if (auto wrong = give_value(argument, std::string_view(given.text).substr(sign + 1))) {
    wrong->message = given.name + ": " + given.text + ": " + wrong->message;
    return {*wrong};
  }
  argument.origin = given.origin;
  to.push_back(std::move(argument));
  return {};
}

// "NAME=VALUE": a parameter's name or index, and a decimal or hexadecimal integer from -2^63 to 2^64-1, or a range as
// "1..4096". Or "NAME+OFFSET:BYTES=VALUE", for 1, 2, 4 or 8 bytes of the parameter, or "NAME+OFFSET=u32:VALUE".
Diagnostics read_argument(const GivenFact& given, ir::Launch& launch) {
  const size_t sign = given.text.find('=');
  if (sign == 0 || sign == std::string::npos) {
    return {expected(given.name, "NAME=VALUE with a decimal or hexadecimal integer", given.text)};
  }
  auto argument = argument_at(std::string_view(given.text).substr(0, sign));
  if (!argument) {
    return {expected(given.name, "NAME+OFFSET:BYTES=VALUE with 1, 2, 4 or 8 bytes of the parameter, such as s+8:4=100",
                     given.text)};
  }
  return take_value(given, sign, std::move(*argument), launch.arguments);
}

// The same for a variable of the file, and "NAME[3]=VALUE" for an element of an array.
Diagnostics read_global(const GivenFact& given, ir::Launch& launch) {
  const size_t sign = given.text.rfind('=');
  auto global = sign == std::string::npos ? std::nullopt : global_at(std::string_view(given.text).substr(0, sign));
  if (!global) {
    return {expected(given.name,
                     "NAME=VALUE, NAME[3]=VALUE or NAME+OFFSET=TYPE:VALUE, such as N=1024 or table+12=u32:7",
                     given.text)};
  }
  return take_value(given, sign, std::move(*global), launch.globals);
}

Diagnostics trust_initialisers(const GivenFact&, ir::Launch& launch) {
  launch.trust_initialisers = true;
  return {};
}

// --- In a file of facts.

// what: "parameter"; part: how a part of one is named.
struct TableOfValues {
  const char* key;
  const char* what;
  const char* name;
  const char* part;
  std::optional<ir::Argument> (*at)(std::string_view place);
};

void read_values(FactsTable& table, const TableOfValues& values, std::vector<ir::Argument>& to) {
  table.for_each_value(values.key, [&](const toml::key& key, const toml::node& value) {
    const std::string name(key.str());
    const std::string title = "'" + name + "' of [kernel." + values.key + "]";
    auto argument = values.at(name);
    if (!argument) {
      return table.error(key.source(), title + " is no " + values.what,
                         "write its name, " + std::string(values.name) + "or " + values.part);
    }
    const std::string text = text_of(value);
    if (text.empty()) {
      return table.error(value.source(), title + " must be an integer, or a text with one",
                         "write " + name + " = 1024, or a text such as \"0xff\" or \"1..4096\"");
    }
    if (const auto wrong = give_value(*argument, text)) {
      return table.error(value.source(), title + ": " + wrong->message, wrong->help);
    }
    argument->kernel = table.kernel;
    argument->origin = table.origin_of(key.source());
    to.push_back(std::move(*argument));
  });
}

void read_arguments_table(FactsTable& table, ir::Launch& launch) {
  read_values(table, {"args", "parameter", "its number, ", "\"s+8:4\" for 4 bytes of it from byte 8", argument_at},
              launch.arguments);
}

void read_globals_table(FactsTable& table, ir::Launch& launch) {
  read_values(table, {"globals", "variable", "", "\"table[3]\" for an element of an array", global_at}, launch.globals);
}

// What was given for the parameters of the kernel, by their names.
std::vector<ir::Argument> arguments_for(const ir::KernelCode& code, const std::vector<ir::Argument>& all) {
  std::vector<ir::Argument> own;
  for (ir::Argument argument : all) {
    if (!is_for(argument, code)) continue;
    if (code.names != nullptr) code.names->place(argument);
    for (size_t i = 0; i < code.parameters.size(); ++i) {
      const std::string& name = code.parameters[i].name;
      if (argument.parameter != name && argument.parameter != std::to_string(i)) continue;
      argument.parameter = name;
      own.push_back(argument);
    }
  }
  return own;
}

std::vector<ir::Argument> globals_for(const ir::KernelCode& code, const std::vector<ir::Argument>& all) {
  std::vector<ir::Argument> own;
  std::copy_if(all.begin(), all.end(), std::back_inserter(own),
               [&](const ir::Argument& global) { return is_for(global, code); });
  return own;
}

// What loops depend on that such a fact gives.
std::set<std::string> wanted_of(const ir::KernelCode& code, ir::UserFact fact) {
  const std::string before = kind_of(fact).option + std::string(" ");
  std::set<std::string> wanted;
  for (const ir::Loop& loop : code.loops.value_or(std::vector<ir::Loop>{})) {
    for (const std::string& remedy : loop.remedies) {
      if (!remedy.starts_with(before)) continue;
      const size_t begin = before.size() + (remedy.substr(before.size()).starts_with('\'') ? 1 : 0);  // of the quotes
      wanted.insert(remedy.substr(begin, remedy.find('=') - begin));
    }
  }
  return wanted;
}

// The keys of a parameter, as a fact names it: of a structure whose members are known, these.
std::vector<std::string> keys_of(const ir::KernelCode& code, size_t index) {
  constexpr size_t most_members = 16;
  const ir::KernelParameter& parameter = code.parameters[index];
  const std::string source = code.names == nullptr ? "" : code.names->parameters[index].source;
  const std::string name = source.empty() ? parameter.name : source;
  if (parameter.is_integer) return {name};
  std::vector<std::string> members;
  for (size_t i = 0; !source.empty() && i < code.names->members.size() && members.size() < most_members; ++i) {
    const ir::NamedBytes& member = code.names->members[i];
    if (member.parameter == index && member.is_integer && !member.is_pointer) members.push_back(member.name);
  }
  return members.empty() ? std::vector{name + "+0:4"} : members;
}

std::string write_arguments(const ir::KernelCode& code, const ir::Launch& given) {
  const std::vector<ir::Argument> arguments = arguments_for(code, given.arguments);
  std::string out;
  for (const ir::Argument& argument : arguments) {
    out += toml_key(ir::place_of(argument)) + " = " + toml_text(argument.value) + "\n";
  }
  std::set<std::string> wanted = wanted_of(code, ir::UserFact::argument);
  for (size_t i = 0; i < code.parameters.size(); ++i) {
    const ir::KernelParameter& parameter = code.parameters[i];
    const auto is_given = [&parameter](const ir::Argument& a) { return a.parameter == parameter.name; };
    if (std::any_of(arguments.begin(), arguments.end(), is_given)) continue;
    for (const std::string& place : keys_of(code, i)) {
      const char* use = wanted.erase(place) > 0 ? "; loops depend on it" : "";
      out += toml_comment(fmt::format("{} = 0  # parameter {}, {}{}", toml_key(place), i, parameter.type, use));
    }
  }
  for (const std::string& place : wanted) out += toml_comment(toml_key(place) + " = 0  # loops depend on it");
  return out.empty() ? out : "\n# Values of parameters.\n[kernel.args]\n" + out;
}

std::string write_globals(const ir::KernelCode& code, const ir::Launch& given) {
  std::string out;
  std::set<std::string> wanted = wanted_of(code, ir::UserFact::global);
  for (const ir::Argument& global : globals_for(code, given.globals)) {
    wanted.erase(ir::place_of(global));
    out += toml_key(ir::place_of(global)) + " = " + toml_text(global.value) + "\n";
  }
  for (const std::string& place : wanted) out += toml_comment(toml_key(place) + " = 0  # loops depend on it");
  return out.empty() ? out
                     : "\n# What variables of the file hold as long as the kernel runs.\n[kernel.globals]\n" + out;
}

Json values_to_json(const std::vector<ir::Argument>& arguments) {
  Json json = Json::array();
  for (const ir::Argument& argument : arguments) {
    json.push_back({{"place", ir::place_of(argument)}, {"value", argument.value}});
  }
  return json;
}

void arguments_to_json(const ir::KernelCode& code, const ir::Launch& given, Json& kernel) {
  kernel["arguments"] = values_to_json(arguments_for(code, given.arguments));
}

void globals_to_json(const ir::KernelCode& code, const ir::Launch& given, Json& kernel) {
  kernel["globals"] = values_to_json(globals_for(code, given.globals));
}

// --- In reports.

bool is_range(const ir::Argument& argument) { return argument.value.find("..") != std::string::npos; }

// "is 100", "are between 1 and 4096"
std::string value_words(const std::string& verb, const std::string& value) {
  const size_t dots = value.find("..");
  if (dots == std::string::npos) return verb + " " + value;
  return verb + " between " + value.substr(0, dots) + " and " + value.substr(dots + 2);
}

std::string argument_assumption(const ir::Argument& argument) {
  const bool is_source = !argument.written.empty();
  const std::string name = "parameter '" + (is_source ? argument.written : argument.parameter) + "'";
  const auto bytes = is_source ? std::nullopt : argument.bytes;
  const std::string count = !bytes || bytes->count == 1 ? "" : std::to_string(bytes->count) + " bytes from ";
  const std::string what = bytes ? count + "byte " + std::to_string(bytes->offset) + " of " + name : name;
  return "The " + what + " " + value_words(count.empty() ? "is" : "are", argument.value) + " (" +
         ir::to_string(argument.origin) + ").";
}

std::string global_assumption(const ir::Argument& global) {
  const bool is_element = global.element.has_value();
  const bool has_bytes = global.bytes && !is_element;
  const std::string name =
      "variable '" + global.parameter + (is_element ? "[" + std::to_string(*global.element) + "]" : "") + "'";
  const std::string what = has_bytes ? "bytes from byte " + std::to_string(global.bytes->offset) + " of " + name : name;
  const std::string count = has_bytes ? std::to_string(global.bytes->count) + " " : "";
  return "The " + count + what + " " + value_words(has_bytes ? "are" : "is", global.value) +
         " as long as the kernel runs (" + ir::to_string(global.origin) + ").";
}

// One value of an option is part of the launch that a report tells.
std::vector<std::string> argument_assumptions(const frontend::AnalyzedKernel& analyzed) {
  std::vector<std::string> sentences;
  for (const ir::Argument& argument : analyzed.launch.arguments) {
    if (argument.origin.is_file() || is_range(argument)) sentences.push_back(argument_assumption(argument));
  }
  return sentences;
}

std::vector<std::string> global_assumptions(const frontend::AnalyzedKernel& analyzed) {
  std::vector<std::string> sentences;
  for (const ir::Argument& global : analyzed.launch.globals) sentences.push_back(global_assumption(global));
  return sentences;
}

std::vector<std::string> initialiser_assumptions(const frontend::AnalyzedKernel& analyzed) {
  std::vector<std::string> sentences;
  for (const std::string& variable : analyzed.flow.trusted_variables) {
    sentences.push_back("Variable '" + variable +
                        "' holds what the file initialises it with: neither the host nor another kernel has changed it "
                        "(--trust-initialisers).");
  }
  return sentences;
}

}  // namespace

FactKind argument_fact() {
  return {.fact = ir::UserFact::argument,
          .subject = FactKind::Subject::values,
          .option = "--arg",
          .value = "NAME=VALUE",
          .help =
              "Value of a kernel parameter, by name or index, or a range: n=1..4096; of bytes of a struct: "
              "s+8=u32:VALUE; of a member, where debug information names it: s.n=VALUE; repeatable",
          .form = FactKind::Form::pairs,
          .key = "args",
          .read = read_argument,
          .named_by = before_first_sign,
          .read_table = read_arguments_table,
          .write_table = write_arguments,
          .write_json = arguments_to_json,
          .check = check_arguments,
          .assumptions = argument_assumptions};
}

FactKind global_fact() {
  return {.fact = ir::UserFact::global,
          .subject = FactKind::Subject::values,
          .option = "--global",
          .value = "NAME=VALUE",
          .help =
              "What a __constant__ or __device__ variable holds as long as the kernel runs: N=1024; of an array: "
              "table[3]=u32:7 or table+12=u32:7; repeatable",
          .form = FactKind::Form::pairs,
          .key = "globals",
          .read = read_global,
          .named_by = before_last_sign,
          .read_table = read_globals_table,
          .write_table = write_globals,
          .write_json = globals_to_json,
          .assumptions = global_assumptions};
}

FactKind initialisers_fact() {
  return {.fact = ir::UserFact::initialisers,
          .subject = FactKind::Subject::values,
          .option = "--trust-initialisers",
          .value = "",
          .help = "Variables that the file never stores to hold what it initialises them with: nobody else writes them",
          .form = FactKind::Form::flag,
          .key = "trust_initialisers",
          .key_form = FactKind::Key::truth,
          .read = trust_initialisers,
          .assumptions = initialiser_assumptions};
}

}  // namespace warpspan::app
