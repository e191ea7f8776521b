// SPDX-License-Identifier: GPL-3.0-or-later
// Any text is budgets or a list of errors that can be printed; new times in the places of the old ones are read as they
// were written, and nothing else changes.
#include "app/files/budgets_file.hpp"

#include <set>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpspan;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto budgets = app::parse_budgets("fuzz.toml", text);
  if (!budgets) {
    if (budgets.errors().empty()) __builtin_trap();
    for (const support::Diagnostic& error : budgets.errors()) {
      if (render(error, false).empty()) __builtin_trap();
    }
    return 0;
  }
  std::vector<app::NewValue> values;
  std::set<size_t> places;  // several launches may have one
  for (const app::Budget& budget : *budgets) {
    if (places.insert(budget.time_place.begin).second) values.push_back({budget.time_place, "\"7 us\""});
  }
  const auto updated = app::parse_budgets("fuzz.toml", app::with_values(text, values));
  if (!updated || updated->size() != budgets->size()) __builtin_trap();
  for (size_t i = 0; i < updated->size(); ++i) {
    if ((*updated)[i].time->text != "7 us" || (*updated)[i].kernel != (*budgets)[i].kernel) __builtin_trap();
  }
  return 0;
}
