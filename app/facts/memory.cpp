// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of memory: how much parameters point to, and how busy others keep it.
#include <fmt/format.h>

#include <algorithm>

#include "app/facts/fact_kind.hpp"
#include "app/facts/fact_text.hpp"
#include "app/facts/fact_values.hpp"
#include "app/facts/parameter_checks.hpp"
#include "support/digits.hpp"
#include "support/rational.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostics;

// --- Sizes of arrays.

// "NAME=BYTES": a parameter's name or index, either with "+8" for the pointer in its byte 8, and bytes that it points
// to, 1..2^63-1, perhaps with a unit (bytes_in).
Diagnostics read_buffer(const GivenFact& given, ir::Launch& launch) {
  const std::string& text = given.text;
  const size_t sign = text.find('=');
  const auto bytes =
      sign == 0 || sign == std::string::npos ? std::nullopt : bytes_in(std::string_view(text).substr(sign + 1));
  if (!bytes || *bytes < 1) {
    return {expected(given.name, "NAME=BYTES with a number from 1, such as x=4096 or x=64MB", text)};
  }
  launch.buffers.push_back({text.substr(0, sign), *bytes, {}, given.origin});
  return {};
}

// 4096, "4KB".
std::optional<int64_t> size_of(FactsTable& table, const toml::node& value, const std::string& what) {
  if (!value.is_string()) return table.reader.integer_in(value, FactsTable::positive, what);
  const auto bytes = bytes_in(value.as_string()->get());
  if (bytes && *bytes > 0) return bytes;
  table.error(value.source(), what + " must be a number of bytes, or a text as \"64MB\"", "write 4096, or \"64MB\"");
  return std::nullopt;
}

void read_buffers_table(FactsTable& table, ir::Launch& launch) {
  table.for_each_value("buffers", [&](const toml::key& key, const toml::node& value) {
    if (const auto bytes = size_of(table, value, "'" + std::string(key.str()) + "' of [kernel.buffers]")) {
      launch.buffers.push_back({std::string(key.str()), *bytes, table.kernel, table.origin_of(key.source())});
    }
  });
}

std::vector<ir::Buffer> buffers_for(const ir::KernelCode& code, const std::vector<ir::Buffer>& all) {
  std::vector<ir::Buffer> own;
  for (ir::Buffer buffer : all) {
    const auto name = is_for(buffer, code) ? pointer_named(code, buffer.parameter) : std::nullopt;
    if (!name) continue;
    if (code.names != nullptr) code.names->place(buffer);
    buffer.parameter = *name;
    own.push_back(buffer);
  }
  return own;
}

// What may point to memory: where the source is not known, each integer of 64 bits.
std::vector<std::string> pointers_of(const ir::KernelCode& code) {
  if (code.names != nullptr) return code.names->pointers();
  std::vector<std::string> pointers;
  for (const ir::KernelParameter& parameter : code.parameters) {
    if (parameter.is_integer && parameter.bytes == 8) pointers.push_back(parameter.name);
  }
  return pointers;
}

std::string write_buffers(const ir::KernelCode& code, const ir::Launch& given) {
  const std::vector<ir::Buffer> buffers = buffers_for(code, given.buffers);
  std::string out;
  for (const ir::Buffer& buffer : buffers) out += toml_key(ir::place_of(buffer)) + fmt::format(" = {}\n", buffer.bytes);
  for (const std::string& pointer : pointers_of(code)) {
    ir::Buffer placed{pointer};
    if (code.names != nullptr) code.names->place(placed);
    const auto is_given = [&placed](const ir::Buffer& b) { return b.parameter == placed.parameter; };
    if (std::none_of(buffers.begin(), buffers.end(), is_given)) out += toml_comment(toml_key(pointer) + " = 0");
  }
  return out.empty() ? out
                     : "\n# Bytes that parameters point to, if they are pointers: sizes of the arrays.\n"
                       "[kernel.buffers]\n" +
                           out;
}

std::vector<std::string> buffer_assumptions(const frontend::AnalyzedKernel& analyzed) {
  std::vector<std::string> sentences;
  for (const ir::Buffer& buffer : analyzed.launch.buffers) {
    sentences.push_back("Parameter '" + ir::place_of(buffer) + "' points to " + std::to_string(buffer.bytes) +
                        " bytes, and no access by it goes beyond (" + ir::to_string(buffer.origin) + ").");
  }
  return sentences;
}

// --- Others that use the memory.

// "0.3" is 3/10.
std::optional<support::Rational> decimal(std::string_view text) {
  const size_t point = text.find('.');
  if (point == std::string_view::npos) return support::parse_rational(text);
  const std::string_view behind = text.substr(point + 1);
  const auto whole = support::parse_digits<int64_t>(text.substr(0, point));
  const auto part = support::parse_digits<int64_t>(behind);
  constexpr size_t most_digits = 9;
  if (!whole || *whole > INT32_MAX || !part || behind.size() > most_digits) return std::nullopt;
  int64_t power = 1;
  for (size_t i = 0; i < behind.size(); ++i) power *= 10;
  return support::make_rational(*whole * power + *part, power);
}

// "0.3" or "3/10", at least 0 and below 1; nine digits behind the point at most.
Diagnostics read_interference(const GivenFact& given, ir::Launch& launch) {
  const auto share = decimal(given.text);
  if (!share || share->numerator < 0 || share->numerator >= share->denominator) {
    return {support::usage_error(
        given.name + ": expected a share from 0 to less than 1, such as 0.3 or 3/10, got '" + given.text + "'",
        "where a kernel is seen to take f times as long beside others as alone, it is 1 - 1/f: 1/2 for twice as "
        "long")};
  }
  launch.interference = ir::Interference{*share, given.text, given.origin};
  return {};
}

std::vector<std::string> interference_assumptions(const frontend::AnalyzedKernel& analyzed) {
  const auto& interference = analyzed.launch.interference;
  if (!interference) return {};
  return {"Others that use the memory, such as the CPU, keep the kernel's requests waiting for at most " +
          support::to_string(interference->share) + " of the time that it runs (" +
          ir::to_string(interference->origin) + ")."};
}

}  // namespace

FactKind buffer_fact() {
  return {.fact = ir::UserFact::buffer,
          .subject = FactKind::Subject::memory,
          .option = "--buffer",
          .value = "NAME=BYTES",
          .help =
              "Size of the array that a parameter points to: x=64M; in a struct: s+8=64M or s.data=64M. K, M, G, T, "
              "also as MB or MiB, are 1024 of the one before; repeatable",
          .form = FactKind::Form::pairs,
          .key = "buffers",
          .read = read_buffer,
          .named_by = before_first_sign,
          .read_table = read_buffers_table,
          .write_table = write_buffers,
          .check = check_buffers,
          .assumptions = buffer_assumptions};
}

FactKind interference_fact() {
  return {.fact = ir::UserFact::interference,
          .subject = FactKind::Subject::memory,
          .option = "--interference",
          .value = "SHARE",
          .help =
              "Part of the time for which others that use the memory, such as the CPU of an integrated GPU, keep the "
              "kernel's requests waiting at most: 0.3 or 3/10",
          .group = FactKind::Group::machine,
          .is_compared = false,
          .key = "interference",
          .key_form = FactKind::Key::number_or_text,
          .read = read_interference,
          .assumptions = interference_assumptions};
}

}  // namespace warpspan::app
