// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/tools/assembler.hpp"

#include <fstream>
#include <sstream>

#include "app/reports/readable.hpp"
#include "app/requests/tools/tool.hpp"
#include "support/sha256.hpp"
#include "support/shell_quote.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Result;

constexpr const char* help = "give {assemble} a program that is installed, and its words, as in 'ptxas -O3'";

Diagnostic at(const std::string& source, std::string message, std::string hint) {
  Diagnostic error;
  error.location.file = source;
  error.message = std::move(message);
  error.help = std::move(hint);
  return error;
}

// As a shell would take it.
std::string written(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  for (const std::string& word : words) quoted.push_back(support::shell_quoted(word));
  return joined(quoted, " ");
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t begin = 0; (begin = text.find(from, begin)) != std::string::npos; begin += to.size()) {
    text.replace(begin, from.size(), to);
  }
  return text;
}

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

// Of what an assembler says of its version the line that has it, or else the first one.
std::string line_of_version(const std::string& text) {
  std::istringstream lines(text);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (first.empty()) first = line;
    if (line.find("release ") != std::string::npos) return line;
  }
  return first;
}

Result<std::string> run_assembler(const std::vector<std::string>& words, const support::SourceFile& ptx,
                                  const std::atomic<bool>* cancel) {
  const TemporaryFolder folder;
  if (const auto error = folder.error()) return *error;
  const std::string input = folder.file("kernels.ptx"), output = folder.file("kernels.cubin");
  std::ofstream(input, std::ios::binary) << ptx.bytes();
  ToolRun run;
  run.words = words;
  run.shown = written(words);
  run.words.insert(run.words.end(), {"-o", output, input});
  run.source = ptx.name();
  run.help = help;
  run.failed_help = "mend the words of {assemble} or the PTX; without {assemble} the PTX itself is bounded";
  run.cancel = cancel;
  run.readable = [&](const std::string& text) {
    return replaced(replaced(text, input, ptx.name()), output, "kernels.cubin");
  };
  const auto messages = run_tool(run);
  if (!messages) return messages.errors();
  std::ifstream file(output, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  std::string cubin = bytes.str();
  if (cubin.empty()) {
    return at(ptx.name(), "'" + run.shown + "' wrote no machine code",
              "give {assemble} what writes a cubin to the file behind -o, as ptxas does");
  }
  return cubin;
}

}  // namespace

std::string target_in(const std::vector<std::string>& assembler) {
  for (size_t i = 0; i < assembler.size(); ++i) {
    for (const std::string name : {"-arch", "--gpu-name"}) {
      if (assembler[i] == name) return i + 1 < assembler.size() ? assembler[i + 1] : "";
      if (assembler[i].starts_with(name + "=")) return assembler[i].substr(name.size() + 1);
    }
  }
  return "";
}

Result<std::string> Assemblies::version_of(const Words& assembler, const std::string& source,
                                           const std::atomic<bool>* cancel) {
  ToolRun run;
  run.words = assembler;
  run.words.emplace_back("--version");
  run.shown = written(run.words);
  run.source = source;
  run.help = help;
  run.failed_help = "give {assemble} a program that tells its version with --version, as ptxas does";
  run.cancel = cancel;
  auto printed = run_tool(run);
  if (!printed) return printed;
  std::string version = trimmed(*printed);
  if (!version.empty()) return version;
  return at(source, "'" + run.shown + "' does not tell the assembler's version",
            "give {assemble} a program that prints it, as ptxas does");
}

Result<Assembled> Assemblies::assemble(const Words& assembler, const std::string& target,
                                       const support::SourceFile& ptx, const std::atomic<bool>* cancel) {
  Words words = assembler;
  if (target_in(assembler).empty()) words.push_back("-arch=" + target);
  const auto known = made_.find({words, support::sha256(ptx.bytes())});
  if (known != made_.end()) return known->second;
  const auto make = [&]() -> Result<Assembled> {
    if (!versions_.contains(assembler)) versions_.emplace(assembler, version_of(assembler, ptx.name(), cancel));
    const auto& version = versions_.at(assembler);
    if (!version) return version.errors();
    auto cubin = run_assembler(words, ptx, cancel);
    if (!cubin) return cubin.errors();
    return Assembled{std::move(*cubin), {written(words), *version}};
  };
  return made_.emplace(std::pair(words, support::sha256(ptx.bytes())), make()).first->second;
}

std::string trust_in(const AssemblerRun& run) {
  return "The machine code that runs is what '" + run.command + "' (" + line_of_version(run.version) +
         ") makes of the PTX.";
}

}  // namespace warpspan::app
