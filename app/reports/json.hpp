// SPDX-License-Identifier: GPL-3.0-or-later
// What the JSON of several commands has in common. Only report sources include this.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/kept/long_text.hpp"
#include "app/reports/run_record.hpp"
#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "solver/strings/certificate/certificate.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

using Json = nlohmann::ordered_json;

Json or_null(const std::optional<int64_t>& value);

// [x, y, z], or null.
Json extent_to_json(const std::optional<ir::Extent>& extent);

// {"L": ..., "C": ..., "S": ...}
Json by_unit(const std::array<int64_t, ir::unit_classes>& values);

// {"slope", "intercept", "valid_from", "valid_to"}, or null.
Json line_to_json(const std::optional<solver::Line>& line);

// The "errors" of a document (analyze_json.cpp): those of the diagnostics that are no warnings.
Json errors_to_json(const support::Diagnostics& errors);

// The "run" of a document: {"command", "arguments": [...], "inputs": [{"file", "sha256"}], "machines": [{"name",
// "sha256"}]}; null without a command.
Json run_to_json(const RunRecord& run);

// "unknown" without a value. Filters take a null for less than every number; a text they do not.
Json or_unknown(const std::optional<int64_t>& value);
// The "warnings", in the same form.
Json warnings_to_json(const support::Diagnostics& errors);

// The "loops" of a kernel (analyze_json.cpp).
Json loops_to_json(const std::vector<ir::Loop>& loops);

// A document whose lists are made element by element: as a tree, no more than one of them is there at a time, and not
// all of a long text.
class JsonDocument {
 public:
  void add(std::string_view key, const Json& value);
  // make(element): its Json.
  template <typename List, typename Make>
  void add_list(std::string_view key, const List& list, const Make& make) {
    begin(key);
    const char* before = "[\n    ";
    for (const auto& element : list) {
      text_.append(std::exchange(before, ",\n    "));
      append(make(element), 4);
    }
    text_.append(list.empty() ? "[]" : "\n  ]");
  }
  // As dump() writes it.
  LongText take();

 private:
  void begin(std::string_view key);
  void append(const Json& value, size_t indent);

  LongText text_;
};

// Indented, with a line end. Bytes that are not UTF-8 come out as U+FFFD.
std::string dump(const Json& document);

}  // namespace warpspan::app
