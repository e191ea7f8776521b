// SPDX-License-Identifier: GPL-3.0-or-later
// Which loops a label, a line of PTX and a line of a source mean.
#include <catch2/catch.hpp>
#include <tuple>

#include "frontend/frontend.hpp"
#include "tests/paths.hpp"

using namespace warpspan;

namespace {

using Place = std::tuple<std::string, uint32_t, bool>;  // label, source line, tests last
using Trips = std::vector<std::optional<int64_t>>;

ir::Launch one_warp() {
  ir::Launch launch;
  launch.block = ir::Extent{32, 1, 1};
  return launch;
}

frontend::Reading read(const std::string& name, const std::string& text, const ir::Launch& launch) {
  frontend::Inquiry inquiry;
  inquiry.unbounded_loops = true;
  return frontend::read_kernels(std::make_shared<const support::SourceFile>(name, text), {}, launch, inquiry);
}

frontend::Reading read_sample(const std::string& name, const ir::Launch& launch = one_warp()) {
  const auto source = support::read_source(warpspan::test::source_dir() + "/tests/samples/facts/" + name);
  REQUIRE(source.ok());
  return read(name, std::string(source->text()), launch);
}

const std::vector<ir::Loop>& loops_of(const frontend::Reading& reading, size_t kernel = 0) {
  REQUIRE(reading.codes.size() > kernel);
  REQUIRE(reading.codes[kernel].loops);
  return *reading.codes[kernel].loops;
}

std::vector<Place> places(const std::string& sample) {
  const frontend::Reading reading = read_sample(sample);
  std::vector<Place> result;
  for (const ir::Loop& loop : loops_of(reading)) {
    CHECK(loop.source_file == (loop.source_line == 0 ? "" : "loops.cu"));
    result.emplace_back(loop.label, loop.source_line, loop.tests_last);
  }
  return result;
}

Trips trips(const std::vector<ir::Loop>& loops) {
  Trips result;
  for (const ir::Loop& loop : loops) result.push_back(loop.trip_count);
  return result;
}

std::string file_of(const std::string& functions, const std::string& body) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n" + functions +
         ".visible .entry k(.param .u32 n)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<10>;\nld.param.u32 %r1, [n];\n" + body +
         "ret;\n}\n";
}

// Counts to n, with a test at the end of each turn.
std::string loop(const std::string& label, const std::string& rest = "") {
  return "mov.u32 %r2, 0;\n" + label + ": add.s32 %r2, %r2, 1;\n" + rest + "setp.lt.s32 %p1, %r2, %r1;\n@%p1 bra " +
         label + ";\n";
}

ir::LoopBound at_line(int64_t line, int64_t trip_count) { return {"", trip_count, "", line}; }
ir::LoopBound at_source(const std::string& file, int64_t line, int64_t trip_count) {
  return {"", trip_count, file, line};
}

Trips bounded(const std::string& text, const ir::LoopBound& bound) {
  ir::Launch launch = one_warp();
  launch.loop_bounds.push_back(bound);
  return trips(loops_of(read("t.ptx", text, launch)));
}

}  // namespace

TEST_CASE("loops have the lines of their statements, as compilers write them") {
  CHECK(places("loops.nvcc-lineinfo.ptx") == std::vector<Place>{{"$L__BB0_2", 4, true},
                                                                {"$L__BB0_5", 17, true},
                                                                {"$L__BB0_7", 25, true},
                                                                {"$L__BB0_11", 27, true},
                                                                {"$L__BB0_17", 28, true},
                                                                {"$L__BB0_24", 28, true},
                                                                {"$L__BB0_31", 28, true},
                                                                {"$L__BB0_38", 28, true},
                                                                {"$L__BB0_42", 27, true},
                                                                {"$L__BB0_49", 28, true},
                                                                {"$L__BB0_52", 32, true}});
  CHECK(places("loops.nvcc-G.ptx") == std::vector<Place>{{"$L__BB0_1", 4, false},
                                                         {"$L__BB0_7", 13, false},
                                                         {"$L__BB0_14", 25, true},
                                                         {"$L__BB0_17", 27, false},
                                                         {"$L__BB0_19", 28, false},
                                                         {"$L__BB0_25", 30, false}});
  // A 'continue' that goes back by itself: no line.
  CHECK(places("loops.clang-O0.ptx") == std::vector<Place>{{"LBB0_1", 0, false},
                                                           {"LBB0_6", 12, false},
                                                           {"LBB0_12", 24, true},
                                                           {"LBB0_15", 27, false},
                                                           {"LBB0_17", 28, false},
                                                           {"LBB0_23", 0, false}});
  const std::vector<Place> optimized = places("loops.clang-O2.ptx");
  REQUIRE(optimized.size() == 15);
  CHECK(optimized[0] == Place{"LBB0_2", 4, true});
  CHECK(optimized[8] == Place{"LBB0_19", 28, false});
}

TEST_CASE("a source line bounds each of its loops, and one turn more where it is left before the end of a turn") {
  ir::Launch launch = one_warp();
  launch.loop_bounds = {at_source("loops.cu", 28, 100)};
  const auto given = [](const frontend::Reading& reading) {
    Trips result;
    for (const ir::Loop& loop : loops_of(reading)) {
      if (loop.source_line == 28) result.push_back(loop.source == ir::TripCountSource::user ? loop.trip_count : 0);
    }
    return result;
  };
  CHECK(given(read_sample("loops.nvcc-lineinfo.ptx", launch)) == Trips(5, 100));
  CHECK(given(read_sample("loops.nvcc-G.ptx", launch)) == Trips{0});  // 0: found, at most 7 turns
  const frontend::Reading reading = read_sample("loops.clang-O2.ptx", launch);
  CHECK(given(reading) == Trips{100, 0, 101, 0, 100, 0, 100, 0, 100});
  CHECK(reading.uses.size() == 9);
  CHECK(reading.uses.front().kernel == "w");
  CHECK(reading.uses.front().source_file == "loops.cu");
}

// What nvcc 13 makes of
//   do {                             // line 2
//     do {
//       p[4] = p[5] + 1;
//     } while (p[0] & 1);            // line 5
//   } while (p[1] & 1);              // line 6
// where p is volatile: one loop, whose header runs as often as both take turns.
TEST_CASE("a loop that was made of two has no source line") {
  const std::string begin = ".loc 1 2 1\nL: ld.volatile.global.u32 %r2, [p];\n.loc 1 5 1\n";
  const std::string inner = "setp.ne.s32 %p1, %r2, 0;\n";
  const std::string end = "ld.volatile.global.u32 %r3, [p+4];\n.loc 1 6 1\nsetp.ne.s32 %p2, %r3, 0;\n@%p2 bra L;\n";
  const std::string file = ".file 1 \"/home/k.cu\"\n";
  const std::string p = ".global .u32 p[4];\n";
  const std::string merged = file_of(p, begin + inner + "@%p1 bra L;\n" + end) + file;
  const std::string forwarded = file_of(p, "bra L;\nB: bra L;\n" + begin + inner + "@%p1 bra B;\n" +
                                               std::string(end).replace(end.find("bra L"), 5, "bra B")) +
                                file;
  const std::string one = file_of(p, begin + end) + file;
  CHECK(loops_of(read("t.ptx", one, one_warp())).at(0).source_line == 6);
  CHECK(bounded(one, at_source("k.cu", 6, 10)) == Trips{10});
  for (const std::string& text : {merged, forwarded}) {
    INFO(text);
    REQUIRE(loops_of(read("t.ptx", text, one_warp())).size() == 1);
    CHECK(bounded(text, at_source("k.cu", 6, 10)) == Trips{std::nullopt});
    CHECK(bounded(text, at_source("k.cu", 5, 10)) == Trips{std::nullopt});
    CHECK(bounded(text, {"L", 40}) == Trips{40});
  }
}

// What nvcc 13 makes of
//   for (;;) {                       // line 5
//     int r = find(p);               // inlined: while (p[s] > 2) s += p[9];  in line 2
//     if (r > 100) break;
//     p[r] = 5;
//   }
// where the header of the outer loop has the line of the inner one.
TEST_CASE("a loop that is left in its middle has no source line, nor have loops in one another of the same line") {
  const std::string text =
      file_of(".global .u32 p[4];\n",
              ".loc 1 2 1\nOUTER: mov.u32 %r2, 0;\nld.volatile.global.u32 %r3, [p];\nsetp.lt.s32 %p1, %r3, 3;\n"
              "@%p1 bra AFTER;\nINNER: ld.volatile.global.u32 %r3, [p+4];\nadd.s32 %r2, %r2, %r3;\n"
              "ld.volatile.global.u32 %r3, [p];\nsetp.gt.s32 %p2, %r3, 2;\n@%p2 bra INNER;\n"
              "AFTER: setp.gt.s32 %p3, %r2, 100;\n.loc 1 7 1\n@%p3 bra END;\n.loc 1 8 1\n"
              "st.volatile.global.u32 [p], 5;\nbra OUTER;\nEND:\n") +
      ".file 1 \"/home/k.cu\"\n";
  REQUIRE(loops_of(read("t.ptx", text, one_warp())).size() == 2);
  for (const int64_t line : {5, 7, 8}) CHECK(bounded(text, at_source("k.cu", line, 4)) == Trips(2, std::nullopt));
  CHECK(bounded(text, at_source("k.cu", 2, 4)) == Trips{std::nullopt, 4});
  CHECK(bounded(text, {"OUTER", 1000}) == Trips{1000, std::nullopt});

  std::string same = text;
  same.replace(same.find("bra OUTER;"), 10, ".loc 1 2 1\n@%p3 bra OUTER;");
  CHECK(bounded(same, at_source("k.cu", 2, 4)) == Trips(2, std::nullopt));
}

TEST_CASE("code for debuggers runs its test once more than there are turns") {
  // for (i = 0; i < 16; ++i), with the test at the top: the line has 16 turns, the label runs 17 times.
  const std::string text =
      file_of(
          "",
          ".loc 1 5 1\nmov.u32 %r2, 0;\nL: setp.ge.s32 %p1, %r2, 16;\n@%p1 bra E;\n.loc 1 6 1\nadd.s32 %r2, %r2, 1;\n"
          "bra L;\nE:\n") +
      ".file 1 \"/home/k.cu\"\n";
  ir::Launch launch = one_warp();
  launch.loop_bounds = {at_source("k.cu", 5, 16)};
  const frontend::Reading right = read("t.ptx", text, launch);
  CHECK(right.errors.empty());
  CHECK(loops_of(right).at(0).trip_count == 17);
  launch.loop_bounds = {at_source("k.cu", 5, 15)};
  launch.loop_bounds.front().origin = {"--loop-bound"};
  const frontend::Reading wrong = read("t.ptx", text, launch);
  REQUIRE(wrong.errors.size() == 1);
  CHECK(wrong.errors[0].message ==
        "--loop-bound k.cu:5=15 cannot be true: the loop 'L' (k.cu:5) of kernel 'k' runs 17 "
        "times where it is entered");
  launch.loop_bounds = {{"L", 16}};
  CHECK(read("t.ptx", text, launch).errors.size() == 1);
}

TEST_CASE("a source file is named by the end of its path") {
  const std::string text = file_of("", ".loc 1 5 1\n" + loop("L")) + ".file 1 \"/home/me/k.cu\"\n";
  for (const std::string file : {"k.cu", "me/k.cu", "/home/me/k.cu", "/me/k.cu"}) {
    CHECK(bounded(text, at_source(file, 5, 7)) == Trips{7});
  }
  for (const std::string file : {"u", "e/k.cu", "home/me", "/k.cuh", "other/home/me/k.cu"}) {
    CHECK(bounded(text, at_source(file, 5, 7)) == Trips{std::nullopt});
  }
  CHECK(bounded(text, at_source("k.cu", 6, 7)) == Trips{std::nullopt});
}

TEST_CASE("a line of PTX means the loop whose header begins there") {
  const std::string text = file_of("",
                                   "mov.u32 %r2, 0;\nA:\nL:\n\n  // the header\n  add.s32 %r2, %r2, 1;\n"
                                   "setp.lt.s32 %p1, %r2, %r1;\n@%p1 bra L;\n");
  for (const int64_t line : {10, 11, 12, 13, 14}) CHECK(bounded(text, at_line(line, 7)) == Trips{7});
  for (const int64_t line : {0 + 9, 15, 16}) CHECK(bounded(text, at_line(line, 7)) == Trips{std::nullopt});
  CHECK(bounded(text, {"L", 7}) == Trips{7});
  CHECK(bounded(text, {"A", 7}) == Trips{7});
  CHECK(loops_of(read("t.ptx", text, one_warp())).at(0).line == 14);
}

TEST_CASE("a label at the end of a copied function is no label of the loop behind the copy") {
  const std::string f =
      ".func f(.reg .b32 %a)\n{\n.reg .pred %q;\nsetp.eq.s32 %q, %a, 0;\n@%q bra END;\n"
      "add.s32 %a, %a, 1;\nEND:\n}\n";
  const std::string direct = file_of(f,
                                     "mov.u32 %r2, 0;\ncall f, (%r1);\nL: add.s32 %r2, %r2, 1;\n"
                                     "setp.lt.s32 %p1, %r2, %r1;\n@%p1 bra L;\n");
  CHECK(loops_of(read("t.ptx", direct, one_warp())).at(0).label == "L");
  CHECK(bounded(direct, {"END", 7}) == Trips{std::nullopt});
  CHECK(bounded(direct, {"L", 7}) == Trips{7});
}

TEST_CASE("a bound for one kernel is not one for another") {
  const std::string one =
      ".visible .entry NAME(.param .u32 n)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<10>;\n"
      "ld.param.u32 %r1, [n];\n" +
      loop("L") + "ret;\n}\n";
  const auto named = [&one](const std::string& name) { return std::string(one).replace(one.find("NAME"), 4, name); };
  const std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n" + named("a") + named("_Z3sumILi4EEvi");
  const auto trips_with = [&text](const std::string& kernel) {
    ir::Launch launch = one_warp();
    launch.loop_bounds.push_back({"L", 7, "", 0, kernel});
    const frontend::Reading reading = read("t.ptx", text, launch);
    return std::pair(loops_of(reading, 0).at(0).trip_count, loops_of(reading, 1).at(0).trip_count);
  };
  using Pair = std::pair<std::optional<int64_t>, std::optional<int64_t>>;
  CHECK(trips_with("a") == Pair{7, std::nullopt});
  CHECK(trips_with("sum<4>") == Pair{std::nullopt, 7});
  CHECK(trips_with("_Z3sumILi4EEvi") == Pair{std::nullopt, 7});
  CHECK(trips_with("") == Pair{7, 7});
  CHECK(trips_with("b") == Pair{std::nullopt, std::nullopt});
}

TEST_CASE("what was given is kept beside what was found") {
  const std::string text = file_of("", loop("L"));
  ir::Launch launch = one_warp();
  launch.arguments.push_back({"n", "16"});
  ir::LoopBound bound{"L", 64};
  bound.origin = ir::Origin();
  bound.origin.location = {"facts.toml", 12, 1};
  bound.origin.line = "trip_count = 64";
  launch.loop_bounds.push_back(bound);
  const frontend::Reading reading = read("t.ptx", text, launch);
  const ir::Loop& found = loops_of(reading).at(0);
  CHECK(found.trip_count == 16);
  CHECK(found.given == 64);
  CHECK(ir::to_string(found.given_by) == "facts.toml:12");
  launch.loop_bounds.front().trip_count = 15;
  const frontend::Reading wrong = read("t.ptx", text, launch);
  REQUIRE(wrong.errors.size() == 1);
  CHECK(wrong.kernels.empty());
  CHECK(wrong.errors[0].location.file == "facts.toml");
  CHECK(wrong.errors[0].location.line == 12);
  CHECK(wrong.errors[0].source_line == "trip_count = 64");
  CHECK(wrong.errors[0].message ==
        "the bound L=15 cannot be true: the loop 'L' of kernel 'k' runs 16 times where it is entered");
  CHECK(wrong.errors[0].help == "take it out: the loop's bound is known");
}
