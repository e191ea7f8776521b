// SPDX-License-Identifier: GPL-3.0-or-later
// What warps do besides arithmetic, and what their traces tell of it. Comments are what NVIDIA's disassembler prints.
#include "frontend/sass/execution/warp.hpp"

#include <bit>
#include <catch2/catch.hpp>

#include "tests/frontend/sass/execution/executed.hpp"

using namespace warpspan;
using ir::TracedRequest;
using test::Executed;
using Words = std::vector<sass::Word>;

namespace {

constexpr uint64_t base = 0x100000000000;  // of an array

constexpr sass::Word load{0x0000000602097981, 0x000ee2000c1e1900};         // LDG.E R9, [R2.64]
constexpr sass::Word wide_load{0x007d000604087981, 0x000ea2000c1e1d00};    // LDG.E.128 R8, [R4.64+0x7d00]
constexpr sass::Word shared_load{0x0000000006067984, 0x000e280000000800};  // LDS R6, [R6]

void point(Executed& subject, unsigned reg, uint64_t bytes) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    const uint64_t address = base + lane * bytes;
    subject.general(reg)[lane] = static_cast<uint32_t>(address);
    subject.general(reg + 1)[lane] = static_cast<uint32_t>(address >> 32);
  }
}

TracedRequest only_request(const ir::WarpTrace& trace) {
  REQUIRE(trace.requests.size() == 1);
  CHECK(trace.steps.front().request == 0);
  return trace.requests.front();
}

TracedRequest request_of_stride(uint64_t bytes) {
  Executed subject(90, Words{load});
  point(subject, 2, bytes);
  return only_request(subject.run().trace());
}

}  // namespace

TEST_CASE("execution: a load asks for the sectors that its lanes touch") {
  CHECK(request_of_stride(4).count == 4);
  CHECK(request_of_stride(8).count == 8);
  CHECK(request_of_stride(128).count == 32);
  CHECK(request_of_stride(0).count == 1);
  CHECK(request_of_stride(4).kind == TracedRequest::Kind::load);
  CHECK(request_of_stride(4).lanes == 32);
  CHECK(request_of_stride(4).bytes == 4);
  Executed subject(90, Words{wide_load});
  point(subject, 4, 16);
  const ir::WarpTrace trace = subject.run().trace();
  CHECK(only_request(trace).count == 16);
  CHECK(trace.sectors.front() == (base + 0x7d00) / 32);
}

TEST_CASE("execution: lanes load what is in memory") {
  Executed subject(90, Words{load});
  point(subject, 2, 4);
  subject.global.store<uint32_t>(base + 20, 77);
  subject.run();
  CHECK(subject.general(9)[5] == 77);
  CHECK(subject.general(9)[6] == 0);
}

TEST_CASE("execution: shared memory serves a word of each bank at a time") {
  const auto wavefronts = [](uint32_t stride) {
    Executed subject(90, Words{shared_load});
    for (unsigned lane = 0; lane < 32; ++lane) subject.general(6)[lane] = lane * stride;
    const TracedRequest request = only_request(subject.run().trace());
    CHECK(request.kind == TracedRequest::Kind::shared);
    return request.serial;
  };
  CHECK(wavefronts(4) == 1);
  CHECK(wavefronts(8) == 2);
  CHECK(wavefronts(128) == 32);
  CHECK(wavefronts(132) == 1);
  CHECK(wavefronts(0) == 1);  // one word for all
}

TEST_CASE("execution: atomics at one address follow one another") {
  // REDG.E.ADD.STRONG.GPU [R14.64], R13
  const auto run = [](uint64_t stride, uint32_t expected, uint32_t sum) {
    Executed subject(90, Words{{0x0000000d0e00798e, 0x0001e8000c10e186}});
    point(subject, 14, stride);
    const TracedRequest request = only_request(subject.general(13, 3).run().trace());
    CHECK(request.kind == TracedRequest::Kind::reduction);
    CHECK(request.serial == expected);
    CHECK(subject.global.load<uint32_t>(base) == sum);
  };
  run(0, 32, 96);
  run(4, 4, 3);  // in four sectors
}

TEST_CASE("execution: lanes of a generic atomic that go to shared memory do not follow those that go beyond") {
  // ATOM.E.ADD.STRONG.GPU R0, [R2.64], R5, of odd lanes to shared memory
  Executed subject(90, Words{{0x000000050200798a, 0x000ea200081ee1c6}});
  point(subject, 2, 4);
  for (unsigned lane = 1; lane < 32; lane += 2) {
    subject.general(2)[lane] = lane * 4;
    subject.general(3)[lane] = execution::shared_window >> 32;
  }
  const TracedRequest request = only_request(subject.general(5, 1).run().trace());
  CHECK(request.kind == TracedRequest::Kind::atomic);
  CHECK(request.count == 4);
  CHECK(request.serial == 4);
  CHECK(subject.state().shared.load<uint32_t>(4) == 1);
}

TEST_CASE("execution: a compare-and-swap succeeds for one lane of an address") {
  // ATOMG.E.CAS.STRONG.GPU PT, R21, [R2], R24, R25
  Executed subject(90, Words{{0x00000018021573a9, 0x000ea200001ee119}});
  point(subject, 2, 0);
  subject.global.store<uint32_t>(base, 1);
  const TracedRequest request = only_request(subject.general(24, 1).general(25, 2).run().trace());
  CHECK(request.kind == TracedRequest::Kind::atomic);
  CHECK(subject.general(21)[0] == 1);
  CHECK(subject.general(21)[1] == 2);
  CHECK(subject.global.load<uint32_t>(base) == 2);
}

TEST_CASE("execution: a try that code repeats succeeds for one word of each bank") {
  // ATOMS.CAST.SPIN R7, [R2], R6, R7 of h_satom_f32_bank, and the same with 64 bits
  const auto exchanged = [](const sass::Word& word, uint32_t stride) {
    Executed subject(90, Words{word});
    for (unsigned lane = 0; lane < 32; ++lane) subject.general(word.low >> 24 & 0xff)[lane] = lane * stride;
    const TracedRequest request =
        only_request(subject.general(4, 0).general(5, 0).general(6, 0).general(7, 1).run().trace());
    CHECK(request.kind == TracedRequest::Kind::shared_atomic);
    unsigned sum = 0;
    for (unsigned lane = 0; lane < 32; ++lane) sum += subject.general(word.low >> 16 & 0xff)[lane];
    return std::pair(sum, request.serial);
  };
  const sass::Word word = {0x000000060207738d, 0x000e240001800007}, wide = {0x000000040b04738d, 0x000e240001800406};
  using Found = std::pair<unsigned, uint16_t>;
  CHECK(exchanged(word, 4) == Found{32, 1});
  CHECK(exchanged(word, 128) == Found{1, 32});  // 32 words of one bank
  CHECK(exchanged(word, 64) == Found{2, 16});   // of two
  CHECK(exchanged(word, 0) == Found{1, 1});     // one word, which the first lane changes, looked at for all at once
  CHECK(exchanged(wide, 8) == Found{32, 2});
  CHECK(exchanged(wide, 256) == Found{2, 32});  // each half of the warp tries one
}

TEST_CASE("execution: a thread's own memory lies in sectors of its warp") {
  Executed subject(90, Words{{0x0000000001097983, 0x000ee20000100800}});  // LDL R9, [R1]
  subject.general(1, 0x8000).run();
  const ir::WarpTrace trace = subject.trace();
  CHECK(only_request(trace).count == 4);
  CHECK(trace.sectors.front() >= uint64_t{1} << 51);
}

TEST_CASE("execution: shuffles, votes and reductions of a warp") {
  Executed subject(90, Words{{0x0c201f00060b7f89, 0x001fe200000e0000},    // SHFL.BFLY PT, R11, R6, 0x1, 0x1f
                             {0x04580000060d7f89, 0x000e6800000e0000},    // SHFL.UP PT, R13, R6, 0x2, 0x1800
                             {0x0000000000117806, 0x000fca00000e0100},    // VOTE.ANY R17, PT, P0
                             {0x00000000060573c4, 0x000e22000000c200},    // REDUX.SUM.S32 UR5, R6
                             {0x00000000060f73a1, 0x000e2200000e8000}});  // MATCH.ANY R15, R6
  for (unsigned lane = 0; lane < 32; ++lane) subject.general(6)[lane] = lane / 2;
  subject.predicate(0, 0x12345678).run();
  CHECK(subject.general(11)[4] == 2);
  CHECK(subject.general(13)[9] == 4);  // of segments of 8: lane 9 keeps its own
  CHECK(subject.general(13)[12] == 5);
  CHECK(subject.general(17)[3] == 0x12345678);
  CHECK(subject.registers().uniform[5] == 240);
  CHECK(subject.general(15)[5] == 0x30);
  const ir::WarpTrace trace = subject.trace();
  CHECK(only_request({{{0, 0}}, trace.requests, {}}).serial == 16);
}

TEST_CASE("execution: an address or a branch that depends on memory, or on what is not given, is noted") {
  const sass::Word compare{0x000000040900780c, 0x000fd00003f06270};  // ISETP.GE.AND P0, PT, R9, 0x4, PT
  const sass::Word ends{0x000000000000094d, 0x000fea0003800000};     // @P0 EXIT
  Executed depends(90, Words{load, compare, ends});
  point(depends, 2, 4);
  CHECK(depends.run().state().deciding == execution::of_memory);
  Executed is_apart(90, Words{load, {0x000000040800780c, 0x000fd00003f06270}, ends});  // of R8
  point(is_apart, 2, 4);
  CHECK(is_apart.run().state().deciding == 0);
  Executed address(90, Words{load, {0x00000000ff027224, 0x004fe200078e0009}, load});  // R2 = R9
  point(address, 2, 4);
  CHECK(address.run().state().deciding == execution::of_memory);
  // ISETP.GE.AND P0, PT, R9, c[0x0][0x160], PT, where nobody gives what lies there
  const sass::Word compare_parameter{0x0000580009007a0c, 0x000fd00003f06270};
  execution::Banks banks;
  banks[0].put(0x160, 0, 4);
  Executed given(80, Words{compare_parameter, ends}, banks);
  CHECK(given.run().state().deciding == 0);
  banks[0].set_unknown(0x162);
  Executed unknown(80, Words{compare_parameter, ends}, banks);
  CHECK(unknown.run().state().deciding == execution::of_unknown);
}

TEST_CASE("execution: registers that a warp asks for are there") {
  Executed subject(90, Words{{0x00000080000079c8, 0x001e240008000600}});  // USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0x80
  subject.run();
  CHECK(subject.registers().uniform_predicates[0]);
  CHECK(subject.unknown().empty());
}

TEST_CASE("execution: how long a warp sleeps, and which lines it names") {
  Executed sleeper(90, Words{{0x000003e80000795d, 0x000fea0003800000}});  // NANOSLEEP 0x3e8
  const TracedRequest sleep = only_request(sleeper.run().trace());
  CHECK(sleep.kind == TracedRequest::Kind::sleep);
  CHECK(sleep.first == 1000);
  Executed subject(90, Words{{0x000000000400798f, 0x0001f20000800100}});  // CCTL.E.PF2 [R4]
  point(subject, 4, 128);
  const TracedRequest lines = only_request(subject.run().trace());
  CHECK(lines.kind == TracedRequest::Kind::line);
  CHECK(lines.count == 32);
  CHECK(subject.unknown().empty());
}

TEST_CASE("execution: lanes with different values are served one after another, until none is left") {
  // @P0 R2UR P1, UR8, R0 and @P0 R2UR.OR P1, UR10, R8: the lanes that have other values than the first one.
  Executed subject(90, Words{{0x00000000000802ca, 0x000fd00000020000}, {0x00000000080a02ca, 0x000fd00000120000}});
  for (unsigned lane = 0; lane < 32; ++lane) {
    subject.general(0)[lane] = lane / 16;
    subject.general(8)[lane] = lane / 8;
  }
  subject.predicate(0, 0xffffff00).predicate(1, 0).run();
  CHECK(subject.registers().uniform[8] == 0);
  CHECK(subject.registers().uniform[10] == 1);
  CHECK(subject.predicate(1) == 0xffff0000);
  CHECK(subject.unknown().empty());
}

TEST_CASE("execution: an atomic of halves leaves shared memory to others, and tells so") {
  Executed subject(90,
                   Words{{0x00000009020479a2, 0x000162000810e1c6}});  // ATOM.E.ADD.F16x2.STRONG.GPU P0, R4, [R2], R9
  point(subject, 2, 4);
  for (unsigned lane = 0; lane < 8; ++lane) {
    subject.general(2)[lane] = 0;
    subject.general(3)[lane] = static_cast<uint32_t>(execution::shared_window >> 32);
  }
  const TracedRequest request = only_request(subject.run().trace());
  CHECK(subject.predicate(0) == 0xffffff00);
  CHECK(request.kind == TracedRequest::Kind::atomic);
  CHECK(request.lanes == 24);
}

TEST_CASE("execution: shared memory of another block of the cluster is told apart") {
  Executed subject(90, Words{shared_load});
  subject.general(6, 64).run();
  CHECK(only_request(subject.trace()).kind == TracedRequest::Kind::shared);
  Executed other(90, Words{shared_load});
  other.general(6, 64 + (1U << 24)).run();
  CHECK(only_request(other.trace()).kind == TracedRequest::Kind::remote);
}

TEST_CASE("execution: phases of a barrier object end when all have arrived and all bytes have come") {
  constexpr uint32_t two = 0x100000 - 2;
  constexpr sass::Word arrive{0x000000ffffff19a7, 0x000fea0008100006};    // @P1 SYNCS.ARRIVE.TRANS64.A1T0 RZ, [UR6], RZ
  constexpr sass::Word expect{0x00000007ffff19a7, 0x0001ea0008300406};    // the same, .RED.A0TR: R7 bytes
  constexpr sass::Word complete{0x00000007ffff19a7, 0x0001d80008400406};  // the same, .RED.A0TX: they are there
  const auto is_over = [](const std::vector<sass::Word>& more) {
    std::vector<sass::Word> words = {{0x00000004063f85b2, 0x0001240008000100}};  // @!UP0 SYNCS.EXCH.64 URZ, [UR6], UR4
    words.insert(words.end(), more.begin(), more.end());
    words.push_back({0x00000003ff0075a7, 0x000e220008000046});  // SYNCS.PHASECHK.TRANS64 P0, [UR6], R3
    Executed subject(90, words);
    subject.uniform(4, two << 1).uniform(5, two << 11).uniform(6, 64).general(7, 16).predicate(1, 1);
    subject.run();
    CHECK(subject.unknown().empty());
    return subject.predicate(0) == execution::all_lanes;
  };
  CHECK(!is_over({}));
  CHECK(!is_over({arrive}));
  CHECK(is_over({arrive, arrive}));
  CHECK(!is_over({arrive, arrive, arrive, arrive}));  // phase 1 is over too, so that of the other parity
  CHECK(!is_over({arrive, expect, arrive}));
  CHECK(is_over({arrive, expect, arrive, complete}));
}

TEST_CASE("execution: a bulk copy from shared memory") {
  Executed subject(90, Words{{0x00000006050073ba, 0x0003e20008000408}});  // UBLKCP.G.S [UR6], [UR5], UR8
  subject.uniform(6, static_cast<uint32_t>(base)).uniform(7, static_cast<uint32_t>(base >> 32));
  subject.uniform(5, 64).uniform(8, 4);  // 64 bytes
  subject.state().shared.store<uint32_t>(64 + 60, 7);
  const ir::WarpTrace trace = subject.run().trace();
  const TracedRequest copy = only_request(trace);
  CHECK(copy.kind == TracedRequest::Kind::bulk_store);
  CHECK(copy.count == 2);
  CHECK(trace.sectors.front() == base / 32);
  CHECK(subject.global.load<uint32_t>(base + 60) == 7);
  CHECK(subject.global.load<uint32_t>(base + 64) == 0);
  CHECK(subject.unknown().empty());
}

TEST_CASE("execution: whether an address is one of shared memory") {
  Executed subject(90, Words{{0x0000000002ff73aa, 0x000e240000000500}});  // QSPC.E.S P0, RZ, [R2]
  point(subject, 2, 4);
  subject.general(3)[5] = static_cast<uint32_t>(execution::shared_window >> 32);
  subject.run();
  CHECK(subject.predicate(0) == 1U << 5);
}

TEST_CASE("execution: a texture asks for two texels of each dimension, of rows that lie eight together") {
  const auto count = [](bool is_spread) {
    Executed subject(90, Words{{0x2000060a06067f60, 0x000f6200099e03ff}});  // TEX.LL RZ, R6, R6, R10, UR6, 2D
    for (unsigned lane = 0; is_spread && lane < 32; ++lane)
      subject.general(6)[lane] = std::bit_cast<uint32_t>(static_cast<float>(lane) / 1024.0F);
    return only_request(subject.run().trace()).count;
  };
  CHECK(count(false) == 2);      // two texels of a row in one sector
  CHECK(count(true) == 2 * 17);  // 33 texels of each of two rows
}

TEST_CASE("execution: what is not known writes zeros, and is named") {
  Executed subject(90, Words{{0x0000000602087362, 0x000e620000000000}, {0x000000040208723c, 0x000fe20000001808}});
  subject.general(8, 5).run();  // an unknown word, and HMMA.16816.F32 R8, R2, R4, R8
  CHECK(subject.general(8)[0] == 0);
  CHECK(subject.unknown().contains("HMMA"));
  CHECK(subject.unknown().size() == 2);
}

TEST_CASE("execution: a block that needs too many steps is given up") {
  Executed subject(90, Words{{0xfffffffc00fc7947, 0x000fc0000383ffff}});  // BRA to itself
  subject.run();
  CHECK(subject.state().stopped == "a block needs more than 10000 steps");
}

TEST_CASE("execution: it is told where lanes that have diverged share a uniform register") {
  constexpr sass::Word skip{0x0000000000040947, 0x000fea0003800000};   // @P0 BRA behind the next word
  constexpr sass::Word write{0x0000000000047886, 0x000fe200038e0100};  // VOTEU.ANY UR4, UPT, PT
  constexpr sass::Word read{0x00000004ff037e24, 0x000fe2000f8e00ff};   // IMAD.U32 R3, RZ, RZ, UR4
  const auto is_apart = [&](const Words& words, execution::LaneSet lanes) {
    Executed subject(90, words);
    subject.predicate(0, lanes).run();
    CHECK(subject.unknown().empty());
    return subject.state().uniform_apart;
  };
  CHECK(is_apart({skip, read, write}, 0xffff));  // those that branch come first
  CHECK_FALSE(is_apart({write, skip, read, read}, 0xffff));
  CHECK_FALSE(is_apart({skip, read, write}, 0));
  CHECK_FALSE(is_apart({skip, read, write}, ~execution::LaneSet{0}));
}
