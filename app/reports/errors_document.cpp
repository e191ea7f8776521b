// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/errors_document.hpp"

#include "app/reports/exit_status.hpp"
#include "app/reports/json.hpp"

namespace warpspan::app {

std::string errors_document(const support::Diagnostics& errors) {
  return dump({{"schema", "warpspan.errors/1"},
               {"version", program_version()},
               {"status", to_string(exit_status(errors))},
               {"errors", errors_to_json(errors)}});
}

}  // namespace warpspan::app
