// SPDX-License-Identifier: GPL-3.0-or-later
// ir::Loop::counts_away.
#pragma once

#include <llvm/IR/Function.h>

#include "frontend/lift/trips/guards/loop_exits.hpp"

namespace warpspan::lift {

// The headers of loops that go on, by any of their exits, while a counter is on that side of a limit towards which its
// steps lead. Of a function as it was translated: where it is known that the counter begins beyond the limit, simpler
// code has no test any more.
BlockSet counting_away(llvm::Function& function);

}  // namespace warpspan::lift
