// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/costs/constant_reads.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <random>
#include <set>

#include "frontend/frontend.hpp"
#include "tests/ir/build_kernel.hpp"
#include "tests/paths.hpp"
#include "tests/timing/in_order.hpp"
#include "timing/analysis.hpp"

using namespace warpspan;

namespace {

// The kernel `k` with parameters p and n, its loops at L, M running 10 times.
frontend::AnalyzedKernel kernel(const std::string& body, const std::vector<std::string>& loops = {}) {
  const std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.global .f32 table[64];\n"
      ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n"
      ".reg .f32 %f<9>;\n.reg .f64 %d<9>;\n" +
      body + "\n}\n";
  ir::Launch launch;
  launch.block = ir::Extent{64, 1, 1};
  for (const std::string& label : loops) launch.loop_bounds.push_back({label, 10});
  auto reading = frontend::read_kernels(std::make_shared<const support::SourceFile>("t.ptx", text), {}, launch);
  for (const support::Diagnostic& error : reading.errors) FAIL(render(error, false));
  REQUIRE(reading.kernels.size() == 1);
  return std::move(reading.kernels.front());
}

// Loads of parameters that were put into each block.
std::vector<int> added(const frontend::AnalyzedKernel& k, bool keeps = false) {
  const ir::Kernel result = timing::with_constant_reads(k.kernel, k.flow, keeps).kernel;
  std::vector<int> counts;
  for (size_t b = 0; b < result.blocks.size(); ++b) {
    counts.push_back(static_cast<int>(result.blocks[b].count - k.kernel.blocks[b].count));
  }
  return counts;
}

// Moves that were put before the instructions of each block, for values in registers.
std::vector<int> moved(const frontend::AnalyzedKernel& k) {
  const ir::Kernel result = timing::with_constant_reads(k.kernel, k.flow, true).kernel;
  const auto moves_of = [](const ir::Kernel& kernel, const ir::Block& block) {
    int sum = 0;
    for (uint32_t i = 0; i < block.count; ++i) sum += kernel.operation(kernel.instructions[block.first + i]).moves;
    return sum;
  };
  std::vector<int> counts;
  for (size_t b = 0; b < result.blocks.size(); ++b) {
    counts.push_back(moves_of(result, result.blocks[b]) - moves_of(k.kernel, k.kernel.blocks[b]));
  }
  return counts;
}

bool persistence_matters(const frontend::AnalyzedKernel& k) {
  return timing::with_constant_reads(k.kernel, k.flow, false).persistence_matters;
}

// --- An assembler that decides at random, for each value and each block, whether to keep the value in a register or to
// compute it again, and a machine whose cache keeps what was read until the block ends.

using Random = std::mt19937;

uint32_t below(Random& random, size_t n) { return static_cast<uint32_t>(random() % n); }

// A block, a loop of two blocks around a loop of one, a branch, and the end.
test::TestKernel random_kernel(Random& random) {
  constexpr ir::LoopId outer = 0;
  constexpr ir::LoopId inner = 1;
  const auto symbols = [&random] { return std::string(1 + below(random, 4), 'C'); };
  test::TestKernel k = test::build_kernel({{symbols(), {1}},
                                           {symbols(), {2}, false, 2, outer},
                                           {symbols(), {2, 3}, false, 3, inner},
                                           {symbols(), {1, 4, 5}, false, 5, outer},
                                           {symbols(), {5}},
                                           {symbols(), {}}},
                                          {test::loop(1, 3), test::loop(2, 3, outer)});
  ir::Operation load;
  load.text = "ld.param.b32";
  load.kind = ir::OperationKind::load_param;
  k.kernel.operations.push_back(load);
  std::vector<ir::RegisterId> known;  // written in a block that every way to here passes
  for (ir::BlockId b = 0; b < k.kernel.blocks.size(); ++b) {
    std::vector<ir::RegisterId> here = known;
    for (uint32_t i = 0; i < k.kernel.blocks[b].count; ++i) {
      ir::Instruction& instruction = k.kernel.instructions[k.kernel.blocks[b].first + i];
      instruction.first_register = static_cast<uint32_t>(k.kernel.register_pool.size());
      const uint32_t what = below(random, 3);  // load, compute, use
      instruction.operation = what == 0 ? 3 : what;
      instruction.reads = static_cast<uint16_t>(what == 0 || here.empty() ? 0 : 1 + below(random, 2));
      for (int r = 0; r < instruction.reads; ++r) k.kernel.register_pool.push_back(here[below(random, here.size())]);
      instruction.writes = 1;
      here.push_back(k.kernel.registers);
      k.kernel.register_pool.push_back(k.kernel.registers++);
    }
    if (b != 4) known = here;
  }
  return k;
}

// What of a kernel's run an assembler's code reads with a delay.
class Assembled {
 public:
  Assembled(const ir::Kernel& kernel, Random& random) : kernel_(kernel), writer_(kernel.registers) {
    again_.assign(kernel.blocks.size(), std::vector<bool>(kernel.registers));
    for (ir::InstructionId i = 0; i < kernel.instructions.size(); ++i) writer_[*kernel.writes(at(i))] = i;
    for (std::vector<bool>& block : again_) {
      for (size_t reg = 0; reg < block.size(); ++reg) block[reg] = computable(writer_[reg]) && random() % 2 == 0;
    }
    // An instruction is executed in its place if it is no constant computation, or its value is in a register for some
    // use.
    executed_.assign(kernel.instructions.size(), false);
    for (ir::BlockId b = static_cast<ir::BlockId>(kernel.blocks.size()); b-- > 0;) {
      const ir::Block& block = kernel.blocks[b];
      for (ir::InstructionId i = block.first + block.count; i-- > block.first;) {
        executed_[i] = executed_[i] || !computable(i);
        if (executed_[i]) mark_operands(i, b);
      }
    }
  }

  std::set<ir::InstructionId> reads(ir::BlockId b) const {
    std::set<ir::InstructionId> roots;
    const ir::Block& block = kernel_.blocks[b];
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      if (executed_[i]) read_operands(i, b, roots);
    }
    return roots;
  }

 private:
  const ir::Instruction& at(ir::InstructionId i) const { return kernel_.instructions[i]; }
  bool is_load(ir::InstructionId i) const { return at(i).operation == 3; }
  bool computable(ir::InstructionId i) const {
    if (is_load(i)) return true;
    if (at(i).operation != 1) return false;
    const ir::RegisterId* reads = kernel_.reads(at(i));
    return std::all_of(reads, reads + at(i).reads, [&](ir::RegisterId r) { return computable(writer_[r]); });
  }
  void mark_operands(ir::InstructionId i, ir::BlockId b) {
    for (uint32_t r = 0; r < at(i).reads; ++r) {
      const ir::RegisterId reg = kernel_.reads(at(i))[r];
      if (!again_[b][reg]) {
        executed_[writer_[reg]] = true;
      } else {
        mark_operands(writer_[reg], b);
      }
    }
  }
  void read_operands(ir::InstructionId i, ir::BlockId b, std::set<ir::InstructionId>& roots) const {
    if (is_load(i)) roots.insert(i);
    for (uint32_t r = 0; r < at(i).reads; ++r) {
      const ir::RegisterId reg = kernel_.reads(at(i))[r];
      if (again_[b][reg]) read_operands(writer_[reg], b, roots);
    }
  }

  const ir::Kernel& kernel_;
  std::vector<ir::InstructionId> writer_;  // by register
  std::vector<std::vector<bool>> again_;   // by block and register: computed again there
  std::vector<bool> executed_;
};

using Counts = std::vector<int>;
constexpr int start = timing::reads_at_start;

const std::string loop_over_parameters =
    "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\nld.param.u32 %r1, [n];\nmov.u32 %r2, 0;\n"
    "L:\nmul.wide.u32 %rd3, %r2, 4;\nadd.s64 %rd4, %rd2, %rd3;\nld.global.f32 %f1, [%rd4];\n"
    "add.s32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra L;\nret;";

}  // namespace

TEST_CASE("a loop reads each parameter it uses once a round") {
  const auto k = kernel(loop_over_parameters, {"L"});
  CHECK(added(k) == Counts{start, 2, 0});
  CHECK(persistence_matters(k));
  CHECK(added(k, true) == Counts{start, 0, 0});
}

// ptxas reads the parameter in each round, whatever registers the PTX has its values in: with a bound that followed
// registers, a run of sm_87 took 1.02 times the bound.
TEST_CASE("a loop reads each parameter it uses once a round, in whichever registers the PTX has it") {
  const auto one_register = kernel(
      "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd1, %rd1;\nld.param.u32 %r1, [n];\nmov.u32 %r2, 0;\n"
      "L:\nmul.wide.u32 %rd3, %r2, 4;\nadd.s64 %rd3, %rd1, %rd3;\nld.global.f32 %f1, [%rd3];\n"
      "add.s32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra L;\nmov.u64 %rd1, 0;\nst.global.u64 [%rd1], "
      "%rd1;\nret;",
      {"L"});
  CHECK(added(one_register) == Counts{start, 2, 0});
  // In two, a choice between them that is made without a branch and with one, and a sum that is a constant then.
  const std::string loop = "mov.u32 %r2, 0;\nL:\nadd.s32 %r2, %r2, %r5;\nsetp.lt.u32 %p1, %r2, 99;\n@%p1 bra L;\nret;";
  const std::string two = "ld.param.u32 %r1, [n];\nld.param.u32 %r3, [p];\nsetp.lt.u32 %p0, %r1, 7;\n";
  CHECK(added(kernel(two + "mov.u32 %r5, %r1;\n@%p0 mov.u32 %r5, %r3;\n" + loop, {"L"})) == Counts{start, 2, 0});
  CHECK(added(kernel("@%p0 ld.param.u32 %r5, [n];\nadd.u32 %r5, %r5, 1;\n" + loop, {"L"})) == Counts{start, 1, 0});
  const auto arms = kernel(two + "@%p0 bra A;\nmov.u32 %r5, %r1;\nbra B;\nA:\nmov.u32 %r5, %r3;\nB:\n" + loop, {"L"});
  CHECK(added(arms) == Counts{start, 1, 1, 0, 2, 0});
  const std::string carried = "add.cc.u32 %r5, %r1, %r3;\naddc.u32 %r5, %r1, %r3;\nmov.u32 %r6, %r5;\n";
  CHECK(added(kernel(two + carried + carried + loop, {"L"})) == Counts{start, 2, 0});
}

TEST_CASE("a value that a loop changes is in a register") {
  const auto k = kernel(
      "ld.param.u32 %r1, [n];\nmov.u32 %r2, %r1;\n"
      "L:\nadd.s32 %r2, %r2, 3;\nsetp.lt.u32 %p1, %r2, 99;\n@%p1 bra L;\nret;",
      {"L"});
  CHECK(added(k) == Counts{start, 0, 0});
}

TEST_CASE("a parameter that is loaded in the loop is read there as it stands") {
  const auto k = kernel(
      "mov.u32 %r2, 0;\nL:\nld.param.u32 %r1, [n];\nadd.s32 %r2, %r2, %r1;\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra "
      "L;\nret;",
      {"L"});
  CHECK(added(k) == Counts{start, 0, 0});
  CHECK_FALSE(persistence_matters(k));
}

TEST_CASE("what follows from constants alone may be computed again, from all of them") {
  const auto k = kernel(
      "ld.param.u32 %r1, [n];\nmov.u32 %r3, %ntid.x;\nmul.lo.s32 %r4, %r1, %r3;\nshl.b32 %r5, %r4, 2;\nmov.u32 %r2, "
      "0;\n"
      "L:\nadd.s32 %r2, %r2, %r5;\nsetp.lt.u32 %p1, %r2, 99;\n@%p1 bra L;\nret;",
      {"L"});
  CHECK(added(k) == Counts{start + 1, 2, 0});  // the number of threads is itself in constant memory
  CHECK(added(k, true) == Counts{start + 1, 0, 0});
}

TEST_CASE("what depends on the thread, on memory or on a branch stays in a register") {
  const auto k = kernel(
      "ld.param.u32 %r1, [n];\nmov.u32 %r3, %tid.x;\nadd.s32 %r4, %r1, %r3;\n"
      "setp.eq.u32 %p2, %r3, 0;\nmov.u32 %r6, 5;\n@%p2 mov.u32 %r6, %r1;\nmov.u32 %r2, 0;\n"
      "L:\nadd.s32 %r2, %r2, %r4;\nadd.s32 %r2, %r2, %r6;\nsetp.lt.u32 %p1, %r2, 99;\n@%p1 bra L;\nret;",
      {"L"});
  CHECK(added(k) == Counts{start, 0, 0});
  CHECK_FALSE(persistence_matters(k));
}

TEST_CASE("each other block that uses a parameter reads it once more") {
  const std::string head =
      "ld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra A;\n"
      "add.s32 %r3, %r2, %r1;\nA:\n";
  CHECK(added(kernel(head + "ret;")) == Counts{start, 1, 0});
  CHECK(added(kernel(head + "add.s32 %r4, %r2, %r1;\nsub.s32 %r5, %r2, %r1;\nret;")) == Counts{start, 1, 1});
}

TEST_CASE("doubles that fit no immediate and addresses of variables are read where they stand") {
  CHECK(added(kernel("mul.f64 %d1, %d2, 0d3FB999999999999A;\nret;")) == Counts{start + 1});
  CHECK(added(kernel("mul.f64 %d1, %d2, 0d3FF8000000000000;\nret;")) == Counts{start});
  CHECK(added(kernel("mul.f32 %f1, %f2, 0f3DCCCCCD;\nret;")) == Counts{start});
  CHECK(added(kernel("mov.u64 %rd1, table;\nld.global.f32 %f1, [table+4];\nret;")) == Counts{start + 2});
  const auto looping = kernel(
      "mov.u32 %r2, 0;\nL:\nmul.f64 %d1, %d1, 0d3FB999999999999A;\nadd.s32 %r2, %r2, 1;\n"
      "setp.lt.u32 %p1, %r2, 10;\n@%p1 bra L;\nret;");
  CHECK(added(looping) == Counts{start, 1, 0});
  CHECK(persistence_matters(looping));
  CHECK(added(looping, true) == Counts{start + 1, 0, 0});
}

namespace {

// A loop whose body this is, with parameters in %rd1 and %r1.
frontend::AnalyzedKernel loop_of(const std::string& body, const std::string& before = {}) {
  return kernel("ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\nmov.u32 %r9, %tid.x;\ncvt.u64.u32 %rd9, %r9;\n" +
                    before + "mov.u32 %r2, 0;\nL:\n" + body +
                    "\nadd.s32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, 10;\n@%p1 bra L;\nret;",
                {"L"});
}

}  // namespace

TEST_CASE("integers that fit no operand are read at each use, where the assembler keeps them in memory") {
  const std::string lcg = "mul.lo.s64 %rd9, %rd9, 6364136223846793005;\nadd.s64 %rd9, %rd9, 1442695040888963407;";
  const auto k = loop_of(lcg);
  CHECK(added(k) == Counts{start, 1, 0});
  CHECK(persistence_matters(k));
  CHECK(added(k, true) == Counts{start + 1, 0, 0});
  const auto without = timing::with_constant_reads(k.kernel, k.flow, false, false).kernel;
  CHECK(without.blocks[1].count == k.kernel.blocks[1].count);
  CHECK(added(loop_of("dp4a.u32.u32 %r9, %r9, 16909060, %r9;\ndp4a.u32.u32 %r9, 16909061, %r9, %r9;")) ==
        Counts{start, 2, 0});
  CHECK(added(loop_of("dp4a.u32.u32 %r9, %r9, %r5, %r9;", "mov.u32 %r5, 16909060;\n")) == Counts{start, 1, 0});
  CHECK(added(loop_of("mul.wide.u32 %rd8, %r9, 4;\nadd.s64 %rd9, %rd8, 8;")) == Counts{start, 1, 0});
  for (const auto& [architecture, expected] : std::initializer_list<std::pair<const char*, bool>>{{"sm_70", true},
                                                                                                  {"sm_75", true},
                                                                                                  {"sm_80", true},
                                                                                                  {"sm_86", true},
                                                                                                  {"sm_87", true},
                                                                                                  {"sm_89", true},
                                                                                                  {"sm_90", false},
                                                                                                  {"sm_100", false},
                                                                                                  {"sm_103", false},
                                                                                                  {"sm_110", false},
                                                                                                  {"sm_120", false}}) {
    INFO(architecture);
    const auto machine = timing::load_machine(architecture);
    REQUIRE(machine.ok());
    CHECK(timing::integers_in_memory(*machine) == expected);
  }
}

TEST_CASE("of the parameters and immediates in an instruction all but one are moved to registers") {
  CHECK(moved(loop_of("mad.lo.s32 %r9, %r9, %r1, %r9;")) == Counts{0, 0, 0});
  CHECK(moved(loop_of("mad.lo.s32 %r9, %r9, %r1, %r1;")) == Counts{0, 1, 0});
  CHECK(moved(loop_of("mad.lo.s32 %r9, %r9, %r1, 5;")) == Counts{0, 1, 0});
  CHECK(moved(loop_of("add.s64 %rd9, %rd9, %rd1;")) == Counts{0, 0, 0});
  CHECK(moved(loop_of("shl.b32 %r9, %r9, %r1;")) == Counts{0, 1, 0});
  CHECK(moved(loop_of("dp4a.u32.u32 %r9, %r9, %r1, %r9;")) == Counts{0, 1, 0});
  CHECK(moved(loop_of("selp.b64 %rd9, %rd1, %rd9, %p1;")) == Counts{0, 1, 0});
  CHECK(moved(loop_of("st.global.u64 [%rd1], %rd9;")) == Counts{0, 2, 0});
  CHECK(moved(loop_of("st.global.u64 [%rd9], %rd1;")) == Counts{0, 2, 0});
  CHECK(moved(loop_of("st.global.v2.u32 [%rd9], {%r1, %r1};")) == Counts{0, 2, 0});
  // What is made of several of them may become a part of the instruction that uses it.
  CHECK(moved(loop_of("add.s32 %r9, %r9, %r5;", "add.s32 %r5, %r1, 77;\n")) == Counts{1, 1, 0});
  CHECK(moved(loop_of("and.b64 %rd9, %rd9, %rd5;", "xor.b64 %rd5, %rd1, %rd1;\n")) == Counts{2, 2, 0});
  // A constant in a register is none of the loop's own.
  CHECK(moved(loop_of("mad.lo.s32 %r9, %r9, %r5, %r1;", "mov.u32 %r5, 77;\n")) == Counts{0, 1, 0});
  CHECK(moved(loop_of("mad.lo.s32 %r9, %r9, %r5, %r1;", "mov.u32 %r5, 0;\n")) == Counts{0, 0, 0});
}

// As many machine instructions as ptxas 13.0 makes a warp execute in each round, for sm_80.
TEST_CASE("a loop is counted with the moves that its machine code has, even if the constant cache keeps all") {
  const auto machine = timing::load_machine("sm_80");
  REQUIRE(machine.ok());
  for (const auto& [file, executed] :
       std::initializer_list<std::pair<std::string, int64_t>>{{"mad_params.ptx", 111}, {"sts_imm.ptx", 304}}) {
    INFO(file);
    std::ifstream in(test::source_dir() + "/tests/samples/constants/" + file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    ir::Launch launch;
    launch.block = ir::Extent{32, 1, 1};
    launch.arguments.push_back({"1", "1000"});
    const auto reading = frontend::read_kernels(std::make_shared<const support::SourceFile>(file, text), {}, launch);
    REQUIRE(reading.kernels.size() == 1);
    const frontend::AnalyzedKernel& k = reading.kernels.front();
    const ir::Kernel code = timing::with_constant_reads(k.kernel, k.flow, true).kernel;
    const auto costs = timing::costs_of(code, *machine);
    REQUIRE(costs.ok());
    int64_t instructions = 0;
    for (size_t b = 0; b < code.blocks.size(); ++b) {
      if (k.flow.blocks[b].loop == ir::no_loop) continue;
      for (uint32_t i = 0; i < code.blocks[b].count; ++i) {
        instructions += costs->of(code.instructions[code.blocks[b].first + i]).instructions;
      }
    }
    CHECK(instructions >= executed);
    CHECK(instructions < 2 * executed);
  }
}

TEST_CASE("every read is waited for before the instruction that needs it issues") {
  const auto k = kernel(
      "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\nmov.u64 %rd2, 0;\nmov.u32 %r2, 0;\n"
      "L:\nadd.s64 %rd2, %rd2, %rd1;\nadd.s32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra L;\nret;",
      {"L"});
  const auto machine = timing::load_machine("ampere");
  REQUIRE(machine.ok());
  const auto worst = [&](const ir::Kernel& code, const ir::Flow& flow) {
    const auto costs = timing::costs_of(code, *machine);
    REQUIRE(costs.ok());
    const auto time = timing::one_warp_time({code, flow, *costs, *machine}, timing::Case::worst);
    REQUIRE(time.ok());
    return *time;
  };
  const int64_t delay = machine->figures(ir::OperationKind::load_param)->latency.worst;
  const auto with_reads = [&](bool keeps) {
    const timing::ConstantReads reads = timing::with_constant_reads(k.kernel, k.flow, keeps);
    return worst(reads.kernel, reads.flow);
  };
  const int64_t kept = with_reads(true);
  CHECK(kept >= worst(k.kernel, k.flow) + start * delay);
  CHECK(with_reads(false) >= (start + 10 * 2) * delay);
  CHECK(kept < (start + 4) * delay);
}

TEST_CASE("a bound says what it takes the constant caches to keep") {
  const auto k = kernel(loop_over_parameters, {"L"});
  const auto machine = timing::load_machine("ampere");
  REQUIRE(machine.ok());
  timing::Limits limits;
  limits.seconds = 0;
  const auto bound = [&](const timing::AssumptionSet& assumed) {
    auto analysis = timing::analyze(k.kernel, k.flow, k.launch, *machine, test::in_order(assumed), limits);
    REQUIRE(analysis.ok());
    REQUIRE(analysis->bounds.front().model == "pipeline");
    return analysis->bounds.front().bound;
  };
  timing::AssumptionSet keeps;
  keeps.assume(timing::Assumption::keeps_constants);
  const solver::Bound without = bound({});
  const solver::Bound with = bound(keeps);
  CHECK(*with.makespan < *without.makespan);
  const std::string sentence(timing::sentence(timing::Assumption::keeps_constants));
  const auto says = [&](const solver::Bound& b) {
    return std::find(b.assumptions.begin(), b.assumptions.end(), sentence) != b.assumptions.end();
  };
  CHECK(says(with));
  CHECK_FALSE(says(without));
}

TEST_CASE("whatever the assembler keeps in registers, no block reads more constants than it is charged for") {
  Random random(20263);
  int64_t read = 0;
  int64_t charged = 0;
  for (int n = 0; n < 2000; ++n) {
    const test::TestKernel k = random_kernel(random);
    const ir::Kernel result = timing::with_constant_reads(k.kernel, k.flow, false).kernel;
    for (int assembler = 0; assembler < 4; ++assembler) {
      const Assembled code(k.kernel, random);
      for (ir::BlockId b = 0; b < k.kernel.blocks.size(); ++b) {
        int64_t loads = b == 0 ? -timing::reads_at_start : 0;
        for (uint32_t i = 0; i < result.blocks[b].count; ++i) {
          const ir::Instruction& instruction = result.instructions[result.blocks[b].first + i];
          if (result.operation(instruction).kind == ir::OperationKind::load_param) ++loads;
        }
        INFO("kernel " << n << " block " << b);
        const auto reads = static_cast<int64_t>(code.reads(b).size());
        REQUIRE(reads <= loads);
        read += reads;
        charged += loads;
      }
    }
  }
  CHECK(read * 4 > charged);  // the charge is not far off
}

TEST_CASE("scoreboards stay scoreboards behind the register that the loads write") {
  frontend::AnalyzedKernel k = kernel("ld.param.u32 %r1, [n];\nadd.s32 %r2, %r1, 1;\nret;");
  k.kernel.first_scoreboard = k.kernel.registers;
  k.kernel.scoreboards = 6;
  k.kernel.registers += 6;
  k.kernel.register_bits.resize(k.kernel.registers, 32);
  const timing::ConstantReads reads = timing::with_constant_reads(k.kernel, k.flow, false);
  for (ir::RegisterId i = 0; i < 6; ++i) CHECK(reads.kernel.is_scoreboard(k.kernel.first_scoreboard + i));
  CHECK_FALSE(reads.kernel.is_scoreboard(reads.awaited));
  CHECK_FALSE(reads.kernel.is_scoreboard(k.kernel.first_scoreboard - 1));
}
