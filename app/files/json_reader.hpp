// SPDX-License-Identifier: GPL-3.0-or-later
// Reads JSON documents strictly: an error for everything that is not as it should be, with its place.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/diagnostic.hpp"
#include "support/result.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

// The document, or an error of cause input: a file of more than 64 MB, more than 16 levels of nesting, text that is no
// JSON (with line and column), a member that stands twice.
support::Result<nlohmann::json> parse_json(const support::SourceFile& file);

// A value and its place in the document, such as "patterns[3].followed". A missing value stands for one that an error
// has been reported for.
class JsonValue {
 public:
  JsonValue(const nlohmann::json* value, std::string place) : value_(value), place_(std::move(place)) {}

  // The member of an object; missing if it has none, or is no object.
  JsonValue operator[](const std::string& key) const;

  bool is_missing() const { return value_ == nullptr; }
  bool is_null() const { return value_ != nullptr && value_->is_null(); }
  const nlohmann::json& json() const { return *value_; }  // not missing
  const std::string& place() const { return place_; }     // empty: the document

 private:
  const nlohmann::json* value_;
  std::string place_;
};

// Typed access. What is not of the type is an error, and an empty value instead.
class JsonReader {
 public:
  explicit JsonReader(std::string file) : file_(std::move(file)) {}

  // Reports what is no object, and members that are missing or not among the keys.
  void object(const JsonValue& value, const std::vector<std::string>& keys);
  std::vector<JsonValue> array(const JsonValue& value, size_t most = std::numeric_limits<size_t>::max());
  std::string text(const JsonValue& value);
  bool boolean(const JsonValue& value);
  int64_t integer(const JsonValue& value, int64_t least = std::numeric_limits<int64_t>::min());

  void error(const JsonValue& value, const std::string& message);
  bool full() const { return errors_.size() >= most_errors; }  // further errors are left out
  const support::Diagnostics& errors() const { return errors_; }

 private:
  static constexpr size_t most_errors = 20;
  std::string file_;
  support::Diagnostics errors_;
};

}  // namespace warpspan::app
