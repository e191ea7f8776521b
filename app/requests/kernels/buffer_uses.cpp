#include "app/requests/kernels/buffer_uses.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "support/digits.hpp"
#include "support/nearest.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;

constexpr int64_t pointer_bytes = 8;

template <typename Fact>
Diagnostic about(const Fact& fact, const std::string& message, std::string help) {
  Diagnostic error = support::usage_error(message, std::move(help));
  if (fact.origin.is_file()) {
    error.location = fact.origin.location;
    error.source_line = fact.origin.line;
  } else {
    error.message = fact.origin.option + ": " + message;
  }
  return error;
}

// How it is named, or begins to be: "x", "s+OFFSET".
std::string written(const ir::KernelParameter& parameter) {
  return parameter.bytes <= pointer_bytes ? parameter.name : parameter.name + "+OFFSET";
}

// --- Parameters that no kernel has.

// The chosen kernels that a fact is for.
template <typename Fact>
std::vector<const ir::KernelCode*> kernels_of(const Fact& fact, const std::vector<KernelFile>& files) {
  std::vector<const ir::KernelCode*> codes;
  for (const KernelFile& file : files) {
    for (const ir::KernelCode& code : file.codes) {
      if (fact.kernel.empty() || support::names_symbol(fact.kernel, code.name)) codes.push_back(&code);
    }
  }
  return codes;
}

bool has_named(const ir::KernelCode& code, const ir::Buffer& buffer) {
  return pointer_named(code, buffer.parameter).has_value();
}

bool has_named(const ir::KernelCode& code, const ir::Argument& argument) {
  for (size_t i = 0; i < code.parameters.size(); ++i) {
    if (argument.parameter == std::to_string(i) || argument.parameter == code.parameters[i].name) return true;
  }
  return code.names != nullptr && code.names->has(argument.parameter);
}

// What it could have named: "its pointers are x and s.data".
std::string candidates(const ir::KernelCode& code, const ir::Buffer&) {
  if (code.names != nullptr) {
    const std::vector<std::string> pointers = code.names->pointers();
    return pointers.empty() ? "it has no pointers" : "its pointers are " + support::enumeration(pointers);
  }
  std::vector<std::string> names;
  for (const ir::KernelParameter& parameter : code.parameters) names.push_back(written(parameter));
  return names.empty() ? "it has no parameters" : "its parameters are " + support::enumeration(names);
}

std::string candidates(const ir::KernelCode& code, const ir::Argument&) {
  std::vector<std::string> names;
  for (size_t i = 0; i < code.parameters.size(); ++i) {
    const std::string source = code.names == nullptr ? "" : code.names->parameters[i].source;
    names.push_back(std::to_string(i) + ": " + (source.empty() ? code.parameters[i].name : source));
  }
  return names.empty() ? "it has no parameters" : "its parameters are " + support::enumeration(names);
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
void judge_unknown(const Fact& fact, bool as_pointer, std::vector<KernelFile>& files) {
  const std::vector<const ir::KernelCode*> codes = kernels_of(fact, files);
  const auto has = [&fact](const ir::KernelCode* code) { return has_named(*code, fact); };
  if (codes.empty() || std::any_of(codes.begin(), codes.end(), has)) return;
  Diagnostic error = unknown(fact, codes, as_pointer);
  if (fact.origin.is_file()) {
    error.severity = support::Severity::warning;
  } else {
    for (KernelFile& file : files) file.kernels.clear();
  }
  files.front().errors.add({error});
}

bool are_all_read(const std::vector<KernelFile>& files) {
  return std::none_of(files.begin(), files.end(), [](const KernelFile& f) { return f.names.empty(); });
}

// --- The buffers of one kernel.

const ir::KernelCode* code_of(const KernelFile& file, const std::string& kernel) {
  const auto named = [&kernel](const ir::KernelCode& code) { return code.name == kernel; };
  const auto found = std::find_if(file.codes.begin(), file.codes.end(), named);
  return found == file.codes.end() ? nullptr : &*found;
}

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

void choose_buffers(KernelFile& file) {
  std::vector<frontend::AnalyzedKernel> kept;
  for (frontend::AnalyzedKernel& analyzed : file.kernels) {
    const ir::KernelCode* code = code_of(file, analyzed.kernel.name);
    const auto error = code == nullptr ? std::nullopt : choose(*code, analyzed.launch.buffers);
    if (error) {
      fail(file, analyzed.kernel.name, {*error});
    } else {
      kept.push_back(std::move(analyzed));
    }
  }
  file.kernels = std::move(kept);
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
    } else if (wanted.starts_with(parameter.name + "+")) {
      const std::string_view text = std::string_view(wanted).substr(parameter.name.size() + 1);
      const auto offset = support::parse_digits<int64_t>(text);
      const bool is_plain = offset && text == std::to_string(*offset);
      if (is_plain && *offset <= parameter.bytes - pointer_bytes) return wanted;
    }
  }
  return std::nullopt;
}

void judge_buffers(const std::vector<ir::Buffer>& buffers, std::vector<KernelFile>& files) {
  if (buffers.empty()) return;
  for (KernelFile& file : files) choose_buffers(file);
  if (!are_all_read(files)) return;
  for (const ir::Buffer& buffer : buffers) judge_unknown(buffer, true, files);
}

void judge_arguments(const std::vector<ir::Argument>& arguments, std::vector<KernelFile>& files) {
  if (!are_all_read(files)) return;
  for (const ir::Argument& argument : arguments) {
    if (argument.origin.is_file()) judge_unknown(argument, false, files);
  }
}

}  // namespace warpspan::app
