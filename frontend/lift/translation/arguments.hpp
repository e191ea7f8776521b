// SPDX-License-Identifier: GPL-3.0-or-later
// Values that the user gives for kernel parameters.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/flow.hpp"
#include "ir/program.hpp"
#include "support/result.hpp"

namespace warpspan::lift {

// A value that is known, or of which a range is known: bytes of a parameter, the lowest first. It is first, first + 1,
// and so on to last, counted in so many bytes: beyond the largest number they go on at 0.
struct GivenValue {
  int64_t offset = 0;
  int64_t bytes = 0;  // 1..8
  uint64_t first = 0;
  uint64_t last = 0;
  std::string text = {};  // as it was written

  bool is_constant() const { return first == last; }
};

// What is known of the parameters, and of variables in global and constant memory.
class Bindings {
 public:
  // False, and no change, if something is known of one of its bytes already.
  bool bind(ir::VariableId parameter, GivenValue value);

  // What a load of `count` bytes yields; nothing unless all are constants and there are 1..8.
  std::optional<uint64_t> value(ir::VariableId parameter, int64_t offset, int64_t count) const;
  // Whether that takes trusted bytes.
  bool trusts(ir::VariableId parameter, int64_t offset, int64_t count) const;

  // Bytes from the first on, of which those count that nothing else is known of.
  void trust(ir::VariableId variable, std::vector<uint8_t> bytes) { trusted_[variable] = std::move(bytes); }

  // What holds a byte; null if nothing is known of it.
  const GivenValue* at(ir::VariableId parameter, int64_t offset) const;

 private:
  std::optional<uint8_t> byte(ir::VariableId parameter, int64_t offset) const;

  std::map<std::pair<ir::VariableId, int64_t>, GivenValue> values_;  // by parameter and first byte
  std::map<ir::VariableId, std::vector<uint8_t>> trusted_;
};

// How options name a variable: as the file does, but a parameter whose name is long or mangled by its index.
std::string written_name(const ir::Program& program, ir::VariableId variable);

// The launch's arguments matched with the parameters of the kernel. A parameter is named, or given by its
// index; of one that is no single integer some bytes are given. Values are decimal or hexadecimal integers, negative or
// not, of at most the width of what is given, or ranges of them as "1..4096". Errors: a name or index the kernel does
// not have, bytes that are not in the parameter or given twice, a whole parameter that is no single integer, a value
// that does not fit, a range that is empty or has more values than fit. A file may repeat a value that was given before
// it. Likewise the launch's globals with variables, by their names in the file; those that the kernel does not mention
// are left out. Of an array whose elements the file does not distinguish, an element needs a type.
support::Result<Bindings> bind_arguments(const ir::Program& program, const ir::Launch& launch);

}  // namespace warpspan::lift
