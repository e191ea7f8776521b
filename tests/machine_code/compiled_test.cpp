// All samples for all architectures, where ptxas is at hand. Not part of the suite:
// test_machine_code "[compiled]"; with PTX_FOLDER, the PTX files there instead of those of samples/ and data/.
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>

#include "tests/machine_code/cases.hpp"
#include "tests/machine_code/compiler.hpp"

using namespace warpspan;
using machine_code::Comparison;

namespace {

void check(const std::filesystem::path& file, const test::SampleCase& row, int architecture, int level,
           std::map<Comparison::Verdict, int>& verdicts) {
  const std::string cubin = test::compiled(file, architecture, level);
  if (cubin.empty()) return;
  for (const reference::Order order : {reference::Order::taken_first, reference::Order::any_at_split}) {
    const Comparison result = compare(test::content_of(file), cubin, row.kernel, order);
    ++verdicts[result.verdict];
    if (result.verdict == Comparison::Verdict::agrees) continue;
    WARN(file.filename().string() << " " << row.kernel.kernel << " sm_" << architecture << " -O" << level << ": "
                                  << static_cast<int>(result.verdict) << " " << result.reason);
  }
}

}  // namespace

TEST_CASE("machine code: what ptxas makes of all samples agrees with their PTX", "[.][compiled]") {
  std::vector<test::SampleCase> cases = test::sample_cases();
  for (const auto& more : {test::kernel_cases(), test::opcode_cases()})
    cases.insert(cases.end(), more.begin(), more.end());
  std::map<Comparison::Verdict, int> verdicts;
  for (const test::SampleCase& row : cases) {
    for (const std::filesystem::path& file : test::files_of(row.sample)) {
      for (const int architecture : test::architectures) {
        for (const int level : {1, 3}) check(file, row, architecture, level, verdicts);
      }
    }
  }
  WARN("agree " << verdicts[Comparison::Verdict::agrees] << ", differ " << verdicts[Comparison::Verdict::differs]
                << ", refused " << verdicts[Comparison::Verdict::refused] << ", unreadable "
                << verdicts[Comparison::Verdict::unreadable]);
  CHECK(verdicts[Comparison::Verdict::differs] == 0);
  CHECK(verdicts[Comparison::Verdict::agrees] > 0);
}
