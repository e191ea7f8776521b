// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernels a command is about, and reading them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/facts/read_file.hpp"
#include "app/reports/run_record.hpp"
#include "app/requests/kernels/compilation.hpp"
#include "app/requests/kernels/compiled_kernels.hpp"
#include "app/requests/kernels/gpu_code.hpp"
#include "frontend/frontend.hpp"
#include "ir/kernel_code.hpp"
#include "ir/launch.hpp"
#include "support/diagnostic.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

struct KernelRequest {
  std::vector<std::string> files;    // at least one: as input_files takes them
  Compilation compilation;           // of files that are no PTX
  std::vector<std::string> devices;  // CodeChoice::devices
  std::vector<std::string> kernels;  // patterns (support::names_symbol); empty: all
  ir::Launch launch;
  bool unknown_opcodes = false;  // of machine code: frontend::Inquiry::unknown_opcodes
  std::function<support::Diagnostics(const ir::Kernel&)> hopeless = {};  // frontend::Inquiry::hopeless
  bool explain = false;  // the PTX of kernels whose machine code decides is read, too
  std::string facts;     // a file of facts (app/facts/facts_file.hpp) that hold beside the launch; empty: none
};

// The PTX of a kernel whose machine code decides: it explains.
struct ExplainingPtx {
  std::shared_ptr<const support::SourceFile> source;
  std::vector<frontend::AnalyzedKernel> kernels;    // those that could be read
  std::vector<frontend::FailedKernel> failed = {};  // the others; without a name: all
};

// A file that was read, or as much of it as could be; of a library or a program, one for each of its units.
struct KernelFile : ReadFile {
  using ReadFile::ReadFile;

  std::shared_ptr<const support::SourceFile> source;  // of PTX, or the listing of machine code; nothing if not read
  CompiledKernels figures;                            // of the machine code that is there, figures_of
  ExplainingPtx ptx;                                  // if it was asked for, and machine code decides
  RunRecord run;                                      // of what was read, the inputs
  bool has_no_kernel = false;                         // it could be read, and that is all that is wrong
};

struct KernelFiles {
  std::vector<KernelFile> files;
  ir::Launch launch;  // of the request, with its facts
};

// Whether loops must have bounds.
enum class LoopsAre : uint8_t { bounded, perhaps_unbounded, as_found, not_analyzed };

// What a file has, without the analysis of any kernel: each kernel of its units once, perhaps none, and their target.
// Errors: those of read_input and contents_of.
support::Result<frontend::Contents> contents_of_file(const std::string& path, const Compilation& how,
                                                     const std::vector<std::string>& devices, RunRecord& run);
// What the machine code that the devices run says of its kernels; nothing of PTX. Errors: those of read_input and
// assemble. kernels: patterns.
support::Result<CompiledKernels> figures_of_file(const std::string& path, const Compilation& how,
                                                 const std::vector<std::string>& devices,
                                                 const std::vector<std::string>& kernels);

// The files that words mean, each once, as input_files; errors of those that mean none.
struct NamedFiles {
  std::vector<std::string> paths;
  std::vector<bool> in_folder;  // it was not named itself
  support::Diagnostics errors;
};
NamedFiles named_files(const std::vector<std::string>& words);

// The note of a file of a folder that has no kernel.
support::Diagnostic without_kernel(const std::string& file);

// One for each file that the request means, in its order, but for files of folders that have no kernel, which are notes
// where there are others; one with an error for a word that means none. Of a file with
// several units those that have a chosen kernel, if some have. A pattern that names no kernel of any of them is an
// error of each file that could be read, once.
//
// Where a unit holds machine code for the devices, that is what kernels are of. With `explain` their PTX is read, too.
//
// The facts of the request hold for the kernels that their tables name, beside the launch; without them nothing is
// read. A table that names no kernel, and a fact that names nothing of its kernel, are warnings; a table that is for
// other code (its sha256) refuses the kernel, with the difference. Warnings stand among the errors of the first file.
//
// With loops as found, `kernels` are all whose control flow is known, whether or not their loops have bounds.
//
// With loops that are not analyzed, `kernels` have no flow, and no block where neither the launch nor the file has one.
// With loops that are perhaps unbounded, `codes` have fingerprints, and `kernels` those whose loops all have bounds.
KernelFiles read_files(const KernelRequest& request, LoopsAre loops = LoopsAre::bounded);

// The errors of all files, in their order.
support::Diagnostics all_errors(const std::vector<KernelFile>& files);

}  // namespace warpspan::app
