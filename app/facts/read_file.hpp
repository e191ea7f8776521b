// SPDX-License-Identifier: GPL-3.0-or-later
// What was read of the files with a launch, as far as facts are checked against it.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/reports/analyze/analyze_report.hpp"
#include "app/reports/diagnostics.hpp"
#include "frontend/frontend.hpp"
#include "ir/kernel_code.hpp"
#include "support/diagnostic.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

// The errors of one file, each once, with what they mention spelled (spelling.hpp).
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

// A file, or as much of it as could be read.
struct ReadFile {
  explicit ReadFile(std::string own_name) : name(std::move(own_name)), errors(name) {}

  std::string name;                    // of the file and its unit; "<stdin>" for "-"
  std::vector<std::string> names;      // of all its kernels
  std::vector<ir::KernelCode> codes;   // of those that were chosen, whether or not they could be read
  std::vector<ir::LoopBoundUse> uses;  // which loops the bounds of the launch name
  std::vector<frontend::AnalyzedKernel> kernels;
  FileErrors errors;                 // of reading; what follows adds its own
  std::vector<FailedKernel> failed;  // whose errors are among them; what follows adds its own
};

using ReadFiles = std::vector<ReadFile*>;

// A kernel of the file cannot be bounded.
void fail(ReadFile& file, const std::string& kernel, support::Diagnostics errors);

// The code of a kernel of the file; null if it has none of that name.
const ir::KernelCode* code_of(const ReadFile& file, const std::string& kernel);

// The chosen kernels of all files that a fact may be for.
template <typename Fact>
std::vector<const ir::KernelCode*> kernels_for(const Fact& fact, const ReadFiles& files) {
  std::vector<const ir::KernelCode*> codes;
  for (const ReadFile* file : files) {
    for (const ir::KernelCode& code : file->codes) {
      if (fact.kernel.empty() || support::names_symbol(fact.kernel, code.name)) codes.push_back(&code);
    }
  }
  return codes;
}

// Whether it is known which kernels there are.
bool are_all_read(const ReadFiles& files);

// A fact that names nothing: of an option it is an error, and no kernel is left; of a file it is a warning. It stands
// among the errors of the first file.
void report_unused(support::Diagnostic error, const ir::Origin& origin, const ReadFiles& files);

}  // namespace warpspan::app
