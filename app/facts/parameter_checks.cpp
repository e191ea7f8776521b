// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/facts/parameter_checks.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/facts/fact_kind.hpp"
#include "support/digits.hpp"
#include "support/nearest.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;

constexpr int64_t pointer_bytes = 8;

// How it is named, or begins to be: "x", "s+OFFSET".
std::string written(const ir::KernelParameter& parameter) {
  return parameter.bytes <= pointer_bytes ? parameter.name : parameter.name + "+OFFSET";
}

// --- Parameters that no kernel has.

bool has_named(const ir::KernelCode& code, const ir::Buffer& buffer) {
  return pointer_named(code, buffer.parameter).has_value();
}

bool has_named(const ir::KernelCode& code, const ir::Argument& argument) {
  for (size_t i = 0; i < code.parameters.size(); ++i) {
    if (argument.parameter == std::to_string(i) || argument.parameter == code.parameters[i].name) return true;
  }
  return code.names != nullptr && code.names->has(argument.parameter);
}

// Compilers made it up, and drop what the source has.
bool is_made_up(const ir::KernelCode& code, size_t parameter) {
  const bool has_source = code.names != nullptr && !code.names->parameters[parameter].source.empty();
  return !has_source && code.parameters[parameter].name.ends_with("_param_" + std::to_string(parameter));
}

// "0: f32, 1: out (u64)": with a name that compilers made up a parameter has its type alone.
std::string parameter_list(const ir::KernelCode& code) {
  std::string text;
  for (size_t i = 0; i < code.parameters.size(); ++i) {
    const ir::KernelParameter& parameter = code.parameters[i];
    const std::string source = code.names == nullptr ? "" : code.names->parameters[i].source;
    text += (i == 0 ? "" : ", ") + std::to_string(i) + ": " +
            (is_made_up(code, i) ? parameter.type
                                 : (source.empty() ? parameter.name : source) + " (" + parameter.type + ")");
  }
  return text;
}

// What it could have named: "its pointers are x and s.data".
std::string candidates(const ir::KernelCode& code, const ir::Buffer&) {
  if (code.names != nullptr) {
    const std::vector<std::string> pointers = code.names->pointers();
    return pointers.empty() ? "it has no pointers" : "its pointers are " + support::enumeration(pointers);
  }
  for (size_t i = 0; i < code.parameters.size(); ++i) {
    if (is_made_up(code, i) && code.parameters[i].bytes == pointer_bytes)
      return "its parameters are " + parameter_list(code) + "; give one by its number, as {buffer} " +
             std::to_string(i) + "=BYTES";
  }
  std::vector<std::string> names;
  for (const ir::KernelParameter& parameter : code.parameters) names.push_back(written(parameter));
  return names.empty() ? "it has no parameters" : "its parameters are " + support::enumeration(names);
}

std::string candidates(const ir::KernelCode& code, const ir::Argument& argument) {
  if (code.parameters.empty()) return "it has no parameters";
  const std::string text = "it has " + parameter_list(code);
  for (size_t i = 0; i < code.parameters.size(); ++i) {
    const ir::KernelParameter& parameter = code.parameters[i];
    if (is_made_up(code, i) && parameter.is_integer && parameter.bytes < pointer_bytes)
      return text + "; give one by its number: args = { " + std::to_string(i) + " = " + argument.value + " }";
  }
  return text;
}

template <typename Fact>
Diagnostic unknown(const Fact& fact, const std::vector<const ir::KernelCode*>& codes, bool as_pointer) {
  const std::string what = "parameter '" + fact.parameter + "'";
  if (codes.size() != 1) {
    return about(fact, "none of the kernels has a " + what, "give one of their parameters, by its name or index");
  }
  const bool is_pointer = as_pointer && codes.front()->names != nullptr;
  return about(fact,
               "kernel " + support::quoted_symbol(codes.front()->name) + " has no " +
                   (is_pointer ? "pointer '" + fact.parameter + "'" : what),
               candidates(*codes.front(), fact));
}

template <typename Fact>
void check_named(const Fact& fact, bool as_pointer, const ReadFiles& files) {
  const std::vector<const ir::KernelCode*> codes = kernels_for(fact, files);
  const auto has = [&fact](const ir::KernelCode* code) { return has_named(*code, fact); };
  if (codes.empty() || std::any_of(codes.begin(), codes.end(), has)) return;
  report_unused(unknown(fact, codes, as_pointer), fact.origin, files);
}

// --- The buffers of one kernel.

// Leaves those of its own parameters. An error if two of them contradict each other.
std::optional<Diagnostic> choose(const ir::KernelCode& code, std::vector<ir::Buffer>& buffers) {
  std::vector<ir::Buffer> own;
  for (ir::Buffer& buffer : buffers) {
    auto name = pointer_named(code, buffer.parameter);
    if (!name) continue;
    buffer.parameter = std::move(*name);
    const auto same = [&buffer](const ir::Buffer& known) { return known.parameter == buffer.parameter; };
    const auto known = std::find_if(own.begin(), own.end(), same);
    if (known == own.end()) {
      own.push_back(std::move(buffer));
    } else if (known->bytes != buffer.bytes) {
      return about(buffer,
                   "parameter '" + ir::place_of(buffer) + "' of kernel " + support::quoted_symbol(code.name) +
                       " is given two sizes: " + std::to_string(known->bytes) + " and " + std::to_string(buffer.bytes) +
                       " bytes",
                   "leave one of them out");
    }
  }
  buffers = std::move(own);
  return std::nullopt;
}

void choose_buffers(ReadFile& file) {
  std::vector<frontend::AnalyzedKernel> left;
  for (frontend::AnalyzedKernel& analyzed : file.kernels) {
    const ir::KernelCode* code = code_of(file, analyzed.kernel.name);
    const auto error = code == nullptr ? std::nullopt : choose(*code, analyzed.launch.buffers);
    if (error) {
      fail(file, analyzed.kernel.name, {*error});
    } else {
      left.push_back(std::move(analyzed));
    }
  }
  file.kernels = std::move(left);
}

}  // namespace

std::optional<std::string> pointer_named(const ir::KernelCode& code, const std::string& given) {
  ir::Buffer placed{given};
  if (code.names != nullptr) code.names->place(placed);
  const std::string& wanted = placed.parameter;
  for (size_t i = 0; i < code.parameters.size(); ++i) {
    const ir::KernelParameter& parameter = code.parameters[i];
    if (parameter.bytes <= pointer_bytes) {
      if (wanted == parameter.name || wanted == std::to_string(i)) return parameter.name;
      continue;
    }
    for (const std::string& name : {parameter.name, std::to_string(i)}) {
      if (!wanted.starts_with(name + "+")) continue;
      const std::string text = wanted.substr(name.size() + 1);
      const auto offset = support::parse_digits<int64_t>(text);
      const bool is_plain = offset && text == std::to_string(*offset);
      if (is_plain && *offset <= parameter.bytes - pointer_bytes) return parameter.name + "+" + text;
    }
  }
  return std::nullopt;
}

void check_buffers(const ir::Launch& launch, const ReadFiles& files) {
  if (launch.buffers.empty()) return;
  for (ReadFile* file : files) choose_buffers(*file);
  check_pointers(launch.buffers, files);
}

void check_pointers(const std::vector<ir::Buffer>& named, const ReadFiles& files) {
  if (!are_all_read(files)) return;
  for (const ir::Buffer& pointer : named) check_named(pointer, true, files);
}

void check_arguments(const ir::Launch& launch, const ReadFiles& files) {
  if (!are_all_read(files)) return;
  for (const ir::Argument& argument : launch.arguments) {
    if (argument.origin.is_file()) check_named(argument, false, files);
  }
}

}  // namespace warpspan::app
