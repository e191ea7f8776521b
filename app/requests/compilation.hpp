// From a file that a user names to PTX, or to machine code where there is none.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/requests/compiled_kernels.hpp"
#include "app/requests/gpu_code.hpp"
#include "support/result.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

// How files become PTX.
struct Compilation {
  std::vector<std::string> compiler;  // words of a command for every file; empty: by the file's extension
  std::vector<std::string> flags;     // further words; of a .ll or .bc file: llvm_ir::parse_flags
  std::string target;                 // whose PTX of an object, library or fatbin; empty: the only one
  bool machine_code = false;  // of objects, libraries and fatbins the machine code is wanted, whatever PTX they hold
  const std::atomic<bool>* cancel = nullptr;  // ends compilers; may be null
};

struct Input {
  support::SourceFile ptx;
  std::shared_ptr<const support::SourceFile> compiled_from;  // the file itself, where it is not the PTX
  CompiledKernels machine_code = {};                         // that the file holds beside its PTX
  CodePlaces places = {};                                    // of the same
  std::optional<std::string> cubin = std::nullopt;           // the machine code, if there is no PTX or it is wanted

  const std::string& bytes() const { return compiled_from ? compiled_from->bytes() : ptx.bytes(); }  // of the file
};

// A file and its PTX, or its cubin if it is an object, library or fatbin without PTX, or that is wanted: what the
// compiler writes for it; of a .ll or .bc file what LLVM makes of it; what is in an object, library or fatbin; any
// other is PTX, "-" being standard input. PTX that is no file is named "<PTX of k.ll>", "<PTX of k.cu with -O3>" or
// "<PTX of k.o for sm_80>". Errors: those of run_compiler, llvm_ir::to_ptx, read_gpu_code and read_source; flags for a
// file that is not compiled, and machine code of one that holds none (usage).
support::Result<Input> read_input(const std::string& path, const Compilation& how);

}  // namespace warpspan::app
