// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reference/generators/families.hpp"

#include <algorithm>

#include "tests/reference/generators/kernel_text.hpp"
#include "tests/reference/generators/statements.hpp"

namespace warpspan::reference {

namespace {

// The body of a kernel made of statements. depth: of calls of recursive functions, at most; 0: they are not.
std::string kernel_body(Random& random, const Style& style, const std::vector<Callable>& callables, int64_t depth = 0) {
  Body body("L");
  Given given{body.word(), body.word(), body.word(), body.wide(), "exit", true};
  body.line({"ld.param.u64 ", given.pointer, ", [p]"});
  body.line({"cvta.to.global.u64 ", given.pointer, ", ", given.pointer});
  body.line({"mov.u32 ", given.lane, ", ", random.pick({"%tid.x", "%tid.x", "%tid.y", "%laneid"})});
  if (random.chance(25)) {
    const std::string row = body.word();
    const std::string width = body.word();
    body.line({"mov.u32 ", row, ", %tid.y"});
    body.line({"mov.u32 ", width, ", ", random.pick({"%ntid.x", "16", "32"})});
    body.line({"mad.lo.u32 ", given.lane, ", ", row, ", ", width, ", ", given.lane});
  }
  body.line({"ld.param.u32 ", given.shared, ", [n]"});
  body.line({"ld.param.u32 ", given.bound, ", [m]"});
  if (depth > 0) {
    given.left = body.word();
    body.line({"mov.u32 ", given.left, ", ", std::to_string(depth)});
    if (random.chance(60)) body.line({"rem.u32 ", given.left, ", ", given.lane, ", ", std::to_string(depth + 1)});
  }
  Statements(random, style, body, given, callables).write();
  return body.text();
}

// A function that may call these.
std::string function_text(Random& random, const Style& style, const std::string& name,
                          const std::vector<Callable>& callables, const std::string& end, bool is_recursive = false) {
  Body body(name + "_");
  Given given{body.word(), body.word(), body.word(), body.wide(), end, false};
  body.line({"ld.param.b32 ", given.lane, ", [in0]"});
  body.line({"ld.param.b32 ", given.shared, ", [in1]"});
  body.line({"mov.u32 ", given.bound, ", 2"});
  body.line({"ld.param.b64 ", given.pointer, ", [in2]"});
  if (is_recursive) {
    given.left = body.word();
    body.line({"ld.param.b32 ", given.left, ", [in3]"});
  }
  Statements statements(random, style, body, given, callables);
  body.line({"st.param.b32 [out], ", given.shared});
  statements.write();
  body.line({"st.param.b32 [out], ", statements.result()});
  return ".func (.param .b32 out) " + name + "(.param .b32 in0, .param .b32 in1, .param .b64 in2" +
         (is_recursive ? ", .param .b32 in3)\n{\n" : ")\n{\n") + body.text() + "ret;\n}\n";
}

// The declaration of a function, with as many lines.
std::string without_body(const std::string& function) {
  const size_t brace = function.find('{');
  const auto lines = std::count(function.begin() + static_cast<ptrdiff_t>(brace), function.end(), '\n');
  return function.substr(0, brace) + ";" + std::string(static_cast<size_t>(lines), '\n');
}

// Some kernels only carry constants past their joins, so that nothing but the way taken makes lanes differ.
void vary(Random& random, Style& style) {
  style.constants = random.pick<uint64_t>({30, 80, 100});
  style.loads = random.pick<uint64_t>({0, 10, 50});
  style.elsewhere = random.pick<uint64_t>({0, 0, 40});
  style.warp_wide = random.pick<uint64_t>({0, 0, style.warp_wide});
  style.ends = random.pick<uint64_t>({0, 0, style.ends});
  style.jumps = random.pick<uint64_t>({0, 0, style.jumps});
  style.by_lane = random.pick<uint64_t>({10, 25, 40});
  style.by_variable = random.pick<uint64_t>({20, 40, 55});
}

Experiment statements_experiment(uint64_t seed, Style style) {
  Random random(seed);
  vary(random, style);
  const std::string body = kernel_body(random, style, {});
  return experiment_of(kernel_text("", body), random);
}

Experiment loops(uint64_t seed) {
  Style style;
  style.loops = 30;
  style.jumps = 8;
  style.loop_exits = 8;
  return statements_experiment(seed, style);
}

Experiment joins(uint64_t seed) {
  Style style;
  style.assignments = 35;
  style.branches = 25;
  style.decisions = 20;
  style.loops = 4;
  style.jumps = 8;
  style.ends = 3;
  style.switches = 4;
  style.statements = 10;
  return statements_experiment(seed, style);
}

Experiment exits(uint64_t seed) {
  Style style;
  style.branches = 25;
  style.loops = 18;
  style.decisions = 4;
  style.loop_exits = 25;
  style.jumps = 5;
  style.ends = 2;
  style.warp_wide = 3;
  style.statements = 8;
  return statements_experiment(seed, style);
}

Experiment slots(uint64_t seed) {
  Style style;
  style.branches = 20;
  style.decisions = 5;
  style.loops = 15;
  style.loop_exits = 5;
  style.slots = 40;
  style.escapes = seed % 3 == 0 ? 5 : 0;
  style.statements = 10;
  return statements_experiment(seed, style);
}

Experiment calls(uint64_t seed) {
  Random random(seed);
  Style inner;
  inner.statements = 4;
  inner.deepest = 2;
  inner.ends = 4;
  inner.loops = 6;
  inner.calls = 6;
  std::vector<Callable> callables;
  std::string functions;
  for (int i = 0; i < 3; ++i) {
    const std::string name = "f" + std::to_string(i);
    vary(random, inner);
    functions += function_text(random, inner, name, callables, random.chance(25) ? "exit" : "ret");
    callables.push_back({name});
  }
  Style outer;
  outer.statements = 8;
  outer.deepest = 2;
  outer.calls = 30;
  outer.computed_calls = seed % 2 == 0 ? 0 : 40;
  outer.loop_exits = 5;
  vary(random, outer);
  const std::string body = kernel_body(random, outer, callables);
  return experiment_of(kernel_text(functions, body), random);
}

// Of functions of which only the times are known.
Experiment outside(uint64_t seed) {
  Random random(seed);
  Style inner;
  inner.statements = 3;
  inner.deepest = 2;
  inner.loops = 4;
  inner.calls = 6;
  Style outer;
  outer.statements = 8;
  outer.deepest = 2;
  outer.calls = 30;
  outer.loop_exits = 5;
  vary(random, inner);
  inner.ends = 0;
  inner.jumps = 0;
  vary(random, outer);
  std::vector<Callable> callables;
  std::string functions;
  std::string declared;
  std::string times;
  const int64_t hidden = random.between(1, 3);
  for (int i = 0; i < 3; ++i) {
    const std::string name = "f" + std::to_string(i);
    const std::string function = function_text(random, inner, name, callables, "ret");
    functions += function;
    const bool is_hidden = i < hidden;  // so that it calls no other
    declared += is_hidden ? without_body(function) : function;
    callables.push_back({name});
    if (is_hidden) times += name;
  }
  const std::string body = kernel_body(random, outer, callables);
  Experiment experiment = experiment_of(kernel_text(declared, body), random);
  experiment.bodies = kernel_text(functions, body);
  for (size_t i = 0; i < times.size(); i += 2) {
    experiment.launch.call_costs.push_back(
        {times.substr(i, 2), {static_cast<int64_t>(random.below(1000)) + 1}, "", {}});
  }
  return experiment;
}

// What is executed has a copy for each call, to one level more for each function: not too many.
int64_t deepest_executed(const std::string& functions, int64_t count) {
  constexpr int64_t most_copies = 300, deepest = 4;
  int64_t calls = 1;  // of one activation
  for (size_t at = 0; (at = functions.find("call (got)", at)) != std::string::npos; ++at) ++calls;
  int64_t copies = 1, levels = 0;
  while (copies * calls <= most_copies && levels < (deepest + 1) * count) {
    copies *= calls;
    ++levels;
  }
  return std::max<int64_t>(levels / count - 1, 1);
}

Experiment recursion(uint64_t seed) {
  Random random(seed);
  Style inner;
  inner.statements = 4;
  inner.deepest = 2;
  inner.loops = 3;
  inner.calls = 10;
  inner.ends = 4;
  const int64_t count = random.between(1, 2);
  std::vector<Callable> callables;
  std::string functions;
  for (int64_t i = 0; i < count; ++i) callables.push_back({"f" + std::to_string(i)});
  for (const Callable& callable : callables) {  // each is declared before it is called
    functions += ".func (.param .b32 out) " + callable.name +
                 "(.param .b32 in0, .param .b32 in1, .param .b64 in2, .param .b32 in3);\n";
  }
  for (const Callable& callable : callables) {
    vary(random, inner);
    functions += function_text(random, inner, callable.name, callables, random.chance(10) ? "exit" : "ret", true);
  }
  const int64_t depth = random.between(1, deepest_executed(functions, count));
  Style outer;
  outer.statements = 5;
  outer.deepest = 2;
  outer.loops = 4;
  outer.calls = 30;
  vary(random, outer);
  Experiment experiment = experiment_of(kernel_text(functions, kernel_body(random, outer, callables, depth)), random);
  for (const Callable& callable : callables) experiment.launch.recursions.push_back({callable.name, depth});
  return experiment;
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"loops", loops},
      {"joins", joins},
      {"exits", exits},
      {"slots", slots},
      {"calls", calls},
      {"outside", outside},
      {"recursion", recursion},
      {"counts", count_experiment},
      {"floats", float_experiment},
      {"swaps", swap_experiment},
      {"addresses", address_experiment},
      {"opcodes", opcode_experiment},
  };
  return all;
}

}  // namespace warpspan::reference
