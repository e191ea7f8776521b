// Which kernels a command is about, and reading them.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/reports/analyze/analyze_report.hpp"
#include "app/reports/diagnostics.hpp"
#include "app/reports/run_record.hpp"
#include "app/requests/compilation.hpp"
#include "app/requests/compiled_kernels.hpp"
#include "app/requests/gpu_code.hpp"
#include "frontend/frontend.hpp"
#include "ir/flow.hpp"
#include "ir/kernel_code.hpp"
#include "support/diagnostic.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

struct KernelRequest {
  std::vector<std::string> files;    // at least one: as input_files takes them
  Compilation compilation;           // of files that are no PTX
  std::vector<std::string> kernels;  // patterns (support::names_symbol); empty: all
  ir::Launch launch;
  bool unknown_opcodes = false;  // of machine code: frontend::Inquiry::unknown_opcodes
  std::string facts;             // a file of facts (facts_file.hpp) that hold beside the launch; empty: none
};

// The errors of one file, each once.
class FileErrors {
 public:
  // file: of errors without a place.
  explicit FileErrors(std::string file) : file_(std::move(file)) {}

  void add(const support::Diagnostics& more);
  const support::Diagnostics& all() const { return errors_; }

 private:
  std::string file_;
  std::set<DiagnosticKey> known_;
  support::Diagnostics errors_;
};

// A file that was read, or as much of it as could be.
struct KernelFile {
  std::string name;                                   // "<stdin>" for "-"
  std::shared_ptr<const support::SourceFile> source;  // nothing if it could not be read
  CompiledKernels machine_code;                       // beside the PTX
  CodePlaces places;                                  // of the same
  std::vector<std::string> names;                     // of all its kernels
  std::vector<ir::KernelCode> codes;                  // of those that were chosen, whether or not they could be read
  std::vector<ir::LoopBoundUse> uses;                 // which loops the bounds of the launch name
  std::vector<frontend::AnalyzedKernel> kernels;
  FileErrors errors;                      // of reading; what follows adds its own
  std::vector<FailedKernel> failed = {};  // whose errors are among them; what follows adds its own
  RunRecord run = {};                     // of what was read, the inputs
};

// A kernel of the file cannot be bounded.
void fail(KernelFile& file, const std::string& kernel, const support::Diagnostics& errors);

struct KernelFiles {
  std::vector<KernelFile> files;
  ir::Launch launch;  // of the request, with its facts
};

// Whether loops must have bounds.
enum class LoopsAre : uint8_t { bounded, perhaps_unbounded, not_analyzed };

// One for each file that the request means, in its order; one with an error for a word that means none. A pattern that
// names no kernel of any of them is an error of each file that could be read.
//
// The facts of the request hold for the kernels that their tables name, beside the launch; without them nothing is
// read. A table that names no kernel, and a fact that names nothing of its kernel, are warnings; a table that is for
// other code (its sha256) refuses the kernel, with the difference. Warnings stand among the errors of the first file.
//
// With loops that are not analyzed, `kernels` have no flow, and no block where neither the launch nor the file has one.
// With loops that are perhaps unbounded, `codes` have fingerprints, and `kernels` those whose loops all have bounds.
KernelFiles read_files(const KernelRequest& request, LoopsAre loops = LoopsAre::bounded);

// The errors of all files, in their order.
support::Diagnostics all_errors(const std::vector<KernelFile>& files);

}  // namespace warpspan::app
