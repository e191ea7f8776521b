// SPDX-License-Identifier: GPL-3.0-or-later
// Running a program of the user: a compiler, an assembler.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "support/result.hpp"

namespace warpspan::app {

// In TMPDIR; removed at the end, with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  // Why it could not be made.
  std::optional<support::Diagnostic> error() const;
  std::string file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
  int error_ = 0;
};

struct ToolRun {
  std::vector<std::string> words;                                // the program, and what it is given
  std::string shown;                                             // the same in messages
  std::string source;                                            // that errors are about
  std::string help;                                              // where the program cannot be started
  std::string failed_help = {};                                  // where it fails
  const std::atomic<bool>* cancel = nullptr;                     // may be null
  std::function<std::string(const std::string&)> readable = {};  // of what it prints, where that is shown
};

// What the program prints, the end of it where that is much. It is found as a shell finds it, but run without one, and
// reads nothing. Ends it, with what it has started, soon after *cancel becomes true.
//
// Errors, at the source: it cannot be started (usage); it ends with another status than 0, or by a signal: then its
// last lines follow as notes.
support::Result<std::string> run_tool(const ToolRun& run);

}  // namespace warpspan::app
