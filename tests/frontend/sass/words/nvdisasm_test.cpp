// SPDX-License-Identifier: GPL-3.0-or-later
// Where nvdisasm is found (environment variable NVDISASM, else PATH), what it prints today of the words of the listings
// is compared with the decoder; elsewhere there is nothing to do. scripts/check-decoder compares much more.
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "frontend/sass/lowering/registers.hpp"
#include "frontend/sass/words/decode.hpp"
#include "frontend/sass/words/opcode_table.hpp"
#include "frontend/sass/words/print.hpp"
#include "frontend/sass/words/text.hpp"
#include "tests/paths.hpp"

using namespace warpspan;

namespace {

std::string nvdisasm() {
  if (const char* named = std::getenv("NVDISASM")) return named;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const auto file = std::filesystem::path(folder) / "nvdisasm"; std::filesystem::exists(file))
      return file.string();
  return "";
}

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return text;
  char buffer[4096];
  for (size_t read; (read = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, read);
  pclose(pipe);
  return text;
}

std::set<std::string> registers_in(const std::string& text) {
  static const std::regex name(R"((^|[^A-Za-z0-9_.$])((UR|UP|R|P|B)[0-9]+)(?![A-Za-z0-9_]))");
  std::set<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), name), end; i != end; ++i) found.insert((*i)[2]);
  return found;
}

bool contains(const sass::RegisterSet& set, const std::string& name) {
  const size_t digits = name.find_first_of("0123456789");
  const std::string prefix = name.substr(0, digits);
  const auto number = static_cast<unsigned>(std::stoul(name.substr(digits)));
  using enum sass::RegisterClass;
  return set.contains(prefix == "R"    ? general
                      : prefix == "UR" ? uniform
                      : prefix == "P"  ? predicate
                      : prefix == "UP" ? uniform_predicate
                                       : barrier,
                      number);
}

// nvdisasm -b prints bare words.
void compare(const std::string& tool, const sass::FunctionText& function, const std::filesystem::path& raw) {
  std::ofstream(raw, std::ios::binary)
      .write(reinterpret_cast<const char*>(function.words.data()),
             static_cast<std::streamsize>(function.words.size() * sizeof(sass::Word)));
  const std::string text =
      output_of("'" + tool + "' -b SM" + std::to_string(function.architecture) + " '" + raw.string() + "'");
  const auto instructions = sass::decode(function.words, function.architecture);
  REQUIRE(instructions);
  static const std::regex line(R"(/\*([0-9a-f]{4,})\*/\s+(@!?U?P[0-9T])?\s*([A-Z0-9_]+)([^;\n]*);)");
  size_t compared = 0;
  for (std::sregex_iterator i(text.begin(), text.end(), line), end; i != end; ++i) {
    const std::smatch& found = *i;
    const size_t number = std::stoull(found[1], nullptr, 16) / sass::word_bytes;
    REQUIRE(number < instructions->size());
    const sass::Instruction& instruction = (*instructions)[number];
    CAPTURE(found.str(), sass::to_string(instruction));
    const std::string_view mnemonic = instruction.mnemonic();
    CHECK(mnemonic.substr(0, mnemonic.find('.')) == (found[3] == "REDG" ? "RED" : found[3].str()));
    sass::RegisterSet all = sass::reads(instruction);
    all |= sass::writes(instruction);
    for (const std::string& name : registers_in(found[4])) CHECK(contains(all, name));
    ++compared;
  }
  CHECK(compared == instructions->size());
}

}  // namespace

TEST_CASE("sass: names and registers are those that nvdisasm prints") {
  const std::string tool = nvdisasm();
  if (tool.empty()) return;
  const auto raw = std::filesystem::temp_directory_path() / ("sass_words_" + std::to_string(std::rand()));
  for (const auto& entry :
       std::filesystem::directory_iterator(warpspan::test::source_dir() + "/tests/frontend/sass/listings")) {
    if (entry.path().extension() != ".sass") continue;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    const auto functions = sass::read_disassembly(text.str(), entry.path().filename().string());
    REQUIRE(functions);
    for (const sass::FunctionText& function : *functions) compare(tool, function, raw);
  }
  std::filesystem::remove(raw);
}
