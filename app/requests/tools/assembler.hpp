// SPDX-License-Identifier: GPL-3.0-or-later
// Making machine code of PTX, with an assembler of the user.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/reports/run_record.hpp"
#include "support/result.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

struct Assembled {
  std::string cubin;
  AssemblerRun run;  // what made it
};

// The target that the words of an assembler name: "sm_80" of "-arch=sm_80", "-arch sm_80" or "--gpu-name=sm_80"; empty
// where they name none.
std::string target_in(const std::vector<std::string>& assembler);

// Each text is assembled once with the same words, and each assembler is asked once for its version.
class Assemblies {
 public:
  // The machine code of the PTX: run_tool of the assembler's words, -arch=TARGET unless they name a target, then -o
  // with a file of a temporary folder, then a file with the PTX. What it says of that file is told of the PTX's name.
  // The version is what it prints for its words and --version. Errors besides, at the PTX: it writes no cubin; it does
  // not tell its version.
  support::Result<Assembled> assemble(const std::vector<std::string>& assembler, const std::string& target,
                                      const support::SourceFile& ptx, const std::atomic<bool>* cancel);

 private:
  using Words = std::vector<std::string>;
  support::Result<std::string> version_of(const Words& assembler, const std::string& source,
                                          const std::atomic<bool>* cancel);

  std::map<std::pair<Words, std::string>, support::Result<Assembled>> made_;  // by words and SHA-256 of the PTX
  std::map<Words, support::Result<std::string>> versions_;
};

// The sentence that a bound of the machine code rests on.
std::string trust_in(const AssemblerRun& run);

}  // namespace warpspan::app
