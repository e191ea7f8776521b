// SPDX-License-Identifier: GPL-3.0-or-later
// Which functions calls through registers of machine code may lead to, from the PTX that it was made of. Machine code
// has no prototypes: to it any function that the file has a pointer to may be called.
#pragma once

#include <vector>

#include "frontend/frontend.hpp"
#include "frontend/ptx_beside.hpp"
#include "frontend/reading/cubin_code.hpp"
#include "frontend/sass/words/code.hpp"

namespace warpspan::frontend {

// The assumption of a result for which something was left out.
extern const char* const pointers_as_in_ptx;

// Leaves out of Code::pointer_calls what no call of the PTX may lead to that they can be of. places: by instruction,
// lines of the texts in the machine code's own file. ptx: of its kernels, in the same container; may be null; used
// where there are no lines, if it is for the same target. Returns whether anything was left out.
bool narrow_pointer_calls(sass::Code& code, const std::vector<CubinCode::PtxPlace>& places, const PtxTexts& texts,
                          const PtxFile* ptx);

}  // namespace warpspan::frontend
