// SPDX-License-Identifier: GPL-3.0-or-later
// Attributes into the figures of functions.
#pragma once

#include <functional>
#include <optional>

#include "frontend/object/cubin.hpp"

namespace warpspan::object {

// Reads .nv.info.K into the function K. Returns what is wrong, if something is.
std::optional<support::Diagnostic> read_function_attributes(const Input& input, std::string_view section,
                                                            Function& function);

// What the symbol of an index is: a function, and a subroutine of it or not; null if it is neither.
struct Owner {
  Function* function = nullptr;
  Subroutine* subroutine = nullptr;
};
using OwnerOfSymbol = std::function<std::optional<Owner>(uint32_t symbol)>;

// Reads .nv.info, which says figures of functions by their symbols. `owner_of` returns nothing for a symbol that does
// not exist.
std::optional<support::Diagnostic> read_module_attributes(const Input& input, std::string_view section,
                                                          const OwnerOfSymbol& owner_of, Cubin& cubin);

}  // namespace warpspan::object
