// SPDX-License-Identifier: GPL-3.0-or-later
// All samples for all architectures, where ptxas is at hand. Not part of the suite:
// test_machine_code "[compiled]"; with PTX_FOLDER, the PTX files there instead of those of samples/ and data/; with
// PTXAS_FLAGS="-g", without optimization and with calls between sections.
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>

#include "tests/machine_code/cases.hpp"
#include "tests/machine_code/compiler.hpp"
#include "tests/paths.hpp"

using namespace warpspan;
using machine_code::Comparison;

namespace {

using Verdicts = std::map<Comparison::Verdict, int>;

void check_cubin(const std::string& name, const std::string& ptx, const std::string& cubin, const test::SampleCase& row,
                 Verdicts& verdicts) {
  for (const reference::Order order : {reference::Order::taken_first, reference::Order::any_at_split}) {
    const Comparison result = compare(ptx, cubin, row.kernel, order);
    ++verdicts[result.verdict];
    if (result.verdict == Comparison::Verdict::agrees) continue;
    WARN(name << " " << row.kernel.kernel << ": " << static_cast<int>(result.verdict) << " " << result.reason);
  }
}

void check(const std::filesystem::path& file, const test::SampleCase& row, int architecture, const std::string& level,
           Verdicts& verdicts) {
  const std::string cubin = test::compiled(file, architecture, level);
  const std::string name = file.filename().string() + " sm_" + std::to_string(architecture) + " " + level;
  if (!cubin.empty()) check_cubin(name, test::content_of(file), cubin, row, verdicts);
}

void tell(Verdicts& verdicts) {
  WARN("agree " << verdicts[Comparison::Verdict::agrees] << ", differ " << verdicts[Comparison::Verdict::differs]
                << ", refused " << verdicts[Comparison::Verdict::refused] << ", unreadable "
                << verdicts[Comparison::Verdict::unreadable]);
  CHECK(verdicts[Comparison::Verdict::differs] == 0);
  CHECK(verdicts[Comparison::Verdict::agrees] > 0);
}

}  // namespace

TEST_CASE("machine code: what ptxas makes of all samples agrees with their PTX", "[.][compiled]") {
  std::vector<test::SampleCase> cases = test::sample_cases();
  for (const auto& more :
       {test::kernel_cases(), test::frame_cases(), test::break_cases(), test::window_cases(), test::opcode_cases()})
    cases.insert(cases.end(), more.begin(), more.end());
  Verdicts verdicts;
  for (const test::SampleCase& row : cases) {
    for (const std::filesystem::path& file : test::files_of(row.sample)) {
      for (const int architecture : test::architectures) {
        for (const std::string& level : test::levels()) check(file, row, architecture, level, verdicts);
      }
    }
  }
  tell(verdicts);
}

// Such as nvcc makes of samples/NAME.cu, with functions that the PTX of samples/ does not have.
TEST_CASE("machine code: cubins of a folder agree with the PTX of the samples", "[.][cubins]") {
  Verdicts verdicts;
  for (const test::SampleCase& row : test::sample_cases()) {
    const std::filesystem::path ptx = warpspan::test::source_dir() + "/samples/" + row.sample + ".ptx";
    for (const std::filesystem::path& file : test::cubins_of(row.sample)) {
      check_cubin(file.filename().string(), test::content_of(ptx), test::content_of(file), row, verdicts);
    }
  }
  tell(verdicts);
}
