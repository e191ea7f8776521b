// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel with what its launch says and what its parameters get.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/object/cubin.hpp"
#include "tests/machine_code/interpreter/interpreter.hpp"
#include "tests/reference/generators/random.hpp"

namespace warpspan::machine_code {

// What a parameter gets: a number, or a pointer to memory of its own.
struct Argument {
  enum class Kind : uint8_t {
    integer,
    real,      // a float
    integers,  // `count` words below `value`
    longs,     // the same of 8 bytes
    floats,    // `count` of 1/64 to 1: sums of their products are exact in any order
    doubles,
    rows,  // `count` ascending words, from one to the next less than `value`
    any,   // memory of any contents
  };
  Kind kind = Kind::any;
  int64_t count = 0;
  int64_t value = 0;
  double real = 0;
};

struct Case {
  std::string kernel;
  ir::Extent block;
  ir::Extent grid;
  std::vector<ir::Extent> blocks;
  std::vector<Argument> arguments;
  double tolerance = 0;     // of floats in memory, relative; 0: all bytes are the same
  bool of_doubles = false;  // they are doubles
};

// The bits of one of 1/64 to 1.
uint32_t any_float(reference::Random& random);
bool is_pointer(Argument::Kind kind);
// Far from each other, at multiples of 256.
uint64_t pointer_of(size_t parameter);
// The bits of a parameter, where pointers begin so many bytes further.
uint64_t value_of(const Argument& argument, size_t parameter, uint64_t shift = 0);
// The contents of what a parameter points to.
void fill(const Argument& argument, size_t parameter, reference::Memory& memory, uint64_t shift = 0);
// As they lie in the constant bank.
std::vector<uint8_t> parameter_bytes(const object::Function& function, const std::vector<uint64_t>& values);

}  // namespace warpspan::machine_code
