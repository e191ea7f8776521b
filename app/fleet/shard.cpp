// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/fleet/shard.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "app/fleet/result_cache.hpp"
#include "app/reports/json.hpp"
#include "support/sha256.hpp"

namespace warpspan::app {

namespace {

using support::Result;

constexpr const char* schema = "warpspan.shard/1";
constexpr size_t most_shards = 100000;
constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Base64 (RFC 4648), with '=' to fill up.
std::string as_text(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (size_t k = 0; k < 4; ++k) text += k <= count ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

// What does not fit is left out: a hash tells.
std::string as_bytes(std::string_view text) {
  std::array<int, 256> value{};
  value.fill(-1);
  for (size_t i = 0; i < digits.size(); ++i) value[static_cast<unsigned char>(digits[i])] = static_cast<int>(i);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    const int digit = value[static_cast<unsigned char>(c)];
    if (digit < 0) break;
    group = group << 6 | static_cast<uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> bits & 255);
  }
  return bytes;
}

support::Diagnostic at(const std::string& file, std::string message, std::string help) {
  support::Diagnostic error = support::usage_error(std::move(message), std::move(help));
  error.location.file = file;
  return error;
}

// "2, 3 and 5"; not all of many.
std::string listed(const std::vector<size_t>& numbers) {
  constexpr size_t most = 8;
  std::string text;
  for (size_t i = 0; i < std::min(numbers.size(), most); ++i) {
    text += (i == 0 ? "" : i + 1 == numbers.size() ? " and " : ", ") + std::to_string(numbers[i]);
  }
  return numbers.size() > most ? text + " and " + std::to_string(numbers.size() - most) + " more" : text;
}

}  // namespace

Result<Shard> parse_shard(const std::string& option, const std::string& text) {
  Shard shard;
  const char* end = text.data() + text.size();
  const auto [sign, wrong_index] = std::from_chars(text.data(), end, shard.index);
  const bool has_sign = wrong_index == std::errc() && sign != end && *sign == '/';
  const auto [rest, wrong_count] = std::from_chars(has_sign ? sign + 1 : end, end, shard.of);
  if (has_sign && wrong_count == std::errc() && rest == end && shard.index >= 1 && shard.index <= shard.of &&
      shard.of <= most_shards) {
    return shard;
  }
  return support::usage_error(option + ": expected I/N, with I from 1 to N, got '" + text + "'",
                              "the third of eight shards is 3/8");
}

std::string to_json(const ShardReport& report) {
  const std::string results = report.results.str();
  const Json json = {{"schema", schema},           {"version", program_version()}, {"program", program_identity()},
                     {"command", report.command},  {"shard", report.shard.index},  {"shards", report.shard.of},
                     {"run", report.run},          {"files", report.files},        {"sha256", support::sha256(results)},
                     {"results", as_text(results)}};
  return dump(json);
}

Result<ShardReport> read_shard(const support::SourceFile& file) {
  const Json json = Json::parse(file.text(), nullptr, false);
  const auto text = [&json](const char* key) -> const std::string& {
    static const std::string none;
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get_ref<const std::string&>() : none;
  };
  const auto number = [&json](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number_unsigned() ? found->get<size_t>() : 0;
  };
  if (!json.is_object() || text("schema") != schema) {
    return at(file.name(), "this is no shard of a run", "give files that 'warpspan check --shard I/N' wrote");
  }
  if (text("program") != program_identity()) {
    return at(file.name(), "the shard was written by another build of warpspan",
              "merge shards with the very program that wrote them");
  }
  ShardReport report;
  report.command = text("command");
  report.shard = {number("shard"), number("shards")};
  report.run = text("run");
  const std::string results = as_bytes(text("results"));
  report.results = results;
  if (support::sha256(results) != text("sha256") || report.shard.index < 1 || report.shard.index > report.shard.of ||
      report.shard.of > most_shards) {
    return at(file.name(), "the shard is not whole", "write it again");
  }
  return report;
}

Result<std::vector<ShardReport>> all_shards(const std::vector<std::string>& names, std::vector<ShardReport> reports) {
  support::Diagnostics errors;
  std::vector<size_t> owner(reports.front().shard.of + 1, reports.size());
  for (size_t i = 0; i < reports.size(); ++i) {
    const ShardReport& report = reports[i];
    if (report.run != reports.front().run || report.command != reports.front().command ||
        report.shard.of != reports.front().shard.of) {
      errors.push_back(at(names[i], "the shard is of another run than " + names.front(),
                          "merge shards of the same command, options, budgets and files only"));
      continue;
    }
    size_t& other = owner[report.shard.index];
    if (other != reports.size()) {
      errors.push_back(at(names[i],
                          "shard " + std::to_string(report.shard.index) + " is there twice: also " + names[other],
                          "give each shard once"));
    }
    other = i;
  }
  std::vector<size_t> missing;
  for (size_t index = 1; index < owner.size(); ++index) {
    if (owner[index] == reports.size()) missing.push_back(index);
  }
  if (errors.empty() && !missing.empty()) {
    const std::string of = std::to_string(reports.front().shard.of);
    errors.push_back(support::usage_error((missing.size() == 1 ? "shard " : "shards ") + listed(missing) + " of " + of +
                                              (missing.size() == 1 ? " is missing" : " are missing"),
                                          "give the report of each, from 1/" + of + " to " + of + "/" + of));
  }
  if (!errors.empty()) return errors;
  std::sort(reports.begin(), reports.end(),
            [](const ShardReport& a, const ShardReport& b) { return a.shard.index < b.shard.index; });
  return reports;
}

}  // namespace warpspan::app
