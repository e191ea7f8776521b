// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/execution/executor.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "frontend/sass/execution/warp.hpp"
#include "frontend/sass/words/decode.hpp"

using namespace warpspan;
using execution::Executor;
using Words = std::vector<sass::Word>;

namespace {

constexpr sass::Word exit_word{0x000000000000794d, 0x000fea0003800000};
constexpr sass::Word barrier{0x0000000000007b1d, 0x000fe40000010000};  // BAR.SYNC.DEFER_BLOCKING 0x0

// A pointer, an integer and a structure with a pointer at its end.
std::shared_ptr<sass::Code> code_of(Words words) {
  auto code = std::make_shared<sass::Code>();
  code->architecture = 90;
  code->name = "k";
  words.push_back(exit_word);
  for (const sass::Word& word : words)
    code->instructions.push_back(sass::decode_word(word, 90, code->instructions.size() * sass::word_bytes));
  code->sections = {{"k", 0, static_cast<uint32_t>(words.size())}};
  code->parameters = {{0x210, 8, "x"}, {0x218, 4, "n"}, {0x220, 16, "s"}};
  return code;
}

std::unique_ptr<Executor> executor_of(const Words& words, const ir::Launch& launch,
                                      const ir::ExecutionOptions& options = {}) {
  const auto code = code_of(words);
  std::vector<ir::InstructionId> ids(code->instructions.size());
  std::iota(ids.begin(), ids.end(), 0);
  auto made = Executor::make(code, ids, launch, options);
  REQUIRE(made);
  return std::move(*made);
}

ir::Launch launch_of(ir::Extent block) {
  ir::Launch launch;
  launch.block = block;
  launch.grid = ir::Extent{4, 2, 1};
  return launch;
}

}  // namespace

TEST_CASE("executor: a barrier opens when all threads of the block have come") {
  const auto executor = executor_of({barrier, barrier}, launch_of({80, 1, 1}));
  const ir::BlockTrace trace = executor->run(0);
  CHECK(trace.stopped.empty());
  CHECK(trace.openings[0] == std::vector<uint32_t>{80, 80});
  REQUIRE(trace.warps.size() == 3);
  const ir::WarpTrace& last = trace.warps.back();
  REQUIRE(last.steps.size() == 5);  // each barrier and that it opens, and the end
  CHECK(last.steps[1].instruction == ir::TracedStep::wait);
  CHECK(last.steps[1].request == 0);  // of barrier 0
  CHECK(last.steps[4].instruction == 2);
  CHECK(last.requests[0].kind == ir::TracedRequest::Kind::arrival);
  CHECK(last.requests[0].count == 16);
}

TEST_CASE("executor: who tries at a barrier object waits for others, and gives up where nobody is left") {
  // mbarrier.init [b], 32 by thread 0; threads below 32 repeat try_wait until it tells that phase 0 is over, all others
  // arrive once.
  const Words words = {
      {0x00000a00ff017b82, 0x000fe20000000800}, {0x0000000000007919, 0x000e220000002100},
      {0x0000002000047882, 0x000fe20000000000}, {0x000000ff0000720c, 0x041fe40003f05070},
      {0x000000200000780c, 0x000fd60003f26070}, {0x00000000003f7886, 0x000fca0000000000},
      {0x00000000000789c3, 0x000e220000008800}, {0x0000040000068882, 0x000fe20000000000},
      {0x0010000004048890, 0x000fc8000fffe13f}, {0x0000000b04058899, 0x000fe4000800063f},
      {0x0000000104048899, 0x000fe4000800063f}, {0x0000000607068291, 0x001fe2000f8ec03f},
      {0x00000000003f7886, 0x000fd60000000000}, {0x00000004063f85b2, 0x0000640008000100},
      {0x0000000000007b1d, 0x002fec0000010000}, {0x0000000000281947, 0x001fea0003800000},
      {0x0000000000037919, 0x000e220000008800}, {0x0000040000027802, 0x000fe40000000f00},
      {0x0000001fff007819, 0x000fe400000006ff}, {0x0000000203037211, 0x001fc800078ec0ff},
      {0x00000000030075a7, 0x000e24000800017f}, {0x000000000000094d, 0x001fea0003800000},
      {0x0000000000007946, 0x000fea0003800000}, {0x00000000030075a7, 0x000e24000800017f},
      {0xfffffffc00f48947, 0x001fea000383ffff}, {0x000000000000794d, 0x000fea0003800000},
      {0x00000000000579c3, 0x000e220000008800}, {0x0000040000047882, 0x000fe40000000000},
      {0x0000000405047291, 0x001fd2000f8ec03f}, {0x000000ffffff79a7, 0x000fe20008100004},
      {0x000000000000794d, 0x000fea0003800000},
  };
  const auto tries = [&](int64_t threads) {
    ir::ExecutionOptions options;
    options.most_steps = 2000;
    return executor_of(words, launch_of({threads, 1, 1}), options)->run(0);
  };
  const auto gave_up = [](const ir::BlockTrace& trace) {
    const auto& requests = trace.warps[0].requests;
    return std::count_if(requests.begin(), requests.end(),
                         [](const auto& each) { return each.kind == ir::TracedRequest::Kind::gave_up; });
  };
  const ir::BlockTrace trace = tries(64);
  CHECK(trace.stopped.empty());
  CHECK(trace.zeroed.empty());
  CHECK(gave_up(trace) == 0);
  const ir::BlockTrace alone = tries(32);
  CHECK(!alone.stopped.empty());
  CHECK(gave_up(alone) > 100);
}

TEST_CASE("executor: threads that have ended are not waited for") {
  // S2R R0, SR_TID.X; ISETP.GE.U32 P0, R0, 0x20; @P0 EXIT
  const Words words = {{0x0000000000007919, 0x000e220000002100},
                       {0x000000200000780c, 0x000fda0003f06070},
                       {0x000000000000094d, 0x000fea0003800000},
                       barrier};
  const ir::BlockTrace trace = executor_of(words, launch_of({64, 1, 1}))->run(0);
  CHECK(trace.stopped.empty());
  CHECK(trace.openings[0] == std::vector<uint32_t>{32});
}

TEST_CASE("executor: constant bank 0 has the launch and the parameters") {
  ir::Launch launch = launch_of({16, 2, 1});
  launch.arguments = {{"n", "0x11"}, {"2", "5..9", ir::ByteRange{0, 4}}};
  launch.buffers = {{"s+8", 64}};
  const auto executor = executor_of({}, launch);
  const execution::Bank& bank = executor->banks().at(0);
  CHECK(bank.word(0) == 16);
  CHECK(bank.word(4) == 2);
  CHECK(bank.word(0xc) == 4);
  CHECK(bank.word(0x28) == execution::stack_top);
  CHECK(bank.word(0x218) == 0x11);
  CHECK(bank.word(0x220) == 9);
  CHECK(bank.word(0x224) == 0);
  const auto pointer = [&](uint64_t at) { return bank.word(at) | uint64_t{bank.word(at + 4)} << 32; };
  CHECK(pointer(0x210) % 256 == 0);
  CHECK(pointer(0x228) > pointer(0x210) + 0x100000000);
  const ir::BlockTrace trace = executor->run(5);
  CHECK(trace.assumed ==
        std::vector<std::string>{
            "Parameter 's' has the last value of 5..9.",
            "Parameters of 8 bytes that have no value point to memory that no other of them points to.",
            "The memory that parameters point to holds zeros before the kernel runs."});
}

TEST_CASE("executor: what is given for no parameter is an error") {
  ir::Launch launch = launch_of({32, 1, 1});
  launch.arguments = {{"m", "1"}};
  const auto code = code_of({});
  const std::vector<ir::InstructionId> ids(code->instructions.size(), 0);
  CHECK(Executor::make(code, ids, launch, {}).errors().front().message == "kernel 'k' has no parameter 'm'");
  launch.arguments = {{"n", "0x100000000"}};
  CHECK_FALSE(Executor::make(code, ids, launch, {}));
  launch.arguments.clear();
  ir::ExecutionOptions options;
  options.pointed = {{"s+9", {}}};
  CHECK_FALSE(Executor::make(code, ids, launch, options));
  options.pointed = {{"n", {}}};
  CHECK(Executor::make(code, ids, launch, options).errors().front().message ==
        "parameter 'n' of kernel 'k' is too small for a pointer");
}

TEST_CASE("executor: memory that parameters point to has its contents, and keeps what blocks store") {
  ir::ExecutionOptions options;
  options.contents.kind = ir::Contents::Kind::ramp;
  options.pointed = {{"s+8", {ir::Contents::Kind::bytes, 0, 0, std::make_shared<const std::string>("abcdefg")}}};
  // LDC.64 R2, c[0x0][0x210]; ULDC.64 UR6, c[0x0][0x208]; LDG.E R9, [R2.64+4]; IADD R9, R9, 5; STG.E [R2.64+4], R9
  const Words words = {{0x00008400ff027b82, 0x000e220000000a00},
                       {0x0000820000067ab9, 0x000fce0000000a00},
                       {0x0000040602097981, 0x000ee2000c1e1900},
                       {0x0000000509097810, 0x000fe20007ffe0ff},
                       {0x0000040902007986, 0x000fe2000c101906}};
  const auto executor = executor_of(words, launch_of({1, 1, 1}), options);
  const execution::Bank& bank = executor->banks().at(0);
  const uint64_t x = bank.word(0x210) | uint64_t{bank.word(0x214)} << 32;
  const uint64_t s = bank.word(0x228) | uint64_t{bank.word(0x22c)} << 32;
  CHECK(executor->memory().load<uint32_t>(x + 40) == 10);
  CHECK(executor->memory().load<uint32_t>(s) == 0x64636261);
  CHECK(executor->memory().load<uint32_t>(s + 4) == 0x676665);
  executor->run(0);
  executor->run(1);
  CHECK(executor->memory().load<uint32_t>(x + 4) == 11);
}

TEST_CASE("executor: registers are 0 when a block begins, whatever one before it had in them") {
  ir::ExecutionOptions options;
  options.contents.kind = ir::Contents::Kind::ramp;
  // As above, but for the store: it stands before the load, and nothing has written R9.
  const Words words = {{0x00008400ff027b82, 0x000e220000000a00},
                       {0x0000820000067ab9, 0x000fce0000000a00},
                       {0x0000040902007986, 0x000fe2000c101906},
                       {0x0000040602097981, 0x000ee2000c1e1900},
                       {0x0000000509097810, 0x000fe20007ffe0ff}};
  const auto executor = executor_of(words, launch_of({1, 1, 1}), options);
  const execution::Bank& bank = executor->banks().at(0);
  const uint64_t x = bank.word(0x210) | uint64_t{bank.word(0x214)} << 32;
  CHECK(executor->memory().load<uint32_t>(x + 4) == 1);
  executor->run(0);
  executor->run(1);
  CHECK(executor->memory().load<uint32_t>(x + 4) == 0);
}

TEST_CASE("executor: a trap ends a block") {
  const ir::BlockTrace trace = executor_of({{0x000000040000795c, 0x000fea0000300000}}, launch_of({32, 1, 1}))->run(0);
  CHECK(trace.stopped == "a warp comes to the trap at 0x0");  // BPT.TRAP
}
