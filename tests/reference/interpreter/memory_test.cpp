// SPDX-License-Identifier: GPL-3.0-or-later
// The interpreter against results worked out by hand: memory, values shared by lanes, and pieces of accesses.
#include <catch2/catch.hpp>

#include "tests/reference/run_text.hpp"

using namespace warpspan;
using test::run_body;

namespace {

// The body leaves in %p1 whether it went as it should: the run of a branch that counts lanes where it did not.
bool holds(const std::string& body, int64_t threads = 32) {
  const auto run = run_body(body + "\n@%p1 bra GOOD;\ntrap;\nGOOD:\nret;", reference::Order::taken_first, threads);
  REQUIRE(run.record.outcome == reference::Record::Outcome::finished);
  for (const reference::WarpRecord& warp : run.record.warps) {
    if (warp.executed[warp.executed.size() - 2] != 0) return false;
  }
  return true;
}

// The pieces of the one access, the last instruction of the body.
int64_t pieces_of(const std::string& body) {
  const auto run = run_body(body + "\nret;");
  REQUIRE(run.record.outcome == reference::Record::Outcome::finished);
  return run.record.most_pieces[run.record.most_pieces.size() - 2];
}

const std::string pointer = "ld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\n";
const std::string tile = "mov.u32 %r1, %tid.x;\nmov.u32 %r2, tile;\n";

}  // namespace

TEST_CASE("reference memory: what is stored is loaded, byte by byte, the lowest first") {
  CHECK(holds(pointer +
              "mad.wide.u32 %d2, %r1, 8, %d1;\nst.global.u32 [%d2], 0x80818283;\nst.global.u32 [%d2+4], %r1;\n"
              "ld.global.s8 %r3, [%d2];\nld.global.u8 %r4, [%d2+1];\nld.global.v2.u32 {%r5, %r6}, [%d2];\n"
              "setp.eq.s32 %p1, %r3, -125;\nsetp.eq.and.u32 %p1, %r4, 0x82, %p1;\n"
              "setp.eq.and.u32 %p1, %r5, 0x80818283, %p1;\nsetp.eq.and.u32 %p1, %r6, %r1, %p1;"));
  CHECK_FALSE(holds(pointer + "st.global.u32 [%d1], 1;\nld.global.u32 %r3, [%d1];\nsetp.eq.u32 %p1, %r3, 2;"));
}

TEST_CASE("reference memory: local memory and registers are a lane's own, shared memory is not") {
  CHECK(
      holds("mov.u32 %r1, %tid.x;\nst.local.u32 [frame+4], %r1;\nld.local.u32 %r2, [frame+4];\n"
            "setp.eq.u32 %p1, %r1, %r2;"));
  CHECK(holds(tile + "mad.lo.u32 %r3, %r1, 4, %r2;\nst.shared.u32 [%r3], %r1;\nld.shared.u32 %r4, [tile+20];\n"
                     "setp.eq.u32 %p1, %r4, 5;"));
}

TEST_CASE("reference memory: generic addresses lead to the space they came from") {
  CHECK(
      holds("mov.u32 %r1, %tid.x;\nmov.u64 %d1, frame;\ncvta.local.u64 %d2, %d1;\nst.u32 [%d2+8], %r1;\n"
            "ld.local.u32 %r2, [frame+8];\nsetp.eq.u32 %p1, %r1, %r2;"));
  CHECK(
      holds("mov.u64 %d1, tile;\ncvta.shared.u64 %d2, %d1;\nst.u32 [%d2+8], 77;\ncvta.to.shared.u64 %d3, %d2;\n"
            "ld.shared.u32 %r2, [%d3+8];\nsetp.eq.u32 %p1, %r2, 77;"));
}

TEST_CASE("reference memory: every lane's atomic addition counts") {
  CHECK(
      holds("st.shared.u32 [tile], 0;\natom.shared.add.u32 %r1, [tile], 2;\nld.shared.u32 %r2, [tile];\n"
            "setp.eq.u32 %p1, %r2, 64;"));
  CHECK(
      holds("mov.u32 %r3, %laneid;\nst.shared.u32 [tile], 0;\nred.shared.max.u32 [tile], %r3;\n"
            "ld.shared.u32 %r2, [tile];\nsetp.eq.u32 %p1, %r2, 31;"));
}

TEST_CASE("reference memory: an access that is not aligned is a fault") {
  CHECK(run_body("ld.shared.u32 %r1, [tile+2];\nret;").record.outcome == reference::Record::Outcome::faulted);
}

TEST_CASE("reference warp: votes, shuffles, sums") {
  const std::string lane = "mov.u32 %r1, %laneid;\nsetp.lt.u32 %p2, %r1, 4;\n";
  CHECK(holds(lane + "vote.sync.ballot.b32 %r2, %p2, -1;\nsetp.eq.u32 %p1, %r2, 15;"));
  CHECK(holds(lane + "vote.sync.any.pred %p1, %p2, -1;"));
  CHECK(holds(lane + "vote.sync.all.pred %p3, %p2, -1;\nnot.pred %p1, %p3;"));
  CHECK(holds(lane + "shfl.sync.idx.b32 %r2, %r1, 3, 31, -1;\nsetp.eq.u32 %p1, %r2, 3;"));
  CHECK(holds(lane + "shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;\nxor.b32 %r3, %r1, 1;\nsetp.eq.u32 %p1, %r2, %r3;"));
  CHECK(holds(lane + "shfl.sync.down.b32 %r2|%p3, %r1, 30, 31, -1;\nmin.u32 %r3, %r1, 1;\n@!%p3 mov.u32 %r2, %r1;\n"
                     "setp.ge.u32 %p1, %r2, %r1;"));
  CHECK(holds(lane + "redux.sync.add.u32 %r2, %r1, -1;\nsetp.eq.u32 %p1, %r2, 496;"));
  CHECK(holds(lane + "@%p2 activemask.b32 %r2;\n@!%p2 mov.u32 %r2, 15;\nsetp.eq.u32 %p1, %r2, 15;"));
}

TEST_CASE("reference warp: registers are packed and taken apart, guards keep the old value") {
  CHECK(
      holds("mov.u32 %r1, 7;\nmov.u32 %r2, 9;\nmov.b64 %d1, {%r1, %r2};\nmov.b64 {%r3, %r4}, %d1;\n"
            "setp.eq.u32 %p1, %r3, 7;\nsetp.eq.and.u32 %p1, %r4, 9, %p1;\nsetp.eq.and.u64 %p1, %d1, 0x900000007, "
            "%p1;"));
  CHECK(holds("mov.u32 %r1, 7;\nsetp.eq.u32 %p2, %r1, 8;\n@%p2 mov.u32 %r1, 9;\nsetp.eq.u32 %p1, %r1, 7;"));
}

TEST_CASE("reference memory: lines of global memory") {
  CHECK(pieces_of(pointer + "ld.global.u32 %r3, [%d1];") == 1);
  CHECK(pieces_of(pointer + "mad.wide.u32 %d2, %r1, 4, %d1;\nld.global.u32 %r3, [%d2];") == 1);
  CHECK(pieces_of(pointer + "mad.wide.u32 %d2, %r1, 4, %d1;\nld.global.u32 %r3, [%d2+64];") == 2);
  CHECK(pieces_of(pointer + "mad.wide.u32 %d2, %r1, 8, %d1;\nst.global.u64 [%d2], %d1;") == 2);
  CHECK(pieces_of(pointer + "mad.wide.u32 %d2, %r1, 128, %d1;\nst.global.u8 [%d2], %r1;") == 32);
}

TEST_CASE("reference memory: ways of a bank conflict") {
  CHECK(pieces_of(tile + "ld.shared.u32 %r3, [%r2];") == 1);
  CHECK(pieces_of(tile + "mad.lo.u32 %r2, %r1, 4, %r2;\nld.shared.u32 %r3, [%r2];") == 1);
  CHECK(pieces_of(tile + "mad.lo.u32 %r2, %r1, 8, %r2;\nld.shared.u32 %r3, [%r2];") == 2);
  CHECK(pieces_of(tile + "mad.lo.u32 %r2, %r1, 128, %r2;\nld.shared.u32 %r3, [%r2];") == 32);
  CHECK(pieces_of(tile + "mad.lo.u32 %r2, %r1, 132, %r2;\nld.shared.u32 %r3, [%r2];") == 1);
  CHECK(pieces_of(tile + "and.b32 %r2, %r2, -16;\nmad.lo.u32 %r2, %r1, 16, %r2;\n"
                         "ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r2];") == 4);
}

TEST_CASE("reference memory: words of local memory, addresses of constants, lanes of atomics") {
  CHECK(pieces_of("ld.local.u64 %d1, [frame];") == 2);
  CHECK(pieces_of("mov.u32 %r1, %tid.x;\nand.b32 %r1, %r1, 7;\nmov.u32 %r2, frame;\nmad.lo.u32 %r2, %r1, 4, %r2;\n"
                  "ld.local.u32 %r3, [%r2];") == 8);
  CHECK(pieces_of("ld.param.u64 %d1, [p];") == 1);
  CHECK(pieces_of("red.shared.add.u32 [tile], 1;") == 32);
}

TEST_CASE("reference: a number in the code has the type that is compared or converted, whatever the result's") {
  const std::string third = "mov.f64 %e1, 0d3FD5555555555555;\n";  // no float is so near
  CHECK(holds(third + "set.eq.f32.f64 %f1, %e1, 0d3FD5555555555555;\nsetp.eq.f32 %p1, %f1, 0f3F800000;"));
  CHECK(holds("cvt.rn.f32.f64 %f1, 0d3FD5555555555555;\nsetp.eq.f32 %p1, %f1, 0f3EAAAAAB;"));
  CHECK(holds("set.lt.u32.f32 %r1, 0f3EAAAAAB, 0f3F000000;\nsetp.eq.u32 %p1, %r1, -1;"));
}
