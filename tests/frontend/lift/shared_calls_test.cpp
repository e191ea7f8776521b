// SPDX-License-Identifier: GPL-3.0-or-later
// What is known in a body that several calls share, and after a call of one.
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "ir/execution.hpp"
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::analyze;
using test::Analyzed;
using test::block_of;

namespace {

constexpr ptx::SharingLimits share_all = {0, 0};
constexpr ptx::SharingLimits copy_all = {UINT64_MAX, UINT64_MAX};

Analyzed shared(const std::string& functions, const std::string& body, const ptx::SharingLimits& limits = share_all) {
  Analyzed analyzed = analyze(functions + test::kernel_k(body), block_of(64), limits);
  INFO(functions + body);
  INFO((analyzed.facts.ok() ? std::string() : render(analyzed.facts.errors().front(), false)));
  REQUIRE(analyzed.facts.ok());
  return analyzed;
}

// The trip counts by label; 0 where there is none.
std::map<std::string, int64_t> trips(const Analyzed& analyzed) {
  std::map<std::string, int64_t> result;
  for (const ir::Loop& loop : analyzed.facts->loops) result[loop.label] = loop.trip_count.value_or(0);
  return result;
}

// The most instructions that a warp executes, if every loop has a bound.
std::optional<int64_t> most_instructions(const Analyzed& analyzed) {
  for (const ir::Loop& loop : analyzed.facts->loops) {
    if (!loop.trip_count) return std::nullopt;
  }
  const auto one = [](ir::InstructionId) { return std::vector<support::Integer>{1}; };
  const auto totals = ir::largest_totals(analyzed.kernel, *analyzed.facts, 1, one);
  REQUIRE(totals);
  return totals->front().value();
}

using Trips = std::map<std::string, int64_t>;

// A loop at the label that counts a register to a limit.
std::string counted(const std::string& label, const std::string& counter, const std::string& limit,
                    const std::string& inside = {}) {
  return "mov.u32 " + counter + ", 0;\n" + label + ":\n" + inside + "add.u32 " + counter + ", " + counter +
         ", 1;\nsetp.lt.u32 %p1, " + counter + ", " + limit + ";\n@%p1 bra " + label + ";\n";
}

const std::string successor_of =
    ".func (.param .b32 r) f(.param .b32 a) { .reg .b32 %r<3>; ld.param.b32 %r1, [a]; add.u32 %r2, %r1, 1; "
    "st.param.b32 [r], %r2; ret; }\n";
const std::string call_f = "st.param.b32 [x], 6; call (y), f, (x); ld.param.b32 %r1, [y];\n";

std::string with_variables(const std::string& body) {
  return "{ .param .b32 x; .param .b32 y; .param .b64 q;\n" + body + "} ret;";
}

}  // namespace

TEST_CASE("a result of a shared function is unknown") {
  const std::string body = with_variables(call_f + counted("L", "%r2", "%r1"));
  CHECK(trips(shared(successor_of, body, copy_all)) == Trips{{"L", 7}});
  CHECK(trips(shared(successor_of, body)) == Trips{{"L", 0}});
  const std::string registers = ".func (.reg .b32 r) f(.reg .b32 a) { add.u32 r, a, 1; ret; }\n";
  const std::string direct = "call (%r1), f, (6);\n" + counted("L", "%r2", "%r1") + "ret;";
  CHECK(trips(shared(registers, direct, copy_all)) == Trips{{"L", 7}});
  CHECK(trips(shared(registers, direct)) == Trips{{"L", 0}});
}

TEST_CASE("two calls of a shared function give two values") {
  // Were both the same unknown value, the difference would be 0 and the loop would run once.
  const auto difference = [](const std::string& call) {
    return call + "mov.u32 %r3, %r1;\n" + call + "sub.u32 %r3, %r3, %r1;\n" + counted("L", "%r2", "%r3") + "ret;";
  };
  CHECK(trips(shared(".func (.reg .b32 r) f(.reg .b32 a) { mov.u32 r, %clock; ret; }\n",
                     difference("call (%r1), f, (6);\n"))) == Trips{{"L", 0}});
  CHECK(trips(shared(successor_of, with_variables(difference(call_f)))) == Trips{{"L", 0}});
}

TEST_CASE("a parameter of a shared function is unknown") {
  const std::string f = ".func f(.param .b32 a) { .reg .pred %p1; .reg .b32 %r<3>; ld.param.b32 %r1, [a];\n" +
                        counted("F", "%r2", "%r1") + "ret; }\n";
  const std::string body = with_variables("st.param.b32 [x], 6; call f, (x);\n");
  CHECK(trips(shared(f, body, copy_all)) == Trips{{"F", 6}});
  CHECK(trips(shared(f, body)) == Trips{{"F", 0}});
  const std::string g = ".func f(.reg .b32 a) { .reg .pred %p1; .reg .b32 %r<3>;\n" + counted("F", "%r2", "a") +
                        counted("G", "%r2", "9") + "ret; }\n";
  CHECK(trips(shared(g, "call f, (6); ret;", copy_all)) == Trips{{"F", 6}, {"G", 9}});
  CHECK(trips(shared(g, "call f, (6); ret;")) == Trips{{"F", 0}, {"G", 9}});
}

TEST_CASE("a counter lives through calls of a shared function") {
  // The registers of the function have the same names.
  const std::string f = ".func f() { .reg .b32 %r<9>; add.u32 %r2, %r2, 5; ret; }\n";
  CHECK(trips(shared(f, counted("L", "%r2", "10", "call f;\n@%p2 call f;\n") + "ret;")) == Trips{{"L", 10}});
}

TEST_CASE("local memory whose address a shared function gets is unknown after the call") {
  const std::string f = ".func f(.param .b64 a) { .reg .b64 %d; ld.param.b64 %d, [a]; st.local.u32 [%d], 1; ret; }\n";
  const auto body = [](const std::string& pass) {
    return with_variables("st.local.u32 [frame], 8;\nmov.b64 %d1, frame;\n" + pass + "ld.local.u32 %r1, [frame];\n" +
                          counted("L", "%r2", "%r1"));
  };
  CHECK(trips(shared(f, body("st.param.b64 [q], %d1; call f, (q);\n"))) == Trips{{"L", 0}});
  CHECK(trips(shared(f, body("call f, (%d1);\n"))) == Trips{{"L", 0}});
  const std::string g = ".func f(.reg .b64 a) { st.local.u32 [a], 1; ret; }\n";
  CHECK(trips(shared(g, body("call f, (%d1);\n"))) == Trips{{"L", 0}});
  // Without the address there is no access to it.
  CHECK(trips(shared(f, body("call f, (%d2);\n"))) == Trips{{"L", 8}});
}

TEST_CASE("a variable that two bodies mention is unknown in both") {
  const std::string f = ".local .align 4 .b8 common[4];\n.func f() { st.local.u32 [common], 1; ret; }\n";
  const std::string body =
      "st.local.u32 [common], 8;\ncall f;\nld.local.u32 %r1, [common];\n" + counted("L", "%r2", "%r1") + "ret;";
  CHECK(trips(shared(f, body)) == Trips{{"L", 0}});
}

TEST_CASE("a shared function may get pointers to local memory") {
  const std::string f = ".func f(.reg .b64 a) { .reg .b32 %r; .reg .f32 %f<5>; ld.v2.f32 {%f1, %f2}, [a]; ret; }\n";
  const auto most = [&](const std::string& body) {
    const Analyzed analyzed = shared(f, body);
    int result = 0;
    for (const uint32_t count : analyzed.facts->transactions) result = std::max<int>(result, count);
    return result;
  };
  CHECK(most("call f, (%d1); ret;") == 32);
  // Local memory interleaves the lanes word by word.
  CHECK(most("cvta.local.u64 %d1, frame; call f, (%d1); ret;") == 64);
}

TEST_CASE("what a shared function takes and gives back may differ from lane to lane") {
  const std::string f =
      ".func (.reg .b32 r) f(.reg .b32 a) { .reg .pred %p1; setp.eq.u32 %p1, a, 0; @%p1 bra F; add.u32 r, a, 1; F: "
      "ret; "
      "}\n";
  const Analyzed analyzed = shared(f,
                                   "call (%r1), f, (6); setp.eq.u32 %p1, %r1, 0; @%p1 bra L; add.u32 %r2, %r2, 1; "
                                   "L: ret;");
  const auto& blocks = analyzed.facts->blocks;
  REQUIRE(blocks.size() == 7);
  CHECK(!blocks[0].divergent);
  CHECK(blocks[1].divergent);
  CHECK(blocks[1].post_dominator == 3);
  CHECK(blocks[4].divergent);
  CHECK(blocks[4].post_dominator == 6);
  CHECK(blocks[6].post_dominator == ir::no_block);
  CHECK(analyzed.facts->order == std::vector<ir::BlockId>{0, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("loops of shared functions come behind the kernel's, parents before children") {
  const std::string f = ".func f() { .reg .pred %p1; .reg .b32 %r<9>;\n" +
                        counted("F", "%r1", "3", counted("G", "%r2", "4")) + "ret; }\n" +
                        ".func g() { .reg .pred %p1; .reg .b32 %r<9>;\n" + counted("H", "%r1", "5", "call f;\n") +
                        "ret; }\n";
  const Analyzed analyzed = shared(f, counted("L", "%r1", "2", "call g;\n") + "ret;");
  const auto& loops = analyzed.facts->loops;
  REQUIRE(loops.size() == 4);
  const std::vector<std::tuple<std::string, ir::LoopId, int64_t>> expected = {
      {"L", ir::no_loop, 2}, {"F", ir::no_loop, 3}, {"G", 1, 4}, {"H", ir::no_loop, 5}};
  for (size_t i = 0; i < loops.size(); ++i) {
    CHECK(std::make_tuple(loops[i].label, loops[i].parent, *loops[i].trip_count) == expected[i]);
    CHECK(analyzed.kernel.blocks[loops[i].header].label == loops[i].label);
    CHECK(analyzed.facts->blocks[loops[i].header].loop == i);
  }
}

TEST_CASE("a loop with two entries in a shared function is refused there") {
  const std::string f = ".func f() { .reg .pred %p1;\n@%p1 bra B;\nA: @%p1 ret;\nB: bra A;\n}\n";
  const Analyzed analyzed = analyze(f + test::kernel_k("call f; ret;"), block_of(64), share_all);
  REQUIRE(!analyzed.facts.ok());
  CHECK(analyzed.facts.errors().size() == 1);
  CHECK(analyzed.facts.errors().front().location.line == 6);  // A: the first of the two
}

namespace {

// How often at most each line of the text is executed, how many transactions its accesses take at most, and whether it
// may part lanes.
struct Summary {
  std::map<uint32_t, uint64_t> executed;
  std::map<uint32_t, int> transactions;
  std::set<uint32_t> divergent;
};

// How often each block runs when its body does, times how often that does.
std::vector<uint64_t> runs_of_blocks(const Analyzed& analyzed) {
  const auto& kernel = analyzed.kernel;
  const auto& flow = *analyzed.facts;
  std::vector<uint64_t> runs(kernel.blocks.size(), 0);
  // Callers come after the functions they call, and the kernel first.
  std::vector<uint64_t> calls(kernel.functions.size(), 0);
  const auto run_body = [&](ir::BlockId begin, ir::BlockId end, uint64_t times) {
    for (ir::BlockId b = begin; b < end; ++b) {
      if (!flow.blocks[b].reachable) continue;
      runs[b] = times;
      for (ir::LoopId l = flow.blocks[b].loop; l != ir::no_loop; l = flow.loops[l].parent) {
        runs[b] *= static_cast<uint64_t>(flow.loops[l].trip_count.value_or(1'000'000));
      }
      if (kernel.blocks[b].callee != ir::no_function) calls[kernel.blocks[b].callee] += runs[b];
    }
  };
  auto end = static_cast<ir::BlockId>(kernel.blocks.size());
  run_body(0, kernel.functions.empty() ? end : kernel.functions[0].entry, 1);
  for (size_t f = kernel.functions.size(); f-- > 0;) {
    run_body(kernel.functions[f].entry, end, calls[f]);
    end = kernel.functions[f].entry;
  }
  return runs;
}

Summary summary_of(const Analyzed& analyzed) {
  Summary summary;
  const std::vector<uint64_t> runs = runs_of_blocks(analyzed);
  for (ir::BlockId b = 0; b < analyzed.kernel.blocks.size(); ++b) {
    const ir::Block& block = analyzed.kernel.blocks[b];
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      const uint32_t line = analyzed.kernel.instructions[i].line;
      summary.executed[line] += runs[b];
      int& most = summary.transactions[line];
      most = std::max<int>(most, analyzed.facts->transactions[i]);
    }
    if (block.count > 0 && analyzed.facts->blocks[b].divergent) {
      summary.divergent.insert(analyzed.kernel.instructions[block.first + block.count - 1].line);
    }
  }
  return summary;
}

// Random functions that call those before them: straight code, loads and stores, branches, loops, local memory.
class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  std::string functions(int count) {
    std::string text;
    for (int f = 0; f < count; ++f) {
      text += ".func (.param .b32 out) f" + std::to_string(f) + "(.param .b32 a, .reg .b64 b)\n{\n" +
              ".reg .pred %p<4>;\n.reg .b32 %r<10>;\n.reg .b64 %d<6>;\n.local .align 8 .b8 frame[16];\n" +
              "ld.param.b32 %r1, [a];\nmov.b64 %d1, b;\n" + statements(f, 2) + "st.param.b32 [out], %r2;\nret;\n}\n";
    }
    return text;
  }
  std::string body(int functions) { return statements(functions, 3) + "ret;"; }

 private:
  uint32_t pick(uint32_t below) { return static_cast<uint32_t>(random_() % below); }
  std::string reg() { return "%r" + std::to_string(1 + pick(5)); }
  std::string label() { return "$L" + std::to_string(labels_++); }

  std::string statements(int callable, int depth) {
    std::string text;
    const uint32_t count = 1 + pick(4);
    for (uint32_t i = 0; i < count; ++i) text += statement(callable, depth);
    return text;
  }

  std::string statement(int callable, int depth) {
    switch (pick(depth > 0 ? 10 : 6)) {
      case 0: return "add.u32 " + reg() + ", " + reg() + ", " + reg() + ";\n";
      case 1: return "mov.u32 " + reg() + ", " + (pick(2) == 0 ? "%tid.x" : "%ctaid.x") + ";\n";
      case 2:
        return "mul.wide.u32 %d2, " + reg() + ", 4;\nadd.u64 %d2, %d1, %d2;\nld.global.u32 " + reg() + ", [%d2];\n";
      case 3: return "st.local.u32 [frame+4], " + reg() + ";\nld.local.u32 " + reg() + ", [frame+4];\n";
      case 4:
      case 5: return callable == 0 ? "ld.global.u32 " + reg() + ", [%d1+8];\n" : call(callable);
      case 6: {
        const std::string skip = label();
        return "setp.lt.u32 %p1, " + reg() + ", 5;\n@%p1 bra " + skip + ";\n" + statements(callable, depth - 1) + skip +
               ":\n";
      }
      case 7: return "setp.lt.u32 %p2, " + reg() + ", 9;\n@%p2 ret;\n";
      default: {
        const std::string counter = "%r" + std::to_string(6 + depth);
        const std::string top = label();
        const std::string limit = pick(2) == 0 ? std::to_string(1 + pick(6)) : "%r6";
        return (limit == "%r6" ? "min.u32 %r6, " + reg() + ", 7;\n" : "") + "mov.u32 " + counter + ", 0;\n" + top +
               ":\n" + statements(callable, depth - 1) + "add.u32 " + counter + ", " + counter +
               ", 1;\nsetp.lt.u32 %p3, " + counter + ", " + limit + ";\n@%p3 bra " + top + ";\n";
      }
    }
  }

  std::string call(int callable) {
    const std::string f = "f" + std::to_string(pick(static_cast<uint32_t>(callable)));
    const std::string guard = pick(3) == 0 ? "setp.lt.u32 %p0, " + reg() + ", 3;\n@%p0 " : "";
    std::string pointer = "%d1";
    std::string before;
    if (pick(4) == 0) {
      before = "mov.b64 %d3, frame;\n";
      pointer = "%d3";
    }
    return "{\n.param .b32 x;\n.param .b32 y;\nst.param.b32 [x], " + (pick(3) == 0 ? "3" : reg()) + ";\n" + before +
           guard + "call (y), " + f + ", (x, " + pointer + ");\nld.param.b32 " + reg() + ", [y];\n}\n";
  }

  std::mt19937 random_;
  int labels_ = 0;
};

}  // namespace

TEST_CASE("less is never counted in a shared body than in its copies") {
  size_t shared_bodies = 0;
  size_t bounded = 0;
  size_t equal = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    Generator generator(seed);
    const int functions = 1 + static_cast<int>(seed % 4);
    const std::string text = generator.functions(functions);
    const std::string body = generator.body(functions);
    INFO("seed " << seed << "\n" << text << body);
    const Analyzed one = shared(text, body);
    const Analyzed copies = shared(text, body, copy_all);
    shared_bodies += one.kernel.functions.size();
    const auto most = most_instructions(one);
    const auto most_of_copies = most_instructions(copies);
    if (most) {
      REQUIRE(most_of_copies);
      CHECK(*most_of_copies <= *most);
      ++bounded;
      equal += *most == *most_of_copies ? 1 : 0;
    }
    const Summary each = summary_of(copies);
    const Summary all = summary_of(one);
    for (const auto& [line, times] : each.executed) {
      INFO("line " << line);
      CHECK(times <= all.executed.at(line));
      CHECK(each.transactions.at(line) <= all.transactions.at(line));
    }
    for (const uint32_t line : each.divergent) {
      INFO("line " << line);
      CHECK(all.divergent.count(line) == 1);
    }
  }
  CHECK(shared_bodies > 300);
  CHECK(bounded > 200);
  CHECK(equal > bounded / 2);
}
