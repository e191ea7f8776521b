// SPDX-License-Identifier: GPL-3.0-or-later
// What the kernels of a calibration measure: their PTX (scripts/make-calibration), and what ptxas makes of it.
#include <array>
#include <bitset>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/calibrate/calibration_program.hpp"
#include "frontend/object/cubin.hpp"
#include "frontend/sass/lowering/registers.hpp"
#include "frontend/sass/words/decode.hpp"
#include "frontend/sass/words/print.hpp"
#include "tests/app/calibrate/made_up_program.hpp"
#include "tests/paths.hpp"
#include "timing/machine/model.hpp"

using namespace warpspan;
using test::contains;
using test::MadeUpProgram;
using test::ProgramRun;
using test::run_warpspan;

namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

const std::string chains_file = "tests/samples/calibrate/chains.ptx";

// What kernel NAME_64 has 64 of, between its clocks, and NAME_128 128: PTX, and machine instructions that it becomes.
struct Series {
  std::string name;
  Words ptx;        // the operations, one after another
  Words mnemonics;  // any of these, each beginning so
  bool dependent = true;
};

const std::vector<Series>& all_series() {
  static const std::vector<Series> series = {
      {"chain_fp32", {"fma.rn.f32 x, x, c, c;"}, {"FFMA"}},
      {"chain_int_add", {"add.s32 x0, x0, x;", "add.s32 x, x, x0;"}, {"IADD3", "IMAD"}},
      {"chain_int_mul", {"mad.lo.s32 x, x, c, d;"}, {"IMAD"}},
      {"chain_logic", {"lop3.b32 x, x, c, d, 0xe8;"}, {"LOP3.lut0xe8"}},
      {"chain_shift", {"shf.l.wrap.b32 x, x, c, d;"}, {"SHF.L"}},
      {"chain_compare", {"min.s32 x, x, c;", "max.s32 x, x, d;"}, {"IMNMX", "VIMNMX"}},
      {"chain_predicate", {"setp.ne.s32 q, x, c;", "@q shf.l.wrap.b32 x, x, c, d;"}, {"ISETP.NE", "SHF.L"}},
      {"chain_fp16", {"fma.rn.f16x2 x, x, c, c;"}, {"HFMA2"}},
      {"chain_fp64", {"fma.rn.f64 v, v, w, w;"}, {"DFMA"}},
      {"chain_special", {"ex2.approx.ftz.f32 x, x;"}, {"MUFU.EX2"}},
      {"chain_convert", {"cvt.rni.f32.f32 x, x;"}, {"FRND"}},
      {"chain_shuffle", {"shfl.sync.bfly.b32 x, x, c, 31, -1;"}, {"SHFL.BFLY"}},
      {"chain_vote", {"setp.ne.s32 q, x, c;", "vote.sync.ballot.b32 x, q, -1;"}, {"ISETP.NE", "VOTE"}},
      {"chain_barrier", {"bar.sync 0;"}, {"BAR.SYNC"}, false},
      {"chain_fence_block", {"st.global.u32 [%rd, x;", "membar.cta;"}, {"MEMBAR"}, false},
      {"chain_fence_device", {"st.global.u32 [%rd, x;", "membar.gl;"}, {"MEMBAR"}, false},
      {"chain_fence_system", {"st.global.u32 [%rd, x;", "membar.sys;"}, {"MEMBAR"}, false},
      {"chain_load_shared", {"ld.shared.u32 x, [x];"}, {"LDS"}},
      {"chain_load_constant", {"ld.const.u64 a, [a];"}, {"LDC"}},
      {"chain_load_l1", {"ld.global.u64 a, [a];"}, {"LDG"}},
      {"chain_load_l2", {"ld.global.cg.u64 a, [a];"}, {"LDG"}},
      {"chain_atomic_shared", {"atom.shared.add.u32 x, [x0], x;"}, {"ATOMS.ADD"}},
      {"chain_atomic_global", {"atom.global.add.u32 x, [%rd, x;"}, {"ATOMG.ADD"}},
      {"unit_fp32", {"fma.rn.f32 x"}, {"FFMA"}, false},
      {"unit_logic", {"lop3.b32 x"}, {"LOP3.lut0xe8"}, false},
      {"unit_special", {"ex2.approx.ftz.f32 x"}, {"MUFU.EX2"}, false},
      {"unit_fp64", {"fma.rn.f64 v"}, {"DFMA"}, false},
      {"unit_shuffle", {"shfl.sync.bfly.b32 x"}, {"SHFL.BFLY"}, false},
      {"unit_load_shared", {"ld.shared.u32 x"}, {"LDS"}, false},
  };
  return series;
}

// "[%rd12], x;" as "[%rd, x;".
std::string without_number(std::string line) {
  const size_t at = line.find("[%rd");
  if (at == std::string::npos) return line;
  return line.erase(at + 4, line.find(']', at) + 1 - at - 4);
}

// The lines of a kernel between its first reading of the clock and its last one.
Words between_clocks(const std::string& ptx, const std::string& kernel) {
  std::istringstream text(ptx.substr(ptx.find(".entry " + kernel + "(")));
  Words found;
  int clocks = 0;
  for (std::string line; std::getline(text, line) && clocks < 2 && line != "}";) {
    if (contains(line, "%clock64")) {
      ++clocks;
    } else if (clocks == 1) {
      found.push_back(without_number(line));
    }
  }
  REQUIRE(clocks == 2);
  return found;
}

// How many there are in a row, one after another, in the first row that is long.
size_t count_in_turn(const Words& lines, const Words& operations) {
  for (size_t first = 0; first < lines.size(); ++first) {
    size_t count = 0;
    while (first + count < lines.size() && lines[first + count].rfind(operations[count % operations.size()], 0) == 0)
      ++count;
    if (count >= 8) return count;
  }
  return 0;
}

// Operands of such a line: the first is what it writes.
Words operands_of(const std::string& line) {
  std::string rest = line.substr(line.rfind('@', 0) == 0 ? line.find(' ') + 1 : 0);
  rest = rest.substr(rest.find(' ') + 1);
  Words operands(1);
  for (const char letter : rest) {
    if (letter == ',') {
      operands.emplace_back();
    } else if (letter != ' ' && letter != '[' && letter != ']' && letter != ';') {
      operands.back() += letter;
    }
  }
  if (line[0] == '@') operands.push_back(line.substr(1, line.find(' ') - 1));
  return operands;
}

bool needs(const std::string& line, const std::string& before) {
  const Words sources = operands_of(line);
  return std::count(sources.begin() + 1, sources.end(), operands_of(before).front()) > 0;
}

// The most that lies between the clocks of each kernel, in cycles.
std::map<std::string, int64_t> paths_on(const std::string& machine) {
  const ProgramRun run = run_warpspan({"analyze", chains_file, "--block", "32", "--arg", "2=0", "--arg", "3=1", "--arg",
                                       "4=-1", "--machine", machine, "--kernel", "chain_*", "--format", "json"});
  std::map<std::string, int64_t> paths;
  const Json report = Json::parse(run.out);
  for (const Json& kernel : report.at("kernels")) {
    REQUIRE(kernel.at("clock_readings").size() == 1);
    paths[kernel.at("name")] = kernel.at("clock_readings").at(0).at("worst").get<int64_t>();
  }
  return paths;
}

// --- Machine code

std::vector<sass::Instruction> code_of(const object::Cubin& cubin, const std::string& kernel) {
  for (const object::Function& function : cubin.functions) {
    if (function.name != kernel) continue;
    const auto code = sass::decode_bytes({reinterpret_cast<const uint8_t*>(function.code.data()), function.code.size()},
                                         cubin.architecture.number, sass::UnknownOpcodes::are_kept);
    REQUIRE(code);
    return *code;
  }
  FAIL("no kernel " << kernel);
  return {};
}

bool begins(const sass::Instruction& instruction, const Words& mnemonics) {
  const std::string text = sass::to_string(instruction);
  const std::string own = text.substr(text[0] == '@' ? text.find(' ') + 1 : 0);
  return std::any_of(mnemonics.begin(), mnemonics.end(),
                     [&own](const std::string& mnemonic) { return own.rfind(mnemonic, 0) == 0; });
}

// How many operations lie on the longest chain that leads to the value of each register.
class Depths {
 public:
  int64_t read(const sass::RegisterSet& set) const {
    return std::max({deepest(set.general, general_), deepest(set.uniform, uniform_),
                     deepest(set.predicates, predicates_), deepest(set.uniform_predicates, uniform_predicates_)});
  }
  // may_stay: whether the old value may.
  void write(const sass::RegisterSet& set, int64_t depth, bool may_stay) {
    put(set.general, general_, depth, may_stay);
    put(set.uniform, uniform_, depth, may_stay);
    put(set.predicates, predicates_, depth, may_stay);
    put(set.uniform_predicates, uniform_predicates_, depth, may_stay);
  }

 private:
  template <size_t size>
  static int64_t deepest(const std::bitset<size>& set, const std::array<int64_t, size>& depths) {
    int64_t most = 0;
    for (size_t i = 0; i < size; ++i) most = set[i] ? std::max(most, depths[i]) : most;
    return most;
  }
  template <size_t size>
  static void put(const std::bitset<size>& set, std::array<int64_t, size>& depths, int64_t depth, bool may_stay) {
    for (size_t i = 0; i < size; ++i) {
      if (set[i]) depths[i] = may_stay ? std::max(depths[i], depth) : depth;
    }
  }
  std::array<int64_t, 256> general_{}, uniform_{};
  std::array<int64_t, 8> predicates_{}, uniform_predicates_{};
};

// The clock is read twice, around the operations; they are one chain where the table states it, and what stands before
// the last clock waits for its end.
void check_code(const std::vector<sass::Instruction>& code, const Series& series, int64_t count) {
  std::vector<size_t> clocks;
  for (size_t i = 0; i < code.size(); ++i) {
    if (contains(sass::to_string(code[i]), "SR_CLOCK")) clocks.push_back(i);
  }
  REQUIRE(clocks.size() == 2);
  Depths depths;
  int64_t operations = 0, deepest = 0, waited_for = 0;
  for (size_t i = clocks[0] + 1; i < clocks[1]; ++i) {
    const bool counts = begins(code[i], series.mnemonics);
    const int64_t before = depths.read(sass::reads(code[i])), depth = before + (counts ? 1 : 0);
    operations += counts ? 1 : 0;
    deepest = std::max(deepest, depth);
    waited_for = std::max(waited_for, before);
    depths.write(sass::writes(code[i]), depth, !code[i].guard.always());
  }
  CHECK(operations >= count);
  const bool fences = series.mnemonics.front() == "MEMBAR";
  CHECK(operations <= (fences ? 2 * count : count + 8));  // a few set a chain up, or end it; some fences are two
  if (!series.dependent) return;
  CHECK(deepest >= count);
  CHECK(deepest <= count + 2);
  CHECK(waited_for >= count);
}

}  // namespace

TEST_CASE("calibration: each kernel's PTX has the operations that it measures by the table, each after the other") {
  const std::string ptx = test::read_file(warpspan::test::source_dir() + "/" + chains_file);
  size_t kernels = 0;
  for (size_t at = ptx.find(".entry "); at != std::string::npos; at = ptx.find(".entry ", at + 1)) ++kernels;
  CHECK(kernels == 2 * all_series().size() + 2);  // and two that take single loads
  for (const Series& series : all_series()) {
    for (const size_t count : {64u, 128u}) {
      INFO(series.name << " " << count);
      const Words lines = between_clocks(ptx, series.name + "_" + std::to_string(count));
      const bool fence = series.ptx.size() == 2 && contains(series.ptx[1], "membar");
      CHECK(count_in_turn(lines, series.ptx) == (fence ? 2 * count : count));
      if (!series.dependent) continue;
      size_t links = 0;
      for (size_t i = 1; i < lines.size(); ++i) links += needs(lines[i], lines[i - 1]) ? 1 : 0;
      CHECK(links >= count - 1);
    }
  }
}

TEST_CASE("calibration: 64 operations more are 64 latencies more on the path between the clocks") {
  for (const char* machine : {"sm_75", "sm_80", "sm_90"}) {
    std::map<std::string, int64_t> paths = paths_on(machine);
    const timing::Machine known = *timing::load_machine(machine);
    const struct {
      const char* chain;
      ir::OperationKind kind;
    } rows[] = {{"fp32", ir::OperationKind::fp32},       {"int_add", ir::OperationKind::int_add},
                {"int_mul", ir::OperationKind::int_mul}, {"compare", ir::OperationKind::compare},
                {"fp64", ir::OperationKind::fp64},       {"special", ir::OperationKind::special},
                {"convert", ir::OperationKind::convert}, {"barrier", ir::OperationKind::barrier}};
    for (const auto& row : rows) {
      INFO(machine << " " << row.chain);
      const std::string name = std::string("chain_") + row.chain;
      CHECK(paths.at(name + "_128") - paths.at(name + "_64") ==
            64 * known.otherwise[static_cast<size_t>(row.kind)]->latency.worst);
    }
  }
}

TEST_CASE("calibration: what is measured of fp32 is the bound of warpspan for a chain of it") {
  const ProgramRun printed = MadeUpProgram::get().run(test::MadeUpResults().with_chain("chain.fp32", 64 * 33));
  const test::TemporaryFolder folder;
  test::write_file(folder.file("my.toml"), printed.out);
  std::map<std::string, int64_t> paths = paths_on(folder.file("my.toml"));
  CHECK(paths.at("chain_fp32_128") - paths.at("chain_fp32_64") == 64 * 33);
}

TEST_CASE("calibration: machine code has the operations between its clocks") {
  if (test::run_shell("command -v ptxas").status != 0) {
    WARN("skipped: there is no ptxas");
    return;
  }
  const std::string ptx = test::read_file(warpspan::test::source_dir() + "/" + chains_file);
  const test::TemporaryFolder folder;
  for (const std::string& target : app::calibration_targets()) {
    std::string text = ptx;
    text.replace(text.find(".target sm_75"), 13, ".target " + target);
    test::write_file(folder.file("chains.ptx"), text);
    const ProgramRun compiled = test::run_shell("ptxas -arch=" + target + " " + folder.file("chains.ptx") + " -o " +
                                                folder.file("chains.cubin"));
    if (compiled.status != 0) {
      WARN("skipped: this ptxas makes no code for " << target << ": " << compiled.err);
      continue;
    }
    const std::string bytes = test::read_file(folder.file("chains.cubin"));
    const auto cubin = object::read_cubin({"chains.cubin", bytes});
    REQUIRE(cubin);
    for (const Series& series : all_series()) {
      for (const size_t count : {64u, 128u}) {
        const std::string kernel = series.name + "_" + std::to_string(count);
        INFO(target << " " << kernel);
        check_code(code_of(*cubin, kernel), series, static_cast<int64_t>(count));
      }
    }
    for (const char* kernel : {"timed_nothing", "timed_load"}) {
      INFO(target << " " << kernel);
      size_t clocks = 0, loads = 0;
      for (const sass::Instruction& instruction : code_of(*cubin, kernel)) {
        const std::string code = sass::to_string(instruction);
        if (contains(code, "SR_CLOCK")) ++clocks;
        if (contains(code, "LDG") && clocks == 1) ++loads;
      }
      CHECK(clocks == 2);
      CHECK(loads == (kernel == std::string("timed_load") ? 1 : 0));
    }
  }
}

TEST_CASE("calibration: nvcc compiles the program without a warning") {
  if (test::run_shell("command -v nvcc").status != 0) {
    WARN("skipped: there is no nvcc");
    return;
  }
  const test::TemporaryFolder folder;
  REQUIRE(run_warpspan({"calibrate", "--target", "sm_80", "--output", folder.file("calibrate.cu")}).status == 0);
  const ProgramRun compiled = test::run_shell("nvcc -O2 -arch=sm_80 -Xcompiler -Wall,-Wextra -o " +
                                              folder.file("calibrate") + " " + folder.file("calibrate.cu"));
  INFO(compiled.out << compiled.err);
  CHECK(compiled.status == 0);
  CHECK((compiled.out + compiled.err).empty());
}
