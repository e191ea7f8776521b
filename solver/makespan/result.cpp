// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/makespan/result.hpp"

#include <utility>

namespace warpspan::solver {

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::exact: return "exact";
    case Kind::upper: return "upper";
    case Kind::lower: return "lower";
    case Kind::published: return "published";
  }
  return "";
}

std::string_view to_string(Status status) {
  switch (status) {
    case Status::optimal: return "optimal";
    case Status::time_limit: return "time-limit";
    case Status::too_large: return "too-large";
    case Status::overflow: return "overflow";
    case Status::not_applicable: return "not-applicable";
    case Status::failed: return "failed";
  }
  return "";
}

Bound with_value(Bound bound, support::Integer makespan) {
  if (makespan.overflowed()) {
    return without_value(std::move(bound), Status::overflow, "a number on the way to the bound exceeds 2^63 - 1");
  }
  bound.makespan = makespan.value();
  bound.status = Status::optimal;
  return bound;
}

Bound without_value(Bound bound, Status status, std::string remark) {
  bound.makespan.reset();
  bound.safe = false;
  bound.status = status;
  bound.remark = std::move(remark);
  return bound;
}

Bound not_safe(Bound bound, const std::string& reason) {
  bound.safe = false;
  bound.remark = reason + (bound.remark.empty() ? "" : "; ") + bound.remark;
  return bound;
}

}  // namespace warpspan::solver
