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
