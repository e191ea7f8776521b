// What functions save that are compiled by the calling convention, because the assembler cannot inline them: those that
// are called by their addresses, and recursive ones. So are those that they call, unless these are inlined into them.
//
// Such a function stores registers that it uses to its frame in local memory when it begins, and loads them before it
// returns; PTX shows neither. So as many stores and loads are put in as it may have registers: the words of all that it
// and the functions that it calls name, an eighth more, and six (as timing/register_pressure.hpp has it), at most 255.
//
// ptxas 13.0 saves half as many at most in functions called by their addresses, for sm_75 to sm_120. Of recursive ones,
// stores that 'ptxas -v' counts for sm_75, 80, 90 and 120, and stores that are put in:
//
// FIGURES
#pragma once

#include <set>

#include "frontend/ptx/ast.hpp"

namespace warpspan::ptx {

// Puts them into all functions that these call, directly or not, and into these, unless they have them.
void save_registers(Module& module, const std::set<uint32_t>& functions);

}  // namespace warpspan::ptx
