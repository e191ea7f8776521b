#include "app/requests/budgets.hpp"

#include <algorithm>

namespace warpspan::app {

bool Budget::has_limit() const {
  return time || std::any_of(most.begin(), most.end(), [](const auto& limit) { return limit.has_value(); });
}

std::string place_text(const support::Location& at) { return at.file + ":" + std::to_string(at.line); }

}  // namespace warpspan::app
