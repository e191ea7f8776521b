#include "app/cli/read_files.hpp"

#include <memory>
#include <set>
#include <tuple>

#include "support/isolated.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Diagnostics;

// The errors of one file, each once.
class FileErrors {
 public:
  explicit FileErrors(std::string file) : file_(std::move(file)) {}

  void add(const Diagnostics& more) {
    for (Diagnostic error : more) {
      if (error.location.file.empty()) error.location.file = file_;
      if (known_.emplace(error.location.line, error.location.column, error.message).second) {
        errors_.push_back(std::move(error));
      }
    }
  }
  const Diagnostics& all() const { return errors_; }

 private:
  std::string file_;
  std::set<std::tuple<int64_t, int64_t, std::string>> known_;
  Diagnostics errors_;
};

}  // namespace

Diagnostics for_each_kernel(const Input& input, const UseKernel& use) {
  Diagnostics errors;
  size_t left = input.files.size();
  for (const std::string& path : input.files) {
    --left;
    FileErrors own(path == "-" ? "<stdin>" : path);
    auto source = support::isolated({}, "while the file was read", [&] { return support::read_source(path); });
    if (source) {
      const auto shared = std::make_shared<const support::SourceFile>(std::move(*source));
      frontend::Reading reading = frontend::read_kernels(shared, input.kernel, input.launch);
      own.add(reading.errors);
      left += reading.kernels.size();
      for (frontend::AnalysedKernel& kernel : reading.kernels) own.add(use(shared->name(), kernel, left--));
    } else {
      own.add(source.errors());
    }
    errors.insert(errors.end(), own.all().begin(), own.all().end());
  }
  return errors;
}

}  // namespace warpspan::app
