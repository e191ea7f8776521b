// SPDX-License-Identifier: GPL-3.0-or-later
// What is written of a kernel, whatever its launch: enough to ask for facts about it, and to tell whether facts were
// meant for it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/flow.hpp"
#include "ir/parameter_names.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::ir {

struct KernelParameter {
  std::string name;
  std::string type;  // "u64", "b8[12]"
  int64_t bytes = 0;
  bool is_integer = false;  // of 8 to 64 bits: it can be given a value as a whole
};

// A function that can call itself, directly or not.
struct RecursiveFunction {
  std::string name;
  bool lacks_depth = false;  // none is known of it, and no others break all cycles that it is in
};

struct KernelCode {
  std::string name;
  support::Location location;
  // Of the words of the kernel and of the functions that it can call, without comments, blanks and line tables: the
  // same code has the same, wherever it stands in a file. Empty if it was not asked for.
  std::string sha256;
  int64_t instructions = 0;  // as written, of all these functions
  std::vector<KernelParameter> parameters;
  // What the source calls these; null if the code does not tell, or nothing asked for it.
  std::shared_ptr<const ParameterNames> names = nullptr;
  // That it can call, without a body in the file, in the order of the calls; but for reports of failed assertions.
  std::vector<std::string> external_functions;
  // That it can call and that can call themselves, directly or not, in the order of the calls.
  std::vector<RecursiveFunction> recursive_functions;
  // The lines of the source where functions with a body are called, "kernel.cu:9", in the order of the code; of a call
  // without a line, empty.
  std::vector<std::string> calls;
  bool refused = false;  // frontend::Inquiry::refuse had errors: no bound of the user was compared with its loops
  std::optional<std::vector<Loop>> loops;  // nothing if its control flow could not be read
};

// How a file of facts remembers what the code was like: "$L__BB0_2 kernel.cu:42", "line:63"; "u64 saxpy_param_0".
std::string remembered(const Loop& loop);
std::string remembered(const KernelParameter& parameter);

// A bound of a launch that a loop was given.
struct LoopBoundUse {
  size_t bound = 0;  // index into Launch::loop_bounds
  std::string kernel;
  std::string label;         // of the loop
  support::Location header;  // in the file that was read
  std::string source_file;   // as Loop
  uint32_t source_line = 0;
};

}  // namespace warpspan::ir
