// Options of commands, and keys of files that say the same.
#pragma once

#include "support/diagnostic.hpp"

namespace warpspan::app {

// Where the help names options, adds the keys for them in the file that asked, at that place.
void name_keys(support::Diagnostic& error, const support::Location& at);

}  // namespace warpspan::app
