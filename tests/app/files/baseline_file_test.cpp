// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/baseline_file.hpp"

#include <catch2/catch.hpp>

#include "tests/files.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

using Quantity = CheckedLimit::Quantity;

Baseline example() {
  Baseline baseline;
  baseline.version = "0.1.0";
  BaselineKernel one;
  one.kernel = "sobel";
  one.file = "build/edge.ptx";
  one.machine = "ampere";
  one.machine_sha256 = std::string(64, 'a');
  one.options = {"block 256", "argument \"n\" = 4"};
  one.figures[static_cast<size_t>(Quantity::makespan)] = 100;
  one.figures[static_cast<size_t>(Quantity::expected)] = 7;
  one.figures[static_cast<size_t>(Quantity::registers)] = 32;
  one.usual = 90;
  one.lines = {{"", 0, "no instruction", 20, 0}, {"edge.cu", 22, "atomicAdd(out, v);", 80, 7}};
  BaselineKernel other;
  other.kernel = "blur";
  other.file = "build/edge.cubin";
  other.figures[static_cast<size_t>(Quantity::registers)] = 40;
  baseline.kernels = {one, other};
  return baseline;
}

std::string errors_of(const std::string& text) {
  const auto read = read_baseline({"b.json", text});
  if (read) return {};
  std::string all;
  for (const support::Diagnostic& one : read.errors()) {
    CHECK(one.cause == support::Cause::usage);
    CHECK(one.location.file == "b.json");
    all += one.message + "\n";
  }
  return all;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a baseline has a line of text for each kernel and for each line of source") {
  const std::string text = baseline_text(example());
  CHECK(
      text ==
      "{\"schema\": \"warpspan.baseline/1\", \"version\": \"0.1.0\", \"kernels\": [\n"
      "{\"kernel\":\"sobel\",\"file\":\"build/edge.ptx\",\"label\":\"\",\"machine\":\"ampere\",\"machine_sha256\":\"" +
          std::string(64, 'a') +
          "\",\"options\":[\"block 256\",\"argument \\\"n\\\" = 4\"],\"bound\":100,\"expected\":7,\"registers\":32,"
          "\"spill\":null,\"stack\":null,\"shared\":null,\"constant\":null,\"usual\":90,\"lines\":[\n"
          " {\"file\":\"\",\"line\":0,\"text\":\"no instruction\",\"bound\":20,\"expected\":0},\n"
          " {\"file\":\"edge.cu\",\"line\":22,\"text\":\"atomicAdd(out, v);\",\"bound\":80,\"expected\":7}]},\n"
          "{\"kernel\":\"blur\",\"file\":\"build/edge.cubin\",\"label\":\"\",\"machine\":\"\",\"machine_sha256\":\"\","
          "\"options\":[],\"bound\":null,\"expected\":null,\"registers\":40,\"spill\":null,\"stack\":null,"
          "\"shared\":null,\"constant\":null,\"usual\":null,\"lines\":[]}\n"
          "]}\n");
}

TEST_CASE("what was written is read") {
  const std::string text = baseline_text(example());
  const auto read = read_baseline({"b.json", text});
  REQUIRE(read);
  CHECK(read->name == "b.json");
  CHECK(read->kernels[0].figures == example().kernels[0].figures);
  CHECK(read->kernels[0].options == example().kernels[0].options);
  CHECK(baseline_text(*read) == text);
}

TEST_CASE("a baseline that was damaged, or merged by hand, is refused") {
  const std::string text = baseline_text(example());
  CHECK(test::contains(errors_of(replaced(text, "\"bound\":80", "\"bound\":81")), "do not add up"));
  CHECK(test::contains(errors_of(replaced(text, "\"expected\":7,\"reg", "\"expected\":8,\"reg")), "do not add up"));
  CHECK(test::contains(errors_of(replaced(text, "\"bound\":null", "\"bound\":1")), "do not add up"));
  CHECK(test::contains(errors_of(replaced(text, "\"bound\":80", "\"bound\":-80")), "from 0"));
  CHECK(test::contains(errors_of(replaced(text, "\"bound\":80", "\"bound\":8.0")), "expected an integer"));
  CHECK(test::contains(errors_of(replaced(text, "\"usual\":90,", "")), "'usual' is missing"));
  CHECK(test::contains(errors_of(replaced(text, "\"usual\":90", "\"usul\":90")), "unknown member 'usul'"));
  CHECK(test::contains(errors_of(replaced(text, "baseline/1", "baseline/2")), "expected a baseline"));
  CHECK(test::contains(errors_of(replaced(text, "]}\n", "<<<<<<< ours\n]}\n")), "not a JSON file"));
  CHECK(test::contains(errors_of("{\"schema\": \"warpspan.analyze/2\"}"), "expected a baseline"));
  CHECK(test::contains(errors_of("[]"), "expected a baseline"));
  CHECK(test::contains(errors_of(""), "not a JSON file"));
  Baseline twice = example();
  twice.kernels[1] = twice.kernels[0];
  CHECK(test::contains(errors_of(baseline_text(twice)), "stands twice"));
  for (size_t length = 0; length + 2 < text.size(); length += 7)
    CHECK_FALSE(read_baseline({"b.json", text.substr(0, length)}));
}
