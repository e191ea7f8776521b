// All samples for all architectures, where ptxas is at hand. Not part of the suite:
// test_machine_code "[compiled]"; with PTX_FOLDER, the PTX files there instead of those of samples/ and data/.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "tests/machine_code/cases.hpp"
#include "tests/reference/command_options.hpp"

using namespace warpspan;
using machine_code::Comparison;

namespace {

constexpr int architectures[] = {75, 80, 86, 89, 90, 120};

// Empty if ptxas refuses it.
std::string compiled(const std::filesystem::path& ptx, int architecture, int level) {
  const auto cubin = std::filesystem::temp_directory_path() / ("warpspan." + ptx.filename().string() + ".cubin");
  std::filesystem::remove(cubin);
  const std::string command = "ptxas -O" + std::to_string(level) + " -arch=sm_" + std::to_string(architecture) + " " +
                              ptx.string() + " -o " + cubin.string() + " > /dev/null 2>&1";
  std::string bytes;
  if (std::system(command.c_str()) == 0) bytes = test::content_of(cubin);
  std::filesystem::remove(cubin);
  return bytes;
}

void check(const std::filesystem::path& file, const test::SampleCase& row, int architecture, int level,
           std::map<Comparison::Verdict, int>& verdicts) {
  const std::string cubin = compiled(file, architecture, level);
  if (cubin.empty()) return;
  for (const reference::Order order : {reference::Order::taken_first, reference::Order::any_at_split}) {
    const Comparison result = compare(test::content_of(file), cubin, row.kernel, order);
    ++verdicts[result.verdict];
    if (result.verdict == Comparison::Verdict::agrees) continue;
    WARN(file.filename().string() << " " << row.kernel.kernel << " sm_" << architecture << " -O" << level << ": "
                                  << static_cast<int>(result.verdict) << " " << result.reason);
  }
}

// The PTX files of a name: NAME.ptx, NAME.nvcc-sm_80.ptx.
std::vector<std::filesystem::path> files_of(const std::vector<std::string>& folders, const std::string& sample) {
  std::vector<std::filesystem::path> files;
  for (const std::string& folder : folders) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() == ".ptx" && name.substr(0, name.find('.')) == sample) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

TEST_CASE("machine code: what ptxas makes of all samples agrees with their PTX", "[.][compiled]") {
  std::vector<test::SampleCase> cases = test::sample_cases();
  for (const auto& more : {test::kernel_cases(), test::opcode_cases()})
    cases.insert(cases.end(), more.begin(), more.end());
  const char* other = std::getenv("PTX_FOLDER");
  const std::string root = SOURCE_DIR;
  const std::vector<std::string> folders =
      other ? std::vector<std::string>{other}
            : std::vector<std::string>{root + "/samples", root + "/tests/machine_code/data"};
  std::map<Comparison::Verdict, int> verdicts;
  for (const test::SampleCase& row : cases) {
    for (const std::filesystem::path& file : files_of(folders, row.sample)) {
      for (const int architecture : architectures) {
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
