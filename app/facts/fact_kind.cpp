// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/facts/fact_kind.hpp"

namespace warpspan::app {

#define WARPSPAN_DECLARE(name) FactKind name##_fact();
WARPSPAN_USER_FACTS(WARPSPAN_DECLARE)
#undef WARPSPAN_DECLARE

const std::vector<FactKind>& fact_kinds() {
#define WARPSPAN_ROW(name) name##_fact(),
  static const std::vector<FactKind> kinds = {WARPSPAN_USER_FACTS(WARPSPAN_ROW)};
#undef WARPSPAN_ROW
  return kinds;
}

const FactKind& kind_of(ir::UserFact fact) { return fact_kinds()[static_cast<size_t>(fact)]; }

std::string before_first_sign(const std::string& text) { return text.substr(0, text.find('=')); }

std::string before_last_sign(const std::string& text) { return text.substr(0, text.rfind('=')); }

support::Diagnostic expected(const std::string& name, const std::string& what, std::string_view got) {
  return support::usage_error(name + ": expected " + what + ", got '" + std::string(got) + "'");
}

}  // namespace warpspan::app
