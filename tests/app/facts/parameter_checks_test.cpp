// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/facts/parameter_checks.hpp"

#include <catch2/catch.hpp>

#include "app/requests/bound_kernels.hpp"
#include "tests/files.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

const std::string text =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry one(.param .u64 x, .param .u64 y) { ret; }\n"
    ".visible .entry two(.param .u64 y, .param .u32 n) { ret; }\n"
    ".visible .entry three(.param .align 8 .b8 s[24], .param .u64 y) { ret; }\n";

ir::Buffer by_option(const std::string& parameter, int64_t bytes) { return {parameter, bytes, {}, {"--buffer"}}; }

ir::Buffer in_file(const std::string& parameter, int64_t bytes) {
  ir::Buffer buffer = {parameter, bytes};
  buffer.origin = {{}, {"budgets.toml", 7, 3}, {}};
  return buffer;
}

// The chosen kernels of the text, with the buffers.
AnalyzeReport bounded(const std::vector<ir::Buffer>& buffers, const std::vector<std::string>& kernels = {}) {
  const test::TemporaryFolder folder;
  test::write_file(folder.file("k.ptx"), text);
  BoundRequest request;
  request.kernels.files = {folder.file("k.ptx")};
  request.kernels.kernels = kernels;
  request.kernels.launch.block = ir::Extent{32, 1, 1};
  request.kernels.launch.buffers = buffers;
  request.string_model = false;
  return bound_kernels(request);
}

// "x 4096, y 8"
std::string buffers_of(const KernelReport& kernel) {
  std::string all;
  for (const ir::Buffer& buffer : kernel.launch.buffers) {
    all += (all.empty() ? "" : ", ") + buffer.parameter + " " + std::to_string(buffer.bytes);
  }
  return all;
}

std::string messages(const AnalyzeReport& report) {
  std::string all;
  for (const support::Diagnostic& error : report.errors) {
    all += (error.severity == support::Severity::warning ? "warning: " : "") + error.message +
           (error.help.empty() ? "" : " | " + error.help) + "\n";
  }
  return all;
}

}  // namespace

TEST_CASE("each kernel has the buffers of its own parameters, by their names") {
  const AnalyzeReport report = bounded({by_option("y", 8), by_option("x", 4096)});
  CHECK(messages(report).empty());
  REQUIRE(report.kernels.size() == 3);
  CHECK(buffers_of(*report.kernels.at(0)) == "y 8, x 4096");
  CHECK(buffers_of(*report.kernels.at(1)) == "y 8");
  CHECK(buffers_of(*bounded({by_option("0", 16)}).kernels.at(1)) == "y 16");
}

TEST_CASE("a pointer in a struct is named by its first byte") {
  const auto named = [](const std::string& wanted) {
    const AnalyzeReport report = bounded({by_option(wanted, 64)}, {"three"});
    return report.kernels.empty() ? messages(report) : buffers_of(*report.kernels.at(0));
  };
  CHECK(named("s+0") == "s+0 64");
  CHECK(named("s+16") == "s+16 64");
  CHECK(named("0+8") == "s+8 64");
  for (const char* wrong : {"s", "0", "s+", "s+17", "s+08", "s+-8", "s+8:8", "y+0", "0+08", "0+17", "1+0"}) {
    CHECK(named(wrong) == "--buffer: kernel 'three' has no parameter '" + std::string(wrong) +
                              "' | its parameters are s+OFFSET and y\n");
  }
}

TEST_CASE("a buffer is an assumption of every bound of its kernel") {
  const auto assumed = [](const KernelReport& kernel) {
    const auto& all = headline_bound(kernel.analysis)->assumptions;
    return std::find(all.begin(), all.end(),
                     "Parameter 'x' points to 4096 bytes, and no access by it goes beyond (--buffer).") != all.end();
  };
  const AnalyzeReport report = bounded({by_option("x", 4096)});
  CHECK(assumed(*report.kernels.at(0)));
  CHECK_FALSE(assumed(*report.kernels.at(1)));
}

TEST_CASE("a buffer of a parameter that no chosen kernel has is an error, of a file a warning") {
  const AnalyzeReport none = bounded({by_option("z", 1)});
  CHECK(none.kernels.empty());
  CHECK(messages(none) ==
        "--buffer: none of the kernels has a parameter 'z' | give one of their parameters, by its name or index\n");
  CHECK(messages(bounded({by_option("x", 1)}, {"two"})) ==
        "--buffer: kernel 'two' has no parameter 'x' | its parameters are y and n\n");
  const AnalyzeReport warned = bounded({in_file("z", 1)}, {"one"});
  CHECK(warned.kernels.size() == 1);
  CHECK(messages(warned) == "warning: kernel 'one' has no parameter 'z' | its parameters are x and y\n");
  CHECK(warned.errors.at(0).location.file == "budgets.toml");
  CHECK(warned.errors.at(0).location.line == 7);
}

TEST_CASE("two sizes of one parameter are an error, and the same size twice is none") {
  CHECK(messages(bounded({by_option("x", 8), by_option("0", 8)}, {"one"})).empty());
  const AnalyzeReport report = bounded({by_option("y", 8), in_file("1", 16)}, {"one", "two"});
  REQUIRE(report.kernels.size() == 1);
  CHECK(report.kernels.at(0)->name == "two");  // its parameter 1 is another one
  CHECK(messages(report) ==
        "parameter 'y' of kernel 'one' is given two sizes: 8 and 16 bytes | leave one of them out\n");
  REQUIRE(report.failed.size() == 1);
  CHECK(report.failed[0].name == "one");
}
