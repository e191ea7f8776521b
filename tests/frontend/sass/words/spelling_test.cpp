// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions as nvdisasm spells them: kernels of samples/ of each architecture, whose listings nvdisasm printed.
// docs/sass.md tells what is spelled otherwise.
#include "frontend/sass/words/spelling.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "frontend/sass/words/decode.hpp"
#include "frontend/sass/words/text.hpp"
#include "tests/paths.hpp"

using namespace warpspan;

namespace {

using Place = std::pair<std::string, uint64_t>;

// What a listing prints of each instruction, with offsets in place of labels and without the reuse of sources.
std::map<Place, std::string> printed(const std::string& text) {
  static const std::regex instruction(R"(^\s+/\*([0-9a-f]{4,})\*/\s+([^;]*?)\s*;.*)"), label(R"(^([.$\w][^:\s]*):.*)"),
      section(R"(^\s*\.section\s+\.text\.([^,]+),.*)"), target(R"(`\(([^)]*)\))");
  std::map<Place, std::string> found;
  std::map<Place, uint64_t> labels_at;
  std::map<std::pair<std::string, std::string>, uint64_t> labels;
  std::vector<std::pair<std::string, std::string>> pending;
  std::string name;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_match(line, match, section)) {
      name = match[1];
    } else if (std::regex_match(line, match, label)) {
      pending.emplace_back(name, match[1]);
    } else if (std::regex_match(line, match, instruction)) {
      const uint64_t offset = std::stoull(match[1], nullptr, 16);
      for (const auto& one : pending) labels[one] = offset;
      pending.clear();
      found[{name, offset}] = std::regex_replace(std::string(match[2]), std::regex(R"(\.reuse|\s*&\w+=.*$)"), "");
    }
  }
  for (auto& [place, words] : found) {
    std::smatch match;
    if (!std::regex_search(words, match, target)) continue;
    const auto at = labels.find({place.first, match[1]});
    if (at == labels.end()) continue;
    std::ostringstream offset;
    offset << "0x" << std::hex << at->second;
    words = std::string(match.prefix()) + offset.str() + std::string(match.suffix());
  }
  return found;
}

std::string single_blanks(const std::string& text) { return std::regex_replace(text, std::regex(" +"), " "); }

}  // namespace

TEST_CASE("sass: kernels of every architecture are spelled as nvdisasm prints them") {
  size_t compared = 0, alike = 0;
  std::string others;
  for (const auto& entry :
       std::filesystem::directory_iterator(warpspan::test::source_dir() + "/tests/frontend/sass/listings")) {
    const std::string file = entry.path().filename().string();
    if (entry.path().extension() != ".sass" || file.find("cuobjdump") != std::string::npos) continue;
    std::ifstream stream(entry.path());
    std::stringstream content;
    content << stream.rdbuf();
    const auto functions = sass::read_disassembly(content.str(), file);
    REQUIRE(functions);
    const auto texts = printed(content.str());
    for (const sass::FunctionText& function : *functions) {
      const auto instructions = sass::decode(function.words, function.architecture);
      REQUIRE(instructions);
      for (const sass::Instruction& instruction : *instructions) {
        const std::string own = sass::spelled(instruction, function.architecture);
        const std::string theirs = single_blanks(texts.at({function.name, instruction.offset}));
        ++compared;
        if (own == theirs) {
          ++alike;
        } else if (instruction.mnemonic() != "BRX") {  // whose targets stand behind it in words of their own
          others += file + ": " + own + " for " + theirs + "\n";
        }
      }
    }
  }
  CHECK(compared > 1000);
  CHECK(others == "");
  CHECK(1000 * alike > 990 * compared);
}

TEST_CASE("sass: rare instructions are spelled as nvdisasm prints them") {
  const auto text_of = [](int architecture, uint64_t high, uint64_t low) {
    return sass::spelled(sass::decode_word({low, high}, architecture, 0), architecture);
  };
  CHECK(text_of(80, 0x000e280000000000, 0x000000000003783b) == "LDSM.16.M88 R3, [R0]");
  CHECK(text_of(80, 0x000f680000004200, 0x000000000008783b) == "LDSM.16.MT88.4 R8, [R0]");
  CHECK(text_of(90, 0x002fe80000000100, 0x0000100c00007844) == "STSM.16.M88.2 [R0+0x10], R12");
  CHECK(text_of(80, 0x0084ee00000e8200, 0x00000000040673a1) == "MATCH.ANY.U64 R6, R4");
  CHECK(text_of(80, 0x0004ee00000e0200, 0x00000000040773a1) == "MATCH.ALL.U64 PT, R7, R4");
  CHECK(text_of(80, 0x000e220000000000, 0x00000000060473a1) == "MATCH.ALL P0, R4, R6");
  CHECK(text_of(80, 0x004e30000000c000, 0x00000000000673c4) == "REDUX.SUM UR6, R0");
  CHECK(text_of(80, 0x000f220000014200, 0x00000000000973c4) == "REDUX.MAX.S32 UR9, R0");
  CHECK(text_of(80, 0x000f620000000000, 0x00000000000673c4) == "REDUX UR6, R0");
  // nvdisasm has how long caches keep the line besides, .ENL2.
  CHECK(text_of(100, 0x001ea20008121807, 0x220000040205797e) == "LDG.E.256 R7, R5, desc[UR4][R2.64], 0x11");
}
