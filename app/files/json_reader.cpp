// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/json_reader.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "support/nearest.hpp"

namespace warpspan::app {

namespace {

using nlohmann::json;
using support::Diagnostic;
using support::Result;
using support::SourceFile;

constexpr size_t longest_text = 64'000'000;
constexpr int deepest = 16;

// The first bracket that opens too deep a level.
std::optional<size_t> too_deep(std::string_view text) {
  int depth = 0;
  bool in_text = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (in_text && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      in_text = !in_text;
    } else if (!in_text && (text[i] == '[' || text[i] == '{')) {
      if (++depth > deepest) return i;
    } else if (!in_text && (text[i] == ']' || text[i] == '}')) {
      --depth;
    }
  }
  return std::nullopt;
}

// Notes the first key that an object has twice.
class KeyWatch {
 public:
  bool operator()(int, json::parse_event_t event, const json& value) {
    if (event == json::parse_event_t::object_start) keys_.emplace_back();
    if (event == json::parse_event_t::object_end) keys_.pop_back();
    if (event == json::parse_event_t::key) {
      std::string key = value.get<std::string>();
      if (!keys_.back().insert(key).second && !repeated_) repeated_ = std::move(key);
    }
    return true;
  }
  const std::optional<std::string>& repeated() const { return repeated_; }

 private:
  std::vector<std::set<std::string>> keys_;
  std::optional<std::string> repeated_;
};

// "syntax error while parsing value - unexpected end of input" of nlohmann's message, which goes on.
std::string what_of(const json::exception& failure) {
  std::string_view text = failure.what();
  // "[json.exception.parse_error.101] parse error at line 1, column 2: ", or the brackets alone.
  for (const std::string_view end : {"] ", ": "}) {
    const size_t begin = text.find(end);
    if (begin != std::string_view::npos) text.remove_prefix(begin + end.size());
  }
  text = text.substr(0, text.find("; last read"));
  return std::string(text);
}

std::string type_name(const json& value) {
  if (value.is_null()) return "null";
  if (value.is_boolean()) return "true or false";
  if (value.is_number_integer()) return "an integer";
  if (value.is_number()) return "a number that is no integer of 64 bits";
  if (value.is_string()) return "a text";
  return value.is_array() ? "an array" : "an object";
}

}  // namespace

Result<json> parse_json(const SourceFile& file) {
  const std::string_view text = file.text();
  if (text.size() > longest_text) return file.error_at(0, "the file is larger than 64 MB");
  if (const auto at = too_deep(text)) return file.error_at(*at, "more than 16 levels of nesting");
  KeyWatch watch;
  try {
    json document = json::parse(
        text, [&watch](int depth, json::parse_event_t event, json& value) { return watch(depth, event, value); });
    if (!watch.repeated()) return document;
    Diagnostic error;
    error.location.file = file.name();
    error.message = "member '" + *watch.repeated() + "' stands twice in one object";
    return error;
  } catch (const json::parse_error& failure) {
    const size_t at = std::min(failure.byte == 0 ? 0 : failure.byte - 1, text.size());
    Diagnostic error = file.error_at(at, "not a JSON file: " + what_of(failure), "give one that warpspan has written");
    if (text.find('\0') != std::string_view::npos) error.source_line.clear();  // of code, not of text
    return error;
  } catch (const json::out_of_range& failure) {  // a number beyond all types, which has no place
    Diagnostic error;
    error.location.file = file.name();
    error.message = "not a JSON file: " + what_of(failure);
    return error;
  }
}

JsonValue JsonValue::operator[](const std::string& key) const {
  const std::string place = place_.empty() ? key : place_ + "." + key;
  if (value_ == nullptr || !value_->is_object()) return {nullptr, place};
  const auto member = value_->find(key);
  return {member == value_->end() ? nullptr : &*member, place};
}

void JsonReader::error(const JsonValue& value, const std::string& message) {
  if (value.is_missing() || full()) return;
  Diagnostic error;
  error.location.file = file_;
  error.message = (value.place().empty() ? "the document" : value.place()) + ": " + message;
  errors_.push_back(std::move(error));
}

void JsonReader::object(const JsonValue& value, const std::vector<std::string>& keys) {
  if (value.is_missing()) return;
  if (!value.json().is_object()) return error(value, "expected an object, got " + type_name(value.json()));
  for (const std::string& key : keys) {
    if (!value.json().contains(key)) error(value, "member '" + key + "' is missing");
  }
  for (const auto& [key, member] : value.json().items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    const std::string_view meant = support::nearest(key, {keys.begin(), keys.end()});
    error(value,
          "unknown member '" + key + "'" + (meant.empty() ? "" : "; did you mean '" + std::string(meant) + "'?"));
  }
}

std::vector<JsonValue> JsonReader::array(const JsonValue& value, size_t most) {
  if (value.is_missing()) return {};
  if (!value.json().is_array()) {
    error(value, "expected an array, got " + type_name(value.json()));
    return {};
  }
  if (value.json().size() > most) {
    error(value, "more than " + std::to_string(most) + " entries");
    return {};
  }
  std::vector<JsonValue> all;
  all.reserve(value.json().size());
  for (size_t i = 0; i < value.json().size(); ++i) {
    all.emplace_back(&value.json()[i], value.place() + "[" + std::to_string(i) + "]");
  }
  return all;
}

std::string JsonReader::text(const JsonValue& value) {
  if (value.is_missing()) return {};
  if (value.json().is_string()) return value.json().get<std::string>();
  error(value, "expected a text, got " + type_name(value.json()));
  return {};
}

bool JsonReader::boolean(const JsonValue& value) {
  if (value.is_missing()) return false;
  if (value.json().is_boolean()) return value.json().get<bool>();
  error(value, "expected true or false, got " + type_name(value.json()));
  return false;
}

int64_t JsonReader::integer(const JsonValue& value, int64_t least) {
  const int64_t instead = std::max<int64_t>(least, 0);
  if (value.is_missing()) return instead;
  const nlohmann::json& number = value.json();
  if (!number.is_number_integer()) {
    error(value, "expected an integer, got " + type_name(number));
    return instead;
  }
  const bool too_large = number.is_number_unsigned() && number.get<uint64_t>() > INT64_MAX;
  if (too_large || number.get<int64_t>() < least) {
    error(value, too_large ? "the number exceeds 2^63-1" : "expected a number from " + std::to_string(least));
    return instead;
  }
  return number.get<int64_t>();
}

}  // namespace warpspan::app
