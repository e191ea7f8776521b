// SPDX-License-Identifier: GPL-3.0-or-later
// The functions that a kernel reaches by calls, and which of them its calls share.
//
// A function that is copied to each of its calls is analyzed with what is known there: a limit that is passed as a
// constant bounds its loop. But copies of copies grow exponentially with the depth of the calls. So a function is
// shared, its body stored once and nothing taken to be known of a call, if there would be more than `few_copies` of it
// and these, with all that is copied into them, would have more than `instructions` instructions; so is one that stands
// for a level of recursion (recursion.hpp) beyond `few_copies`, with as many instructions. A function in which threads
// may end (exit, trap) is always copied: where lanes that call it reconverge with lanes that do not depends on whether
// they come back.
//
// Copies are counted from the kernel down; a body that is shared counts once, whatever calls it. Functions that have at
// most `few_copies` copies add at most that many times what is written. Of the others there may be many, so the limit
// is halved until all bodies have in sum at most `few_copies` times the instructions that are written and
// `instructions` besides: at the limit 0 that is so. Hence all bodies are in sum linear in the file and its levels of
// recursion, but for functions in which threads may end.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "frontend/ptx/syntax/ast.hpp"
#include "support/result.hpp"

namespace warpspan::ptx {

struct SharingLimits {
  uint64_t few_copies = 16;
  uint64_t instructions = 20'000;
};

// What the user says of functions.
struct CallFacts {
  std::map<uint32_t, ir::CallTime> times = {};  // of those without a body, by index into Module::functions
  bool may_lack_times = false;                  // a function without a body that has no time is no error
};

// A function with a body that a kernel calls, directly or not.
struct CalledFunction {
  uint32_t function = none;  // index into Module::functions
  bool is_shared = false;
};

// The labels that an instruction may branch to: indices into Function::labels.
std::vector<uint32_t> targets_of(const Function& function, const Instruction& instruction);

// The called function is at this index of Module::functions; none if the call is indirect.
uint32_t called_function(const Function& caller, const Instruction& call);
bool is_call(const Instruction& instruction);

// Whether control never comes to the end of the function's text.
bool returns_before_end(const Function& function);

// The functions with a body that a function calls by name, each once, in the order of its calls.
std::vector<uint32_t> called_functions(const Module& module, const Function& caller);

// The local memory of a kernel's own variables, and of those of each function that called_functions finds from it on;
// not of functions that save registers (Function::saves_registers), whose frames have these, too.
std::vector<ir::Frame> frames_of(const Module& module, const Function& entry);

// Whether a function that has no body is the system's report of a failed assertion, which ends the kernel.
bool is_failed_assertion(const Function& function);

// Each after those it calls. Errors, each at its call: recursion, a target that has neither a body nor a time and is no
// failed assertion, an indirect call.
support::Result<std::vector<CalledFunction>> find_calls(const Module& module, const Function& entry,
                                                        const SharingLimits& limits, const CallFacts& facts = {});

}  // namespace warpspan::ptx
