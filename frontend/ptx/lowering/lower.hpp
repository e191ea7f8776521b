// SPDX-License-Identifier: GPL-3.0-or-later
// From syntax to the kernel that timing sees, and to the program that the analyses of control flow see.
#pragma once

#include "frontend/ptx/syntax/ast.hpp"
#include "ir/kernel.hpp"
#include "ir/program.hpp"

namespace warpspan::ptx {

// The kernel of an entry whose calls are expanded. Its own blocks, instructions and registers come first: instruction i
// and register i of `function` are those of the kernel. Behind them come those of each shared body, in order. Blocks
// begin at labels that something branches to and end at branches, returns and exits, guarded or not, and at calls of
// shared bodies. Cannot fail on a module that was parsed without errors.
ir::Kernel lower(const Module& module, const Function& function);

// The same with its operands, each body by itself: its own, then those that it shares, whose blocks, instructions and
// registers are numbered from 0 in each. A kernel that shares none is that of the one body.
ir::Program lower_program(const Module& module, const Function& function);

}  // namespace warpspan::ptx
