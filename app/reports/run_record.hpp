// SPDX-License-Identifier: GPL-3.0-or-later
// What must be known of a run to repeat it: 'warpspan rerun' makes the same report from it, or says what has changed.
#pragma once

#include <string>
#include <vector>

namespace warpspan::app {

// What was read, and the SHA-256 of its bytes (support::sha256).
struct Hashed {
  std::string name;  // of a file as given, "<stdin>" of standard input; of a machine its own
  std::string sha256;

  bool operator==(const Hashed&) const = default;
};

// What made machine code of PTX.
struct AssemblerRun {
  std::string command;  // as a shell would take it, without the files: "ptxas -O3 -arch=sm_80"
  std::string version;  // as it says itself

  bool operator==(const AssemblerRun&) const = default;
};

struct RunRecord {
  std::string command;                 // "analyze"; empty if the options could not be read
  std::vector<std::string> arguments;  // OptionSet::record
  std::vector<Hashed> inputs;          // all files that were read, but machine files
  std::vector<Hashed> machines;        // the bytes are those of timing::to_toml
  std::vector<AssemblerRun> assemblers;

  // Each once, in the order in which they come.
  void add_input(const std::string& file, const std::string& bytes);
  void add_assembler(const AssemblerRun& assembler);
  void add_machine(const std::string& name, const std::string& toml);
  // The inputs, machines and assemblers of a part of the run.
  void add(const RunRecord& part);

  bool operator==(const RunRecord&) const = default;
};

// "warpspan analyze --block=256 kernel.ptx", as a shell takes it.
std::string command_line(const RunRecord& run);

// "0.1.0": the program that writes a report.
std::string program_version();

}  // namespace warpspan::app
