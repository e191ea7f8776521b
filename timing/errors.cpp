#include "timing/errors.hpp"

#include <string>

#include "support/symbol_name.hpp"

namespace warpspan::timing {

support::Diagnostic exceeds_64_bits(const ir::Kernel& kernel, std::string_view what) {
  support::Diagnostic error;
  error.location = kernel.location;
  error.message = "kernel " + support::quoted_symbol(kernel.name) + ": " + std::string(what) + " exceed 64 bits";
  error.help = "give tighter loop bounds or a smaller launch";
  return error;
}

}  // namespace warpspan::timing
