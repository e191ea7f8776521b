// SPDX-License-Identifier: GPL-3.0-or-later
// The program that warpspan calibrate writes, compiled without a GPU, and results that are made up for it.
#pragma once

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/app/run_program.hpp"
#include "tests/paths.hpp"

namespace warpspan::test {

// Runs a command of the shell; its status, and what it printed.
inline ProgramRun run_shell(const std::string& command) {
  const TemporaryFolder streams;
  ProgramRun run;
  const int status = std::system(("(" + command + ") > " + streams.file("out") + " 2> " + streams.file("err")).c_str());
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  run.out = read_file(streams.file("out"));
  run.err = read_file(streams.file("err"));
  return run;
}

// Results by name: "chain.fp32.64" is "306 306 306", "device.name" is "= NVIDIA ...".
class MadeUpResults {
 public:
  // Those of a file of tests/samples/calibrate.
  MadeUpResults(const std::string& name = "made_up.results") {
    std::ifstream file(warpspan::test::source_dir() + "/tests/samples/calibrate/" + name);
    for (std::string line; std::getline(file, line);) {
      if (line.empty() || line[0] == '#') continue;
      const size_t end = line.find_first_of(": ");
      lines_[line.substr(0, end)] = line.substr(line[end] == ':' ? end + 2 : end + 1);
    }
    if (lines_.size() < 100) throw std::runtime_error(name + " is not what it was");
  }
  MadeUpResults& with(const std::string& name, const std::string& values) {
    lines_[name] = values;
    return *this;
  }
  MadeUpResults& with(const std::string& name, int64_t value) { return with(name, std::to_string(value)); }
  MadeUpResults& without(const std::string& name) {
    if (lines_.erase(name) != 1) throw std::runtime_error("there is no " + name);
    return *this;
  }
  // A chain, or a unit, of which 64 operations more take so many cycles.
  MadeUpResults& with_chain(const std::string& name, int64_t more) {
    return with(name + ".64", 50 + more).with(name + ".128", 50 + 2 * more);
  }
  const std::map<std::string, std::string>& lines() const { return lines_; }
  std::string text() const {
    std::string text;
    for (const auto& [name, values] : lines_) text += name + (values[0] == '=' ? " " : ": ") + values + "\n";
    return text;
  }

 private:
  std::map<std::string, std::string> lines_;
};

// Written for all targets, and compiled once by the compiler of the build.
class MadeUpProgram {
 public:
  static const MadeUpProgram& get() {
    static const MadeUpProgram program;
    return program;
  }
  ProgramRun run_text(const std::string& results) const {
    write_file(folder_.file("results"), results);
    return run_shell(folder_.file("calibrate") + " " + folder_.file("results"));
  }
  ProgramRun run(const MadeUpResults& results) const { return run_text(results.text()); }

 private:
  MadeUpProgram() {
    const std::string source = folder_.file("calibrate.cu");
    const ProgramRun written = run_warpspan({"calibrate", "--output", source});
    if (written.status != 0) throw std::runtime_error(written.err);
    const ProgramRun compiled = run_shell(std::string(CXX_COMPILER) +
                                          " -std=c++14 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror "
                                          "-DWARPSPAN_MADE_UP -x c++ " +
                                          source + " -o " + folder_.file("calibrate"));
    if (compiled.status != 0) throw std::runtime_error(compiled.err);
  }
  TemporaryFolder folder_;
};

}  // namespace warpspan::test
