// Reads the words of the command line into options, strictly, and collects the errors of all of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/option_words.hpp"
#include "app/cli/options.hpp"
#include "support/result.hpp"

namespace warpspan::app {

class OptionReader {
 public:
  explicit OptionReader(const Words& words) : words_(words) {}

  AnalyzeOptions analyze();
  StringOptions string();
  MachinesOptions machines();
  SolveOptions solve();
  VerifyOptions verify();

  // The command, or the errors on the way to it.
  support::Result<Command> finish(Command command) const;

 private:
  Input input();
  ProblemSettings problem();
  int64_t memory();
  Format format();
  std::optional<ir::Extent> extent(const std::string& option, const std::vector<std::string>& values);
  void check_threads(const ir::Launch& launch);
  void check_files(const SolveOptions& options);
  void twice(const std::string& option);
  void usage(std::string message, std::string help = {});
  // The value, empty if there is none; an error if there are several, or an empty one.
  std::string once(const std::string& option, const std::vector<std::string>& values);

  // The value of a result; its errors are kept.
  template <typename T, typename Use>
  void keep(const support::Result<T>& result, const Use& use) {
    if (result) {
      use(*result);
    } else {
      errors_.insert(errors_.end(), result.errors().begin(), result.errors().end());
    }
  }
  // Reads the value of an option that may be given once, if it is given.
  template <typename T>
  std::optional<T> read(const std::string& option, const std::vector<std::string>& values,
                        support::Result<T> (*parse)(const std::string&, std::string_view)) {
    std::optional<T> read;
    if (values.empty()) return read;
    if (values.size() > 1) twice(option);
    keep(parse(option, values.front()), [&](const T& value) { read = value; });
    return read;
  }

  const Words& words_;
  support::Diagnostics errors_;
};

}  // namespace warpspan::app
