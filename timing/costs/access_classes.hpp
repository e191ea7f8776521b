// SPDX-License-Identifier: GPL-3.0-or-later
// Which accesses the memory model tells apart.
#pragma once

#include "ir/flow.hpp"
#include "ir/kernel.hpp"

namespace warpspan::timing {

bool is_constant_load(ir::OperationKind kind);  // of parameters and constants
bool is_load(ir::OperationKind kind);           // from global memory, or by generic addresses
bool is_store(ir::OperationKind kind);          // the same
bool is_local(ir::OperationKind kind);

// Of what accesses an object: whether it may write there, as stores and atomics do.
bool may_write(const ir::Operation& operation);

// Of a kernel in clusters: whether it may access the shared memory of another block.
bool may_leave_block(const ir::Operation& operation);

// Copies that spread over the slices of the L2 as loads and stores do: reductions may be many on the same lines.
bool is_copy(const ir::Operation& operation);

// Fetches of textures, loads and stores of surfaces.
bool is_of_texels(const ir::Operation& operation);

// Its address may differ from one execution to the next. awaited: a register that is part of no address, as
// scoreboards are.
bool is_indexed(const ir::Kernel& kernel, const ir::Instruction& instruction, ir::RegisterId awaited);

// Whatever memory it is on.
bool is_atomic(const ir::Operation& operation);
// An atomic of machine code on integers in global memory of which it was measured how fast all multiprocessors have it
// of few lines: an addition, minimum, maximum, INC or AND of 32 bits, an addition of 64, for no more than the device.
bool is_integer_atomic(const ir::Operation& operation);
// The same by the word that machine files have for what `few` makes of it: [operation] with modifiers = ["few"].
ir::Operation as_one_of_few(const ir::Operation& operation);

// Whether the access may touch, for all that is known, fewer lines than so many: wherever its object begins, which may
// leave half of what lies apart.
bool are_few_lines(const ir::Access& access, int64_t many);

// Whether it may touch memory behind the L2 cache that is not read through constant caches.
bool touches_memory(const ir::Operation& operation);

}  // namespace warpspan::timing
