// SPDX-License-Identifier: GPL-3.0-or-later
// What a solver says about a makespan: never a bare number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/makespan/part.hpp"
#include "support/checked.hpp"

namespace warpspan::solver {

enum class Kind : uint8_t {
  exact,      // the worst-case makespan itself
  upper,      // a bound above it
  lower,      // the makespan of a schedule that exists
  published,  // a formula as printed in a paper, whatever it is worth
};

enum class Status : uint8_t { optimal, time_limit, too_large, overflow, not_applicable, failed };

struct Bound {
  std::string method;               // "list", "exact", "published", "raravi", "pipeline", ...
  std::optional<int64_t> makespan;  // cycles; none unless a value was found
  Kind kind = Kind::upper;
  bool safe = false;  // never below any schedule that the assumptions allow; false where there is no value
  Status status = Status::optimal;
  std::vector<std::string> assumptions;  // one sentence each, in a fixed order
  std::string remark;                    // why there is no value, or how it was found; may be empty
  std::vector<Part> parts;               // that add up to the makespan; empty for methods that have none
  double seconds = 0;
};

std::string_view to_string(Kind kind);  // "exact", "upper", "lower", "published"
std::string_view to_string(
    Status status);  // "optimal", "time-limit", "too-large", "overflow", "not-applicable", "failed"

// The bound with this value and status optimal; if the value overflowed, without a value, with status overflow and not
// safe.
Bound with_value(Bound bound, support::Integer makespan);

// The bound without a value: not safe, and the remark says why.
Bound without_value(Bound bound, Status status, std::string remark);

// The bound with its value but no longer safe: the reason stands first in the remark. The one way to withdraw what a
// method has said to be safe.
Bound not_safe(Bound bound, const std::string& reason);

}  // namespace warpspan::solver
