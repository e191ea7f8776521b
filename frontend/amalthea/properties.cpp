// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/amalthea/properties.hpp"

#include <algorithm>

#include "frontend/amalthea/quantities.hpp"
#include "support/digits.hpp"
#include "support/nearest.hpp"

namespace warpspan::amalthea {

namespace {

enum class Form : uint8_t { text, path, integer, truth, time, extent, pairs, list };

struct Key {
  Owner owner;
  std::string_view name;
  Form form;
};

constexpr Key keys[] = {
    {Owner::task, "stream", Form::integer},
    {Owner::task, "priority", Form::integer},
    {Owner::task, "period", Form::time},
    {Owner::runnable, "blocks", Form::integer},
    {Owner::runnable, "threads", Form::integer},
    {Owner::runnable, "shared", Form::integer},
    {Owner::runnable, "registers", Form::integer},
    {Owner::runnable, "copy", Form::text},
    {Owner::runnable, "file", Form::path},
    {Owner::runnable, "kernel", Form::text},
    {Owner::runnable, "block", Form::extent},
    {Owner::runnable, "grid", Form::extent},
    {Owner::runnable, "args", Form::pairs},
    {Owner::runnable, "loop_bounds", Form::pairs},
    {Owner::runnable, "buffers", Form::pairs},
    {Owner::runnable, "assume", Form::list},
    {Owner::runnable, "facts", Form::path},
    {Owner::label, "memory", Form::text},
    {Owner::definition, "machine", Form::text},
    {Owner::definition, "multiprocessors", Form::integer},
    {Owner::definition, "blocks", Form::integer},
    {Owner::definition, "threads", Form::integer},
    {Owner::definition, "shared", Form::integer},
    {Owner::definition, "registers", Form::integer},
    {Owner::definition, "copy_engines", Form::integer},
    {Owner::definition, "copy_rate", Form::integer},
    {Owner::definition, "null_stream", Form::text},
    {Owner::definition, "exclusive", Form::truth},
};

const Key* find_key(Owner owner, std::string_view name) {
  const auto key = std::find_if(std::begin(keys), std::end(keys),
                                [&](const Key& one) { return one.owner == owner && one.name == name; });
  return key == std::end(keys) ? nullptr : key;
}

std::string trimmed(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const size_t end = text.find_last_not_of(' ') + 1;
  return std::string(text.substr(begin, end < begin ? 0 : end - begin));
}

// The parts between commas, without blanks around them; none may be empty.
std::optional<std::vector<std::string>> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(trimmed(text.substr(begin, end - begin)));
    if (parts.back().empty()) return std::nullopt;
    begin = end + 1;
  }
  return parts;
}

std::optional<std::vector<int64_t>> extent_of(const std::string& text) {
  const auto parts = parts_of(text);
  if (!parts || parts->size() > 3) return std::nullopt;
  std::vector<int64_t> extent;
  for (const std::string& part : *parts) {
    const auto number = support::parse_digits<int64_t>(part);
    if (!number) return std::nullopt;
    extent.push_back(*number);
  }
  return extent;
}

std::optional<Pairs> pairs_of(const std::string& text) {
  const auto parts = parts_of(text);
  if (!parts) return std::nullopt;
  Pairs pairs;
  for (const std::string& part : *parts) {
    const size_t equals = part.rfind('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == part.size()) return std::nullopt;
    pairs.emplace_back(trimmed(part.substr(0, equals)), trimmed(part.substr(equals + 1)));
    const bool twice = std::any_of(pairs.begin(), pairs.end() - 1,
                                   [&](const auto& known) { return known.first == pairs.back().first; });
    if (twice || pairs.back().first.empty() || pairs.back().second.empty()) return std::nullopt;
  }
  return pairs;
}

std::optional<int64_t> integer_of(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const auto number = support::parse_digits<int64_t>(text);
  if (!number) return std::nullopt;
  return negative ? -*number : *number;
}

std::optional<bool> truth_of(std::string_view text) {
  if (text != "true" && text != "false") return std::nullopt;
  return text == "true";
}

std::optional<Picoseconds> time_of(std::string_view text) {
  const auto time = picoseconds_of(text);
  if (!time || *time == 0) return std::nullopt;
  return Picoseconds{*time};
}

template <typename T>
void keep(std::optional<T> value, std::optional<Value>& to) {
  if (value) to.emplace(std::in_place_type<T>, std::move(*value));
}

// The owner that elements of a name are, of processing unit definitions those of that type only.
std::optional<Owner> owner_of(std::string_view element, std::string_view type) {
  if (element == "tasks") return Owner::task;
  if (element == "runnables") return Owner::runnable;
  if (element == "labels") return Owner::label;
  if (element == "definitions" && type == "ProcessingUnitDefinition") return Owner::definition;
  return std::nullopt;
}

}  // namespace

std::optional<Value> parse_property(Owner owner, std::string_view name, const std::string& text) {
  const Key* key = find_key(owner, name);
  if (key == nullptr || text.empty()) return std::nullopt;
  std::optional<Value> value;
  switch (key->form) {
    case Form::text: keep(std::optional(text), value); break;
    case Form::path: keep(std::optional(Path{text}), value); break;
    case Form::integer: keep(integer_of(text), value); break;
    case Form::truth: keep(truth_of(text), value); break;
    case Form::time: keep(time_of(text), value); break;
    case Form::extent: keep(extent_of(text), value); break;
    case Form::pairs: keep(pairs_of(text), value); break;
    case Form::list: keep(parts_of(text), value); break;
  }
  return value;
}

std::string expected_of(Owner owner, std::string_view name) {
  const Key* key = find_key(owner, name);
  if (key == nullptr) return {};
  switch (key->form) {
    case Form::text: return "a text";
    case Form::path: return "the name of a file, relative to the model";
    case Form::integer: return "an integer";
    case Form::truth: return "true or false";
    case Form::time: return "a time, such as \"33 ms\"";
    case Form::extent: return "one to three numbers, such as \"16,16\"";
    case Form::pairs: return "names with values, such as \"3=1024, n=16\"";
    case Form::list: return "names, such as \"keeps-constants, warm-code\"";
  }
  return {};
}

std::string wrong_property(std::string_view element, std::string_view type, std::string_view name) {
  const auto owner = owner_of(element, type);
  if (owner && find_key(*owner, name) != nullptr) return {};
  std::vector<std::string_view> own;
  std::vector<std::string> places;
  constexpr std::pair<Owner, const char*> words[] = {{Owner::task, "tasks"},
                                                     {Owner::runnable, "runnables"},
                                                     {Owner::label, "labels"},
                                                     {Owner::definition, "processing unit definitions"}};
  for (const Key& key : keys) {
    if (owner && key.owner == *owner) own.push_back(key.name);
  }
  for (const auto& [place, word] : words) {
    if (find_key(place, name) != nullptr) places.emplace_back(word);
  }
  const std::string_view near = support::nearest(name, own);
  if (!near.empty()) return "write key=\"warpspan." + std::string(near) + "\"";
  if (!places.empty()) return "it belongs to " + support::alternatives(places);
  return "docs/amalthea.md has all properties";
}

std::string property_help(std::string_view key, std::string_view value, const std::string& where) {
  return "write <customProperties key=\"warpspan." + std::string(key) +
         "\"><value xsi:type=\"am:StringObject\" value=\"" + std::string(value) + "\"/></customProperties> in " + where;
}

}  // namespace warpspan::amalthea
