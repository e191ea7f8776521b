// SPDX-License-Identifier: GPL-3.0-or-later
// What the assembler says of the kernels that it has compiled.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace warpspan::app {

// Of one kernel for one architecture; nothing where it does not say so.
struct CompiledKernel {
  std::optional<int64_t> registers;         // of a thread
  std::optional<int64_t> fewest_registers;  // less than `registers` where logs tell several numbers
  std::optional<int64_t> spill;             // bytes of spill stores and spill loads together
  std::optional<int64_t> stack;             // bytes of a thread
  std::optional<int64_t> shared;            // bytes of a block that the code declares
  std::optional<int64_t> constant;          // bytes of the kernel's own banks: its parameters and numbers in its code
  std::set<std::string> logs;               // the files that say so
  bool is_code = false;                     // which are the machine code itself, and no logs
  std::optional<int64_t> instructions;      // of the machine code, without what fills it up at its end
  bool optimized = true;                    // false: it was made with -O0 or -G
  std::optional<int64_t> frame;             // bytes of its own stack frame, without those of functions
  std::map<std::string, int64_t> frames;    // the same of functions, by name: those that it calls may be among them
};

// The larger of each, and the fewer registers; what one of them does not say is not known.
CompiledKernel worst_of(const CompiledKernel& a, const CompiledKernel& b);

class CompiledKernels {
 public:
  // architecture: "sm_80"; the letter of "sm_90a" does not matter; empty: not stated, so any. A kernel that is there
  // already gets the worst of both.
  void add(const std::string& architecture, const std::string& kernel, const CompiledKernel& compiled);
  void add(const CompiledKernels& others);
  // Which kernels call a function, and for which architecture, is unknown: it counts for all of them.
  void add_function(int64_t spill, int64_t stack, const std::string& log);
  // The stack frame of a function that kernels may call; of several of one name the largest counts.
  void add_frame(const std::string& function, int64_t bytes);

  // Of a kernel that was compiled for one of the architectures, the worst of them; nothing if it was for none.
  std::optional<CompiledKernel> find(const std::vector<std::string>& architectures, const std::string& kernel) const;
  // Those that are stated that the kernel was compiled for, in alphabetical order.
  std::vector<std::string> architectures_of(const std::string& kernel) const;
  bool empty() const { return kernels_.empty(); }
  // All that is known.
  auto parts() const { return std::tie(kernels_, function_spill_, function_stack_, function_logs_, frames_); }

 private:
  std::map<std::pair<std::string, std::string>, CompiledKernel> kernels_;  // by architecture and name
  int64_t function_spill_ = 0;                                             // of all functions together
  int64_t function_stack_ = 0;                                             // the largest
  std::set<std::string> function_logs_;
  std::map<std::string, int64_t> frames_;  // bytes, by function
};

}  // namespace warpspan::app
