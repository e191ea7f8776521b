// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of 64 bits of which machine code keeps the halves in two registers.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace warpspan::lift {

// The number of 32 bits that a wider one is the extension of by zeros; null if there is none.
llvm::Value* narrow_number(llvm::Value* number);

// Of an instruction that joins two halves of 32 bits: the number that both are halves of. Of one that takes a half of
// what was joined: what was. Of a selection among numbers extended from 32 bits: the extension of one among these. Of a
// sum of two joins, or a join and a word, whose halves were exchanged: that of the numbers. Null if there is none.
llvm::Value* simpler_halves(llvm::Instruction& instruction);

// Phis of one block that are joined somewhere, and that get both halves of a number by some edge, become halves of one
// phi. Whether there were any.
bool join_phis(llvm::Function& function);

// What was joined may be a number that there was, as a register pair is also kept as one: of extensions and selections
// of the same operands, and of phis that get the same, one is left in use.
void share_numbers(llvm::Function& function);

// Phis that get, by each edge, numbers of one upper half, become joins of it and a phi of lower halves: of registers
// that lie side by side, one is a counter of its own. Whether there were any.
bool split_phis(llvm::Function& function);

// Phis of words that get, by each edge, the lower half of what a phi of numbers in the same block gets, become its
// lower half: of a pointer that a loop moves on, the word is also kept by itself. Whether there were any.
bool share_low_phis(llvm::Function& function);

}  // namespace warpspan::lift
