// SPDX-License-Identifier: GPL-3.0-or-later
// A small machine file whose lines tests change, and what becomes of machine files.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "frontend/ptx/forms/form.hpp"
#include "timing/costs/cost.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// A whole machine file; tests change single lines of it.
inline constexpr std::string_view small = R"(name = "small"
description = "a machine for tests"
targets = ["sm_1", "sm_2"]
assumptions = ["no fetch", "no refresh"]

[sources]
BOOK = "a book"

[board]
multiprocessors = 3
clock_khz = 1000
standing = "official"
source = "[BOOK] 1"

[issue]
warp_size = 32
schedulers = 2
gap = 6
hold = 2
standing = "measured"
source = "[BOOK] 2"

[limits]
warps = 48
blocks = 8
threads_per_block = 1024
shared_bytes = 49152
shared_bytes_per_block = 32768
shared_granularity = 128
shared_reserved_per_block = 1024
registers = 32768
registers_per_block = 16384
register_granularity = 64
standing = "simulator"
source = "[BOOK] 3"

[lanes]
load_store = 16
core = 48
special = 4
standing = "assumed"
source = "a guess"

[resource.unit]
servers = 4
sharing = "multiprocessor"
standing = "official"
source = "[BOOK] 4"

[resource.memory]
servers = 1
sharing = "device"
standing = "assumed"
source = "a guess"

[operation.simple]
kinds = ["int.add", "fp32"]
latency = 18
standing = "measured"
source = "[BOOK] 5"

[operation.set]
kinds = ["int.add"]
forms = ["add.sat.*", "sub.*.s32"]
latency = [10, 20, 40]
gap = 30
instructions = 3
holds = { unit = 5 }
standing = "assumed"
source = "a guess"

[operation."load.global"]
latency = [350, 400, 500]
gap = 34
holds = { unit = 2, memory = 61, issue = 1 }
transaction = { latency = 61, issue = 3, memory = 70 }
standing = "simulator"
source = "[BOOK] 6"
)";

// The file with `before` replaced by `after`; `before` occurs once.
inline std::string changed(std::string_view before, std::string_view after) {
  std::string text(small);
  const size_t at = text.find(before);
  REQUIRE(at != std::string::npos);
  REQUIRE(text.find(before, at + 1) == std::string::npos);
  return text.replace(at, before.size(), after);
}

inline std::string rendered(const support::Diagnostics& errors) {
  std::string all;
  for (const support::Diagnostic& error : errors) all += support::render(error, false);
  return all;
}

inline std::string errors_of(const std::string& text) {
  const support::Result<Machine> machine = parse_machine("m.toml", text);
  if (machine) return "no errors";
  for (const support::Diagnostic& error : machine.errors()) CHECK(error.cause == support::Cause::usage);
  return rendered(machine.errors());
}

inline Machine machine_of(const std::string& text) {
  support::Result<Machine> machine = parse_machine("m.toml", text);
  if (!machine) FAIL(rendered(machine.errors()));
  return *machine;
}

inline Machine builtin(const std::string& name) {
  support::Result<Machine> machine = load_machine(name);
  if (!machine) FAIL(rendered(machine.errors()));
  return *machine;
}

// In cycles, under what is assumed of where lines lie.
inline OperationFigures in_cycles(const OperationFigures& figures, const Machine& machine, Guarantee guarantee) {
  const std::vector<int64_t> whole(machine.resources.size(), 1);
  return in_ticks(figures, 0, Service{.memory = guarantee, .network = guarantee, .hit = {}}, machine, whole);
}
inline int64_t occupied(const Machine& machine, ir::OperationKind kind, const std::string& resource,
                        int64_t transactions) {
  for (const Occupancy& occupancy : in_cycles(*machine.figures(kind), machine, Guarantee::same_bank).occupancies) {
    if (machine.resources[occupancy.resource].name == resource)
      return *occupied_cycles(occupancy, transactions).value();
  }
  return 0;
}

// The operation of a PTX instruction word, such as "ld.global.u32".
inline ir::Operation operation(const std::string& word) {
  static ptx::FormTable forms;
  const ptx::Form* form = forms.find(word);
  INFO(word);
  REQUIRE(form != nullptr);
  return form->operation;
}

}  // namespace warpspan::timing
