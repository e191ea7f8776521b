// SPDX-License-Identifier: GPL-3.0-or-later
// Calls between sections of a cubin: what is bounded, and what damaged files, or code that no compiler writes, are
// refused for.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>

#include "frontend/machine_code.hpp"
#include "frontend/object/cubin.hpp"
#include "frontend/object/elf.hpp"
#include "frontend/sass/words/decode.hpp"
#include "tests/paths.hpp"

using namespace warpspan;

namespace {

// Of -O0, linked: `calls` calls `walk` and `step` in a loop, and `walk` calls `step`.
std::string file_of(const std::string& name) {
  std::ifstream file(warpspan::test::source_dir() + "/tests/machine_code/data/" + name, std::ios::binary);
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

// Of an entry of relocations.
constexpr size_t type_field = 8, symbol_field = 12, addend_field = 16;

const std::string walk = "_Z4walkPKiii";

ir::Launch launch() {
  ir::Launch launch;
  launch.block = ir::Extent{64, 1, 1};
  launch.arguments = {{"2", "8"}};
  return launch;
}

frontend::Reading read(const std::string& bytes) {
  return frontend::read_machine_code({"calls.cubin", bytes}, {}, launch());
}

std::string error_of(const std::string& bytes) {
  const frontend::Reading reading = read(bytes);
  CHECK(reading.kernels.empty());
  REQUIRE_FALSE(reading.errors.empty());
  return reading.errors.front().message;
}

// A cubin of which numbers are overwritten.
class Damaged {
 public:
  explicit Damaged(const std::string& name = "calls.sm_80.O0.cubin") : bytes_(file_of(name)), whole_(bytes_) {
    auto cubin = object::read_cubin({"calls.cubin", whole_});
    REQUIRE(cubin);
    cubin_ = std::move(*cubin);
  }

  const std::string& bytes() const { return bytes_; }

  const object::Function& function(const std::string& name) const {
    const auto found = std::find_if(cubin_.functions.begin(), cubin_.functions.end(),
                                    [&](const object::Function& each) { return each.name == name; });
    REQUIRE(found != cubin_.functions.end());
    return *found;
  }

  void put(size_t at, uint64_t value, unsigned size) {
    REQUIRE(at + size <= bytes_.size());
    for (unsigned i = 0; i < size; ++i) bytes_[at + i] = static_cast<char>(value >> (8 * i) & 0xff);
  }

  // Where in the file the first relocation of a type stands that is for a function's code.
  size_t relocation(const std::string& name, uint32_t type) const {
    const auto elf = object::read_elf({"calls.cubin", whole_});
    REQUIRE(elf);
    for (const object::Section& section : elf->sections) {
      const bool addends = section.type == object::section_holds_references_with_addends;
      const size_t entry = addends ? 24 : 16;
      if (section.name != (addends ? ".rela.text." : ".rel.text.") + name) continue;
      for (size_t at = 0; at < section.bytes.size(); at += entry) {
        if (static_cast<uint8_t>(section.bytes[at + type_field]) == type) return section.offset + at;
      }
    }
    FAIL("no such relocation");
    return 0;
  }

  // Offset in the code of the first instruction for which this holds.
  uint64_t instruction(const std::string& name, const std::function<bool(const sass::Instruction&)>& wanted) const {
    const object::Function& from = function(name);
    const auto* code = reinterpret_cast<const uint8_t*>(from.code.data());
    const auto decoded = sass::decode_bytes({code, from.code.size()}, 80);
    REQUIRE(decoded);
    const auto found = std::find_if(decoded->begin(), decoded->end(), wanted);
    REQUIRE(found != decoded->end());
    return found->offset;
  }

  // Where in the file an instruction stands.
  size_t place(const std::string& name, const std::string& mnemonic, int first_register = -1) const {
    return function(name).code_offset + instruction(name, [&](const sass::Instruction& each) {
             return each.mnemonic() == mnemonic && (first_register < 0 || each.operands()[0].first == first_register);
           });
  }

  char at(size_t place) const { return bytes_[place]; }

 private:
  std::string bytes_, whole_;
  object::Cubin cubin_;
};

}  // namespace

TEST_CASE("functions in other sections are bounded with the kernel that calls them") {
  for (const char* name :
       {"calls.sm_75.O0.cubin", "calls.sm_80.O0.cubin", "calls.sm_120.O0.cubin", "calls.sm_90.G.cubin"}) {
    INFO(name);
    const frontend::Reading reading = read(file_of(name));
    REQUIRE(reading.errors.empty());
    REQUIRE(reading.kernels.size() == 1);
    const frontend::AnalyzedKernel& kernel = reading.kernels.front();
    REQUIRE(kernel.flow.loops.size() == 2);
    CHECK(kernel.flow.loops[0].label.starts_with("0x"));
    CHECK(kernel.flow.loops[0].trip_count.value_or(0) >= 8);
    CHECK(kernel.flow.loops[1].label.starts_with(walk + "+0x"));
    CHECK(kernel.flow.loops[1].trip_count.value_or(0) >= 6);  // its limit is an argument of the call
    CHECK(reading.listing->text().find("/*" + walk + "+0000*/ ") != std::string::npos);
  }
}

TEST_CASE("a loop of another section is bounded by its name and its offset") {
  const std::string bytes = file_of("calls.sm_80.O0.cubin");
  const auto first = read(bytes);
  REQUIRE(first.kernels.size() == 1);
  ir::Launch own = launch();
  own.loop_bounds.emplace_back();
  own.loop_bounds.front().label = first.kernels.front().flow.loops[1].label;
  own.loop_bounds.front().trip_count = 3;
  const auto bounded = frontend::read_machine_code({"calls.cubin", bytes}, {}, own);
  REQUIRE(bounded.kernels.size() == 1);
  CHECK(bounded.kernels.front().flow.loops[1].trip_count == 3);
  CHECK(bounded.kernels.front().flow.loops[0].trip_count == first.kernels.front().flow.loops[0].trip_count);
}

TEST_CASE("calls that lead nowhere known are refused") {
  Damaged type;
  type.put(type.relocation("calls", 58) + type_field, 59, 4);
  CHECK(error_of(type.bytes()).find("it calls a function whose code is not here") != std::string::npos);

  // The word itself holds an addend.
  Damaged word;
  word.put(word.place("calls", "CALL.ABS") + 4, 0x40, 1);
  CHECK(error_of(word.bytes()).find("it calls a function whose code is not here") != std::string::npos);

  Damaged itself;
  const size_t to_walk = itself.relocation("calls", 58), from_walk = itself.relocation(walk, 58);
  for (size_t i = 0; i < 4; ++i) {
    itself.put(from_walk + symbol_field + i, static_cast<uint8_t>(itself.at(to_walk + symbol_field + i)), 1);
  }
  CHECK(error_of(itself.bytes()).find("the subroutine calls itself") != std::string::npos);
}

TEST_CASE("a function that may return elsewhere than behind its call is refused") {
  for (const uint32_t half : {56, 57}) {
    for (const uint64_t addend : {uint64_t{0x10}, uint64_t{0x123451}, UINT64_MAX}) {
      Damaged address;
      address.put(address.relocation("calls", half) + addend_field, addend, 8);
      INFO(half << " " << addend);
      CHECK(error_of(address.bytes()).find("where its subroutine returns to is not found") != std::string::npos);
    }
  }
  // Registers that the caller put no address into.
  Damaged other_register;
  other_register.put(other_register.place(walk, "RET") + 3, 22, 1);
  CHECK(error_of(other_register.bytes()).find("where its subroutine returns to is not found") != std::string::npos);

  const std::string not_sure = "that it returns to where the function was called is not sure";
  Damaged relative;
  const size_t high_byte = relative.place(walk, "RET") + 10;  // bits 80 to 87
  relative.put(high_byte, static_cast<uint8_t>(relative.at(high_byte)) & 0xdfU, 1);
  CHECK(error_of(relative.bytes()).find(not_sure) != std::string::npos);

  // Restored from where another register was saved.
  Damaged restored;
  const size_t offset = restored.place(walk, "LDL", 20) + 5;  // bits 40 to 47
  restored.put(offset, static_cast<uint8_t>(restored.at(offset)) + 4U, 1);
  CHECK(error_of(restored.bytes()).find(not_sure) != std::string::npos);
}

TEST_CASE("branches stay in the section of their function") {
  Damaged branch;
  branch.put(branch.place(walk, "BRA") + 4, 0x100000, 4);
  CHECK(error_of(branch.bytes()).find("it leads out of the function's code") != std::string::npos);
}

TEST_CASE("an access whose place is filled in later is refused") {
  Damaged access;
  const uint64_t load =
      access.instruction(walk, [](const sass::Instruction& each) { return each.mnemonic() == "LDG"; });
  access.put(access.relocation(walk, 56), load, 8);
  CHECK(error_of(access.bytes()).find("is known only when the file is linked") != std::string::npos);
}

TEST_CASE("damaged relocations and symbols end in errors or answers") {
  const std::string whole = file_of("calls.sm_80.O0.cubin");
  std::mt19937 random(11);
  int answers = 0, refusals = 0;
  for (int i = 0; i < 400; ++i) {
    std::string bytes = whole;
    for (int k = 0; k < 4; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
    const frontend::Reading reading = read(bytes);
    ++(reading.kernels.empty() ? refusals : answers);
    CHECK(reading.kernels.empty() != reading.errors.empty());
  }
  CHECK(answers > 0);
  CHECK(refusals > 0);
}

namespace {

frontend::Reading read_outside(const std::string& target, const std::string& kernel, const ir::Launch& given,
                               const frontend::Inquiry& inquiry = {}) {
  const std::string name = "outside.sm_" + target + ".cubin";
  std::ifstream file(warpspan::test::source_dir() + "/tests/samples/machine_code/" + name, std::ios::binary);
  REQUIRE(file.good());
  const std::string bytes = {std::istreambuf_iterator<char>(file), {}};
  return frontend::read_machine_code({name, bytes}, {kernel}, given, inquiry);
}

ir::Launch with_time(const std::string& function) {
  ir::Launch given;
  given.block = ir::Extent{64, 1, 1};
  given.arguments = {{"1", "640"}};
  ir::CallCost cost;
  cost.function = function;
  cost.time = {20, true};
  cost.text = "20";
  cost.origin = {"--call-cost"};
  given.call_costs.push_back(cost);
  return given;
}

constexpr const char* report = "_Z6reportPKii";

}  // namespace

TEST_CASE("a function that is not in the file takes what the user states") {
  for (const std::string target : {"75", "80", "120"}) {
    const frontend::Reading reading = read_outside(target, report, with_time("vprintf"));
    REQUIRE(reading.errors.empty());
    REQUIRE(reading.kernels.size() == 1);
    const frontend::AnalyzedKernel& kernel = reading.kernels.front();
    // What decides on the loop is in registers that the function restores.
    REQUIRE(kernel.flow.loops.size() == 1);
    CHECK(kernel.flow.loops[0].trip_count == 10);
    const auto calls =
        std::count_if(kernel.kernel.operations.begin(), kernel.kernel.operations.end(), [](const ir::Operation& o) {
          return o.call_time == ir::CallTime{20, true};
        });
    CHECK(calls == 1);
    CHECK(reading.codes.front().external_functions == std::vector<std::string>{"vprintf"});
    const auto says = [&kernel](const std::string& begin) {
      return std::any_of(kernel.assumptions.begin(), kernel.assumptions.end(),
                         [&begin](const std::string& sentence) { return sentence.starts_with(begin); });
    };
    CHECK(says("One call of 'vprintf' by a warp"));
    CHECK(says("A function that is called and not in the file restores the registers"));
  }
}

TEST_CASE("without a time the call is refused by the name of the function, and facts ask for it") {
  const frontend::Reading refused = read_outside("80", report, with_time("malloc"));
  REQUIRE(refused.errors.size() == 1);
  CHECK(refused.errors[0].message ==
        "kernel 'report' (_Z6reportPKii): 'vprintf' has no body in this file, so its time cannot be bounded");
  CHECK(refused.errors[0].help.find("{call_cost} vprintf=TIME") != std::string::npos);
  frontend::Inquiry inquiry;
  inquiry.unbounded_loops = true;
  const frontend::Reading asked = read_outside("80", report, with_time("malloc"), inquiry);
  CHECK(asked.errors.empty());
  CHECK(asked.kernels.empty());
  CHECK(asked.codes.front().external_functions == std::vector<std::string>{"vprintf"});
  ir::Launch given = with_time("malloc");
  given.arguments.clear();
  CHECK(read_outside("80", "_Z8allocatePPi", given).errors.empty());
}

TEST_CASE("a call through a pointer may lead to each function that a pointer of the kernel can lead to") {
  for (const std::string target : {"75", "80", "120"}) {
    const frontend::Reading reading = read_outside(target, "_Z5applyPKfPfi", with_time("free"));
    REQUIRE(reading.errors.empty());
    const frontend::AnalyzedKernel& kernel = reading.kernels.front();
    int calls = 0;
    for (const ir::Block& block : kernel.kernel.blocks) {
      if (block.transfer.kind != ir::Transfer::indexed) continue;
      ++calls;
      CHECK(block.transfer.targets.size() == 2);
    }
    CHECK(calls == 8);
    CHECK(std::any_of(kernel.assumptions.begin(), kernel.assumptions.end(), [](const std::string& sentence) {
      return sentence.starts_with("The kernel calls through registers only functions whose offsets stand in its");
    }));
  }
}
