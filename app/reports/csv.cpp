// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/csv.hpp"

#include "support/printable.hpp"

namespace warpspan::app {

namespace {

bool is_number(const std::string& text) { return text.find_first_not_of("-0123456789.") == std::string::npos; }

std::string csv_field(const std::string& field) {
  std::string text = support::printable(field);
  const bool is_formula = !text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos;
  if (is_formula && !is_number(text)) text.insert(0, " ");
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string csv_row(const std::vector<std::string>& fields) {
  std::string out;
  for (const std::string& field : fields) out += (&field == fields.data() ? "" : ",") + csv_field(field);
  return out + "\n";
}

std::string csv_number(const std::optional<int64_t>& value) { return value ? std::to_string(*value) : std::string(); }

}  // namespace warpspan::app
