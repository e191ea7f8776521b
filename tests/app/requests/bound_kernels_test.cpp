// SPDX-License-Identifier: GPL-3.0-or-later
// Requests made by hand, as commands other than analyze make them.
#include "app/requests/bound_kernels.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "support/sha256.hpp"
#include "tests/files.hpp"
#include "tests/paths.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

const std::string header = ".version 7.0\n.target sm_80\n.address_size 64\n";
const std::string two_kernels = header + ".visible .entry a() { ret; }\n.visible .entry b() { ret; }\n";

BoundRequest request_for(const std::vector<std::string>& files) {
  BoundRequest request;
  request.kernels.files = files;
  request.kernels.launch.block = ir::Extent{32, 1, 1};
  return request;
}

// Of the only kernel of a file.
std::vector<std::string> assumptions_of(const std::string& text, const std::string& machine) {
  const test::TemporaryFolder folder;
  test::write_file(folder.file("k.ptx"), text);
  BoundRequest request = request_for({folder.file("k.ptx")});
  request.machine = machine;
  const AnalyzeReport report = bound_kernels(request);
  REQUIRE(report.kernels.size() == 1);
  const auto* bound = headline_bound(report.kernels.at(0)->analysis);
  REQUIRE(bound != nullptr);
  return bound->assumptions;
}

}  // namespace

TEST_CASE("PTX for devices of compute capability 1.x is bounded as that for 2.0, which the result says") {
  const std::string said =
      "PTX for sm_13 is bounded as PTX for sm_20: devices of compute capability 1.x are not modelled, and drivers "
      "compile "
      "their PTX for later ones.";
  const auto assumptions = [](const std::string& target, const std::string& machine) {
    return assumptions_of(".version 1.4\n.target " + target + ", map_f64_to_f32\n.entry k { exit; }\n", machine);
  };
  const auto count = [&said](const std::vector<std::string>& all) { return std::count(all.begin(), all.end(), said); };
  CHECK(count(assumptions("sm_13", "")) == 1);
  CHECK(count(assumptions("sm_20", "")) == 0);
  CHECK(count(assumptions("sm_13", "ampere")) == 0);  // the user knows what it is compiled for
}

TEST_CASE("a result on a machine whose devices run no PTX of such a target says so") {
  const auto says = [](const std::string& target, const std::string& machine) {
    const auto all = assumptions_of(
        ".version 8.0\n.target " + target + "\n.address_size 64\n.visible .entry k() { ret; }\n", machine);
    const auto is_it = [](const std::string& text) { return text.find("does not run on devices of") < text.size(); };
    return std::count_if(all.begin(), all.end(), is_it);
  };
  CHECK(says("sm_80", "turing") == 1);
  CHECK(says("sm_90a", "ampere") == 1);
  CHECK(says("sm_75", "turing") == 0);
  CHECK(says("sm_75", "ampere") == 0);
  CHECK(says("sm_90a", "hopper") == 0);
  CHECK(says("sm_80", "") == 0);
}

TEST_CASE("old PTX is bounded") {
  const std::string folder = warpspan::test::source_dir() + "/tests/samples/accepted/old/";
  BoundRequest request = request_for({folder + "parameters_in_body.ptx"});
  request.kernels.launch.grid = ir::Extent{2, 1, 1};
  CHECK(bound_kernels(request).errors.size() == 1);  // the loop runs as often as a parameter says
  request.kernels.launch.arguments.push_back({.parameter = "__cudaparm__Z9histogramPKhPjif_n", .value = "1000"});
  const AnalyzeReport histogram = bound_kernels(request);
  REQUIRE(histogram.kernels.size() == 1);
  REQUIRE(histogram.kernels.at(0)->loops.size() == 1);
  CHECK(histogram.kernels.at(0)->loops[0].trip_count == 16);  // 1000 in steps of 64, begun once for each thread
  for (const char* file : {"functions_with_registers.ptx", "kepler.ptx"}) {
    INFO(file);
    request = request_for({folder + file});
    if (file[0] == 'f') request.kernels.launch.block = {};
    const AnalyzeReport report = bound_kernels(request);
    REQUIRE(report.kernels.size() == 1);
    CHECK(headline_bound(report.kernels.at(0)->analysis) != nullptr);
  }
}

TEST_CASE("kernels and errors of several files keep their order") {
  const test::TemporaryFolder folder;
  test::write_file(folder.file("two.ptx"), two_kernels);
  test::write_file(folder.file("bad.ptx"), header + ".visible .entry k() { frobnicate; }\n");
  const AnalyzeReport report =
      bound_kernels(request_for({folder.file("bad.ptx"), folder.file("missing.ptx"), folder.file("two.ptx")}));
  REQUIRE(report.kernels.size() == 2);
  CHECK(report.kernels.at(0)->name == "a");
  CHECK(report.kernels.at(1)->name == "b");
  CHECK(report.kernels.at(1)->file == folder.file("two.ptx"));
  CHECK(headline_bound(report.kernels.at(0)->analysis) != nullptr);
  REQUIRE(report.errors.size() == 2);
  CHECK(report.errors[0].location.file == folder.file("bad.ptx"));
  CHECK(report.errors[1].location.file == folder.file("missing.ptx"));
  REQUIRE(report.failed.size() == 2);
  CHECK(report.failed[0].name.empty());  // the file could not be parsed
  CHECK(report.failed[1].file == folder.file("missing.ptx"));
  REQUIRE(report.run.inputs.size() == 2);
  CHECK(report.run.inputs[1].sha256 == support::sha256(two_kernels));
  REQUIRE(report.run.machines.size() == 1);
  CHECK(report.run.machines[0].name == report.kernels.at(0)->machine.name);
}

TEST_CASE("each kernel that failed is told with its errors, and the others are bounded") {
  const test::TemporaryFolder folder;
  const std::string endless = ".visible .entry c() {\nL: bra L;\n}\n";
  test::write_file(folder.file("three.ptx"), two_kernels + endless);
  AnalyzeReport report = bound_kernels(request_for({folder.path()}));
  CHECK(report.kernels.size() == 2);
  REQUIRE(report.failed.size() == 1);
  CHECK(report.failed[0].file == folder.file("three.ptx"));
  CHECK(report.failed[0].name == "c");
  REQUIRE(report.failed[0].errors.size() == 1);
  CHECK(report.failed[0].errors[0].message == report.errors.at(0).message);
  CHECK_FALSE(largest_bound(report));
}

TEST_CASE("only the models that are asked for are reported") {
  const test::TemporaryFolder folder;
  test::write_file(folder.file("two.ptx"), two_kernels);
  const auto models = [&folder](bool pipeline, bool string) {
    BoundRequest request = request_for({folder.file("two.ptx")});
    request.pipeline_model = pipeline;
    request.string_model = string;
    std::set<std::string> found;
    for (const KernelReport& kernel : bound_kernels(request).kernels) {
      for (const timing::ModelBound& entry : kernel.analysis.bounds) found.insert(entry.model);
    }
    return found;
  };
  CHECK(models(true, false) == std::set<std::string>{"pipeline"});
  CHECK(models(false, true) == std::set<std::string>{"string"});
  CHECK(models(true, true) == std::set<std::string>{"pipeline", "string"});
}

TEST_CASE("kernels are chosen by names and patterns, over all files together") {
  const test::TemporaryFolder folder;
  test::write_file(folder.file("two.ptx"), two_kernels);
  test::write_file(folder.file("more.ptx"), header + ".visible .entry _Z6reduceILi512EEvPKfPfi() { ret; }\n");
  BoundRequest request = request_for({folder.file("two.ptx"), folder.file("more.ptx")});
  request.kernels.kernels = {"reduce<*", "b"};
  const AnalyzeReport chosen = bound_kernels(request);
  CHECK(chosen.errors.empty());
  REQUIRE(chosen.kernels.size() == 2);
  CHECK(chosen.kernels.at(0)->name == "b");
  CHECK(chosen.kernels.at(1)->name == "_Z6reduceILi512EEvPKfPfi");

  request.kernels.kernels = {"b", "redcue<512>"};
  const AnalyzeReport misspelt = bound_kernels(request);
  CHECK(misspelt.kernels.size() == 1);
  REQUIRE(misspelt.errors.size() == 2);
  CHECK(misspelt.errors[0].message == "the file has no kernel 'redcue<512>'");
  CHECK(misspelt.errors[0].help == "it has a and b");
  CHECK(misspelt.errors[1].help == "did you mean 'reduce<512>'? it has reduce<512>");
  CHECK(misspelt.errors[1].cause == support::Cause::usage);
}

TEST_CASE("each kernel has the machine of its target, unless one is named") {
  const test::TemporaryFolder folder;
  test::write_file(folder.file("two.ptx"), two_kernels);
  test::write_file(folder.file("other.ptx"), ".version 9.0\n.target sm_999\n.address_size 64\n.entry k() { ret; }\n");
  BoundRequest request = request_for({folder.file("two.ptx"), folder.file("other.ptx")});
  const AnalyzeReport by_target = bound_kernels(request);
  REQUIRE(by_target.kernels.size() == 2);
  CHECK(by_target.kernels.at(0)->machine.name == timing::machine_for_target("sm_80")->name);
  CHECK(by_target.errors.size() == 1);
  request.machine = "fermi";
  const AnalyzeReport named = bound_kernels(request);
  REQUIRE_FALSE(named.kernels.empty());
  for (const KernelReport& kernel : named.kernels) CHECK(kernel.machine.name == "fermi");
  request.machine = "riva";
  const AnalyzeReport unknown = bound_kernels(request);
  CHECK(unknown.kernels.empty());
  REQUIRE(unknown.errors.size() == 1);
  CHECK(unknown.errors[0].message == "unknown machine 'riva'");
}

TEST_CASE("a request that is cancelled has bounds, and a note") {
  const test::TemporaryFolder folder;
  test::write_file(folder.file("two.ptx"), two_kernels);
  BoundRequest request = request_for({folder.file("two.ptx")});
  const std::atomic<bool> cancel = true;
  request.limits.cancel = &cancel;
  const AnalyzeReport report = bound_kernels(request);
  CHECK(report.kernels.size() == 2);
  REQUIRE(report.errors.size() == 1);
  CHECK(report.errors[0].severity == support::Severity::note);
}

TEST_CASE("equal errors of a file stand once, with the file's name") {
  FileErrors errors("a.ptx");
  support::Diagnostic error;
  error.message = "wrong";
  errors.add({error, error});
  error.location.line = 2;
  errors.add({error});
  REQUIRE(errors.all().size() == 2);
  CHECK(errors.all()[0].location.file == "a.ptx");
  CHECK(errors.all()[1].location.line == 2);
}
