// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "include/warpspan/warpspan.hpp"
#include "support/isolated.hpp"
#include "tests/files.hpp"
#include "tests/paths.hpp"

namespace {

using namespace warpspan;

std::string sample(const std::string& name) { return test::source_dir() + "/samples/" + name; }

Request saxpy() {
  Request request;
  request.inputs = {{sample("saxpy.ptx")}};
  request.block = {256};
  request.grid = {4};
  request.arguments = {{"3", "100000"}};
  return request;
}

Request search() {
  Request request;
  request.inputs = {{sample("search.ptx")}};
  request.block = {128};
  return request;
}

}  // namespace

TEST_CASE("library: a kernel's bound, what it is made of and rests on") {
  const Bounds bounds = bound(saxpy());
  REQUIRE(bounds.status == Status::done);
  CHECK(bounds.unbounded.empty());
  REQUIRE(bounds.kernels.size() == 1);
  const KernelBound& kernel = bounds.kernels.front();
  CHECK(kernel.name == "saxpy");
  CHECK(kernel.machine == "gtx480");
  CHECK(kernel.block.x == 256);
  REQUIRE(kernel.grid);
  CHECK(kernel.grid->x == 4);
  REQUIRE(kernel.whatever);
  CHECK(kernel.at_most.cycles == kernel.whatever->cycles);  // nothing is assumed
  int64_t parts = 0;
  for (const Part& part : kernel.parts) parts += part.cycles;
  CHECK(parts == kernel.at_most.cycles);
  CHECK_FALSE(kernel.limited_by.empty());
  CHECK_FALSE(kernel.lines.empty());
  CHECK_FALSE(kernel.accesses.empty());
  CHECK_FALSE(kernel.assumptions.empty());
  REQUIRE(kernel.expected);
  CHECK(kernel.expected->time.cycles <= kernel.at_most.cycles);
  CHECK_FALSE(kernel.expected->simulated);
  // Cycles of 1401 MHz, rounded up twice.
  REQUIRE(kernel.at_most.picoseconds);
  CHECK(*kernel.at_most.picoseconds >= kernel.at_most.cycles * 1'000'000 / 1401);
  CHECK(*kernel.at_most.nanoseconds() * 1000 >= *kernel.at_most.picoseconds);
  CHECK((*kernel.at_most.nanoseconds() - 1) * 1000 < *kernel.at_most.picoseconds);
}

TEST_CASE("library: what is assumed makes a bound smaller, and stays one") {
  Request request = saxpy();
  const int64_t nothing = bound(request).kernels.at(0).at_most.cycles;
  request.assume = {"ptx-order", "keeps-constants"};
  const KernelBound assumed = bound(request).kernels.at(0);
  CHECK(assumed.at_most.cycles < nothing);
  CHECK(assumed.whatever->cycles == nothing);
}

TEST_CASE("library: a content is bounded as a file of its name is") {
  Request of_file = saxpy(), of_bytes = saxpy();
  of_bytes.inputs = {{of_file.inputs[0].path, test::read_file(of_file.inputs[0].path)}};
  CHECK(bound(of_file).json() == bound(of_bytes).json());
  of_bytes.inputs[0].path = "made.ptx";  // no such file
  const Bounds made = bound(of_bytes);
  REQUIRE(made.kernels.size() == 1);
  CHECK(made.kernels[0].file == "made.ptx");
  CHECK(made.kernels[0].at_most.cycles == bound(of_file).kernels.at(0).at_most.cycles);
}

TEST_CASE("library: a content stands for its file, whatever is there") {
  Request request = saxpy();
  request.inputs[0].bytes = "this is no PTX";
  const Bounds bounds = bound(request);
  CHECK(bounds.status == Status::not_bounded);
  CHECK(bounds.kernels.empty());
  REQUIRE_FALSE(bounds.messages.empty());
  CHECK(bounds.messages[0].place.file == request.inputs[0].path);
  CHECK(bounds.messages[0].place.line == 1);
}

TEST_CASE("library: contents of machine code and of LLVM IR") {
  Request request;
  const std::string cubin = test::source_dir() + "/tests/frontend/object/data/kernels.sm_80.cubin";
  request.inputs = {{"made.cubin", test::read_file(cubin)}};
  const Kernels listed = kernels(request);
  CHECK(listed.status == Status::done);
  REQUIRE_FALSE(listed.kernels.empty());
  CHECK(listed.kernels[0].machine_code);
  CHECK(listed.kernels[0].target == "sm_80");
  CHECK(listed.kernels[0].registers.value_or(0) > 0);

  request.inputs = {{"made.ll", "target triple = \"nvptx64-nvidia-cuda\"\ndefine ptx_kernel void @k() { ret void }\n"}};
  request.flags = "-mcpu=sm_80";
  request.block = {32};
  const Bounds bounds = bound(request);
  REQUIRE(bounds.kernels.size() == 1);
  CHECK(bounds.kernels[0].name == "k");
}

TEST_CASE("library: names that no content can have") {
  for (const std::string name : {"", "-", "*.ptx", "k[1].ptx"}) {
    Request request = saxpy();
    request.inputs = {{name, "x"}};
    const Bounds bounds = bound(request);
    CHECK(bounds.status == Status::wrong_use);
    CHECK(bounds.kernels.empty());
    CHECK(bounds.messages.at(0).cause == Cause::usage);
  }
  Request request = saxpy();
  request.inputs = {{"a.ptx", "x"}, {"a.ptx", "y"}};
  CHECK(bound(request).messages.at(0).text == "'a.ptx' is given twice");
}

TEST_CASE("library: what a bound lacks, and that it is there once it is given") {
  Request request = search();
  const Bounds refused = bound(request);
  CHECK(refused.status == Status::not_bounded);
  REQUIRE(refused.unbounded.size() == 1);
  CHECK(refused.unbounded[0].name == "search");
  CHECK_FALSE(refused.unbounded[0].messages.at(0).hint.empty());
  CHECK(refused.messages.at(0).place.line > 0);
  CHECK(refused.messages.at(0).rendered().find("search.ptx:") != std::string::npos);

  const Needs lacking = needs(request);
  CHECK(lacking.status == Status::done);
  REQUIRE(lacking.kernels.size() == 1);
  CHECK_FALSE(lacking.kernels[0].are_met);
  CHECK(lacking.kernels[0].parameters.size() == 5);
  CHECK(lacking.kernels[0].sha256.size() == 64);
  const auto& loops = lacking.kernels[0].loops;
  const auto unbounded = std::find_if(loops.begin(), loops.end(), [](const Loop& loop) { return !loop.trip_count; });
  REQUIRE(unbounded != loops.end());
  CHECK(unbounded->place == "$L__BB0_4");
  CHECK_FALSE(unbounded->remedies.empty());
  CHECK(lacking.toml().find("[[kernel.loop]]") != std::string::npos);

  request.loop_bounds = {{unbounded->place, "20"}};
  CHECK(needs(request).kernels.at(0).are_met);
  const Bounds bounds = bound(request);
  REQUIRE(bounds.status == Status::done);
  CHECK(bounds.kernels.at(0).loops.at(0).found_by == "user");
}

TEST_CASE("library: values that no option takes are wrong use, all of them at once") {
  Request request = saxpy();
  request.block = {0};
  request.assume = {"nonsense"};
  request.registers = -1;
  const Bounds bounds = bound(request);
  CHECK(bounds.status == Status::wrong_use);
  CHECK(bounds.kernels.empty());
  CHECK(bounds.messages.size() == 3);
  CHECK(kernels(request).status == Status::wrong_use);
  CHECK(needs(request).status == Status::wrong_use);
  CHECK(bound({}).status == Status::wrong_use);
}

TEST_CASE("library: machines") {
  const auto names = machines();
  CHECK(std::find(names.begin(), names.end(), "hopper") != names.end());
  const auto hopper = machine("hopper");
  REQUIRE(hopper);
  CHECK(hopper->multiprocessors > 100);
  CHECK(hopper->toml.find("multiprocessors") != std::string::npos);
  const auto unknown = machine("voodoo");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.messages().at(0).cause == Cause::usage);
}

TEST_CASE("library: what was found outlives what was asked, and an empty result has no report") {
  Bounds bounds;
  {
    const Request request = saxpy();
    bounds = bound(request);
  }
  const Bounds copy = bounds;
  CHECK(copy.json() == bounds.json());
  CHECK(copy.text().find("at most") != std::string::npos);
  CHECK(Bounds().json().empty());
  CHECK(Needs().toml().empty());
}

TEST_CASE("library: several threads at a time find what one finds") {
  std::vector<Request> requests = {saxpy(), search(), saxpy()};
  requests[2].inputs = {{sample("matmul_tiled.ptx")}};
  requests[2].block = {16, 16};
  requests[2].grid = {4, 4};
  std::vector<std::string> alone;
  for (const Request& request : requests) alone.push_back(bound(request).json());
  constexpr size_t times = 6;
  std::vector<std::string> together(requests.size() * times);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < together.size(); ++i) {
    threads.emplace_back([&, i] { together[i] = bound(requests[i % requests.size()]).json(); });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < together.size(); ++i) CHECK(together[i] == alone[i % requests.size()]);
}

TEST_CASE("library: a call leaves the handlers of its process as they were") {
  const auto handler = [] { throw std::bad_alloc(); };
  std::set_new_handler(handler);
  struct sigaction before {};
  ::sigaction(SIGSEGV, nullptr, &before);
  REQUIRE(bound(saxpy()).status == Status::done);
  struct sigaction after {};
  ::sigaction(SIGSEGV, nullptr, &after);
  CHECK(std::get_new_handler() == static_cast<std::new_handler>(handler));
  CHECK(after.sa_handler == before.sa_handler);
  std::set_new_handler(nullptr);
}

TEST_CASE("library: a thread of others that lacks memory gets an exception, also while something is bounded") {
  static_cast<void>(machines());
  support::be_guest();
  std::atomic<bool> thrown{false};
  CHECK_FALSE(support::run_isolated([&thrown] {
    std::thread([&thrown] {
      try {
        support::out_of_memory();
      } catch (const std::bad_alloc&) {
        thrown = true;
      }
    }).join();
  }));
  CHECK(thrown);
}

TEST_CASE("library: the handler of a program is asked first where a thread of it lacks memory") {
  support::be_guest();
  static std::atomic<int> asked{0};
  std::set_new_handler([] {
    ++asked;
    throw std::bad_alloc();
  });
  CHECK_FALSE(support::run_isolated(
      [] { std::thread([] { CHECK_THROWS_AS(std::get_new_handler()(), std::bad_alloc); }).join(); }));
  CHECK(asked == 1);
  std::set_new_handler(nullptr);
}

TEST_CASE("library: a call ends early where it is cancelled, and says so") {
  const std::atomic<bool> cancel{true};
  Request request = saxpy();
  request.cancel = &cancel;
  const Bounds bounds = bound(request);
  REQUIRE_FALSE(bounds.messages.empty());
  CHECK(bounds.messages.back().severity == Severity::note);
}

TEST_CASE("library: the header has the version of the program") {
  CHECK(version() == std::to_string(WARPSPAN_VERSION_MAJOR) + "." + std::to_string(WARPSPAN_VERSION_MINOR) + "." +
                         std::to_string(WARPSPAN_VERSION_PATCH));
}
