// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/assumptions/errors.hpp"

#include <string>
#include <utility>

#include "support/symbol_name.hpp"

namespace warpspan::timing {

support::Diagnostic error_in_line(const ir::Kernel& kernel, uint32_t line, std::string message, std::string help) {
  support::Diagnostic error;
  error.location = {kernel.location.file, line, 1};
  error.message = std::move(message);
  error.help = std::move(help);
  return error;
}

support::Diagnostic exceeds_64_bits(const ir::Kernel& kernel, std::string_view what) {
  support::Diagnostic error;
  error.location = kernel.location;
  error.message = "kernel " + support::quoted_symbol(kernel.name) + ": " + std::string(what) + " exceed 64 bits";
  error.help = "give tighter loop bounds or a smaller launch";
  return error;
}

}  // namespace warpspan::timing
