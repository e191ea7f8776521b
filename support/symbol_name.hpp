// SPDX-License-Identifier: GPL-3.0-or-later
// Names of symbols as C++ compilers mangle them, and as users write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpspan::support {

// "void reduce<512>(float const*, float*, int)" of "_Z6reduceILi512EEvPKfPfi"; a name that is not mangled as it is.
std::string demangled(const std::string& name);

// The same without return type and parameters: "reduce<512>".
std::string short_name(const std::string& name);

// The short name where that is short enough to be read. Of a longer one the template with a digest of the symbol,
// "DeviceScanKernel@0a1b2c3d4e", which names it as a pattern, too.
std::string brief_name(const std::string& name);

// For errors: "'saxpy'", "'reduce<512>' (_Z6reduceILi512EEvPKfPfi)"; long symbols by their brief names only.
std::string quoted_symbol(const std::string& name);

// Whether a user means this symbol: the pattern is its name, its demangled name, its short name or that of the template
// which it is made of ("reduce"), its brief name, or has '*' for any characters and matches one of them.
bool names_symbol(std::string_view pattern, const std::string& name);

// Whether one of the patterns names the symbol, or there is no pattern.
bool is_chosen(const std::vector<std::string>& patterns, const std::string& name);

// The symbol that a pattern that names none of them comes nearest to, as brief name where it has another one; empty if
// none is near.
std::string nearest_symbol(std::string_view pattern, const std::vector<std::string>& names);

}  // namespace warpspan::support
