// SPDX-License-Identifier: GPL-3.0-or-later
// Flow::objects and Flow::accesses: forms, spans, lines and density of single accesses.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;
using test::with_argument;
using test::with_grid;

namespace {

// %r1: thread, %r2: block, %r3: number of the thread in the grid, %r4: n.
const std::string start =
    "ld.param.u64 %d1, [p];\nld.param.u32 %r4, [n];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
    "mov.u32 %r5, %ntid.x;\nmad.lo.s32 %r3, %r2, %r5, %r1;\n";

// p[%r9 + more] of 4 bytes.
const std::string load = "mul.wide.s32 %d2, %r9, 4;\nadd.s64 %d3, %d1, %d2;\nld.global.u32 %r10, [%d3];\n";

// "p: 4 * threadIdx.x [0,1024) 2 9 9 dense": object, form, span, lines of a warp, a block and the grid.
std::string text_of(const ir::Access& access, const ir::Flow& flow) {
  std::string text = access.object == ir::no_object ? "?" : flow.objects[access.object].name;
  text += ":";
  if (!access.form.empty()) text += " " + access.form;
  if (access.span) text += " [" + std::to_string(access.span->first) + "," + std::to_string(access.span->end) + ")";
  for (const auto& lines : {access.warp_lines, access.block_lines, access.grid_lines}) {
    text += lines ? " " + std::to_string(*lines) : " -";
  }
  return text + (access.dense ? " dense" : "");
}

std::vector<std::string> accesses_of(const std::string& body, const ir::Launch& launch) {
  const ir::Flow flow = test::facts_of(start + body + "ret;", launch);
  std::vector<std::string> result;
  for (const ir::Access& access : flow.accesses) result.push_back(text_of(access, flow));
  return result;
}

std::string access_of(const std::string& body, const ir::Launch& launch) {
  const auto all = accesses_of(body, launch);
  REQUIRE(all.size() == 1);
  return all.front();
}

const ir::Launch large = with_grid(block_of(256), 64);  // 16384 threads: 64 KiB of 4 bytes each

}  // namespace

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

// p[%r9], where %r9 is the thread's number, or more by what `otherwise` adds: as n is 0 or not, or a word in memory.
std::string either(const std::string& otherwise, const std::string& decided_by = "%r4") {
  return "ld.shared.u32 %r8, [tile];\nsetp.eq.s32 %p1, " + decided_by + ", 0;\nmov.u32 %r9, %r3;\n@%p1 bra J;\n" +
         otherwise + "J:\n" + load;
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

namespace {

// Whether the only access by a generic address is known to be one of shared memory; tile has 8,192 bytes.
bool is_in_shared(const std::string& body, const ir::Launch& launch = large) {
  const ir::Flow flow =
      test::facts_of(start + "mov.u64 %d4, tile;\ncvta.shared.u64 %d5, %d4;\n" + body + "ret;", launch);
  REQUIRE(flow.accesses.size() == 1);
  if (flow.accesses[0].in_shared) CHECK(text_of(flow.accesses[0], flow) == "?: - - -");
  return flow.accesses[0].in_shared;
}

}  // namespace

TEST_CASE("a generic address that stays in a variable in shared memory is one of shared memory") {
  const std::string by_thread = "mul.wide.u32 %d2, %r1, 4;\nadd.s64 %d3, %d5, %d2;\n";
  CHECK(is_in_shared(by_thread + "ld.u32 %r10, [%d3];\n"));
  CHECK(is_in_shared(by_thread + "st.u32 [%d3+7168], %r1;\n"));
  CHECK(is_in_shared(by_thread + "atom.add.u32 %r10, [%d3], 1;\n"));
  CHECK_FALSE(is_in_shared(by_thread + "st.u32 [%d3+7172], %r1;\n"));  // 4 bytes behind it
  CHECK_FALSE(is_in_shared(by_thread + "ld.u32 %r10, [%d3+-4];\n"));   // before it
  CHECK_FALSE(is_in_shared(by_thread + "ld.v2.u32 {%r10, %r11}, [%d3+7168];\n"));
  CHECK_FALSE(is_in_shared("mul.wide.s32 %d2, %r4, 4;\nadd.s64 %d3, %d5, %d2;\nld.u32 %r10, [%d3];\n"));
  // The address in the space is of 32 bits.
  CHECK(
      is_in_shared("mov.u32 %r8, tile;\ncvt.u64.u32 %d6, %r8;\ncvta.shared.u64 %d3, %d6;\nld.u32 %r10, [%d3+8188];\n"));
  // A pointer that goes through it, once for each of 2,048 words, and one that goes too far.
  const auto loop = [](const std::string& iterations) {
    return "mov.u32 %r9, 0;\nmov.u64 %d3, %d5;\nL:\nld.u32 %r10, [%d3];\nadd.s64 %d3, %d3, 4;\nadd.s32 %r9, %r9, 1;\n"
           "setp.lt.s32 %p1, %r9, " +
           iterations + ";\n@%p1 bra L;\n";
  };
  CHECK(is_in_shared(loop("2048")));
  CHECK_FALSE(is_in_shared(loop("2049")));
}

TEST_CASE("an address that is only maybe one of shared memory is none") {
  // Chosen between both, the difference of two windows, the address without its window, loaded from memory, another
  // window.
  CHECK_FALSE(is_in_shared("setp.eq.s32 %p1, %r4, 0;\nselp.b64 %d3, %d1, %d5, %p1;\nld.u32 %r10, [%d3];\n"));
  CHECK_FALSE(is_in_shared("sub.s64 %d6, %d1, %d5;\nadd.s64 %d3, %d5, %d6;\nld.u32 %r10, [%d3];\n"));
  CHECK_FALSE(is_in_shared("ld.u32 %r10, [%d4];\n"));
  CHECK_FALSE(is_in_shared("add.s64 %d3, %d5, %d4;\nld.u32 %r10, [%d3];\n"));
  CHECK_FALSE(is_in_shared("st.shared.u64 [tile], %d5;\nld.shared.u64 %d3, [tile];\nld.u32 %r10, [%d3];\n"));
  CHECK_FALSE(is_in_shared("mov.u64 %d6, frame;\ncvta.local.u64 %d3, %d6;\nld.u32 %r10, [%d3];\n"));
  CHECK_FALSE(is_in_shared("mov.u64 %d6, 0;\ncvta.shared.u64 %d3, %d6;\nld.u32 %r10, [%d3];\n"));  // of no variable
}

TEST_CASE("a generic address is one of global memory if it is counted from a parameter or a variable there") {
  const auto is_in_global = [](const std::string& body) {
    const ir::Flow flow =
        test::facts_of(start + "mov.u64 %d4, tile;\ncvta.shared.u64 %d5, %d4;\n" + body + "ret;", large);
    REQUIRE_FALSE(flow.accesses.empty());
    const ir::Access& last = flow.accesses.back();
    CHECK_FALSE((last.in_shared && last.in_global));
    return last.in_global;
  };
  const std::string by_thread = "mul.wide.u32 %d2, %r1, 4;\n";
  CHECK(is_in_global("atom.add.u32 %r10, [%d1], 1;\n"));
  CHECK(is_in_global(by_thread + "add.s64 %d3, %d1, %d2;\natom.add.u32 %r10, [%d3+16], 1;\n"));
  // At an index that was loaded.
  CHECK(
      is_in_global("ld.global.u32 %r9, [%d1];\nmul.wide.s32 %d2, %r9, 4;\nadd.s64 %d3, %d1, %d2;\n"
                   "atom.add.u32 %r10, [%d3], 1;\n"));
  // The window says it already, so that there is nothing to be reported.
  CHECK_FALSE(is_in_global("atom.global.add.u32 %r10, [%d1], 1;\n"));
  // In shared memory, chosen between both, from one to the other, loaded.
  CHECK_FALSE(is_in_global(by_thread + "add.s64 %d3, %d5, %d2;\natom.add.u32 %r10, [%d3], 1;\n"));
  CHECK_FALSE(is_in_global("setp.eq.s32 %p1, %r4, 0;\nselp.b64 %d3, %d1, %d5, %p1;\natom.add.u32 %r10, [%d3], 1;\n"));
  CHECK_FALSE(is_in_global("sub.s64 %d6, %d5, %d1;\nadd.s64 %d3, %d1, %d6;\natom.add.u32 %r10, [%d3], 1;\n"));
  CHECK_FALSE(
      is_in_global("sub.s64 %d6, %d5, %d1;\nshl.b64 %d6, %d6, 1;\nadd.s64 %d3, %d1, %d6;\n"
                   "atom.add.u32 %r10, [%d3], 1;\n"));
  CHECK_FALSE(is_in_global("ld.global.u64 %d3, [%d1];\natom.add.u32 %r10, [%d3], 1;\n"));
  CHECK_FALSE(is_in_global("ld.global.u64 %d3, [%d1];\nadd.s64 %d3, %d3, %d1;\natom.add.u32 %r10, [%d3], 1;\n"));
}

TEST_CASE("a fragment is in shared memory if all rows of its matrix are") {
  const auto is_shared = [](const std::string& operation, const std::string& offset, const std::string& distance) {
    const std::string registers = "{%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17}";
    const std::string where = "[%d5+" + offset + "]";
    const bool is_load = operation.starts_with("wmma.load");
    return is_in_shared(operation + " " + (is_load ? registers + ", " + where : where + ", " + registers) +
                        (distance.empty() ? "" : ", " + distance) + ";\n");
  };
  const std::string a = "wmma.load.a.sync.aligned.row.m16n16k16.f16";
  // 15 rows of 256 elements of 2 bytes, and one of 16.
  CHECK(is_shared(a, "0", "256"));
  CHECK(is_shared(a, "480", "256"));
  CHECK_FALSE(is_shared(a, "482", "256"));
  CHECK_FALSE(is_shared(a, "0", "%r4"));
  CHECK_FALSE(is_shared(a, "0", "-16"));
  CHECK_FALSE(is_shared(a, "0", ""));
  // Matrix b of 16 by 8: 15 distances and a row of 8, or 7 distances and a column of 16.
  const std::string b = "wmma.load.b.sync.aligned.row.m32n8k16.f16",
                    by_columns = "wmma.load.b.sync.aligned.col.m32n8k16.f16";
  CHECK(is_shared(b, "0", "272"));
  CHECK_FALSE(is_shared(b, "0", "273"));
  CHECK(is_shared(by_columns, "0", "582"));
  CHECK_FALSE(is_shared(by_columns, "0", "583"));
  CHECK(is_shared("wmma.store.d.sync.aligned.row.m16n16k16.f32", "0", "132"));
  CHECK_FALSE(is_shared("wmma.store.d.sync.aligned.row.m16n16k16.f32", "0", "136"));
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

TEST_CASE("a guard decides which threads access, as a branch does") {
  const std::string guarded =
      "setp.ge.s32 %p1, %r3, %r4;\nmov.u32 %r9, %r3;\nmul.wide.s32 %d2, %r9, 4;\nadd.s64 %d3, %d1, %d2;\n";
  const ir::Launch launch = with_argument(with_grid(block_of(256), 80), "n", "20000");
  const std::string dense = "p: 4 * threadIdx.x + 1024 * blockIdx.x [0,80000) 2 9 626 dense";
  CHECK(access_of(guarded + "@!%p1 ld.global.u32 %r10, [%d3];\n", launch) == dense);
  CHECK(access_of(guarded + "@%p1 ld.global.u32 %r10, [%d3];\n", launch) != dense);
  // By a value of which nothing is known.
  CHECK(access_of(guarded + "ld.shared.u32 %r11, [tile];\nsetp.eq.s32 %p2, %r11, 0;\n@%p2 ld.global.u32 %r10, [%d3];\n",
                  launch) == "p: 4 * threadIdx.x + 1024 * blockIdx.x [0,81920) 2 9 641");
  // Two halves of a row under two guards are not one row.
  const auto both = accesses_of(
      "setp.lt.s32 %p1, %r1, 100;\nmul.wide.s32 %d2, %r3, 8;\nadd.s64 %d3, %d1, %d2;\n"
      "@%p1 ld.global.u32 %r10, [%d3];\n@!%p1 ld.global.u32 %r11, [%d3+4];\n",
      large);
  REQUIRE(both.size() == 2);
  CHECK(both[0].find("dense") == std::string::npos);
  CHECK(both[1].find("dense") == std::string::npos);
}

TEST_CASE("what instructions with one guard wrote is what others with it read") {
  const std::string body =
      "setp.lt.s32 %p1, %r1, 40;\nmov.b64 %d3, 0;\nmul.wide.s32 %d2, %r3, 4;\n@%p1 add.s64 %d3, %d1, %d2;\n";
  CHECK(access_of(body + "@%p1 ld.global.u32 %r10, [%d3];\n", large) ==
        "p: 4 * threadIdx.x + 1024 * blockIdx.x [0,64672) 2 9 507");
  CHECK(access_of(body + "@!%p1 ld.global.u32 %r10, [%d3];\n", large).find('p') == std::string::npos);
  // The predicate has changed in between.
  CHECK(access_of(body + "setp.gt.s32 %p1, %r1, 50;\n@%p1 ld.global.u32 %r10, [%d3];\n", large).substr(0, 2) == "?:");
}

TEST_CASE("a guard may let only part of the warps of a block access") {
  const auto partial = [](const std::string& condition) {
    const ir::Flow flow = test::facts_of(
        start + condition + "mul.wide.s32 %d2, %r3, 4;\nadd.s64 %d3, %d1, %d2;\n@%p1 ld.global.u32 %r10, [%d3];\nret;",
        large);
    REQUIRE(flow.partial_accesses.size() <= 1);
    return flow.partial_accesses.empty() ? 0 : flow.partial_accesses.front().warps;
  };
  CHECK(partial("setp.eq.s32 %p1, %r1, 0;\n") == 1);
  CHECK(partial("setp.lt.s32 %p1, %r1, 33;\n") == 2);
  CHECK(partial("setp.gt.s32 %p1, %r1, 100;\n") == 5);
  CHECK(partial("setp.lt.s32 %p1, %r1, 225;\n") == 0);  // all eight
  CHECK(partial("setp.lt.s32 %p1, %r4, 7;\n") == 0);    // the same for all
  CHECK(partial("ld.shared.u32 %r11, [tile];\nsetp.lt.s32 %p1, %r11, 7;\n") == 0);
}

TEST_CASE("a guard may let only some blocks access, also of one warp each") {
  const auto partial = [](const std::string& condition, const ir::Launch& launch) {
    const ir::Flow flow = test::facts_of(
        start + condition + "mul.wide.s32 %d2, %r3, 4;\nadd.s64 %d3, %d1, %d2;\n@%p1 ld.global.u32 %r10, [%d3];\nret;",
        launch);
    if (flow.partial_accesses.empty() || !flow.partial_accesses.front().blocks) return std::string("all");
    const ir::PartialAccess& found = flow.partial_accesses.front();
    return std::to_string(found.warps) + " in " + std::to_string(found.blocks->some) + " of " +
           std::to_string(found.blocks->all);
  };
  const ir::Launch four = with_grid(block_of(64), 4), of_one = with_grid(block_of(32), 4);
  CHECK(partial("setp.eq.s32 %p1, %r2, 1;\n", four) == "2 in 1 of 4");
  CHECK(partial("setp.eq.s32 %p1, %r3, 0;\n", four) == "1 in 1 of 4");
  CHECK(partial("setp.lt.s32 %p1, %r2, 3;\n", of_one) == "1 in 3 of 4");
  CHECK(partial("setp.lt.s32 %p1, %r2, 4;\n", of_one) == "all");
  CHECK(partial("setp.eq.s32 %p1, %r1, 0;\n", four) == "all");
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

TEST_CASE("a guard by the smaller or the larger of two numbers is one by both") {
  const auto behind = [](const std::string& guard) {
    return access_of("sub.s32 %r6, 40, %r2;\n" + guard + "@%p1 bra E;\nmov.u32 %r9, %r3;\n" + load + "E:\n", large);
  };
  CHECK(behind("min.s32 %r7, %r3, %r6;\nsetp.le.s32 %p1, %r7, 6;\n").find("[28,34816)") != std::string::npos);
  // One of them suffices.
  CHECK(behind("max.s32 %r7, %r3, %r6;\nsetp.le.s32 %p1, %r7, 6;\n").find("[0,65536)") != std::string::npos);
}

TEST_CASE("a guard that never holds lets no warp access") {
  const auto warps = [](const std::string& condition) {
    return test::facts_of(start + "mul.wide.s32 %d2, %r3, 4;\nadd.s64 %d3, %d1, %d2;\n" + condition +
                              "@%p1 ld.global.u32 %r10, [%d3];\n$end:\nret;",
                          large)
        .partial_accesses;
  };
  // Behind a branch that only others take.
  const auto never = warps("setp.ge.s32 %p2, %r1, 40;\n@%p2 bra $end;\nsetp.ge.s32 %p1, %r1, 40;\n");
  REQUIRE(never.size() == 1);
  CHECK(never.front().warps == 0);
  CHECK(warps("setp.ge.s32 %p2, %r1, 40;\n@!%p2 bra $end;\nsetp.ge.s32 %p1, %r1, 40;\n").empty());
}

namespace {

// Of the accesses, in order; "-": of which nothing is known.
template <typename TextOf>
std::string texts_of(const std::string& body, const ir::Launch& launch, const TextOf& text_of) {
  const ir::Flow flow = test::facts_of(start + body + "ret;", launch);
  const ir::InstructionId first = flow.accesses[0].instruction;
  std::string text;
  for (const ir::Access& access : flow.accesses) {
    const std::optional<std::string> own = text_of(access, first);
    text += (text.empty() ? "" : "; ") + own.value_or("-");
  }
  return text;
}

// "visits, open, with which".
std::string walks_of(const std::string& body, const ir::Launch& launch = large) {
  return texts_of(body, launch, [](const ir::Access& access, ir::InstructionId first) -> std::optional<std::string> {
    if (!access.walk) return std::nullopt;
    const auto& [visits, open, with] = *access.walk;
    return std::to_string(visits) + ", " + std::to_string(open) + ", " + std::to_string(with - first);
  });
}

// %r6 from 0 in steps, so often; p[4096 * thread + %r6] and what follows it.
std::string along(const std::string& turns, int64_t step, const std::string& more = "") {
  return "mov.u32 %r6, 0;\nmov.u32 %r8, 0;\n$L:\nmad.lo.s32 %r9, %r3, 4096, %r6;\n" + load + more +
         "add.s32 %r6, %r6, " + std::to_string(step) + ";\nadd.s32 %r8, %r8, 1;\nsetp.lt.s32 %p1, %r8, " + turns +
         ";\n@%p1 bra $L;\n";
}

}  // namespace

TEST_CASE("threads that walk along rows visit each line once") {
  CHECK(walks_of(along("4096", 1)) == "129, 1, 0");
  CHECK(walks_of(along("1024", 4, "ld.global.u32 %r10, [%d3+4];\nld.global.v2.u32 {%r11, %r12}, [%d3+8];\n")) ==
        "129, 2, 0; 129, 2, 0; 129, 2, 0");
  CHECK(walks_of(along("100", 1024)) == "100, 1, 0");  // each time another line
  CHECK(walks_of("mov.u32 %r9, %r3;\n" + load + "ld.global.u32 %r11, [%d3+1024];\n") == "9, 9, 0; 9, 9, 0");
  // How long the rows are is not known; what the loop adds is, where it adds nothing.
  CHECK(walks_of(along("%r4", 1)) == "-");
  CHECK(walks_of(along("%r4", 0)) == "1, 1, 0");
  CHECK(walks_of(along("%r4", 1), with_argument(large, "n", "100")) == "5, 1, 0");
  // No sum; one of two; a number that may be another one each time.
  CHECK(walks_of("mul.lo.s32 %r9, %r3, %r3;\nadd.s32 %r9, %r9, %r4;\n" + load) == "-");
  CHECK(walks_of(either("add.s32 %r9, %r9, 0x4000;\n")) == "-");
  // Other rows, and a row of another object.
  CHECK(walks_of(along("4096", 1,
                       "mad.lo.s32 %r11, %r3, 2048, %r6;\nmul.wide.s32 %d4, %r11, 4;\nadd.s64 %d5, %d1, %d4;\n"
                       "ld.global.u32 %r10, [%d5];\n")) == "129, 1, 0; 129, 1, 4");
}

TEST_CASE("a row is walked along anew each time its loop is entered") {
  const std::string rows =
      "mov.u32 %r7, 0;\n$O:\n" + along("64", 1) + "add.s32 %r7, %r7, 1;\nsetp.lt.s32 %p2, %r7, 10;\n@%p2 bra $O;\n";
  CHECK(walks_of(rows) == "30, 1, 0");
  // In the loop, and behind it: the second stays where the first ended.
  CHECK(walks_of(along("64", 1) + "ld.global.u32 %r10, [%d3];\n") == "3, 1, 0; -");
}

namespace {

// "lines, with which" of a block.
std::string of_blocks(const std::string& body, const ir::Launch& launch = large) {
  return texts_of(body, launch, [](const ir::Access& access, ir::InstructionId first) -> std::optional<std::string> {
    if (!access.of_block) return std::nullopt;
    const auto& [lines, with] = *access.of_block;
    return std::to_string(lines) + ", " + std::to_string(with - first);
  });
}

}  // namespace

TEST_CASE("lines that a block asks for by several accesses together: those around its own are counted once") {
  const std::string own = "mov.u32 %r9, %r3;\n" + load;
  CHECK(of_blocks(own) == "9, 0");
  CHECK(of_blocks(own + "ld.global.u32 %r10, [%d3+4];\nld.global.u32 %r10, [%d3+-4];\n") == "10, 0; 10, 0; 10, 0");
  CHECK(of_blocks(own + "ld.global.u32 %r10, [%d3+8192];\n") == "18, 0; 18, 0");
  // In a loop, with all of its iterations; of which nothing is known.
  CHECK(of_blocks(along("4", 65536)) == "2048, 0");
  CHECK(of_blocks(along("%r4", 1)) == "-");
  // Where other blocks are elsewhere, or all of them at one place.
  CHECK(of_blocks(own + "mul.wide.s32 %d4, %r1, 4;\nadd.s64 %d5, %d1, %d4;\nld.global.u32 %r10, [%d5];\n") ==
        "9, 0; 9, 3");
  // What is one of two for each thread is either; no sum.
  CHECK(of_blocks(either("add.s32 %r9, %r9, 0x4000;\n")) == "18, 0");
  CHECK(of_blocks("mul.lo.s32 %r9, %r3, %r3;\nadd.s32 %r9, %r9, %r4;\n" + load) == "-");
}
