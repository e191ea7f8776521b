#include "solver/bounds/pipeline_bound.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "solver/bounds/list_bound.hpp"
#include "tests/solver/problems.hpp"

using namespace warpspan::solver;

namespace {

int64_t value(const PipelineProblem& problem) {
  const Bound bound = pipeline_bound(problem);
  REQUIRE(bound.status == Status::optimal);
  REQUIRE(bound.safe);
  return bound.makespan.value();
}

std::string refusal(const PipelineProblem& problem) {
  const Bound bound = pipeline_bound(problem);
  REQUIRE(bound.status == Status::not_applicable);
  REQUIRE_FALSE(bound.makespan.has_value());
  REQUIRE_FALSE(bound.safe);
  return bound.remark;
}

// The theorem for a chain of just this length.
int64_t with_chain(PipelineProblem problem, int64_t chain) {
  problem.chain = problem.shortest_chain = chain;
  return value(problem);
}

}  // namespace

TEST_CASE("the pipeline bound is the critical path and what others hold") {
  const PipelineProblem problem{100, 1, {{"issue", 1, 8, 40}, {"load", 2, 16, 25}}};
  const Bound bound = pipeline_bound(problem);
  CHECK(bound.makespan == 100 + 7 * 40 + 187);  // floor(15 * 25 / 2) = 187
  CHECK(bound.method == "pipeline");
  CHECK(bound.kind == Kind::upper);
  CHECK(bound.safe);
  CHECK(bound.assumptions ==
        std::vector<std::string>{
            "A worker that could go on and does not finds all servers of some resource held by other workers.",
            "All workers start together."});
}

TEST_CASE("one worker alone needs its critical path") {
  CHECK(value({77, 1, {{"issue", 1, 1, 40}}}) == 77);
  CHECK(value({77, 1, {}}) == 77);
  CHECK(value({0, 1, {{"issue", 1, 5, 0}}}) == 0);
}

TEST_CASE("without latencies the pipeline bound is the list bound") {
  for (const std::string& text : two_class_strings(5)) {
    const auto l = std::count(text.begin(), text.end(), 'L');
    const auto c = std::count(text.begin(), text.end(), 'C');
    for (int64_t workers = 1; workers < 6; ++workers) {
      const PipelineProblem pipeline{l + c, 1, {{"L", 1, workers, l}, {"C", 2, workers, c}}};
      REQUIRE(pipeline_bound(pipeline).makespan == list_bound(problem(text, workers, {1, 2})).makespan);
    }
  }
}

TEST_CASE("a chain takes its critical paths one after another") {
  PipelineProblem problem{100, 3, {{"issue", 1, 8, 40}}};
  CHECK(value(problem) == 3 * 100 + 5 * 40);
  CHECK(pipeline_bound(problem).assumptions.back() ==
        "Workers that do not start at once start as soon as an earlier one ends.");
}

TEST_CASE("a chain that may be shorter is given the larger bound") {
  // A worker can hold both resources at a time: 1 * 10 + 7 * 10 + 7 * 10 = 150, 2 * 10 + 6 * 10 + 6 * 10 = 140.
  PipelineProblem problem{10, 2, {{"a", 1, 8, 10}, {"b", 1, 8, 10}}};
  CHECK(value(problem) == 150);
  problem.shortest_chain = 2;
  CHECK(value(problem) == 140);
}

TEST_CASE("the bound covers every length of the chain, and closely") {
  std::mt19937 random(7);
  const auto up_to = [&](int64_t most) { return static_cast<int64_t>(random() % static_cast<uint32_t>(most + 1)); };
  int between = 0;
  for (int i = 0; i < 5000; ++i) {
    PipelineProblem problem{up_to(12), 1 + up_to(5), {}};
    problem.shortest_chain = 1 + up_to(problem.chain - 1);
    for (int64_t r = up_to(3); r > 0; --r) {
      problem.resources.push_back({"r", 1 + up_to(4), problem.chain + up_to(6), up_to(15)});
    }
    int64_t largest = 0;
    for (int64_t q = problem.shortest_chain; q <= problem.chain; ++q)
      largest = std::max(largest, with_chain(problem, q));
    const int64_t slack = std::max<int64_t>(0, static_cast<int64_t>(problem.resources.size()) - 1);
    REQUIRE(value(problem) >= largest);
    REQUIRE(value(problem) <= largest + slack);
    between +=
        largest > std::max(with_chain(problem, problem.shortest_chain), with_chain(problem, problem.chain)) ? 1 : 0;
  }
  CHECK(between > 0);  // the ends alone would not do
}

TEST_CASE("a chain of workers whose blocks are handed out waits for the dispatcher") {
  PipelineProblem problem{100, 3, {{"issue", 1, 8, 40}}};
  problem.dispatch = Dispatch{5, 7, 2};
  const Bound bound = pipeline_bound(problem);
  CHECK(bound.makespan == 3 * 107 + 2 * 2 + 5 * 40);
  CHECK(bound.assumptions.back() ==
        "A block that waits has its turn as soon as there is room for it and no other block is being handed out.");
  problem.dispatch->blocks = 2;
  CHECK(refusal(problem) == "there are fewer blocks than workers in the chain");
  problem.dispatch = Dispatch{5, -1, 2};
  CHECK(refusal(problem) == "a time of the dispatcher is negative");
}

TEST_CASE("the parts of the pipeline bound add up") {
  PipelineProblem problem{100, 4, {{"issue", 1, 8, 40}, {"load", 3, 16, 25}, {"idle", 1, 8, 0}, {"own", 2, 4, 9}}};
  problem.dispatch = Dispatch{5, 7, 2};
  const Bound bound = pipeline_bound(problem);
  int64_t sum = 0;
  for (const Part& part : bound.parts) sum += part.cycles;
  CHECK(sum == bound.makespan);
  // A chain of 4 has more than one of 1, and the lengths between them may have 1 more; nobody waits for "idle", and all
  // that share "own" are of the chain.
  const auto is = [](const Part& part, Part::Kind kind, const char* name, int64_t cycles, int64_t workers,
                     int64_t demand, int64_t servers) {
    return part.kind == kind && part.name == name && part.cycles == cycles && part.workers == workers &&
           part.demand == demand && part.servers == servers;
  };
  REQUIRE(bound.parts.size() == 6);
  CHECK(is(bound.parts[0], Part::Kind::path, "", 400, 4, 100, 1));
  CHECK(is(bound.parts[1], Part::Kind::start, "", 28, 4, 7, 1));
  CHECK(is(bound.parts[2], Part::Kind::resource, "issue", 160, 4, 40, 1));
  CHECK(is(bound.parts[3], Part::Kind::resource, "load", 100, 12, 25, 3));
  CHECK(is(bound.parts[4], Part::Kind::dispatch, "", 2, 1, 2, 1));
  CHECK(is(bound.parts[5], Part::Kind::rounding, "", 1, 1, 1, 1));
}

TEST_CASE("larger demands, latencies and worker counts never lower the pipeline bound") {
  const PipelineProblem base{50, 2, {{"issue", 1, 8, 30}, {"load", 3, 8, 20}}};
  const int64_t bound = value(base);
  PipelineProblem longer = base, busier = base, fuller = base;
  longer.critical_path += 1;
  busier.resources[1].demand += 1;
  fuller.resources[0].workers += 1;
  CHECK(value(longer) >= bound);
  CHECK(value(busier) >= bound);
  CHECK(value(fuller) >= bound);
}

TEST_CASE("a pipeline problem outside of its ranges is refused") {
  CHECK(refusal({-1, 1, {}}) == "the critical path is negative");
  CHECK(refusal({1, 0, {}}) == "the chain is below the shortest chain");
  CHECK(refusal({1, 1, {}, 0}) == "the shortest chain is below 1");
  CHECK(refusal({1, 1, {{"issue", 0, 1, 1}}}) == "resource 'issue' has no server");
  CHECK(refusal({1, 1, {{"issue", 1, 1, -1}}}) == "the demand for resource 'issue' is negative");
  CHECK(refusal({1, 1, {{"issue", 1, 0, 1}}}) ==
        "resource 'issue' is shared by 0 workers, fewer than the 1 of the chain");
  CHECK(refusal({1, 3, {{"issue", 1, 2, 1}}}) ==
        "resource 'issue' is shared by 2 workers, fewer than the 3 of the chain");
}

TEST_CASE("a pipeline bound that overflows has no value") {
  const int64_t large = int64_t{1} << 40;
  for (const PipelineProblem& problem :
       {PipelineProblem{large, large, {}}, PipelineProblem{1, 1, {{"a", 1, large, large}}},
        PipelineProblem{INT64_MAX, 1, {{"a", 1, 2, 1}}}}) {
    CHECK(pipeline_bound(problem).status == Status::overflow);
    CHECK_FALSE(pipeline_bound(problem).makespan.has_value());
    CHECK_FALSE(pipeline_bound(problem).safe);
  }
}
