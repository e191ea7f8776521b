#include "timing/constant_reads.hpp"

#include <catch2/catch.hpp>

#include "frontend/frontend.hpp"
#include "timing/analysis.hpp"

using namespace warpspan;

namespace {

// The kernel `k` with parameters p and n, its loops at L, M running 10 times.
frontend::AnalysedKernel kernel(const std::string& body, const std::vector<std::string>& loops = {}) {
  const std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.global .f32 table[64];\n"
      ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n"
      ".reg .f32 %f<9>;\n.reg .f64 %d<9>;\n" +
      body + "\n}\n";
  ir::Launch launch;
  launch.block = ir::Extent{64, 1, 1};
  for (const std::string& label : loops) launch.loop_bounds.push_back({label, 10});
  auto reading = frontend::read_kernels(std::make_shared<const support::SourceFile>("t.ptx", text), "", launch);
  for (const support::Diagnostic& error : reading.errors) FAIL(render(error, false));
  REQUIRE(reading.kernels.size() == 1);
  return std::move(reading.kernels.front());
}

// Loads of parameters that were put into each block.
std::vector<int> added(const frontend::AnalysedKernel& k, bool keeps = false) {
  const ir::Kernel result = timing::with_constant_reads(k.kernel, k.flow, keeps).kernel;
  std::vector<int> counts;
  for (size_t b = 0; b < result.blocks.size(); ++b) {
    counts.push_back(static_cast<int>(result.blocks[b].count - k.kernel.blocks[b].count));
  }
  return counts;
}

bool keeping_matters(const frontend::AnalysedKernel& k) {
  return timing::with_constant_reads(k.kernel, k.flow, false).keeping_matters;
}

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
  CHECK(keeping_matters(k));
  CHECK(added(k, true) == Counts{start, 0, 0});
}

TEST_CASE("a parameter that is loaded in the loop is read there as it stands") {
  const auto k = kernel(
      "mov.u32 %r2, 0;\nL:\nld.param.u32 %r1, [n];\nadd.s32 %r2, %r2, %r1;\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra "
      "L;\nret;",
      {"L"});
  CHECK(added(k) == Counts{start, 0, 0});
  CHECK_FALSE(keeping_matters(k));
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
  CHECK_FALSE(keeping_matters(k));
}

TEST_CASE("outside of loops one other block reads a parameter for nothing more, two do not") {
  const std::string head =
      "ld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra A;\n"
      "add.s32 %r3, %r2, %r1;\nA:\n";
  CHECK(added(kernel(head + "ret;")) == Counts{start, 0, 0});
  CHECK(added(kernel(head + "add.s32 %r4, %r2, %r1;\nret;")) == Counts{start, 1, 1});
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
  CHECK(keeping_matters(looping));
  CHECK(added(looping, true) == Counts{start + 1, 0, 0});
}

TEST_CASE("every read is waited for before the instruction that needs it issues") {
  const auto k = kernel(
      "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\nmov.u64 %rd2, 0;\nmov.u32 %r2, 0;\n"
      "L:\nadd.s64 %rd2, %rd2, %rd1;\nadd.s32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra L;\nret;",
      {"L"});
  const auto machine = timing::load_machine("ampere");
  REQUIRE(machine.ok());
  const auto worst = [&](const ir::Kernel& code) {
    const auto time = timing::one_warp_time(code, k.flow, *machine, timing::Case::worst);
    REQUIRE(time.ok());
    return time->value().value();
  };
  const int64_t delay = machine->figures(ir::OperationKind::load_param)->latency.worst;
  const int64_t kept = worst(timing::with_constant_reads(k.kernel, k.flow, true).kernel);
  CHECK(kept >= worst(k.kernel) + start * delay);
  CHECK(worst(timing::with_constant_reads(k.kernel, k.flow, false).kernel) >= (start + 10 * 2) * delay);
  CHECK(kept < (start + 4) * delay);
}

TEST_CASE("a bound says what it takes the constant caches to keep") {
  const auto k = kernel(loop_over_parameters, {"L"});
  const auto machine = timing::load_machine("ampere");
  REQUIRE(machine.ok());
  timing::Limits limits;
  limits.seconds = 0;
  const auto bound = [&](const timing::AssumptionSet& granted) {
    auto analysis = timing::analyse(k.kernel, k.flow, k.launch, *machine, granted, limits);
    REQUIRE(analysis.ok());
    REQUIRE(analysis->bounds.front().model == "pipeline");
    return analysis->bounds.front().bound;
  };
  timing::AssumptionSet keeps;
  keeps.grant(timing::Assumption::keeps_constants);
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
