// Calls through a register of functions of the system, whose code is in no file: their addresses are constants that are
// filled in when the file is loaded (Code::function_addresses).
#pragma once

#include "frontend/sass/words/code.hpp"

namespace warpspan::sass {

// Adds those calls to Code::outside_calls of which the instructions before them tell what they call.
void find_outside_calls(Code& code);

}  // namespace warpspan::sass
