// SPDX-License-Identifier: GPL-3.0-or-later
// A function without calls, made ready to be executed: each instruction with what it does, where its values come from
// and where they go.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frontend/ptx/syntax/ast.hpp"
#include "tests/reference/interpreter/arithmetic.hpp"

namespace warpspan::reference {

inline constexpr uint32_t nowhere = UINT32_MAX;  // a destination that is thrown away

struct Source {
  enum class Kind : uint8_t { reg, constant, special };
  Kind kind = Kind::constant;
  bool negated = false;   // of a predicate
  uint8_t component = 0;  // of a special register: 1..3 for .x .y .z
  uint32_t index = 0;     // register, or SpecialRegister
  uint64_t constant = 0;
};

enum class Action : uint8_t {
  nothing,          // takes time only
  compute,          // evaluate
  pack,             // vector elements to one register
  unpack,           // and back
  convert_address,  // cvta
  load,
  store,
  atomic,  // also red
  branch,
  indexed_branch,
  leave,
  barrier,
  vote,
  shuffle,
  active_mask,
  reduce_warp,
};

struct Step {
  Action action = Action::nothing;
  const ptx::Form* form = nullptr;
  Evaluate evaluate;
  std::vector<Source> sources;         // vectors and pairs taken apart
  std::vector<uint32_t> destinations;  // registers, as sources
  uint32_t second = nowhere;           // the predicate beside a result: p of d|p, q of p|q
  int element_bits = 0;                // of pack and unpack
  Source base;                         // of a memory access
  int64_t offset = 0;                  // bytes
  std::vector<uint32_t> targets;       // steps
  uint32_t guard = nowhere;
  bool guard_negated = false;

  bool reads_clock() const;
  bool falls_through() const {
    const bool always_leaves = action == Action::branch || action == Action::indexed_branch || action == Action::leave;
    return !always_leaves || guard != nowhere;
  }
};

struct Program {
  std::vector<Step> steps;  // as the function's instructions
  std::vector<int> register_bits;
  uint32_t carry = 0;  // the register of the carry flag

  // The steps that may come after one, without repetition; steps.size() is the end.
  std::vector<uint32_t> successors(uint32_t step) const;
};

// Of a function whose calls are inlined; `places`: see lay_out. Nothing if an instruction is not known here; `unknown`
// is its word then.
std::optional<Program> prepare(const ptx::Function& function, const std::vector<uint64_t>& places,
                               std::string& unknown);

}  // namespace warpspan::reference
