// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/tools/compiler.hpp"

#include <filesystem>

#include "app/reports/readable.hpp"
#include "app/requests/tools/tool.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

namespace fs = std::filesystem;
using support::Result;

Result<std::string> run_compiler(const std::vector<std::string>& compiler, const std::vector<std::string>& flags,
                                 const std::string& source, const std::atomic<bool>* cancel) {
  const TemporaryFolder folder;
  if (const auto error = folder.error()) return *error;
  const std::string output = folder.file("kernels.ptx");
  ToolRun run;
  run.words = compiler;
  run.words.insert(run.words.end(), flags.begin(), flags.end());
  run.shown = joined(run.words, " ") + " " + source;
  run.words.insert(run.words.end(), {"-o", output, source});
  run.source = source;
  run.help = "give --compiler a program that is installed, and its words, as in 'nvcc -ptx'";
  run.cancel = cancel;
  const auto messages = run_tool(run);
  if (!messages) return messages.errors();
  std::error_code failed;
  if (fs::file_size(output, failed) == 0 || failed) {
    support::Diagnostic error;
    error.location.file = source;
    error.message = "'" + run.shown + "' wrote no code";
    error.help =
        "give --compiler what writes PTX or machine code to the file behind -o, as in 'nvcc -ptx', 'nvcc -cubin' or "
        "'clang --cuda-device-only -S'";
    return error;
  }
  const auto code = support::read_source(output);
  if (!code) return code.errors();
  return code->bytes();
}

}  // namespace warpspan::app
