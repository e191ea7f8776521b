// SPDX-License-Identifier: GPL-3.0-or-later
// Reads PTX text. PTX ISA 9.0, chapters 4, 5, 7, 11; accepts what ptxas 13.0 accepts, in any modifier order.
#pragma once

#include <memory>

#include "frontend/ptx/syntax/ast.hpp"
#include "support/result.hpp"

namespace warpspan::ptx {

// The module, or every error of the file (the first 100 of them): syntax, unknown directives and opcodes, undeclared or
// doubly declared names. Cost: linear in the text.
support::Result<Module> parse(std::shared_ptr<const support::SourceFile> source);

}  // namespace warpspan::ptx
