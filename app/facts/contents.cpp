// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/facts/contents.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include "app/facts/fact_kind.hpp"
#include "app/facts/parameter_checks.hpp"
#include "support/digits.hpp"
#include "support/nearest.hpp"
#include "support/source_file.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Result;
using Kind = ir::Contents::Kind;

struct Word {
  std::string_view word;
  Kind kind;
  bool is_drawn;
};
constexpr Word words[] = {
    {"zeros", Kind::zeros, false}, {"ramp", Kind::ramp, false},      {"integers", Kind::integers, true},
    {"reals", Kind::reals, true},  {"doubles", Kind::doubles, true}, {"halves", Kind::halves, true},
};

Diagnostic no_contents(const std::string& option, const std::string& got) {
  std::vector<std::string_view> known;
  for (const Word& each : words) known.push_back(each.word);
  const std::string_view meant = support::nearest(std::string_view(got).substr(0, got.find_first_of("<:")), known);
  Diagnostic error =
      expected(option, "zeros, ramp, integers[<N][:SEED], reals[:SEED], doubles[:SEED], halves[:SEED] or @FILE", got);
  if (!meant.empty() && meant != got) error.help = "did you mean '" + std::string(meant) + "'?";
  return error;
}

Result<ir::Contents> bytes_of(const std::string& option, const std::string& path) {
  auto file = support::read_source(path);
  if (!file) {
    support::Diagnostics errors = file.errors();
    for (Diagnostic& each : errors) each.message = option + ": " + each.message;
    return errors;
  }
  ir::Contents contents;
  contents.kind = Kind::bytes;
  contents.bytes = std::make_shared<const std::string>(file->bytes());
  return contents;
}

// "integers<100:7".
Result<ir::Contents> contents_of(const std::string& option, const std::string& text) {
  if (text.starts_with("@")) return bytes_of(option, text.substr(1));
  ir::Contents contents;
  std::string_view rest = text;
  if (const size_t colon = rest.find(':'); colon != std::string_view::npos) {
    const auto seed = support::parse_digits<uint64_t>(rest.substr(colon + 1));
    if (!seed) return expected(option, "a seed from 0 to 2^64-1 behind ':'", text);
    contents.seed = *seed;
    rest = rest.substr(0, colon);
  }
  const bool has_seed = rest.size() < text.size();
  if (const size_t sign = rest.find('<'); sign != std::string_view::npos && rest.substr(0, sign) == "integers") {
    const auto below = support::parse_digits<uint32_t>(rest.substr(sign + 1));
    if (!below || *below == 0) return expected(option, "a number from 1 to 2^32-1 behind '<'", text);
    contents.below = *below;
    rest = rest.substr(0, sign);
  }
  const auto found =
      std::find_if(std::begin(words), std::end(words), [&](const Word& each) { return each.word == rest; });
  if (found == std::end(words) || (has_seed && !found->is_drawn)) return no_contents(option, text);
  contents.kind = found->kind;
  return contents;
}

ir::Buffer as_pointer(const std::string& option, const ir::ExecutionOptions::Pointed& given) {
  return {given.parameter, 0, {}, {option}};
}

}  // namespace

support::Diagnostics read_contents(const std::string& option, const std::string& text, ir::ExecutionOptions& to) {
  const size_t sign = text.starts_with("@") ? std::string::npos : text.find('=');
  const std::string what = sign == std::string::npos ? text : text.substr(sign + 1);
  const auto contents = contents_of(option, what);
  if (!contents) return contents.errors();
  if (sign == std::string::npos) {
    to.contents = *contents;
    return {};
  }
  const std::string name = text.substr(0, sign);
  if (name.empty()) return {expected(option, "the name or index of a parameter before '='", text)};
  to.pointed.push_back({name, *contents});
  return {};
}

void check_contents(const std::string& option, const ir::ExecutionOptions& given, const ReadFiles& files) {
  std::vector<ir::Buffer> named;
  for (const auto& each : given.pointed) named.push_back(as_pointer(option, each));
  check_pointers(named, files);
}

Result<ir::ExecutionOptions> contents_for(const std::string& option, const ir::KernelCode& code,
                                          const ir::Launch& launch, ir::ExecutionOptions given) {
  std::vector<ir::ExecutionOptions::Pointed> own;
  for (ir::ExecutionOptions::Pointed& each : given.pointed) {
    const auto name = pointer_named(code, each.parameter);
    if (!name) continue;
    const std::string what = "parameter '" + each.parameter + "' of kernel " + support::quoted_symbol(code.name);
    const auto is_same = [&name](const auto& other) { return other.parameter == *name; };
    if (std::any_of(own.begin(), own.end(), is_same))
      return support::usage_error(option + ": " + what + " is given contents twice", "leave one of them out");
    const auto buffer = std::find_if(launch.buffers.begin(), launch.buffers.end(), is_same);
    const auto bytes = each.contents.bytes == nullptr ? 0 : static_cast<int64_t>(each.contents.bytes->size());
    if (buffer != launch.buffers.end() && bytes > buffer->bytes) {
      return support::usage_error(
          option + ": the file has " + std::to_string(bytes) + " bytes, and " + what + " points to " +
              std::to_string(buffer->bytes),
          "give --buffer " + each.parameter + "=" + std::to_string(bytes) + ", or less of the file");
    }
    own.push_back({*name, std::move(each.contents)});
  }
  given.pointed = std::move(own);
  return given;
}

}  // namespace warpspan::app
