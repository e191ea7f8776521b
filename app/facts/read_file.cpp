// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/facts/read_file.hpp"

#include <algorithm>

#include "app/facts/spelling.hpp"

namespace warpspan::app {

void FileErrors::add(const support::Diagnostics& more) {
  for (support::Diagnostic error : spelled(more)) {
    if (error.location.file.empty()) error.location.file = file_;
    if (known_.insert(key_of(error)).second) errors_.push_back(std::move(error));
  }
}

void fail(ReadFile& file, const std::string& kernel, support::Diagnostics errors) {
  errors = spelled(std::move(errors));
  file.errors.add(errors);
  file.failed.push_back({file.name, kernel, std::move(errors)});
}

const ir::KernelCode* code_of(const ReadFile& file, const std::string& kernel) {
  const auto named = [&kernel](const ir::KernelCode& code) { return code.name == kernel; };
  const auto found = std::find_if(file.codes.begin(), file.codes.end(), named);
  return found == file.codes.end() ? nullptr : &*found;
}

bool are_all_read(const ReadFiles& files) {
  return std::none_of(files.begin(), files.end(), [](const ReadFile* file) { return file->names.empty(); });
}

void report_unused(support::Diagnostic error, const ir::Origin& origin, const ReadFiles& files) {
  if (origin.is_file()) {
    error.severity = support::Severity::warning;
  } else {
    for (ReadFile* file : files) file->kernels.clear();
  }
  files.front()->errors.add({std::move(error)});
}

}  // namespace warpspan::app
