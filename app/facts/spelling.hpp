// SPDX-License-Identifier: GPL-3.0-or-later
// How what a user can give is spelled: in options, and in files.
//
// Rooms that know no options write "{block}" in messages, helps, sentences and remedies (ir::mention). Besides the
// kinds of facts these are machine, assume, arch, flags, assemble, ptx, machine_code and unknown_opcodes.
#pragma once

#include <string>

#include "frontend/frontend.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

// With the options in place of all that is mentioned: "give {block} X" becomes "give --block X".
std::string spelled(std::string text);
// Remembers what the help mentions.
support::Diagnostics spelled(support::Diagnostics errors);
// All that the front-end tells.
void spell(frontend::Reading& reading);

// Where the help mentions what files have keys for, adds the keys of the file that asked, at that place.
void name_keys(support::Diagnostic& error, const support::Location& at);

}  // namespace warpspan::app
