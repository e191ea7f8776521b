// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan as a library: safe upper bounds on how long GPU kernels can take, from PTX and machine code.
//
//   warpspan::Request request;
//   request.inputs = {{"saxpy.ptx"}};
//   request.block = {256};
//   request.grid = {4};
//   request.arguments = {{"3", "100000"}};
//   const warpspan::Bounds bounds = warpspan::bound(request);
//   for (const auto& kernel : bounds.kernels) use(kernel.name, kernel.at_most.cycles);
//   for (const auto& message : bounds.messages) std::cerr << message.rendered();
//
// The numbers are those of 'warpspan analyze', with the same checks, and so are all words: docs/glossary.md. A kernel
// that cannot be bounded has messages and no number. What is wrong is a value, never an exception; only std::bad_alloc
// is thrown.
//
// All functions may be called by several threads at a time; a Request may be shared, a result belongs to whoever has
// it. docs/library.md has the rest: what a call does to its process, and what stays the same between versions.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// Of this header; version() has that of the library.
#define WARPSPAN_VERSION_MAJOR 0
#define WARPSPAN_VERSION_MINOR 1
#define WARPSPAN_VERSION_PATCH 0

#define WARPSPAN_API __attribute__((visibility("default")))

namespace warpspan {

// "0.1.0"
WARPSPAN_API std::string version();

enum class Severity : uint8_t { error, warning, note };

// Whose mistake it is: wrong use, an input that cannot be bounded, a defect of warpspan.
enum class Cause : uint8_t { usage, input, internal };

// Lines and columns count from 1; 0 means "not known", as for a whole file.
struct Place {
  std::string file;
  int64_t line = 0;
  int64_t column = 0;
};

struct WARPSPAN_API Message {
  Severity severity = Severity::error;
  Cause cause = Cause::input;
  Place place;
  std::string text;         // "unknown opcode 'addd'"
  std::string hint;         // what to give instead, as the program's options are written; may be empty
  std::string source_line;  // the text of the line; may be empty

  // Several lines: place and text, the line with a caret, the hint; ends with a line end.
  std::string rendered() const;
};
using Messages = std::vector<Message>;

// What all messages of a result come to, as the exit status of the program.
enum class Status : uint8_t { done, wrong_use, not_bounded, internal_error };

// A value, or messages that say why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}               // NOLINT: return value;
  Result(Messages messages) : state_(std::move(messages)) {}  // NOLINT: return messages;

  explicit operator bool() const { return std::holds_alternative<T>(state_); }
  // Valid only with a value.
  const T& operator*() const { return std::get<T>(state_); }
  const T* operator->() const { return &std::get<T>(state_); }
  // Valid only without one.
  const Messages& messages() const { return std::get<Messages>(state_); }

 private:
  std::variant<T, Messages> state_;
};

// PTX, LLVM IR (.ll, .bc), a cubin, or an object, library, program or fatbin that holds some.
struct Input {
  std::string path;  // a file, a folder or a pattern
  // The content of a file that need not be there: `path` is what messages and reports call it, and its ending counts.
  std::optional<std::string> bytes = std::nullopt;
};

// Threads of a block, or blocks of a grid.
struct Extent {
  int64_t x = 1, y = 1, z = 1;
};

// What is stated of a kernel: a place and its value, as the option of the program takes them.
struct Fact {
  std::string place;
  std::string value;
};

// How much of machine code is simulated for the expected time.
enum class Effort : uint8_t { never, quick, full };

// Which code of a file that holds both is bounded.
enum class Code : uint8_t { machine_code_if_any, machine_code, ptx };

// What is asked. What is left as it is means what the program does without that option.
struct Request {
  std::vector<Input> inputs;         // at least one
  std::vector<std::string> kernels;  // names as in the file or demangled, '*' for any characters; empty: all

  // The launch.
  std::optional<Extent> block;          // else the file's .reqntid or .maxntid
  std::optional<Extent> grid;           // else one block, alone on the GPU
  std::optional<int64_t> registers;     // of a thread
  std::optional<int64_t> shared_bytes;  // of a block, beside what the file declares

  // Facts that only a user can know (docs/facts.md).
  std::vector<Fact> arguments;    // {"n", "1024"}, {"3", "1..4096"}, {"s+8", "u32:7"}
  std::vector<Fact> globals;      // {"N", "1024"}
  std::vector<Fact> buffers;      // {"x", "64M"}: the size of the array that a parameter points to
  std::vector<Fact> loop_bounds;  // {"$L__BB0_2", "64"}, {"line:63", "64"}, {"kernel.cu:42", "64"}
  std::vector<Fact> waits;        // {"kernel.cu:42", "2us"}
  std::vector<Fact> call_costs;   // {"vprintf", "20us"}
  std::vector<Fact> recursions;   // {"fibonacci", "12"}
  bool trust_initialisers = false;
  std::string interference;  // "0.3": of the time, by others that use the memory
  std::string facts_file;    // as 'warpspan facts' and Needs::toml write it

  // The machine, and what is assumed of it.
  std::string machine;              // a name, target, board or file; empty: that of the file's target
  std::vector<std::string> assume;  // "usual", "warm-code", ...: docs/assumptions.md
  Effort simulate = Effort::quick;

  // How files become code.
  std::string target;  // "sm_80": which code of a file that has several
  Code code = Code::machine_code_if_any;
  bool unknown_opcodes_are_worst = false;
  std::vector<std::string> ptxas_logs;  // files
  std::string assembler;                // "ptxas -O3": a command, which is run
  std::string flags;                    // "-O3 -mcpu=sm_80": of LLVM IR

  // Where it becomes true, assemblers, compilers and simulations end early, with messages; what is analyzed goes on to
  // its end. It must live as long as the call; null: nothing ends them.
  const std::atomic<bool>* cancel = nullptr;
};

// A kernel of the inputs, as it is written.
struct Kernel {
  std::string file, name, demangled;
  std::string target;         // "sm_80"
  bool machine_code = false;  // or PTX
  int64_t instructions = 0;   // as they stand there, with those of functions that it calls
  // Of machine code.
  std::optional<int64_t> registers = std::nullopt;     // of a thread
  std::optional<int64_t> stack_bytes = std::nullopt;   // of a thread
  std::optional<int64_t> shared_bytes = std::nullopt;  // of a block
};
struct Kernels {
  std::vector<Kernel> kernels;  // in the order of the inputs, and of the kernels in them
  Messages messages;
  Status status = Status::done;
};

// What the inputs have; nothing of it is bounded.
WARPSPAN_API Kernels kernels(const Request& request);

struct Parameter {
  std::string name, type;  // as in the code: "_Z5saxpyfPfi_param_0", "u64"
  int64_t bytes = 0;
  std::string source_name;  // as in the source; empty if the code does not tell
};

struct Loop {
  std::string place;        // as Request::loop_bounds names it: its label, or "line:63"
  int64_t line = 0;         // in the file that was read
  std::string source_file;  // empty, and line 0, if the code does not tell
  int64_t source_line = 0;
  std::optional<int64_t> trip_count;  // the most that its header runs each time it is entered
  std::string found_by;               // "scalar-evolution", "user", ...
  std::string obstacle;               // why there is no trip count
  std::vector<std::string> remedies;  // options that would make one known, as the program takes them
};

// What only its user can know of a kernel.
struct KernelNeeds {
  std::string file, name, demangled;
  std::string sha256;                   // of its code
  std::vector<Parameter> parameters;    // their places are names, source names, or indices
  std::vector<Loop> loops;              // those with a trip count too
  std::vector<std::string> calls;       // functions without a body, which need Request::call_costs
  std::vector<std::string> recursions;  // functions that need Request::recursions
  bool are_met = false;                 // it has what a bound needs of loops, calls and recursion
};
class WARPSPAN_API Needs {
 public:
  std::vector<KernelNeeds> kernels;
  Messages messages;
  Status status = Status::done;

  std::string toml() const;  // as 'warpspan facts' writes it: to be filled in, and given as Request::facts_file
  std::string json() const;  // docs/schema/facts-report.schema.json

  struct Found;

 private:
  friend Needs needs(const Request& request);
  std::shared_ptr<const Found> found_;
};

// What would have to be stated for a bound, with what is stated already.
WARPSPAN_API Needs needs(const Request& request);

struct WARPSPAN_API Time {
  int64_t cycles = 0;
  std::optional<int64_t> picoseconds;  // rounded up; nothing where they exceed 64 bits

  std::optional<int64_t> nanoseconds() const;  // rounded up
};

// How long a launch probably takes: an estimate, which is never safe.
struct Expected {
  Time time;
  bool simulated = false;              // or by a rough formula
  std::optional<double> usual_factor;  // two launches of three are within so many times of it, where that was measured
  std::vector<std::string> assumptions;
};

// Of the bound; all parts add up to it.
struct Part {
  std::string name;  // "one warp alone", "waiting for memory"
  int64_t cycles = 0;
};

struct Line {
  std::string file;  // of the source where the code tells it, else the input
  int64_t line = 0;
  int64_t executions = 0;  // by one warp
  int64_t cycles = 0;      // of the bound
  std::string limited_by;  // the resource with most of them; may be empty
  std::string text;
};

struct Access {
  int64_t line = 0;  // in the file that was read
  std::string source_file;
  int64_t source_line = 0;
  std::string instruction;              // "ld.global.f32"
  std::string object;                   // what its addresses are counted from; empty: any memory
  std::optional<int64_t> object_bytes;  // Request::buffers gives it
  std::string touches;                  // over the launch, in words: "dense, 4 MiB, each line once"
};

// The change of a kernel that makes the bound smaller.
struct Advice {
  std::string kind, what;
  Place place;
  std::optional<int64_t> cycles;  // what the bound becomes
};

struct KernelBound {
  std::string file, name, demangled;
  std::string machine;
  int64_t clock_khz = 1;
  Extent block;
  std::optional<Extent> grid;

  Time at_most;                  // the bound: what is assumed decides
  std::optional<Time> whatever;  // the bound with nothing assumed
  std::optional<Time> usual;  // the bound if the machine does what its file calls usual; nothing where it says nothing
  std::optional<Expected> expected;
  std::string limited_by;  // the largest part

  std::vector<Part> parts;
  std::vector<Line> lines;  // the costliest first
  std::vector<Loop> loops;
  std::vector<Access> accesses;
  std::vector<Advice> advice;            // the largest gain first
  std::vector<std::string> assumptions;  // all that the bound rests on
};

// What has no bound.
struct Unbounded {
  std::string file, name;  // no name: no kernel of the file could be told
  Messages messages;
};

class WARPSPAN_API Bounds {
 public:
  std::vector<KernelBound> kernels;
  std::vector<Unbounded> unbounded;
  Messages messages;  // of all, also of the unbounded, and warnings
  Status status = Status::done;

  std::string json() const;  // the bytes of 'warpspan analyze --format json': docs/schema/analyze.schema.json
  std::string text() const;  // those of 'warpspan analyze'

  struct Found;

 private:
  friend Bounds bound(const Request& request);
  std::shared_ptr<const Found> found_;
};

// Bounds each kernel.
WARPSPAN_API Bounds bound(const Request& request);

struct Machine {
  std::string name, description;
  std::vector<std::string> targets;  // "sm_80"
  int64_t clock_khz = 1;
  int64_t multiprocessors = 1;
  int64_t warps = 1;               // that a multiprocessor holds
  std::vector<std::string> usual;  // assumptions that runs of it back
  std::string toml;                // its file, with the source of each figure
};

// Names of those that are built in.
WARPSPAN_API std::vector<std::string> machines();

// As Request::machine names one.
WARPSPAN_API Result<Machine> machine(const std::string& name);

}  // namespace warpspan
