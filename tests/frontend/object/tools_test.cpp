// SPDX-License-Identifier: GPL-3.0-or-later
// Against NVIDIA's tools, where they are: cuobjdump, named by the variable CUOBJDUMP or on the path, and ptxas.
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include "frontend/object/cubin.hpp"
#include "frontend/object/images.hpp"
#include "support/shell_quote.hpp"
#include "tests/frontend/object/samples.hpp"
#include "tests/paths.hpp"

using namespace warpspan;
using namespace warpspan::object;

namespace {

namespace fs = std::filesystem;

// The file that a variable names, else the program of that name on the path; empty if there is none.
std::string tool(const char* variable, const std::string& name) {
  if (const char* const named = std::getenv(variable)) return named;
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code none;
    if (fs::is_regular_file(fs::path(folder) / name, none)) return fs::path(folder) / name;
  }
  return {};
}

// What the program prints; empty if it fails.
std::string output_of(const std::vector<std::string>& words) {
  std::string command;
  for (const std::string& word : words) command += support::shell_quoted(word) + " ";
  FILE* const pipe = popen((command + "2>/dev/null").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  std::array<char, 4096> part;
  while (const size_t size = fread(part.data(), 1, part.size(), pipe)) text.append(part.data(), size);
  return pclose(pipe) == 0 ? text : std::string();
}

size_t count(const std::string& text, const std::string& word) {
  size_t found = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

// "REG:10 STACK:0 SHARED:512 ... CONSTANT[0]:360 ..." as numbers, for each function.
using Usage = std::map<std::string, std::map<std::string, uint64_t>>;

Usage usage_in(const std::string& text) {
  Usage usage;
  std::istringstream lines(text);
  std::string function;
  for (std::string line; std::getline(lines, line);) {
    const std::string head = " Function ";
    if (line.rfind(head, 0) == 0) {
      function = line.substr(head.size(), line.rfind(':') - head.size());
      continue;
    }
    std::istringstream words(line);
    for (std::string word; !function.empty() && words >> word;) {
      const size_t colon = word.rfind(':');
      if (colon != std::string::npos) usage[function][word.substr(0, colon)] = std::stoull(word.substr(colon + 1));
    }
  }
  return usage;
}

// How many bytes of a bank belong to a function alone.
uint64_t constant_bytes(const Cubin& cubin, uint32_t number, std::string_view function) {
  for (const ConstantBank& bank : cubin.constants) {
    if (bank.bank == number && bank.name == function) return bank.bytes.size();
  }
  return 0;
}

}  // namespace

TEST_CASE("a cubin of the ptxas here is read as cuobjdump reads it") {
  const std::string cuobjdump = tool("CUOBJDUMP", "cuobjdump"), ptxas = tool("PTXAS", "ptxas");
  if (cuobjdump.empty() || ptxas.empty()) {
    WARN("left out: there is no cuobjdump, or no ptxas");
    return;
  }
  const std::string path = fs::temp_directory_path() / ("warpspan-object-" + std::to_string(getpid()) + ".cubin");
  const std::string source = warpspan::test::source_dir() + "/tests/frontend/object/data/kernels.ptx";
  for (const char* target : {"sm_75", "sm_80", "sm_90", "sm_100", "sm_120"}) {
    INFO(target);
    fs::remove(path);
    output_of({ptxas, "-arch", target, source, "-o", path});  // fails if it is too old for the target
    if (!fs::exists(path)) continue;
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const auto cubin = read_cubin({path, bytes});
    REQUIRE(cubin);
    CHECK(to_string(cubin->architecture) == target);
    Usage usage = usage_in(output_of({cuobjdump, "-res-usage", path}));
    REQUIRE(usage.size() == cubin->functions.size());
    for (const Function& function : cubin->functions) {
      INFO(function.name);
      auto& said = usage[std::string(function.name)];
      CHECK(function.registers == said["REG"]);
      CHECK(function.min_stack_bytes == said["STACK"]);
      CHECK(function.shared_bytes == said["SHARED"]);
      for (const uint32_t bank : {0u, 2u}) {
        CHECK(constant_bytes(*cubin, bank, function.name) == said["CONSTANT[" + std::to_string(bank) + "]"]);
      }
    }
  }
  fs::remove(path);
}

TEST_CASE("images are those that cuobjdump lists") {
  const std::string cuobjdump = tool("CUOBJDUMP", "cuobjdump");
  if (cuobjdump.empty()) {
    WARN("left out: there is no cuobjdump");
    return;
  }
  for (const char* name : {"saxpy.none.fatbin", "saxpy.size.fatbin", "saxpy.speed.fatbin", "saxpy.suffixes.fatbin",
                           "saxpy.o", "saxpy.so", "saxpy.relocatable.o", "saxpy.a"}) {
    INFO(name);
    const std::string bytes = sample(name);
    const auto found = images({name, bytes});
    REQUIRE(found);
    const std::string path = warpspan::test::source_dir() + "/tests/frontend/object/data/" + std::string(name);
    const std::string elf = output_of({cuobjdump, "-lelf", path}), ptx = output_of({cuobjdump, "-lptx", path});
    size_t cubins = 0, texts = 0;
    for (const Image& image : *found) {
      const bool is_cubin = image.kind == Image::Kind::cubin;
      ++(is_cubin ? cubins : texts);
      CHECK(count(is_cubin ? elf : ptx, "." + image.architecture + (is_cubin ? ".cubin" : ".ptx")) > 0);
    }
    CHECK(count(elf, "ELF file ") == cubins);
    CHECK(count(ptx, "PTX file ") == texts);
  }
}
