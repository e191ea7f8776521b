// SPDX-License-Identifier: GPL-3.0-or-later
// What the source of a kernel calls its parameters and their members, where compilers drop these names: as debug
// information tells.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/flow.hpp"

namespace warpspan::ir {

// The object that begins where bytes of a parameter from `offset` on point to: "p", or "p+8" for a part of it.
// bytes: of the parameter.
std::string object_name(const std::string& parameter, int64_t bytes, int64_t offset);

// A number or pointer in a parameter.
struct NamedBytes {
  std::string name;  // "n", "s.dims[1].x"
  uint32_t parameter = 0;
  int64_t offset = 0;
  int64_t bytes = 0;        // 1, 2, 4 or 8
  bool is_integer = false;  // or a pointer
  bool is_pointer = false;
};

struct ParameterNames {
  struct Parameter {
    std::string compiled;  // in the code: "_Z3fooPfi_param_0"
    std::string source;    // "out"; empty where it is not known, or that of several parameters
    int64_t bytes = 0;
  };
  std::vector<Parameter> parameters;  // all of the kernel, in order
  std::vector<NamedBytes> members;    // in order; no name twice, and none that the code has for a parameter

  // Of the source.
  bool has(std::string_view name) const;
  // Null if there is none.
  const NamedBytes* find(std::string_view name) const;
  const NamedBytes* at(size_t parameter, int64_t offset, int64_t bytes) const;

  // The name of bytes of a parameter, "s.n", or "s+8:4" of those that are no member; empty if the parameter has none.
  std::string name_of(size_t parameter, int64_t offset, int64_t bytes) const;

  // The name of a pointer that begins at a byte of a parameter, as a buffer has it: "in", "s.data"; empty if that is
  // not known as a pointer.
  std::string pointer_name(size_t parameter, int64_t offset) const;
  // Of all pointers, in order; of parameters without a name in the source that may be one, the name in the code.
  std::vector<std::string> pointers() const;

  // Gives an argument, or a buffer, that is named as in the source the offset that it has in the code, and records what
  // it was called. Nothing happens where `has` is false, or the bytes that are given are no part of a member, or a
  // member that is no integer has no bytes given.
  void place(Argument& argument) const;
  void place(Buffer& buffer) const;

  // What keeps an argument from being placed, to go on from its name; empty if the names do not have it.
  std::string obstacle(const Argument& argument) const;
};

}  // namespace warpspan::ir
