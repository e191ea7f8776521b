// SPDX-License-Identifier: GPL-3.0-or-later
// Makes LLVM IR for one kernel. What the IR does not compute itself is a call of one of these kinds, which define how
// much the analyses may assume of its result (docs/lifting.md).
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/lift/translation/floats.hpp"

namespace warpspan::lift {

enum class CallKind : uint8_t {
  none,     // not one of our calls
  opaque,   // any value, another one for each lane
  pure,     // any value; the same for all threads whose operands are the same. See is_float()
  group,    // any value; the same for all lanes of a warp that execute it together and whose operands are the same
  own,      // any value: what a thread reads of its own memory, at the address that is its operand
  store,    // no result: its operands are what decides on what the thread writes into its own memory, and where
  uniform,  // one value for the whole launch or block, fixed for the run of the kernel
  same,     // its operand
  thread,   // a component of the thread's position: see ThreadValue
  access,   // no result: its operands are the address of a memory access and whether it reads a kernel parameter
  // no result: its operands are the address of a matrix in memory and how far its rows or columns are apart, in
  // elements
  fragment,
  amount,  // no result: its operand is for how long the thread is to be suspended, or how many bytes are copied
  guard,   // no result: its operand is where a barrier or an election is executed
  vote,    // no result: its operands are the answer to whether all, or any, lanes have a condition, and that
};
CallKind call_kind(const llvm::Value& value);

// Whether a call of kind pure is an operation on floating-point numbers, which its first argument names
// (floats.hpp). It is a call because LLVM's own operations treat what is not a number otherwise.
bool is_float(const llvm::Value& value);

enum class ThreadValue : uint8_t { tid_x, tid_y, tid_z, lane };
// Which component a call of kind thread yields.
std::optional<ThreadValue> thread_value(const llvm::Value& value);

// The instruction of the body that a call comes from; nothing for those of the entry block, and for what is no call.
std::optional<uint32_t> origin(const llvm::Instruction& instruction);
// What a call stands for, in words: "parameter 'n'"; empty if it has no name. Of other kinds than uniform it is a load
// whose value is the same as long as the kernel runs, where the user states so.
std::string description(const llvm::Instruction& instruction);
// What makes it known, as it is typed behind ir::mention: "{argument} n=VALUE"; empty if there is nothing.
std::string option(const llvm::Instruction& instruction);

// What a call of kind uniform is, for those who count with it.
struct LaunchSource {
  enum class Kind : uint8_t {
    block_index,  // number: 0, 1, 2 for x, y, z
    parameter,    // of the kernel: number is its variable, offset the byte
    variable,     // the address of a variable
    window,       // what makes addresses of a state space generic ones: number is its ir::MemorySpace
    shared_half,  // ir::SpecialValue::shared_half
  };
  Kind kind = Kind::block_index;
  uint32_t number = 0;
  int64_t offset = 0;
};
std::optional<LaunchSource> launch_source(const llvm::Value& value);
// Whether addresses are counted from it: from a parameter, or from where a variable is.
inline bool is_beginning(const LaunchSource& source) {
  return source.kind == LaunchSource::Kind::parameter || source.kind == LaunchSource::Kind::variable;
}
// Whether it is a value, or a part of one, of a parameter of the launch.
bool is_parameter(const llvm::Value& value);
void set_launch_source(llvm::Value& uniform, const LaunchSource& source);

// The `or` of numbers of which no bit is set in both; scalar evolution takes it for their sum.
llvm::Value* disjoint_or(llvm::IRBuilderBase& ir, llvm::Value& a, llvm::Value& b);

// A call of kind same at a position in a block.
llvm::CallInst* make_same(llvm::Value& value, llvm::BasicBlock::iterator position);

// A call of kind pure at a position in a block.
llvm::CallInst* make_pure(unsigned bits, const std::vector<llvm::Value*>& operands,
                          llvm::BasicBlock::iterator position);

// Half open: first..end-1, which may go beyond the largest number and on at 0. With equal ends it is all values.
struct Range {
  uint64_t first = 0;
  uint64_t end = 0;
};

class Emitter {
 public:
  using Builder = llvm::IRBuilder<llvm::ConstantFolder, llvm::IRBuilderCallbackInserter>;

  // The function has an entry block with a terminator.
  explicit Emitter(llvm::Function& function);

  // All that is emitted from now on stands at the end of `block`, before its terminator.
  void move_to(llvm::BasicBlock& block) { ir.SetInsertPoint(block.getTerminator()); }
  // All that is emitted from now on comes from this instruction.
  void set_origin(uint32_t instruction) { origin_ = instruction; }

  llvm::IntegerType* type(unsigned bits) { return ir.getIntNTy(bits); }
  llvm::ConstantInt* constant(unsigned bits, uint64_t value);  // wraps
  llvm::Value* resize(llvm::Value* value, unsigned bits, bool is_signed);

  llvm::Value* opaque(unsigned bits, const std::vector<llvm::Value*>& operands = {});
  llvm::Value* pure(unsigned bits, const std::vector<llvm::Value*>& operands);
  llvm::Value* of_floats(const FloatOperation& operation, unsigned bits, std::vector<llvm::Value*> operands);
  llvm::Value* of_group(unsigned bits, const std::vector<llvm::Value*>& operands);
  llvm::Value* of_own_memory(unsigned bits, llvm::Value* address);
  void store(const std::vector<llvm::Value*>& operands);
  // guard: where it is executed; null: always. destination: in shared memory, of a copy from `address`; null of other
  // accesses.
  void access(llvm::Value* address, bool is_kernel_parameter, llvm::Value* guard, llvm::Value* destination = nullptr);
  void fragment(llvm::Value* address, llvm::Value* distance);
  void amount(llvm::Value* value);
  void guard(llvm::Value* value);
  void vote(llvm::Value* answer, llvm::Value* asked);
  // Says of a call what it stands for, and its option.
  void describe(llvm::Value& call, const std::string& what, const std::string& option);

  // These stand in the entry block, whatever is emitted where.
  llvm::Value* opaque_at_entry(unsigned bits);
  llvm::Value* uniform(unsigned bits, const std::string& what, std::optional<Range> range = std::nullopt,
                       const std::string& option = {});
  llvm::Value* thread(ThreadValue which, unsigned bits, Range range);

  Builder ir;

 private:
  llvm::FunctionCallee callee(const std::string& name, llvm::Type* result);
  void note_origin(llvm::Instruction& instruction);
  llvm::CallInst* entry_call(const std::string& name, unsigned bits, std::optional<Range> range);

  llvm::Function& function_;
  llvm::IRBuilder<> entry_;
  std::map<std::string, llvm::FunctionCallee> callees_;
  std::map<std::pair<ThreadValue, unsigned>, llvm::Value*> threads_;
  unsigned origin_kind_ = 0;
  unsigned description_kind_ = 0;
  std::optional<uint32_t> origin_;
};

}  // namespace warpspan::lift
