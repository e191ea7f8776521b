// SPDX-License-Identifier: GPL-3.0-or-later
// Names, sizes and members of the parameters of functions, as the source has them: of DWARF debug information, versions
// 2 to 5, little-endian.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpspan::dwarf {

enum class ScalarKind : uint8_t { integer, pointer, other };

// A number or pointer in a parameter, of 1, 2, 4 or 8 bytes.
struct Scalar {
  std::string path;  // from the parameter on: "", ".dims[1].x"
  int64_t offset = 0;
  int64_t bytes = 0;
  ScalarKind kind = ScalarKind::other;

  friend bool operator==(const Scalar&, const Scalar&) = default;
};

struct Parameter {
  std::string name;              // empty if it has none in the source
  std::optional<int64_t> bytes;  // nothing if they are not known
  bool has_members = false;      // a structure, union or array
  std::vector<Scalar> scalars;   // that lie in it, in the order of the source; none of very many

  friend bool operator==(const Parameter&, const Parameter&) = default;
};
using Parameters = std::vector<Parameter>;  // of a function, in order

// The bytes of sections by their names, ".debug_info".
using Sections = std::map<std::string, std::string, std::less<>>;

inline constexpr std::array<std::string_view, 5> sections_read = {".debug_info", ".debug_abbrev", ".debug_str",
                                                                  ".debug_line_str", ".debug_str_offsets"};

struct Wanted {
  std::string symbol;  // the name that a linker sees
  size_t count = 0;    // of parameters
};

// For each that is wanted, in order, the parameters of each function of that name. Declarations and functions that tell
// no parameters are left out; there is nothing at all if one has another number of them. Empty if there is no debug
// information, or any of it is malformed or of more than 64 units.
//
// It is read in a process of its own, since malformed sections may end that: see read_parameters.
std::vector<std::vector<Parameters>> find_parameters(const Sections& sections, const std::vector<Wanted>& wanted);

}  // namespace warpspan::dwarf
