// SPDX-License-Identifier: GPL-3.0-or-later
// What users claim of kernels, and is not so: an error, wherever it is claimed.
#include <catch2/catch.hpp>

#include "tests/app/run_program.hpp"
#include "tests/paths.hpp"

namespace {

using namespace warpspan::test;

struct Claim {
  std::vector<std::string> options;  // of the kernel alone
  std::string error;                 // empty: it may be true
};

void check_claim(const std::string& file, const std::string& kernel, const Claim& claim) {
  std::vector<std::string> words = {"analyze", file, "--kernel", kernel, "--time-limit", "0"};
  words.insert(words.end(), claim.options.begin(), claim.options.end());
  const ProgramRun run = run_warpspan(words);
  std::string all;
  for (const std::string& word : claim.options) all += " " + word;
  INFO(kernel << all << "\n" << run.err);
  if (claim.error.empty()) {
    CHECK(run.status == 0);
    CHECK(run.err.empty());
  } else {
    CHECK((run.status == 2 || run.status == 3));
    CHECK(run.out.find("at most") == std::string::npos);
    CHECK(contains(run.err, claim.error));
  }
}

}  // namespace

TEST_CASE("an array that is smaller than what is sure to be read is an error") {
  const std::string file = "tests/samples/claims/reads.ptx";
  struct Row {
    const char* kernel;
    std::vector<std::string> launch;
    const char* too_small;
    const char* enough;  // of 1 at --buffer
    const char* error;   // empty: any size may be true
  };
  const std::vector<std::string> one = {"--block", "64", "--grid", "1"}, four = {"--block", "64", "--grid", "4"},
                                 unknown = {"--block", "64"};
  const auto with = [](std::vector<std::string> words, const char* argument) {
    words.insert(words.end(), {"--arg", argument});
    return words;
  };
  const std::vector<Row> rows = {
      {"unrolled", one, "16", "16K", "bytes 0 to 16383"},
      {"rolled", one, "16", "16K",
       "this launch accesses bytes 0 to 16383 of 'rolled_param_1', which is given 16 bytes"},
      {"rolled", unknown, "16383", "16384", "accesses bytes 0 to 16383"},
      {"lanes", one, "16380", "16384", "accesses bytes 0 to 16383"},
      {"each", four, "1023", "1024", "accesses bytes 0 to 1023"},
      {"each", unknown, "255", "256", ""},  // the number of the block may be so large that it wraps
      {"strided", four, "1K", "8164", "accesses bytes 0 to 8163"},
      {"fixed", one, "16383", "16384", "accesses bytes 16380 to 16383"},
      {"before", one, "1M", nullptr, "accesses bytes -160 to 95"},
      {"rows", with(one, "2=10"), "2559", "2560", "accesses bytes 0 to 2559"},
      {"rows", with(one, "2=10..20"), "255", "6K", "times where it is entered"},
      {"tail", with(four, "2=200"), "799", "800", "accesses bytes 0 to 799"},
      {"tail", with(four, "2=1000"), "1023", "1024", "accesses bytes 0 to 1023"},
      {"perhaps", with(one, "2=9"), "16", "16384", "accesses bytes 0 to 16383"},
      {"perhaps", one, "16", "16384", ""},
      {"perhaps", with(one, "2=4"), "16", "16", ""},
      {"gather", one, "16", "16", ""},
      {"early", one, "16", "8K", ""},
  };
  for (const Row& row : rows) {
    std::vector<std::string> words = row.launch;
    words.insert(words.end(), {"--buffer", std::string("1=") + row.too_small});
    check_claim(file, row.kernel, {words, row.error});
    if (row.enough == nullptr) continue;
    words.back() = std::string("1=") + row.enough;
    check_claim(file, row.kernel, {words, ""});
  }
}

TEST_CASE("what options claim of one thing twice, or against the file, is an error") {
  struct Row {
    const char* file;
    const char* kernel;
    std::vector<std::string> options;
    const char* error;
  };
  const char* reads = "tests/samples/claims/reads.ptx";
  const char* spmv = "samples/spmv.ptx";
  const std::vector<std::string> block = {"--block", "64", "--grid", "1"};
  const std::vector<Row> rows = {
      {reads, "rolled", {"--loop-bound", "$L__BB1_1=1023"}, "cannot be true"},
      {reads, "rolled", {"--loop-bound", "line:128=1"}, "cannot be true"},
      {reads, "rows", {"--arg", "2=10", "--arg", "2=11"}, "--arg 2: given twice"},
      {reads, "rows", {"--arg", "2=10", "--arg", "rows_param_2=11"}, "given a value twice"},
      {reads, "rows", {"--arg", "2=10", "--loop-bound", "$L__BB7_3=9"}, "cannot be true"},
      {reads, "rows", {"--arg", "2=10", "--arg", "width=1920"}, "has no parameter 'width'"},
      {reads, "rows", {"--arg", "2=10", "--arg", "7=1"}, "has no parameter '7'"},
      {reads, "rows", {"--arg", "2=0x100000000"}, "does not fit"},
      {reads, "rows", {"--arg", "2=10", "--buffer", "1=16K", "--buffer", "rows_param_1=32K"}, "is given two sizes"},
      {reads, "rows", {"--arg", "2=10", "--buffer", "in=16K"}, "has no parameter 'in'"},
      {reads, "rows", {"--arg", "2=10", "--loop-bound", "nowhere=9"}, "names no loop"},
      {reads, "rows", {"--arg", "2=10", "--wait", "nowhere=2us"}, "names no loop"},
      {reads, "rows", {"--arg", "2=10", "--call-cost", "malloc=20us"}, "no kernel calls a function 'malloc'"},
      {reads, "rows", {"--arg", "2=10", "--recursion", "fibonacci=4"}, "no kernel calls a function 'fibonacci'"},
      {reads, "rows", {"--arg", "2=10", "--global", "N=4"}, "no variable is called 'N'"},
      {spmv, "spmv", {"--loop-bound", "$L__BB0_3=64", "--registers", "1"}, "a thread may use 16 (--registers)"},
  };
  for (const Row& row : rows) {
    std::vector<std::string> options = block;
    options.insert(options.end(), row.options.begin(), row.options.end());
    check_claim(row.file, row.kernel, {options, row.error});
  }
}
