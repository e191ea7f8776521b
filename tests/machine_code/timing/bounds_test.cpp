// SPDX-License-Identifier: GPL-3.0-or-later
// Random kernels as ptxas compiles them, executed and timed, against their bounds. Skipped where there is no ptxas.
//
// test_machine_code "[campaign]" takes any number of them: WARPSPAN_TIMED_FIRST and _COUNT, seeds of each family;
// _FAMILY, one of them; _PTXAS, another version of ptxas beside that on PATH; _FOLDER, where kernels are written that
// take longer than a bound. Each kernel is compiled at -O1, -O2 and -O3 for one architecture.
// "[timed-file]" takes a kernel of yours.
#include "tests/machine_code/timing/bounds.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "tests/machine_code/cases.hpp"
#include "tests/machine_code/timing/assembler.hpp"
#include "tests/paths.hpp"
#include "tests/reference/command_options.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;
using namespace machine_code;

namespace {

constexpr int timed_architectures[] = {80, 87, 90, 120};
constexpr const char* levels[] = {"-O1", "-O2", "-O3"};

uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

void keep(const std::string& name, const TimedKernel& kernel, const std::string& cubin, const std::string& what) {
  const char* folder = std::getenv("WARPSPAN_TIMED_FOLDER");
  if (folder == nullptr) return;
  const std::filesystem::path file = std::filesystem::path(folder) / name;
  std::ofstream(file.string() + ".ptx") << "// " << what << "\n// block " << kernel.block.x << " x " << kernel.block.y
                                        << " x " << kernel.block.z << ", " << kernel.flags << "\n"
                                        << kernel.text;
  std::ofstream(file.string() + ".cubin", std::ios::binary) << cubin;
}

void check_kernel(const TimedFamily& family, uint64_t seed, const std::vector<std::string>& assemblers,
                  const std::vector<const char*>& at, TimedTally& tally) {
  const TimedKernel kernel = family.make(seed);
  const int architecture = timed_architectures[seed % std::size(timed_architectures)];
  const PtxBounds ptx = ptx_bounds(kernel, architecture);
  for (size_t a = 0; a < assemblers.size(); ++a) {
    for (const char* level : at) {
      const std::string cubin = assembled(assemblers[a], kernel, architecture, level);
      if (cubin.empty()) {
        ++tally.refusals["(ptxas)"];
        continue;
      }
      const std::string name = std::string(family.name) + "." + std::to_string(seed) + ".sm_" +
                               std::to_string(architecture) + level + (a == 0 ? "" : ".other");
      const TimedCheck check = check_times(kernel, cubin, architecture, ptx, seed);
      const size_t before = tally.violations.size();
      tally.add(name, check);
      if (tally.violations.size() > before) keep(name, kernel, cubin, tally.violations.back());
    }
  }
}

std::vector<std::string> assemblers() {
  std::vector<std::string> all = {"ptxas"};
  if (const char* other = std::getenv("WARPSPAN_TIMED_PTXAS")) all.emplace_back(other);
  return all;
}

// Of each family.
TimedTally check_all(uint64_t first, uint64_t count, bool tells) {
  const char* only = std::getenv("WARPSPAN_TIMED_FAMILY");
  TimedTally all;
  for (const TimedFamily& family : timed_families()) {
    if (only != nullptr && std::string(only) != family.name) continue;
    TimedTally tally;
    for (uint64_t seed = first; seed < first + count; ++seed)
      check_kernel(family, seed, assemblers(), {std::begin(levels), std::end(levels)}, tally);
    if (tells) std::cout << family.name << ": " << tally.text() << std::flush;
    all.compared += tally.compared;
    all.above_ptx += tally.above_ptx;
    all.violations.insert(all.violations.end(), tally.violations.begin(), tally.violations.end());
    all.of_ptx.insert(all.of_ptx.end(), tally.of_ptx.begin(), tally.of_ptx.end());
  }
  return all;
}

}  // namespace

TEST_CASE("time of machine code: no run of checked-in machine code takes longer than its bounds") {
  const std::filesystem::path data = test::source_dir() + "/tests/machine_code/data";
  TimedTally tally;
  for (const auto& entry : std::filesystem::directory_iterator(data)) {
    if (entry.path().extension() != ".cubin") continue;
    const std::string name = entry.path().filename().string();
    const int architecture = std::stoi(name.substr(name.find(".sm_") + 4));
    for (const auto& cases : {test::sample_cases(), test::kernel_cases(), test::frame_cases(), test::opcode_cases()}) {
      for (const test::SampleCase& each : cases) {
        if (each.sample != name.substr(0, name.find('.'))) continue;
        tally.add(name, check_times(timed_case(each.kernel), test::content_of(entry.path()), architecture, {}, 1));
      }
    }
  }
  INFO(tally.text());
  CHECK(tally.violations.empty());
  CHECK(tally.compared >= 60);
}

TEST_CASE("time of machine code: no run of what ptxas makes of random kernels takes longer than its bounds") {
  if (!is_at_hand("ptxas")) return;
  const uint64_t first = test::first_seed(1, 40), end = first + static_cast<uint64_t>(test::thinned_seeds(40));
  TimedTally tally;
  for (const TimedFamily& family : timed_families()) {
    for (uint64_t seed = first; seed < end; ++seed) {
      check_kernel(family, seed, {"ptxas"}, {levels[seed / std::size(timed_architectures) % std::size(levels)]}, tally);
    }
  }
  INFO(tally.text());
  CHECK(tally.violations.empty());
  CHECK(tally.of_ptx.empty());
  CHECK(tally.compared >= test::or_half(test::thinned_seeds(40) * 8));
}

TEST_CASE("time of machine code: campaign", "[.][campaign]") {
  const TimedTally tally =
      check_all(number_from("WARPSPAN_TIMED_FIRST", 1), number_from("WARPSPAN_TIMED_COUNT", 100), true);
  for (const std::string& what : tally.of_ptx) std::cout << "  ABOVE THE PTX " << what << "\n";
  CHECK(tally.compared > 0);
  CHECK(tally.violations.empty());
  CHECK(tally.of_ptx.empty());
}

// WARPSPAN_TIMED_FILE and _KERNEL, a block of 32 threads; _VALUES: of its parameters, as "1,2", of which those below
// 2^32 are told.
TEST_CASE("time of machine code: one kernel of a file", "[.][timed-file]") {
  const char* file = std::getenv("WARPSPAN_TIMED_FILE");
  const char* name = std::getenv("WARPSPAN_TIMED_KERNEL");
  const char* values = std::getenv("WARPSPAN_TIMED_VALUES");
  if (file == nullptr || name == nullptr || values == nullptr) return;
  TimedKernel kernel;
  kernel.text = test::content_of(file);
  kernel.kernel = name;
  kernel.block = {32, 1, 1};
  std::istringstream list(values);
  for (std::string value; std::getline(list, value, ',');) {
    kernel.parameters.push_back(kernel.kernel + "_param_" + std::to_string(kernel.values.size()));
    kernel.values.push_back(std::stoull(value, nullptr, 0));
    kernel.told.push_back(kernel.values.back() <= UINT32_MAX);
  }
  for (const int architecture : timed_architectures) {
    for (const char* level : levels) {
      TimedTally tally;
      const std::string cubin = assembled("ptxas", kernel, architecture, level);
      tally.add(name, check_times(kernel, cubin, architecture, ptx_bounds(kernel, architecture), 1));
      std::cout << architecture << level << " " << tally.text();
      for (const std::string& what : tally.of_ptx) std::cout << "  ABOVE THE PTX " << what << "\n";
    }
  }
}

// To look at one kernel.
TEST_CASE("show: the PTX of one timed kernel", "[.][show-timed-kernel]") {
  const char* only = std::getenv("WARPSPAN_TIMED_FAMILY");
  for (const TimedFamily& family : timed_families()) {
    if (only != nullptr && std::string(only) == family.name)
      std::cout << family.make(number_from("WARPSPAN_TIMED_FIRST", 1)).text;
  }
}

// An operand in constant memory is looked up when the scheduler has chosen the warp, behind all that the instruction
// waits for: a bound that had both waits side by side was below a run by a factor of 1.7.
TEST_CASE("time of machine code: operands in constant memory that are read behind a load") {
  if (!is_at_hand("ptxas")) return;
  TimedKernel kernel;
  kernel.kernel = "k";
  kernel.block = {32, 1, 1};
  kernel.parameters = {"p", "n", "q"};
  kernel.values = {0x7f0000000000, 200, 7};
  kernel.told = {false, true, false};
  kernel.text = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 n, .param .u32 q)
{
.reg .pred %p<2>;
.reg .b32 %r<8>;
.reg .b64 %d<4>;
ld.param.u64 %d0, [p];
cvta.to.global.u64 %d0, %d0;
mov.u32 %r0, 200;
ld.param.u32 %r1, [q];
mov.u32 %r2, 0;
mov.u32 %r3, 0;
H:
.pragma "nounroll";
ld.global.u32 %r4, [%d0];
mad.lo.u32 %r3, %r4, %r1, %r3;
add.u64 %d0, %d0, 1024;
add.u32 %r2, %r2, 1;
setp.lt.u32 %p0, %r2, %r0;
@%p0 bra H;
st.global.u32 [%d0], %r3;
ret;
}
)";
  for (const int architecture : timed_architectures) {
    for (const char* level : levels) {
      const std::string cubin = assembled("ptxas", kernel, architecture, level);
      TimedTally tally;
      INFO(architecture << level);
      tally.add("late", check_times(kernel, cubin, architecture, ptx_bounds(kernel, architecture), 1));
      INFO(tally.text());
      CHECK(tally.violations.empty());
      CHECK(tally.of_ptx.empty());
    }
  }
}
