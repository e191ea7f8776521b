// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel as timing sees it: basic blocks of instructions, each with its unit class, the registers it reads and writes
// and the memory it touches. Kind, facts and semantics tell what an operation does; its words in the language it
// came from are for messages and the look-up of costs.
//
// Block 0 is the entry; control leaves a kernel through blocks without successors. Most calls are already expanded; a
// function that would be copied too often has its blocks once, and its calls are ends of blocks.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/operation_facts.hpp"
#include "ir/semantics.hpp"
#include "support/checked.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::ir {

// The three kinds of unit of the string model, by their symbols.
enum class UnitClass : uint8_t { load_store, core, special };  // L, C, S
inline constexpr int unit_classes = 3;
char symbol(UnitClass unit);

enum class OperationKind : uint8_t {
#define OPERATION_KIND(enumerator, name, unit, memory, what) enumerator,
#include "ir/operation_kinds.def"
#undef OPERATION_KIND
};
inline constexpr int operation_kinds = 0
#define OPERATION_KIND(enumerator, name, unit, memory, what) +1
#include "ir/operation_kinds.def"
#undef OPERATION_KIND
    ;

// The name used in machine files, such as "load.global".
std::string_view to_string(OperationKind kind);
std::string_view description(OperationKind kind);
UnitClass unit_class(OperationKind kind);

// What operations of a kind have in common: the memory column of operation_kinds.def.
struct KindTraits {
  AccessClass access = AccessClass::none;
  MemorySpace space = MemorySpace::none;  // what is accessed; generic: only the operation tells
  bool lasts = false;                     // one may be under way when the warp's next operation of the same unit begins
  bool waits_for_memory = false;          // it completes only when the warp's earlier accesses have
};
KindTraits traits(OperationKind kind);

// An operation in the words of its language, taken apart, as cost tables name it. Only their look-up reads it.
struct OperationKey {
  std::string opcode;                  // "mad.lo"
  std::vector<std::string> types;      // "s32"; in order, destination type first where there are two
  std::vector<std::string> modifiers;  // "nc"; ascending
  int vector_size = 1;
  bool immediate = false;  // an operand other than an address is a constant
  bool guarded = false;
  bool constant_mask = false;  // the mask of the threads that execute it jointly is the same in every execution
  bool of_variable = false;    // the address is that of a variable, or one next to it
  bool far = false;            // the address has an offset of more than 24 bits
  bool plain_special = false;  // it reads special registers that one machine instruction reads

  friend auto operator<=>(const OperationKey&, const OperationKey&) = default;
};

// General registers of 32 bits that an instruction reads, at most, by whether their numbers are even.
struct RegisterReads {
  uint32_t even = 0, odd = 0;

  friend auto operator<=>(const RegisterReads&, const RegisterReads&) = default;
};

// When the warp may go on behind a machine instruction, as its control fields say.
struct MachineIssue {
  int64_t stall = 1;           // cycles before it may issue the next one, at least 1
  bool fixed_latency = false;  // stall counts alone keep readers of its result from issuing
  // The scoreboard that counts until its operands are read, and not until its result is there.
  std::optional<uint8_t> until_read = std::nullopt;
  bool takes_most = false;  // it is not known what it does: it takes what the most expensive operations take
  std::optional<RegisterReads> registers_read = std::nullopt;  // nothing: any number

  friend auto operator<=>(const MachineIssue&, const MachineIssue&) = default;
};

// The longest time that one call of a function without a body occupies a warp, as its user states.
struct CallTime {
  int64_t amount = 0;     // at least 0
  bool in_cycles = true;  // of the machine; else picoseconds

  friend auto operator<=>(const CallTime&, const CallTime&) = default;
};

// What an instruction does, shared by all instructions of the same form.
struct Operation {
  std::string text;  // for messages: "ld.global.f32", as the file writes it
  OperationKind kind = OperationKind::move;
  MemorySpace space = MemorySpace::none;
  int bytes = 0;  // one lane's access, all vector elements in sum; 0 if it does not access memory
  bool reads_clock = false;
  // Besides what its kind tells, it needs a value that compilers keep in constant memory: a dimension of the launch,
  // the address of a variable, a double that fits no immediate operand.
  bool reads_constant = false;
  // And that is the dimension or another parameter of the launch. Of machine code, loads included: all constants that
  // it reads are in the launch's bank.
  bool reads_launch = false;
  // Compilers for some machines keep an integer in constant memory that it needs (timing::integers_in_memory).
  bool reads_integer = false;
  // Machine instructions before it, at most, that bring registers of its vectors side by side and immediates to
  // registers, where it cannot have all of these as operands.
  int moves = 0;
  int constant_words = 0;  // of 32 bits, of immediates among its operands; 0 where they choose what it does
  int constant_free = 0;   // words of a parameter that it reads where they are; -1: it takes one move more than words
  OperationFacts facts = {};
  OperationKey key = {};
  Semantics semantics = {};
  std::optional<MachineIssue> machine = {};  // of machine instructions
  std::optional<CallTime> call_time = {};    // of a call of a function without a body: what it takes
  bool stays_call = false;  // the assembler cannot inline it: values that are live over it have half of the registers
  // A call of PTX, or a return from one: the assembler has a warp wait for all that it has begun, for one scoreboard
  // may stand for other registers in the function.
  bool awaits_all = false;

  friend auto operator<=>(const Operation&, const Operation&) = default;
};

// What it does to memory: as its kind, unless its facts tell otherwise.
AccessClass access_class(const Operation& operation);

// ldmatrix and stmatrix: each lane gives the address of a row of 16 bytes in shared memory. Eight lanes after one
// another give those of one matrix; lanes beyond the last matrix give none.
bool gives_row_addresses(const Operation& operation);

// wmma.load and wmma.store: a warp's lanes access a matrix jointly; which element each of them accesses is not
// documented.
bool is_fragment_access(const Operation& operation);

// A compare-and-swap that is atomic for all threads which can reach the word: not with the scope of a block or a
// cluster, but in shared memory.
bool is_compare_and_swap(const Operation& operation);

// A load that sees what other threads write in the meantime: volatile, relaxed, acquire.
bool is_strong_load(const Operation& operation);

// What it reaches may be another device that is mapped into memory: .mmio.
bool is_of_mapped_device(const Operation& operation);

// cp.async: each lane copies a few bytes from global to shared memory. Not those that close a group of copies or wait.
bool is_async_copy(const Operation& operation);

// Copies of bytes between global and shared memory, or into the L2 cache, that a thread asks a unit of the
// multiprocessor for. Not those that close a group of them or wait for groups.
bool is_bulk_copy(const Operation& operation);

// A call of a function, which its blocks follow or which has no body; not a return.
bool is_call(const Operation& operation);

// How many transactions one lane's part of an access can need, where each lane accesses memory by itself: one line of
// global memory, to which it is aligned (PTX ISA 9.0, 6.4.1; of machine code a warp with another address stops with an
// error, "misaligned address"), elsewhere one for each word. Nothing for other accesses, and where the bytes are not
// known.
std::optional<int64_t> transactions_of_lane(const Operation& operation);

using RegisterId = uint32_t;
using BlockId = uint32_t;
using InstructionId = uint32_t;
using FunctionId = uint32_t;
inline constexpr RegisterId no_register = UINT32_MAX;
inline constexpr BlockId no_block = UINT32_MAX;
inline constexpr InstructionId no_instruction = UINT32_MAX;
inline constexpr FunctionId no_function = UINT32_MAX;

struct Instruction {
  uint32_t operation = 0;  // index into Kernel::operations
  // Registers in Kernel::register_pool: reads first, then writes. A guard is among the reads; of PTX, the first.
  uint32_t first_register = 0;
  uint16_t reads = 0;
  uint16_t writes = 0;
  bool guarded = false;
  uint16_t source_file = 0;  // index into Kernel::source_files, where source_line is known
  uint32_t line = 0;         // in the file that was read
  uint32_t source_line = 0;  // in the program it was compiled from, as its line tables say; 0 if unknown
};

// How an instruction passes control on.
enum class Transfer : uint8_t {
  fallthrough,      // to what stands behind it
  branch,           // to one target
  indexed,          // to the target whose number is the first source of the instruction; beyond them all: undefined
  call,             // to a function, and then on
  function_return,  // back to the caller, or out of the kernel
  exit,             // the thread ends
};

// How control leaves a block: what its last instruction does, if that is a transfer.
struct ControlTransfer {
  Transfer kind = Transfer::fallthrough;
  // Threads for which it is false, or, negated, true, go on to `next`. no_register: none do.
  RegisterId guard = no_register;
  bool guard_negated = false;
  std::vector<BlockId> targets;  // by index; a block may stand there more than once
  BlockId next = no_block;       // the block behind; no_block: none is, and a thread that goes on leaves the body
  FunctionId callee = no_function;

  // Whether some thread may go on to `next`.
  bool falls_through() const { return kind == Transfer::fallthrough || kind == Transfer::call || guard != no_register; }
  bool leaves() const { return kind == Transfer::function_return || kind == Transfer::exit; }
};

struct Block {
  std::string label;  // empty if the block has none
  InstructionId first = 0;
  uint32_t count = 0;
  ControlTransfer transfer;
  // The three follow from `transfer`: set_transfer.
  std::vector<BlockId> successors;  // in no particular order; empty: the warp ends here
  // A thread may leave the kernel, or return from the function the block belongs to, at the end of this block although
  // it has successors (a guarded exit or return).
  bool may_end = false;
  // All that lanes do here is end, and what that takes of those that come here apart stands before the branches that
  // lead here.
  bool only_ends = false;
  // After its instructions the warp runs this function's body, and goes on to the one successor when it has returned.
  FunctionId callee = no_function;
};

void set_transfer(Block& block, ControlTransfer transfer);

// A body that several calls share. Only calls lead to its blocks; those without successors return.
struct Function {
  std::string name;
  BlockId entry = 0;
};

// Three extents in threads (block) or blocks (grid), each at least 1.
struct Extent {
  int64_t x = 1, y = 1, z = 1;

  support::Integer count() const { return support::Integer(x) * y * z; }

  friend auto operator<=>(const Extent&, const Extent&) = default;
};

// Launch bounds that the file itself states; x = 0, or 0, where it states none.
struct LaunchBounds {
  Extent required{0, 0, 0};   // .reqntid
  Extent maximum{0, 0, 0};    // .maxntid
  int64_t max_registers = 0;  // .maxnreg: of a thread
  int64_t min_blocks = 0;     // .minnctapersm: on a multiprocessor, of the largest block that the file allows
  bool clusters = false;      // blocks are launched in clusters: .reqnctapercluster, .explicitcluster
  Extent cluster{0, 0, 0};    // .reqnctapercluster
  bool in_clusters = false;   // .blocksareclusters: the launch counts clusters
};

// The local memory that a thread needs for the variables that a function, or a kernel itself, declares.
struct Frame {
  std::string name;   // as in the file
  int64_t bytes = 0;  // with gaps that aligning them may make
};

struct Kernel {
  std::string name;
  std::string target;  // "sm_80", as the file says
  support::Location location;
  LaunchBounds launch_bounds;
  int64_t shared_bytes = 0;     // statically declared shared memory of a block
  int64_t shared_padding = 0;   // the most bytes that aligning it can add
  bool dynamic_shared = false;  // uses shared memory whose size the launch tells (.extern .shared)
  int64_t parameter_bytes = 0;  // of its parameters, one behind the other, each aligned as it has to be
  int64_t barriers = 0;         // named barriers of a block at most: the largest number it names and one, or all 16
  bool lanes_part = false;      // lanes may part without a branch: by masks that registers have

  std::vector<Operation> operations;
  std::vector<Instruction> instructions;
  std::vector<RegisterId> register_pool;
  uint32_t registers = 0;  // register ids are below this
  // So many of them from the first on count what is outstanding: those that write one do not wait for each other, and
  // what reads it waits for all of them.
  RegisterId first_scoreboard = 0;
  uint32_t scoreboards = 0;
  // One entry per register: its width; 1 for a predicate or flag, 0 where the file's type has none.
  std::vector<uint16_t> register_bits;
  std::vector<Block> blocks;
  std::vector<Function> functions;  // a function comes after those it calls
  std::vector<Frame> frames;  // its own first; of PTX, those of functions that it calls by name and that save nothing
  std::vector<std::string> source_files;  // of the program it was compiled from, as its line tables name them

  bool is_scoreboard(RegisterId reg) const { return reg >= first_scoreboard && reg - first_scoreboard < scoreboards; }
  // Of machine code, where it is known: Instruction::line of the first instruction of each of its sections, ascending.
  // Each section begins at a multiple of section_alignment bytes, and its instructions have one line each, in a row.
  static constexpr int64_t section_alignment = 128;
  std::vector<uint32_t> sections = {};
  // Of machine code: the bytes of constant banks that it may read, each place once, if all are known. What a launch
  // passes is in launch_bank.
  static constexpr int64_t launch_bank = 0;
  struct ConstantPlace {
    int64_t bank = 0, offset = 0, bytes = 0;
    friend auto operator<=>(const ConstantPlace&, const ConstantPlace&) = default;
  };
  std::optional<std::vector<ConstantPlace>> constant_places;
  // Where calls are nested in calls of the same function: the kernel with one activation of each, by which its
  // registers are counted. Else null.
  std::shared_ptr<const Kernel> each_function_once = nullptr;

  // Whether its instructions are machine instructions.
  bool is_machine_code() const { return !operations.empty() && operations.front().machine.has_value(); }
  const Operation& operation(const Instruction& instruction) const { return operations[instruction.operation]; }
  // Whether it calls functions that have no body: what they do to caches is unknown.
  bool calls_outside() const;
  // Whether the block ends with such a call.
  bool calls_outside(const Block& block) const;
  const RegisterId* reads(const Instruction& instruction) const {
    return register_pool.data() + instruction.first_register;
  }
  const RegisterId* writes(const Instruction& instruction) const { return reads(instruction) + instruction.reads; }
};

// Words of a thread's frame in local memory, each of which the threads of a warp have side by side. Nothing of PTX,
// where the assembler decides what is there, and where the frame is not known.
std::optional<int64_t> frame_words(const Kernel& kernel);
// Lines that a warp may touch of its frame, at most, wherever it begins: one for each word, and one at either end.
std::optional<int64_t> frame_lines(const Kernel& kernel);

}  // namespace warpspan::ir
