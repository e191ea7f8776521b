// SPDX-License-Identifier: GPL-3.0-or-later
// From a file that a user names to the code in it: PTX, machine code, or both.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "app/requests/kernels/gpu_code.hpp"
#include "app/requests/kernels/input_shelf.hpp"
#include "app/requests/tools/assembler.hpp"
#include "support/result.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

// How files become code.
struct Compilation {
  std::vector<std::string> compiler;            // words of a command for every file; empty: by the file's extension
  std::vector<std::string> flags;               // further words; of a .ll or .bc file: llvm_ir::parse_flags
  std::string target;                           // whose code of an object, library or fatbin; empty: the only one
  Wanted wanted = Wanted::machine_code_if_any;  // of objects, libraries and fatbins
  std::vector<std::string> assembler;           // words of a command for PTX without machine code; empty: it stays PTX
  std::shared_ptr<Assemblies> assemblies = std::make_shared<Assemblies>();
  std::shared_ptr<InputShelf> inputs = std::make_shared<InputShelf>();
  const std::atomic<bool>* cancel = nullptr;  // ends compilers and assemblers; may be null
};

struct Input {
  RunRecord run;                                // with the file that the user names
  std::vector<CodeUnit> units;                  // with a kernel that was asked for; of a file without kernels one
  std::vector<std::string> other_kernels = {};  // if no unit has one: those that the file has
};

// A file and its code: what the compiler writes for it; of a .ll or .bc file what LLVM makes of it; what is in a cubin,
// object, library or fatbin; any other is PTX, "-" being standard input. What a compiler writes may be any of these
// but LLVM IR. A path may name one unit of a file, as reports do: "k.so#2", "k.a(k.o)". Devices: CodeChoice::devices.
// PTX that is no file is named "<PTX of k.ll>", "<PTX of k.cu with -O3>" or
// "<PTX of k.o for sm_80>". Errors: those of run_compiler, llvm_ir::to_ptx, read_gpu_code and read_source; flags for a
// file that is not compiled, and machine code of one that holds none (usage). kernels: patterns; empty: all.
support::Result<Input> read_input(const std::string& path, const Compilation& how,
                                  const std::vector<std::string>& devices = {},
                                  const std::vector<std::string>& kernels = {});

// The target that PTX is assembled for: the one that the assembler's words name; else its own, or if the devices have
// others, the first of theirs that is later.
std::string assembled_target(const std::string& ptx_target, const Compilation& how,
                             const std::vector<std::string>& devices);

// Makes machine code of the PTX of a unit that has none, if there is an assembler and PTX is not what is wanted. PTX
// that is malformed stays as it is. Errors: Assemblies::assemble, and contents_of what it wrote.
support::Diagnostics assemble(CodeUnit& unit, const Compilation& how, const std::vector<std::string>& devices);

}  // namespace warpspan::app
