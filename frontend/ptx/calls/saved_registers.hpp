// SPDX-License-Identifier: GPL-3.0-or-later
// What functions save that are compiled by the calling convention, because the assembler cannot inline them: those that
// are called by their addresses, and recursive ones. So are those that they call, unless these are inlined into them.
//
// Such a function stores registers that it uses to its frame in local memory when it begins, and loads them before it
// returns; PTX shows neither. So as many stores and loads are put in as it may have registers: the words of all that it
// and the functions that it calls name, an eighth more, and six (as timing/launch/register_pressure.hpp has it), at
// most 255.
//
// ptxas 13.0 saves half as many at most in functions called by their addresses, for sm_75 to sm_120. In 21 recursive
// ones of nvcc 13.0, with those that they call, it is 0.42 of them at most. Stores of 'ptxas -v' (its bytes of spill
// stores, which count all that a function saves, by 4) for sm_75, 80, 90 and 120, and stores that are put in for sm_80:
//
//     fibonacci           5   5   5  13     12 (39 for sm_120, where nvcc unrolls it)
//     quicksort           8   8  10  10     46      flood fill               11  11  13  15     40
//     tree of 8 words    15  15  15  15     57      queens                   10  10  10  10     34
//     ackermann          10  10  10   9     38      towers of Hanoi          15  15  19  18     63
//     even, of even/odd   4   4   4   6     34      adaptive integration     20  20  20  22    255
//     32 values over two calls      39  39  39  39    133
//     100 values over two calls    106 106 106 106    255
//     no argument, no result         4   4   5   5     12
//     slow path of a sine, called by the integration   4   4   6   7    180
#pragma once

#include <set>

#include "frontend/ptx/syntax/ast.hpp"

namespace warpspan::ptx {

// Puts them into all functions that these call, directly or not, and into these, unless they have them.
void save_registers(Module& module, const std::set<uint32_t>& functions);

}  // namespace warpspan::ptx
