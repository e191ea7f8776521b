// SPDX-License-Identifier: GPL-3.0-or-later
// Whole files: what ptxas reads is read, all opcodes among it, and one wrong line is no reason for many errors.
#include "tests/frontend/ptx/files.hpp"

#include <set>
#include <sstream>

#include "frontend/ptx/forms/opcode_table.hpp"
#include "tests/frontend/ptx/parse_text.hpp"

namespace {

using namespace warpspan;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("files that ptxas reads are read, those of old compilers too") {
  const auto files = test::files_in("tests/samples/accepted");
  CHECK(files.size() >= 10);
  for (const auto& file : files) {
    INFO(file);
    const auto module = test::parse(test::text_of(file));
    if (!module.ok()) FAIL(render(module.errors().front(), false));
    CHECK_FALSE(module->functions.empty());
  }
}

TEST_CASE("the files of instructions hold every opcode") {
  std::set<std::string_view> seen;
  std::vector<ptx::Module> modules;
  for (const auto& file : test::files_in("tests/samples/accepted")) {
    auto module = test::parse(test::text_of(file));
    REQUIRE(module.ok());
    for (const ptx::Function& function : module->functions) {
      for (const ptx::Instruction& instruction : function.instructions) seen.insert(instruction.form->opcode->name);
    }
    modules.push_back(std::move(*module));
  }
  std::string missing;
  for (const ptx::OpcodeRow* row : ptx::opcode_rows()) {
    if (seen.count(row->opcode.name) == 0) missing += " " + std::string(row->opcode.name);
  }
  CHECK(missing == "");
}

TEST_CASE("a line that is missing makes few errors") {
  size_t tried = 0;
  for (const auto& file : test::files_in("samples")) {
    const std::vector<std::string> lines = lines_of(test::text_of(file));
    if (lines.size() > 120) continue;
    for (size_t without = 0; without < lines.size(); ++without) {
      std::string text;
      for (size_t i = 0; i < lines.size(); ++i) {
        if (i != without) text += lines[i] + "\n";
      }
      const auto module = test::parse(text);
      ++tried;
      const size_t errors = module.ok() ? 0 : module.errors().size();
      INFO(file << ": without line " << without + 1 << ", " << lines[without]);
      if (!module.ok()) INFO(render(module.errors().front(), false));
      CHECK(errors <= 3);
    }
  }
  CHECK(tried > 1000);
}
