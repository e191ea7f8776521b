// SPDX-License-Identifier: GPL-3.0-or-later
// What PTX tells of calls through pointers in machine code (tests/samples/machine_code/pointers.cu).
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "frontend/machine_code.hpp"
#include "tests/paths.hpp"

using namespace warpspan;

namespace {

const std::string apply = "_Z5applyPfi", both = "_Z4bothPfi";

std::shared_ptr<const support::SourceFile> sample(const std::string& name) {
  auto source = support::read_source(warpspan::test::source_dir() + "/tests/samples/machine_code/" + name);
  REQUIRE(source.ok());
  return std::make_shared<const support::SourceFile>(std::move(*source));
}

frontend::AnalyzedKernel read(const std::string& bytes, const std::string& kernel,
                              const frontend::Inquiry& inquiry = {}) {
  ir::Launch launch;
  launch.block = ir::Extent{32, 1, 1};
  frontend::Reading reading = frontend::read_machine_code({"pointers.cubin", bytes}, {kernel}, launch, inquiry);
  REQUIRE(reading.errors.empty());
  REQUIRE(reading.kernels.size() == 1);
  return std::move(reading.kernels.front());
}

// How many functions each call may lead to, in the order of the calls.
std::vector<size_t> targets(const frontend::AnalyzedKernel& kernel) {
  std::vector<size_t> counts;
  for (const ir::Block& block : kernel.kernel.blocks) {
    if (block.transfer.kind == ir::Transfer::indexed) counts.push_back(block.transfer.targets.size());
  }
  return counts;
}

bool rests_on_ptx(const frontend::AnalyzedKernel& kernel) {
  return std::any_of(kernel.assumptions.begin(), kernel.assumptions.end(), [](const std::string& sentence) {
    return sentence.starts_with("The machine code is that of the PTX in the file: a call through a register");
  });
}

std::string with(std::string bytes, const std::string& text, const std::string& other) {
  REQUIRE(text.size() == other.size());
  size_t found = bytes.find(text);
  REQUIRE(found != std::string::npos);
  for (; found != std::string::npos; found = bytes.find(text, found + 1)) bytes.replace(found, text.size(), other);
  return bytes;
}

}  // namespace

TEST_CASE("machine code: a call through a pointer leads where the PTX at its line may lead") {
  const std::string bytes = sample("pointers.sm_80.cubin")->bytes();
  CHECK(targets(read(bytes, apply)) == std::vector<size_t>{2});
  CHECK(targets(read(bytes, both)) == std::vector<size_t>{2, 2});
  CHECK(rests_on_ptx(read(bytes, apply)));
  frontend::Inquiry alone;
  alone.code_alone = true;
  CHECK(targets(read(bytes, both, alone)) == std::vector<size_t>{4, 4});
  CHECK_FALSE(rests_on_ptx(read(bytes, both, alone)));
}

TEST_CASE("machine code without lines: a call through a pointer leads where any of the kernel's in its PTX may lead") {
  const std::string bytes = sample("pointers.plain.sm_80.cubin")->bytes();
  CHECK(targets(read(bytes, apply)) == std::vector<size_t>{4});
  const frontend::PtxFile ptx(sample("pointers.ptx"));
  frontend::Inquiry inquiry;
  inquiry.ptx = &ptx;
  CHECK(targets(read(bytes, apply, inquiry)) == std::vector<size_t>{2});
  CHECK(targets(read(bytes, both, inquiry)) == std::vector<size_t>{4, 4});
  CHECK(rests_on_ptx(read(bytes, apply, inquiry)));
  CHECK_FALSE(rests_on_ptx(read(bytes, both, inquiry)));
  inquiry.code_alone = true;
  CHECK(targets(read(bytes, apply, inquiry)) == std::vector<size_t>{4});
}

TEST_CASE(
    "machine code: PTX that does not have the functions of the code, or whose calls may lead elsewhere, tells "
    "nothing") {
  const std::string bytes = sample("pointers.plain.sm_80.cubin")->bytes();
  const std::string text = sample("pointers.ptx")->bytes();
  const auto read_with = [&](const std::string& changed) {
    const frontend::PtxFile ptx(std::make_shared<const support::SourceFile>("pointers.ptx", changed));
    frontend::Inquiry inquiry;
    inquiry.ptx = &ptx;
    return targets(read(bytes, apply, inquiry));
  };
  CHECK(read_with(text) == std::vector<size_t>{2});
  CHECK(read_with(with(text, "_Z5twicef", "_Z5thricf")) == std::vector<size_t>{4});
  CHECK(read_with(with(text, "_Z3putPfi", "_Z3pitPfi")) == std::vector<size_t>{4});
  CHECK(read_with(with(text, apply, "_Z5otherPfi")) == std::vector<size_t>{4});
  CHECK(read_with(with(text, ".target sm_80", ".target sm_75")) == std::vector<size_t>{4});
  CHECK(read_with(text.substr(0, text.size() / 2)) == std::vector<size_t>{4});
}
