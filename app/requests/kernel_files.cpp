#include "app/requests/kernel_files.hpp"

#include <memory>

#include "support/isolated.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

namespace {

KernelFile read_file(const std::string& path, const KernelRequest& request) {
  const std::string name = path == "-" ? "<stdin>" : path;
  KernelFile file{name, {}, FileErrors(name)};
  auto source = support::isolated({}, "while the file was read", [&] { return support::read_source(path); });
  if (!source) {
    file.errors.add(source.errors());
    return file;
  }
  auto shared = std::make_shared<const support::SourceFile>(std::move(*source));
  frontend::Reading reading = frontend::read_kernels(std::move(shared), request.kernel, request.launch);
  file.kernels = std::move(reading.kernels);
  file.errors.add(reading.errors);
  return file;
}

}  // namespace

void FileErrors::add(const support::Diagnostics& more) {
  for (support::Diagnostic error : more) {
    if (error.location.file.empty()) error.location.file = file_;
    if (known_.emplace(error.location.line, error.location.column, error.message).second) {
      errors_.push_back(std::move(error));
    }
  }
}

std::vector<KernelFile> read_files(const KernelRequest& request) {
  std::vector<KernelFile> files;
  for (const std::string& path : request.files) files.push_back(read_file(path, request));
  return files;
}

support::Diagnostics all_errors(const std::vector<KernelFile>& files) {
  support::Diagnostics errors;
  for (const KernelFile& file : files) {
    errors.insert(errors.end(), file.errors.all().begin(), file.errors.all().end());
  }
  return errors;
}

}  // namespace warpspan::app
