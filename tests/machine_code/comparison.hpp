// One kernel as PTX and as machine code, executed by both interpreters with the same launch on the same memory: what it
// leaves in memory must be the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/machine_code/interpreter.hpp"

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

struct Comparison {
  enum class Verdict : uint8_t {
    agrees,
    differs,
    refused,     // by the interpreter of machine code
    unreadable,  // the PTX or the cubin could not be prepared, or the PTX not be executed
  };
  Verdict verdict = Verdict::agrees;
  std::string reason;
  uint64_t bytes = 0;  // of memory that were compared
  Record record;       // of the machine code
  reference::Record of_ptx;
};

Comparison compare(const std::string& ptx, const std::string& cubin, const Case& which, reference::Order order);

}  // namespace warpspan::machine_code
