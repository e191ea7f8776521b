// SPDX-License-Identifier: GPL-3.0-or-later
// Whole kernels: samples/ compiled by ptxas 13.0 for each architecture, as nvdisasm -c -hex or cuobjdump -sass print
// them, with fewer blanks. Made again by:
//   ptxas -arch sm_80 -O3 samples/reduction.ptx -o k.cubin && nvdisasm -c -hex k.cubin | sed -E 's/ {4,}/    /g'
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "frontend/sass/words/decode.hpp"
#include "frontend/sass/words/opcode_table.hpp"
#include "frontend/sass/words/print.hpp"
#include "frontend/sass/words/text.hpp"
#include "tests/paths.hpp"

using namespace warpspan;

namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> listings() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry :
       std::filesystem::directory_iterator(warpspan::test::source_dir() + "/tests/frontend/sass/listings"))
    if (entry.path().extension() == ".sass") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

struct Printed {
  std::string guard;
  std::string mnemonic;
  std::string label;  // of the target; empty if there is none
};

// What the listing itself says of each instruction, and where its labels are.
struct Listing {
  std::map<std::pair<std::string, uint64_t>, Printed> instructions;
  std::map<std::pair<std::string, std::string>, uint64_t> labels;
};

Listing read(const std::string& text) {
  static const std::regex instruction(R"(^\s+/\*([0-9a-f]{4,})\*/\s+(@\S+ )?\s*([A-Z0-9_]+)([^;]*);.*)"),
      label(R"(^([.$\w][^:\s]*):.*)"), section(R"(^\s*\.section\s+\.text\.([^,]+),.*)"),
      function(R"(^\s*Function : (\S+).*)"), target(R"(`\(([^)]*)\))");
  Listing listing;
  std::string name;
  uint64_t next = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (std::regex_match(line, found, section) || std::regex_match(line, found, function)) {
      name = found[1];
      next = 0;
    } else if (std::regex_match(line, found, label)) {
      listing.labels[{name, found[1]}] = next;
    } else if (std::regex_match(line, found, instruction)) {
      const uint64_t offset = std::stoull(found[1], nullptr, 16);
      const std::string operands = found[4];
      std::smatch to;
      const bool has_target = std::regex_search(operands, to, target);
      listing.instructions[{name, offset}] = {found[2], found[3], has_target ? std::string(to[1]) : ""};
      next = offset + 16;
    }
  }
  return listing;
}

std::string guard_text(const sass::Instruction& instruction) {
  const std::string text = sass::to_string(instruction);
  return text.front() == '@' ? text.substr(0, text.find(' ') + 1) : "";
}

}  // namespace

TEST_CASE("sass: kernels of every architecture decode as their listings print them") {
  const auto paths = listings();
  CHECK(paths.size() == 15);
  for (const auto& path : paths) {
    CAPTURE(path.filename().string());
    const std::string text = content(path);
    const auto functions = sass::read_disassembly(text, path.filename().string());
    REQUIRE(functions);
    const Listing listing = read(text);
    size_t compared = 0;
    for (const sass::FunctionText& function : *functions) {
      const auto instructions = sass::decode(function.words, function.architecture);
      REQUIRE(instructions);
      for (const sass::Instruction& instruction : *instructions) {
        const Printed& printed = listing.instructions.at({function.name, instruction.offset});
        CAPTURE(sass::to_string(instruction), instruction.offset);
        const std::string_view mnemonic = instruction.mnemonic();
        CHECK(mnemonic.substr(0, mnemonic.find('.')) == (printed.mnemonic == "REDG" ? "RED" : printed.mnemonic));
        CHECK(guard_text(instruction) == printed.guard);
        const auto label = listing.labels.find({function.name, printed.label});
        if (label != listing.labels.end() && mnemonic != "LEPC") CHECK(instruction.target() == label->second);
        ++compared;
      }
    }
    CHECK(compared == listing.instructions.size());
  }
}

TEST_CASE("sass: the targets of indirect branches are read") {
  const std::string path = warpspan::test::source_dir() + "/tests/frontend/sass/listings/jump_table.sm_80.sass";
  const auto functions = sass::read_disassembly(content(path), path);
  REQUIRE(functions);
  REQUIRE(functions->front().indirect_targets.size() == 1);
  CHECK(functions->front().indirect_targets[0].targets.size() >= 3);
}
