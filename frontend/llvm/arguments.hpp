// Values that the user gives for kernel parameters.
#pragma once

#include <cstdint>
#include <map>

#include "frontend/ptx/ast.hpp"
#include "ir/flow.hpp"
#include "support/result.hpp"

namespace warpspan::lift {

// The bits of the parameters whose values are known, by index into Module::variables. Bits above a parameter's width
// are 0.
using Bindings = std::map<uint32_t, uint64_t>;

// The launch's arguments matched with the parameters of the kernel `function`. A parameter is named, or given by its
// index. Values are decimal or hexadecimal integers, negative or not, of at most the parameter's width. Errors: a name
// or index the kernel does not have, a parameter given twice, one that is no single integer, a value that does not fit.
support::Result<Bindings> bind_arguments(const ptx::Module& module, const ptx::Function& function,
                                         const ir::Launch& launch);

}  // namespace warpspan::lift
