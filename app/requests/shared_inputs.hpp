// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs that several parts of a run have read.
#pragma once

#include <map>
#include <set>
#include <string>

#include "app/reports/run_record.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

class SharedInputs {
 public:
  void add(const RunRecord& part);
  // One (usage) for each file or machine that was not the same for all parts.
  const support::Diagnostics& errors() const { return errors_; }

 private:
  void look_at(const Hashed& input, const std::string& what);

  std::map<std::string, std::string> known_;  // hashes
  std::set<std::string> reported_;
  support::Diagnostics errors_;
};

}  // namespace warpspan::app
