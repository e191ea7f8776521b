// SPDX-License-Identifier: GPL-3.0-or-later
// The interpreter against results worked out by hand: how warps part and join.
#include <catch2/catch.hpp>

#include "tests/reference/run_text.hpp"

using namespace warpspan;
using reference::Order;
using test::run_body;

TEST_CASE("a warp without branches executes every instruction once") {
  const auto run = run_body("mov.u32 %r1, %tid.x;\nadd.u32 %r1, %r1, 1;\nret;");
  CHECK(run.executed() == std::vector<int64_t>{1, 1, 1});
  CHECK(run.record.outcome == reference::Record::Outcome::finished);
}

TEST_CASE("lanes that part execute both ways and join at the post-dominator") {
  const std::string body =
      "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 5;\n@%p1 bra A;\nmov.u32 %r2, 1;\nbra J;\nA:\nmov.u32 %r2, 2;\nJ:\n"
      "mov.u32 %r3, %r2;\nret;";
  for (const Order order : reference::all_orders) {
    const auto run = run_body(body, order);
    CHECK(run.executed() == std::vector<int64_t>{1, 1, 1, 1, 1, 1, 1, 1});
    CHECK(run.record.parted == std::vector<bool>{false, false, true, false, false, false, false, false});
  }
}

TEST_CASE("a uniform branch takes one way") {
  const auto run = run_body(
      "mov.u32 %r1, 7;\nsetp.lt.u32 %p1, %r1, 5;\n@%p1 bra A;\nmov.u32 %r2, 1;\nbra J;\nA:\nmov.u32 %r2, 2;\nJ:\nret;");
  CHECK(run.executed() == std::vector<int64_t>{1, 1, 1, 1, 1, 0, 1});
}

TEST_CASE("a loop that lanes leave at different times runs as long as the last of them") {
  const std::string body =
      "mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nL:\nadd.u32 %r2, %r2, 1;\nsetp.le.u32 %p1, %r2, %r1;\n@%p1 bra L;\nret;";
  for (const Order order : reference::all_orders) {
    const auto run = run_body(body, order);
    CHECK(run.executed() == std::vector<int64_t>{1, 1, 32, 32, 32, 1});
    CHECK(run.record.most_turns == std::vector<int64_t>{32});
  }
}

TEST_CASE("lanes that break out of a loop at different times wait for each other behind it") {
  // The break leaves from one place, the end of the loop from another: what follows runs once.
  const std::string body =
      "mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nL:\nadd.u32 %r2, %r2, 1;\nsetp.gt.u32 %p1, %r2, %r1;\n@%p1 bra X;\n"
      "setp.lt.u32 %p2, %r2, 8;\n@%p2 bra L;\nX:\nret;";
  const auto run = run_body(body);
  CHECK(run.executed() == std::vector<int64_t>{1, 1, 8, 8, 8, 8, 8, 1});
}

TEST_CASE("lanes that end are missed by nobody") {
  const std::string body =
      "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 5;\n@%p1 exit;\nmov.u32 %r2, 1;\nsetp.lt.u32 %p2, %r1, 9;\n"
      "@%p2 bra A;\nmov.u32 %r2, 3;\nA:\nret;";
  for (const Order order : reference::all_orders) {
    CHECK(run_body(body, order).executed() == std::vector<int64_t>{1, 1, 1, 1, 1, 1, 1, 1});
  }
}

TEST_CASE("parted lanes whose ways end in different returns never join") {
  const std::string body =
      "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 5;\n@%p1 bra A;\nmov.u32 %r2, 1;\nbra J;\nA:\nsetp.lt.u32 %p2, %r1, "
      "2;\n@%p2 ret;\nJ:\nmov.u32 %r3, 1;\nret;";
  // The post-dominator of the first branch is the end, so each way runs the rest by itself.
  CHECK(run_body(body).executed() == std::vector<int64_t>{1, 1, 1, 1, 1, 1, 1, 2, 2});
}

TEST_CASE("a barrier lets the warps of a block see what the others wrote") {
  const std::string body =
      "mov.u32 %r1, %tid.x;\nmul.lo.u32 %r2, %r1, 4;\nmov.u32 %r3, tile;\nadd.u32 %r2, %r2, %r3;\n"
      "st.shared.u32 [%r2], %r1;\nbar.sync 0;\nxor.b32 %r4, %r1, 32;\nmul.lo.u32 %r4, %r4, 4;\nadd.u32 %r4, %r4, %r3;\n"
      "ld.shared.u32 %r5, [%r4];\nxor.b32 %r5, %r5, 32;\nsetp.eq.u32 %p1, %r5, %r1;\n@%p1 bra A;\nmov.u32 %r6, 1;\nA:\n"
      "ret;";
  for (const Order order : reference::all_orders) {
    const auto run = run_body(body, order, 64);
    REQUIRE(run.record.warps.size() == 2);
    CHECK(run.record.warps[0].executed[13] == 0);
    CHECK(run.record.warps[1].executed[13] == 0);
  }
}

TEST_CASE("an indexed branch takes lanes to as many places as they ask for") {
  const std::string body =
      "mov.u32 %r1, %tid.x;\nand.b32 %r1, %r1, 3;\nT: .branchtargets A, B, A, C;\nbrx.idx %r1, T;\n"
      "A:\nmov.u32 %r2, 1;\nbra C;\nB:\nmov.u32 %r2, 2;\nC:\nret;";
  for (const Order order : reference::all_orders) {
    const auto run = run_body(body, order);
    CHECK(run.executed() == std::vector<int64_t>{1, 1, 1, 1, 1, 1, 1});
    CHECK(run.record.parted[2]);
  }
}

TEST_CASE("a last warp that is not full has fewer lanes") {
  const auto run = run_body("mov.u32 %r1, %laneid;\nsetp.ge.u32 %p1, %r1, 3;\n@%p1 bra A;\nmov.u32 %r2, 1;\nA:\nret;",
                            Order::taken_first, 35);
  REQUIRE(run.record.warps.size() == 2);
  CHECK(run.record.parted[2]);
  CHECK(run.record.warps[0].executed[3] == 1);
  CHECK(run.record.warps[1].executed[3] == 1);
}

TEST_CASE("a kernel that does not end is given up") {
  CHECK(run_body("L:\nbra L;").record.outcome == reference::Record::Outcome::too_long);
}
