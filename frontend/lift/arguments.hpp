// Values that the user gives for kernel parameters.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "ir/flow.hpp"
#include "ir/program.hpp"
#include "support/result.hpp"

namespace warpspan::lift {

// The bytes of the parameters whose values are known.
class Bindings {
 public:
  // `count` bytes, 1..8, from a byte of a parameter; the lowest byte of the value comes first. False, and no change, if
  // one of them has a value already.
  bool bind(ir::VariableId parameter, int64_t offset, int64_t count, uint64_t value);

  // What a load of `count` bytes yields; nothing unless all are known and there are 1..8.
  std::optional<uint64_t> value(ir::VariableId parameter, int64_t offset, int64_t count) const;

 private:
  std::map<std::pair<ir::VariableId, int64_t>, uint8_t> bytes_;  // by parameter and offset
};

// The launch's arguments matched with the parameters of the kernel. A parameter is named, or given by its
// index; of one that is no single integer some bytes are given. Values are decimal or hexadecimal integers, negative or
// not, of at most the width of what is given. Errors: a name or index the kernel does not have, bytes that are not in
// the parameter or given twice, a whole parameter that is no single integer, a value that does not fit. A file may
// repeat a value that was given before it.
support::Result<Bindings> bind_arguments(const ir::Program& program, const ir::Launch& launch);

}  // namespace warpspan::lift
