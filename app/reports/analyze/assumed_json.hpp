// SPDX-License-Identifier: GPL-3.0-or-later
// The "assumed" of a kernel in JSON: what it rests on, without the sentences.
#pragma once

#include "app/reports/analyze/brief.hpp"
#include "app/reports/json.hpp"

namespace warpspan::app {

// {"count": of all sentences, "identifiers": [...] of those that have one}
inline Json assumed_to_json(const KernelReport& kernel) {
  const Assumed assumed = assumed_of(kernel);
  return {{"count", assumed.count}, {"identifiers", assumed.identifiers}};
}

}  // namespace warpspan::app
