// SPDX-License-Identifier: GPL-3.0-or-later
// Flow::objects and Flow::accesses: forms, spans, lines and density of single accesses.
#include "tests/frontend/lift/accesses/described_accesses.hpp"

using namespace warpspan;
using namespace warpspan::test::described;
using test::block_of;
using test::with_argument;
using test::with_grid;

TEST_CASE("accesses side by side are dense, with a tail guard too") {
  const std::string body = "setp.ge.s32 %p1, %r3, %r4;\n@%p1 bra E;\nmov.u32 %r9, %r3;\n" + load + "E:\n";
  CHECK(access_of("mov.u32 %r9, %r3;\n" + load, large) ==
        "p: 4 * threadIdx.x + 1024 * blockIdx.x [0,65536) 2 9 513 dense");
  CHECK(access_of(body, with_argument(with_grid(block_of(256), 80), "n", "20000")) ==
        "p: 4 * threadIdx.x + 1024 * blockIdx.x [0,80000) 2 9 626 dense");
  // How many threads there are is not known: neither how far it goes nor whether it is dense.
  CHECK(access_of(body, large) == "p: 4 * threadIdx.x + 1024 * blockIdx.x [0,65536) 2 9 513");
  CHECK(access_of("mov.u32 %r9, %r3;\n" + load, block_of(256)) == "p: 4 * threadIdx.x + 1024 * b 2 9 -");
  // Below 64 KiB.
  CHECK(access_of("mov.u32 %r9, %r3;\n" + load, with_grid(block_of(256), 63)) ==
        "p: 4 * threadIdx.x + 1024 * blockIdx.x [0,64512) 2 9 505");
}

TEST_CASE("lines are counted wherever the object begins, and where it begins at best") {
  const auto lines = [](const std::string& body) {
    const ir::Flow flow = test::facts_of(start + body + load + "ret;", large);
    REQUIRE(flow.accesses.size() == 1);
    return std::pair(flow.accesses[0].grid_lines, flow.accesses[0].fewest_grid_lines);
  };
  CHECK(lines("mov.u32 %r9, %r3;\n") == std::pair(std::optional<int64_t>(513), std::optional<int64_t>(512)));
  // A KiB of every other.
  CHECK(lines("mad.lo.s32 %r9, %r2, 512, %r1;\n") ==
        std::pair(std::optional<int64_t>(64 * 9), std::optional<int64_t>(64 * 8)));
  // 4 bytes of every 512: what they span is more.
  CHECK(lines("mul.lo.s32 %r9, %r3, 128;\n") ==
        std::pair(std::optional<int64_t>(2 * 16384), std::optional<int64_t>(16384)));
  // No form: what they span.
  CHECK(lines("and.b32 %r9, %r4, 4095;\n") == std::pair(std::optional<int64_t>(129), std::optional<int64_t>(128)));
}

TEST_CASE("copies by threads are dense where they read all bytes that they are asked for") {
  const auto copied = [](const std::string& sizes) {
    return access_of(
        "mul.wide.s32 %d2, %r3, 4;\nadd.s64 %d3, %d1, %d2;\nmov.u32 %r8, tile;\n"
        "cp.async.ca.shared.global [%r8], [%d3], " +
            sizes + ";\n",
        large);
  };
  const std::string expected = "p: 4 * threadIdx.x + 1024 * blockIdx.x [0,65536) 2 9 513";
  CHECK(copied("4") == expected + " dense");
  CHECK(copied("4, 4") == expected + " dense");
  CHECK(copied("4, 2") == expected);
  CHECK(copied("4, %r4") == expected);
}

TEST_CASE("what leaves lines out, or asks for some too often, is not dense") {
  const auto is_dense = [](const std::string& index) {
    return access_of(index + "\n" + load, large).ends_with(" dense");
  };
  CHECK(is_dense("mul.lo.s32 %r9, %r3, 32;"));         // one element of each line
  CHECK_FALSE(is_dense("mul.lo.s32 %r9, %r3, 64;"));   // one of every other line
  CHECK_FALSE(is_dense("mov.u32 %r9, %r1;"));          // the same kilobyte by all blocks
  CHECK_FALSE(is_dense("mov.u32 %r9, %r4;"));          // one line by all
  CHECK_FALSE(is_dense("mul.lo.s32 %r9, %r3, %r3;"));  // no sum
  // Half of each row.
  CHECK_FALSE(is_dense("mad.lo.s32 %r9, %r2, 512, %r1;"));
  // Only threads that find something in memory.
  CHECK_FALSE(
      is_dense("ld.shared.u32 %r11, [tile];\nsetp.eq.s32 %p1, %r11, 0;\n@%p1 bra L;\nret;\nL:\nmov.u32 %r9, %r3;"));
}

TEST_CASE("copies of an unrolled loop are dense together") {
  const std::string both = "mad.lo.s32 %r9, %r2, 512, %r1;\n" + load + "ld.global.u32 %r11, [%d3+1024];\n";
  const ir::Flow flow = test::facts_of(start + both + "ret;", large);
  REQUIRE(flow.accesses.size() == 2);
  for (const ir::Access& access : flow.accesses) {
    CHECK(access.dense);
    CHECK(access.dense_with == flow.accesses[0].instruction);
  }
  CHECK(flow.accesses[1].span == ir::ByteSpan{1024, 131072});
}

TEST_CASE("a value that may wrap has no form") {
  const ir::Launch launch = with_grid(block_of(256), 4);
  CHECK(access_of("add.u32 %r9, %r3, 0x7fffffff;\n" + load, launch) == "p: - - -");
  CHECK(access_of(
            "add.u32 %r9, %r3, -4;\nmul.wide.u32 %d2, %r9, 4;\nadd.s64 %d3, %d1, %d2;\nld.global.u32 %r10, [%d3];\n",
            launch) == "p: - - -");
  CHECK(access_of("add.u32 %r9, %r3, -4;\n" + load, launch) ==
        "p: 4 * threadIdx.x + 1024 * blockIdx.x - 16 [-16,4080) 2 9 33");
}

// As where ptxas unrolls a loop for more iterations than there are.
TEST_CASE("a pointer steps along in a loop of which some paths are never taken") {
  const std::string loop =
      "mul.wide.u32 %d2, %r3, 4;\nadd.s64 %d3, %d1, %d2;\nmov.u32 %r7, 0;\n$L:\nld.global.u32 %r10, [%d3];\n"
      "setp.lt.s32 %p2, %r4, 3;\n@%p2 bra $B;\nadd.s64 %d3, %d3, 65536;\n$B:\nadd.s32 %r7, %r7, 1;\n"
      "setp.lt.s32 %p1, %r7, 10;\n@%p1 bra $L;\n";
  CHECK(access_of(loop, with_argument(large, "n", "3")) ==
        "p: 4 * threadIdx.x + 1024 * blockIdx.x + 65536 * i [0,655360) 20 90 5121 dense");
  CHECK(access_of(loop, large) == "p: - - -");
}

// 64 blocks of 256 threads. Which place in its group of blocks one has is a choice.
TEST_CASE("digits of numbers of blocks have a form with a choice") {
  const auto form = [](const std::string& index) { return access_of(index + "\n" + load, large); };
  CHECK(form("and.b32 %r9, %r3, 1023;") == "p: 4 * threadIdx.x + 1024 * c [0,4096) 8 33 33");
  CHECK(form("shr.u32 %r9, %r3, 10;") == "p: 4 * c [0,64) 2 2 2");
  CHECK(form("rem.u32 %r9, %r3, 100;") == "p: 4 * c [0,400) 5 5 5");
  CHECK(form("xor.b32 %r9, %r3, 512;") ==
        "p: 4 * threadIdx.x + 1024 * blockIdx.x + 4096 * c - 2048 [-2048,67584) 4 18 545");
  // Less than the first multiple: no choice.
  CHECK(form("add.s32 %r8, %r1, 300;\nrem.u32 %r9, %r8, 1000;") == "p: 4 * threadIdx.x + 1200 [1200,2224) 2 9 9");
}

TEST_CASE("remainders and quotients of the thread's number are exact") {
  CHECK(access_of("and.b32 %r8, %r1, 15;\nshr.u32 %r7, %r1, 4;\nmad.lo.s32 %r9, %r7, 1000, %r8;\n" + load,
                  with_grid(block_of(64), 1)) ==
        "p: 4 * (threadIdx.x % 16) + 4000 * (threadIdx.x / 16) [0,12064) 4 8 8");
}

TEST_CASE("a loop counts as often as it is proven to run") {
  const std::string loop = "mov.u32 %r9, %r1;\nL:\nsetp.ge.s32 %p1, %r9, %r4;\n@%p1 bra E;\n" + load +
                           "add.s32 %r9, %r9, 256;\nbra L;\nE:\n";
  CHECK(access_of(loop, with_argument(with_grid(block_of(256), 1), "n", "20000")) ==
        "p: 4 * threadIdx.x + 1024 * i [0,80000) 160 626 626 dense");
}

TEST_CASE("the size of a buffer bounds what has no form") {
  const std::string gather = "ld.shared.u32 %r9, [tile];\n" + load;
  ir::Launch launch = large;
  CHECK(access_of(gather, launch) == "p: - - -");
  launch.buffers.push_back({"p", 4096});
  CHECK(access_of(gather, launch) == "p: [0,4096) - - 33");
  launch.buffers.front().parameter = "0";
  CHECK(access_of(gather, launch) == "p: [0,4096) - - 33");

  const auto error_of = [](const std::string& body, const ir::Launch& with) {
    const auto facts = test::analyze(test::kernel_k(start + body + "ret;"), with).facts;
    return facts.ok() ? std::string() : facts.errors().front().message;
  };
  CHECK(error_of("mov.u32 %r9, %r3;\n" + load, launch) ==
        "this launch accesses bytes 0 to 65535 of 'p', which is given 4096 bytes");
  launch.buffers.front() = {"q", 4096};  // of another kernel
  CHECK(access_of(gather, launch) == "p: - - -");
  launch.buffers.front() = {"p", 0};
  CHECK(error_of(gather, launch) == "the buffer at 'p' must have at least 1 byte");
}

TEST_CASE("a sum of offsets is one, whatever is known of them") {
  const auto with = [](const std::string& shift) {
    return "ld.shared.u32 %r7, [tile];\ncvt.s64.s32 %d4, %r7;\nld.shared.u32 %r8, [tile];\ncvt.s64.s32 %d5, %r8;\n"
           "shl.b64 %d5, %d5, " +
           shift + ";\nadd.s64 %d6, %d4, %d5;\nadd.s64 %d3, %d1, %d6;\nld.global.u32 %r10, [%d3];\n";
  };
  CHECK(access_of(with("2"), large) == "p: - - -");
  CHECK(access_of(with("32"), large) == "?: - - -");  // maybe the halves of an address
}

TEST_CASE("an address that is loaded or chosen is in no object") {
  CHECK(access_of("ld.shared.u64 %d3, [tile];\nld.global.u32 %r10, [%d3];\n", large) == "?: - - -");
  CHECK(access_of("ld.param.u64 %d4, [w];\nsetp.eq.s32 %p1, %r4, 0;\nselp.b64 %d3, %d1, %d4, %p1;\n"
                  "ld.global.u32 %r10, [%d3];\n",
                  large) == "?: - - -");
}

TEST_CASE("an address that is one of several at known distances may be each of them, for each thread") {
  CHECK(access_of(either("add.s32 %r9, %r9, 0x4000;\n"), large) ==
        "p: 4 * threadIdx.x + 1024 * blockIdx.x + 65536 * c [0,131072) 4 18 1025");
  CHECK(access_of(either("add.s32 %r9, %r9, 0x4000;\n", "%r8"), large) ==
        "p: 4 * threadIdx.x + 1024 * blockIdx.x + 65536 * c [0,131072) 4 18 1025");
  CHECK(access_of(either("add.s32 %r9, %r9, -8;\n"), large) ==
        "p: 4 * threadIdx.x + 1024 * blockIdx.x + 32 * c - 32 [-32,65536) 3 10 514");
  // Lanes may choose for themselves.
  CHECK(access_of("setp.eq.s32 %p1, %r4, 0;\nadd.s32 %r8, %r3, 0x4000;\nselp.b32 %r9, %r3, %r8, %p1;\n" + load,
                  large) == "p: 4 * threadIdx.x + 1024 * blockIdx.x + 65536 * c [0,131072) 4 18 1025");
  // What one adds may itself be counted; what is loaded is not.
  CHECK(access_of(either("add.s32 %r9, %r9, %r2;\n"), large) ==
        "p: 4 * threadIdx.x + 1028 * blockIdx.x + 4 * c - 252 [-252,65788) 4 11 517");
  CHECK(access_of(either("ld.shared.u32 %r7, [tile];\nadd.s32 %r9, %r9, %r7;\n"), large) == "p: - - -");
}

TEST_CASE("a number that is kept between borders is as near to them as it gets") {
  // Of 16384 threads the last 384 are beyond the border.
  CHECK(access_of("min.s32 %r9, %r3, 16000;\n" + load, large) ==
        "p: 4 * threadIdx.x + 1024 * blockIdx.x + 4 * c - 1532 [-1532,65536) 14 21 525");
  CHECK(access_of("add.s32 %r6, %r3, -4;\nmax.s32 %r9, %r6, 0;\n" + load, large) ==
        "p: 4 * threadIdx.x + 1024 * blockIdx.x + 4 * c - 16 [-16,65536) 3 10 514");
  // Nearer to the border, and at it.
  CHECK(access_of("min.s32 %r9, %r3, 5;\n" + load, large) == "p: 4 * c [0,24) 2 2 2");
  CHECK(access_of("min.s32 %r9, %r3, -5;\n" + load, large) == "p: -20 [-20,-16) 1 2 2");
  // As numbers without sign, which those below 0 are not.
  CHECK(access_of("max.u32 %r9, %r3, 16000;\n" + load, large) == "p: 4 * c + 64000 [64000,65536) 13 13 13");
  CHECK(access_of("add.s32 %r6, %r3, -4;\nmin.u32 %r9, %r6, 16000;\n" + load, large) ==
        "p: 4 * c - 16 [-16,65520) 513 513 513");
  CHECK(access_of("ld.shared.u32 %r7, [tile];\nmin.s32 %r9, %r3, %r7;\n" + load, large) == "p: - - -");
}

// Machine code multiplies a number of 64 bits by halves.
TEST_CASE("a product that is made of those of halves is one of the number") {
  const auto product = [](const std::string& low, const std::string& high, const std::string& more) {
    return "add.s32 %r6, %r3, -1;\ncvt.s64.s32 %d4, %r6;\nmov.b64 {%r7, %r8}, %d4;\nmul.wide.u32 %d5, %r7, " + low +
           ";\n" + more + "mov.b64 {%r10, %r11}, %d5;\nmad.lo.s32 %r12, %r8, " + high +
           ", %r11;\nmov.b64 %d6, {%r10, %r12};\nadd.s64 %d3, %d1, %d6;\nld.global.u32 %r10, [%d3];\n";
  };
  CHECK(access_of(product("64", "64", ""), large) ==
        "p: 64 * threadIdx.x + 16384 * blockIdx.x - 64 [-64,1048452) 17 129 8193 dense");
  CHECK(access_of(product("64", "64", "mul.wide.u32 %d7, %r1, 4;\nadd.s64 %d5, %d5, %d7;\n"), large) ==
        "p: 68 * threadIdx.x + 16384 * blockIdx.x - 64 [-64,1049472) 18 137 8201 dense");
  CHECK(access_of(product("64", "63", ""), large) == "?: - - -");
  // Where the lower half of what follows is calculated by itself, from that of the product.
  const auto by_halves = [](const std::string& low) {
    return "add.s32 %r6, %r3, -1;\ncvt.s64.s32 %d4, %r6;\nmov.b64 {%r7, %r8}, %d4;\nmul.wide.u32 %d5, %r7, 64;\n"
           "mov.b64 {%r10, %r11}, %d5;\nmad.lo.s32 %r12, %r8, 64, %r11;\nmov.b64 %d6, {%r10, %r12};\n"
           "shl.b64 %d7, %d6, 2;\nadd.s64 %d8, %d7, %d1;\nmov.b64 {%r20, %r21}, %d8;\nmov.b64 {%r22, %r23}, %d1;\n"
           "shl.b32 %r24, " +
           low + ", 2;\nadd.s32 %r25, %r24, %r22;\nmov.b64 %d9, {%r25, %r21};\nld.global.u32 %r10, [%d9];\n";
  };
  CHECK(access_of(by_halves("%r10"), large) ==
        "p: 256 * threadIdx.x + 65536 * blockIdx.x - 256 [-256,4193796) 32 512 32768");
  CHECK(access_of(by_halves("%r7"), large) == "?: - - -");
}

// An iteration is executed if the value that the iteration before has chosen is below 5; its own choice may be above.
TEST_CASE("a test of a choice in the iteration before says nothing of that in this one") {
  const std::string body =
      "mov.u32 %r6, 0;\nL:\nld.shared.u32 %r8, [tile];\nsetp.eq.s32 %p1, %r8, 0;\nmov.u32 %r9, %r1;\n@%p1 bra J;\n"
      "add.s32 %r9, %r9, 1000;\nJ:\n" +
      load + "add.s32 %r6, %r6, 1;\nsetp.lt.s32 %p2, %r6, 10;\nsetp.lt.and.s32 %p2, %r9, 5, %p2;\n@%p2 bra L;\n";
  CHECK(access_of(body, large) == "p: 4 * threadIdx.x + 4000 * c [0,5024) 4 18 18");
}

TEST_CASE("only where a warp accesses every byte of its lines it covers them") {
  const auto covers = [](const std::string& body, const ir::Launch& launch) {
    const ir::Flow flow = test::facts_of(start + body + "E:\nret;", launch);
    REQUIRE(flow.accesses.size() == 1);
    REQUIRE(flow.accesses[0].dense);
    return flow.accesses[0].covers_lines;
  };
  const auto guarded = [&](const std::string& n, int64_t blocks) {
    return covers("setp.ge.s32 %p1, %r3, %r4;\n@%p1 bra E;\nmov.u32 %r9, %r3;\n" + load,
                  with_argument(with_grid(block_of(256), blocks), "n", n));
  };
  const auto large_by = [](int64_t times) { return with_grid(block_of(256), 64 * times); };
  CHECK(covers("mov.u32 %r9, %r3;\n" + load, large));
  CHECK(guarded("19968", 80));
  CHECK(guarded("20000", 80));  // the last warp is at the end of the range
  CHECK_FALSE(covers("add.s32 %r9, %r3, 1;\n" + load, large));
  // One word for each warp: by all its lanes, or by its first.
  const std::string by_warp = "shr.u32 %r9, %r3, 5;\n";
  CHECK_FALSE(covers(by_warp + load, large_by(32)));
  CHECK_FALSE(covers("and.b32 %r6, %r1, 31;\nsetp.ne.s32 %p1, %r6, 0;\n@%p1 bra E;\n" + by_warp + load, large_by(32)));
  // One word of each line.
  CHECK_FALSE(covers(by_warp + "mul.lo.s32 %r9, %r9, 32;\n" + load, large_by(2)));
  CHECK_FALSE(covers("mul.lo.s32 %r9, %r3, 2;\n" + load, large_by(2)));
  CHECK_FALSE(covers("cvt.u64.u32 %d2, %r3;\nadd.s64 %d3, %d1, %d2;\nld.global.u8 %r10, [%d3];\n", large_by(4)));
}

TEST_CASE("lines of an access whose pointer is aligned") {
  const ir::Flow flow = test::facts_of(start + "mov.u32 %r9, %r3;\n" + load + "ret;", large);
  const ir::Access& access = flow.accesses.at(0);
  CHECK(flow.transactions[access.instruction] == 2);
  CHECK(access.aligned_transactions == 1);
}

TEST_CASE("a variable whose size the launch says is as large as that") {
  const auto is_shared = [](std::optional<int64_t> bytes) {
    ir::Launch launch = block_of(256);
    launch.dynamic_shared = bytes;
    const auto analyzed = test::analyze(
        ".extern .shared .align 16 .b8 rest[];\n" + test::kernel_k("mov.u64 %d4, rest;\ncvta.shared.u64 %d5, %d4;\n"
                                                                   "ld.u32 %r10, [%d5+1020];\nret;"),
        launch);
    REQUIRE(analyzed.facts.ok());
    REQUIRE(analyzed.facts->accesses.size() == 1);
    return analyzed.facts->accesses[0].in_shared;
  };
  CHECK(is_shared(1024));
  CHECK_FALSE(is_shared(1023));
  CHECK_FALSE(is_shared(std::nullopt));
}

// The loop around goes on while k + q < 7, q being how often the loop inside has run in that iteration: in iteration 7,
// after seven iterations without one, it may run seven times all the same.
TEST_CASE("a test of the iteration before does not narrow what a loop inside has counted in this iteration") {
  const std::string body =
      "mov.u32 %r6, 0;\n$M:\nmov.u32 %r7, 0;\n$L:\nld.volatile.global.u32 %r8, [%d1];\nsetp.eq.u32 %p1, %r8, 0;\n"
      "setp.ge.u32 %p2, %r7, 7;\nor.pred %p3, %p1, %p2;\n@%p3 bra $out;\nadd.u32 %r7, %r7, 1;\nbra.uni $L;\n$out:\n"
      "setp.gt.u32 %p4, %r7, 7;\n@%p4 bra $next;\nmad.lo.u32 %r9, %r6, 256, %r7;\n" +
      load +
      "$next:\nadd.u32 %r8, %r6, %r7;\nsetp.lt.u32 %p5, %r8, 7;\nsetp.lt.u32 %p6, %r6, 20;\n"
      "and.pred %p7, %p5, %p6;\nadd.u32 %r6, %r6, 1;\n@%p7 bra $M;\n";
  const ir::Flow flow = test::facts_of(start + body + "ret;", with_grid(block_of(32), 1));
  const ir::Access& access = flow.accesses.back();
  CHECK(text_of(access, flow).starts_with("p: 1024 * i + 4 * "));
  REQUIRE(access.span);
  CHECK(access.span->first == 0);
  CHECK(access.span->end >= 7 * 1024 + 7 * 4 + 4);
}

TEST_CASE("a pointer that nested loops move on by what is loaded stays in its object") {
  const auto moved = [](const std::string& into_second) {
    return accesses_of(
        "ld.param.u64 %d7, [w];\nmov.u32 %r6, 0;\nmov.u64 %d4, %d1;\n$A:\nmov.u32 %r7, 0;\n$B:\n"
        "ld.global.u32 %r9, [%d4];\nmul.wide.s32 %d5, %r9, 4;\nadd.s64 %d4, %d4, %d5;\n"
        "add.s32 %r7, %r7, 1;\nsetp.lt.s32 %p1, %r7, 3;\n@%p1 bra $B;\nadd.s64 %d4, %d4, 64;\n" +
            into_second + "add.s32 %r6, %r6, 1;\nsetp.lt.s32 %p2, %r6, 3;\n@%p2 bra $A;\n",
        large);
  };
  CHECK(moved("") == std::vector<std::string>{"p: - - -"});
  CHECK(moved("add.s64 %d4, %d7, 64;\n") == std::vector<std::string>{"?: - - -"});
}

TEST_CASE("the sign that machine code gives a remainder does not make its range unknown") {
  const std::string rest =
      "ld.shared.u32 %r6, [tile];\nabs.s32 %r7, %r6;\nrem.u32 %r8, %r7, 5;\nneg.s32 %r11, %r8;\n"
      "setp.lt.s32 %p1, %r6, 0;\nselp.b32 %r9, %r11, %r8, %p1;\n";
  CHECK(access_of(rest + load, large) == "p: [-16,20) - - 2");
}
