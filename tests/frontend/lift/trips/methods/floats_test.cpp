// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that count in floating point, as compilers make them and as this processor runs them.
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include "support/source_file.hpp"
#include "tests/frontend/lift/find_facts.hpp"
#include "tests/paths.hpp"

using namespace warpspan;
using test::block_of;

namespace {

using Iterations = std::optional<int64_t>;

constexpr int64_t too_long = 20'000;
constexpr int64_t threads = 64;

// Whether a number has to be unknown: one that flushing to zero would change, or that is computed and none.
template <typename Number>
bool is_flushed(Number x) {
  return sizeof(Number) == 4 && x != 0 && std::fabs(x) <= std::numeric_limits<Number>::min();
}
template <typename Number>
bool is_unknown(Number x) {
  return std::isnan(x) || is_flushed(x);
}

// The loops of floats.cu: how often they run, nothing where that is not known or they do not end.
#define COUNTED(START, TEST, STEP)                                      \
  [](auto begin, auto end, auto step, int thread) -> Iterations {       \
    static_cast<void>(begin), static_cast<void>(end);                   \
    static_cast<void>(step), static_cast<void>(thread);                 \
    decltype(begin) x = START;                                          \
    if (is_flushed(x)) return std::nullopt;                             \
    for (int64_t iterations = 0; iterations < too_long; ++iterations) { \
      if (!(TEST)) return iterations;                                   \
      const auto before = x;                                            \
      STEP;                                                             \
      if (is_unknown(x) || x == before) return std::nullopt;            \
    }                                                                   \
    return too_long;                                                    \
  }

template <typename Number>
struct Loop {
  std::string kernel;
  Iterations (*iterations)(Number begin, Number end, Number step, int thread);
};

const std::vector<Loop<float>> loops = {
    {"below", COUNTED(begin, x < end, x += step)},
    {"up_to", COUNTED(begin, x <= end, x += step)},
    {"unequal", COUNTED(begin, x != end, x += step)},
    {"down", COUNTED(begin, x > end, x -= step)},
    {"not_down", COUNTED(begin, !(x <= end), x -= step)},
    {"tenths", COUNTED(0, x < 1.0F, x += 0.1F)},
    {"ones", COUNTED(-3, x <= 3, x++)},
    {"halves", COUNTED(begin, x > end, x *= 0.5F)},
    {"quotients", COUNTED(begin, x > end, x /= step)},
    {"of_threads", COUNTED(static_cast<float>(thread - 7), x < end, x += step)},
};
const std::vector<Loop<double>> double_loops = {
    {"below_double", COUNTED(begin, x < end, x += step)},
    {"down_double", COUNTED(begin, x >= end, x = x - step)},
    {"tenths_double", COUNTED(0, x < 1.0, x += 0.1)},
};
const Loop<float> fused = {"growth", COUNTED(begin, x < end, x = std::fma(x, step, 1.0F))};
const Loop<float> rounded = {"growth", COUNTED(begin, x < end, x = static_cast<float>(x * step) + 1.0F)};
const Loop<float> products = {"products", COUNTED(0, x* step < end, x++)};

const std::string default_file = "floats.nvcc-sm_80.ptx";
const std::string clang_file = "floats.clang-sm_70.ptx";
const std::string rounded_file = "floats.nvcc-sm_75-ftz.ptx";  // .rn, and flushed to zero
const std::string unoptimized_file = "floats.nvcc-sm_90-O0.ptx";

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Values {
  double begin, end, step;
};
const std::vector<Values> all_values = {
    {0, 10, 1},        {0, 1, 0.1},        {0, 1, 0.125},       {-3, 3, 1},       {-3, 3.5, 0.3}, {10, 0, 0.5},
    {1024, 0.001, 3},  {1, 1000, 1.5},     {1, 1000, 1.1},      {0, 100, 0.013},  {5, 5, 1},      {1e30, 1e31, 1e29},
    {0, 100, 100},     {16777206, 2e7, 1}, {16777216, 0, 1},    {0, 20, 0},       {0, 20, -1},    {0, nan, 1},
    {nan, 3, 1},       {0, 3, nan},        {-infinity, 0, 1},   {infinity, 0, 1}, {-0.0, 0, 1},   {1, 0, 2},
    {0, 1e-37, 1e-38}, {1e-40, 1, 0.5},    {-1e38, 3e38, 1e38},
};

// With which something is computed that is not known, perhaps also where a loop is left before it is used.
bool is_odd(const Values& values) {
  const auto is_tiny = [](double x) { return x != 0 && std::fabs(x) < 1e-30; };
  return std::isnan(values.begin + values.end + values.step) || values.step == 0 || is_tiny(values.begin) ||
         is_tiny(values.end) || is_tiny(values.step);
}

template <typename Number>
ir::Launch launch_with(const Values& values) {
  ir::Launch launch = block_of(threads);
  int parameter = 1;
  for (const double value : {values.begin, values.end, values.step}) {
    const auto bits =
        std::bit_cast<std::conditional_t<sizeof(Number) == 4, uint32_t, uint64_t>>(static_cast<Number>(value));
    launch.arguments.push_back(
        {std::to_string(parameter++), std::to_string(bits), ir::ByteRange{0, int64_t{sizeof(Number)}}});
  }
  return launch;
}

template <typename Number>
Iterations expected_iterations(const Loop<Number>& loop, const Values& values) {
  int64_t most = 0;
  for (int thread = 0; thread < threads; ++thread) {
    const Iterations iterations = loop.iterations(static_cast<Number>(values.begin), static_cast<Number>(values.end),
                                                  static_cast<Number>(values.step), thread);
    if (!iterations) return std::nullopt;
    most = std::max(most, *iterations);
  }
  return most;
}

const ptx::Module& module_of(const std::string& file) {
  static std::map<std::string, ptx::Module> modules;
  const auto known = modules.find(file);
  if (known != modules.end()) return known->second;
  auto source = support::read_source(warpspan::test::source_dir() + "/tests/samples/trip_counts/" + file);
  REQUIRE(source.ok());
  auto module = ptx::parse(std::make_shared<const support::SourceFile>(std::move(*source)));
  REQUIRE(module.ok());
  return modules.emplace(file, std::move(*module)).first->second;
}

ir::Loop only_loop(const ptx::Module& module, const std::string& kernel, const ir::Launch& launch) {
  const test::Analyzed analyzed = test::analyze(module, launch, {}, kernel);
  REQUIRE(analyzed.facts.ok());
  REQUIRE(analyzed.facts->loops.size() == 1);
  return analyzed.facts->loops[0];
}

ir::Loop only_loop(const std::string& file, const std::string& kernel, const ir::Launch& launch) {
  return only_loop(module_of(file), kernel, launch);
}

// The header runs once an iteration, and is reported to run once where the loop is not entered; of code that was not
// optimized it tests first.
Iterations header_runs(const std::string& file, const Iterations& iterations) {
  if (!iterations) return std::nullopt;
  return file == unoptimized_file ? *iterations + 1 : std::max<int64_t>(*iterations, 1);
}

template <typename Number>
void check(const std::string& file, const Loop<Number>& loop, const Values& values, bool may_be_refused = false) {
  const Iterations iterations = expected_iterations(loop, values);
  if (iterations == too_long) return;
  const Iterations expected = header_runs(file, iterations);
  const Iterations found = only_loop(file, loop.kernel, launch_with<Number>(values)).trip_count;
  INFO(file << ", " << loop.kernel << " from " << values.begin << " to " << values.end << " by " << values.step << ": "
            << found.value_or(-1) << ", expected " << expected.value_or(-1));
  const bool is_as_expected = found == expected || (may_be_refused && !found);
  CHECK(is_as_expected);
}

}  // namespace

TEST_CASE("loops that count in floating point run as often as on the processor") {
  for (const std::string& file : {default_file, clang_file, rounded_file, unoptimized_file}) {
    for (const Values& values : all_values) {
      const bool may_be_refused = file == unoptimized_file && is_odd(values);
      for (const auto& loop : loops) check(file, loop, values, may_be_refused);
      for (const auto& loop : double_loops) check(file, loop, values, may_be_refused);
    }
  }
}

TEST_CASE("a loop that counts in floating point and does not end is not counted") {
  for (const Values& values : std::vector<Values>{{16777210, 16777230, 1}, {0, 20, -1}, {0, 1, 0}}) {
    CHECK_FALSE(only_loop(default_file, "below", launch_with<float>(values)).trip_count);
  }
  CHECK_FALSE(only_loop(default_file, "unequal", launch_with<float>({0, 1, 0.1})).trip_count);
  CHECK_FALSE(only_loop(default_file, "below_double", launch_with<double>({1e16, 1e17, 1})).trip_count);
}

TEST_CASE("what an assembler may fuse is known where it makes no difference") {
  for (const Values& values : all_values) {
    check(default_file, fused, values, is_odd(values));
    check(clang_file, fused, values, is_odd(values));
    check(rounded_file, rounded, values, is_odd(values));
    check(rounded_file, products, values, is_odd(values));
    // A product that may be fused with what is added to it: as if it was, and as if it was not.
    check(unoptimized_file, fused, values, true);
    check(unoptimized_file, rounded, values, true);
    check(default_file, products, values, true);
  }
  const Values exact = {1, 1000, 1.5}, inexact = {1, 1000, 1.1};
  CHECK(only_loop(unoptimized_file, "growth", launch_with<float>({1, 1000, 2})).trip_count);
  CHECK_FALSE(only_loop(unoptimized_file, "growth", launch_with<float>(inexact)).trip_count);
  CHECK(only_loop(default_file, "products", launch_with<float>(exact)).trip_count);
  CHECK_FALSE(only_loop(default_file, "products", launch_with<float>(inexact)).trip_count);
}

TEST_CASE("facts say whether they rest on sums without a rounding") {
  const auto rests = [](const std::string& add) {
    const std::string body = "mov.f32 %f1, 0f00000000;\n$L:\n" + add +
                             " %f1, %f1, 0f3F800000;\nsetp.lt.f32 %p1, %f1, 0f41000000;\n@%p1 bra $L;\nret;";
    const test::Analyzed analyzed = test::analyze(test::kernel_k(body), block_of(threads));
    REQUIRE(analyzed.facts.ok());
    CHECK(analyzed.facts->loops.at(0).trip_count == 8);
    return analyzed.facts->unrounded_floats;
  };
  CHECK(rests("add.f32"));
  CHECK_FALSE(rests("add.rn.f32"));
}

TEST_CASE("a number of iterations that is computed in floating point") {
  for (const auto& [begin, end, step, iterations] :
       std::vector<std::array<double, 4>>{{0, 10, 0.25, 40}, {0, 1, 0.1, 10}, {-3, 4.5, 1.1, 6}, {5, 5, 1, 1}}) {
    const ir::Loop loop = only_loop(default_file, "until_integer", launch_with<float>({begin, end, step}));
    CHECK(loop.trip_count == static_cast<int64_t>(iterations));
  }
}

TEST_CASE("a limit that is not known is asked for, with the option that gives its bits") {
  const ir::Loop loop = only_loop(default_file, "below", block_of(threads));
  CHECK_FALSE(loop.trip_count);
  CHECK(loop.obstacle ==
        "its exit test depends on parameter 'below_param_1', parameter 'below_param_2' and parameter 'below_param_3', "
        "whose values are not known");
  CHECK(loop.remedies == std::vector<std::string>{"{argument} below_param_1+0:4=VALUE",
                                                  "{argument} below_param_2+0:4=VALUE",
                                                  "{argument} below_param_3+0:4=VALUE"});
}

TEST_CASE("doubles that a target maps to floats are no doubles") {
  const auto trips_for = [](const std::string& target) {
    const auto module = test::parse(".version 1.4\n.target " + target +
                                    "\n.entry k\n{\n.reg .pred %p1;\n.reg .f64 %d1;\nmov.f64 %d1, 0d0000000000000000;\n"
                                    "$L:\nadd.f64 %d1, %d1, 0d3FB999999999999A;\n"
                                    "setp.lt.f64 %p1, %d1, 0d3FF0000000000000;\n@%p1 bra $L;\nexit;\n}\n");
    REQUIRE(module.ok());
    return only_loop(*module, "k", block_of(32)).trip_count;
  };
  CHECK(trips_for("sm_13") == 11);
  CHECK_FALSE(trips_for("sm_10, map_f64_to_f32"));
}
