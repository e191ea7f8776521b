// SPDX-License-Identifier: GPL-3.0-or-later
// How time and memory grow with the size of a kernel: for each shape and sizes that double, the processor time of the
// whole way (reading, flow facts, bounds with no time for searches, on the machine `ampere`), the exponent between one
// size and the next (1: linear, 2: quadratic), and the peak memory of the largest. bench_growth [SHAPE...]: only those.
// A shape ends at the size that takes more than `longest` seconds. Each measurement is a process of its own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/measured_process.hpp"
#include "frontend/frontend.hpp"
#include "timing/analysis.hpp"

namespace {

using namespace warpspan;

constexpr int smallest = 500;
constexpr int largest = 16'000;
constexpr double longest = 2;

// The text of `pattern` for 0, 1, ..., n - 1, with the number in place of each '#'.
std::string repeated(int n, const std::string& pattern) {
  std::string text;
  for (int i = 0; i < n; ++i) {
    for (const char c : pattern) {
      if (c == '#') {
        text += std::to_string(i);
      } else {
        text += c;
      }
    }
    text += '\n';
  }
  return text;
}

std::string kernel(const std::string& body, const std::string& functions = {}) {
  return ".version 8.5\n.target sm_80\n.address_size 64\n" + functions +
         ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n.reg .b32 %r<16>;\n.reg .b64 %d<8>;\n.reg .f32 %f<8>;\n"
         ".reg .pred %p<4>;\nld.param.u32 %r1, [n];\nld.param.u64 %d1, [p];\nmov.u32 %r2, %tid.x;\nmov.u32 %r3, 0;\n" +
         body + "ret;\n}\n";
}

std::string counting_loop(const std::string& limit) {
  return "mov.u32 %r4, 0;\nL#:\nadd.u32 %r3, %r3, %r2;\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, " + limit +
         ";\n@%p1 bra L#;";
}

std::string diamond(const std::string& condition) {
  return condition + "\n@%p1 bra A#;\nadd.u32 %r3, %r3, 1;\nbra B#;\nA#:\nadd.u32 %r3, %r3, 2;\nB#:";
}

const std::string each_lane = "setp.eq.u32 %p1, %r2, #;";
const std::string all_lanes = "setp.eq.u32 %p1, %r1, #;";

std::string calls(int n) {
  return kernel(repeated(n, "call f;"), ".func f() { .reg .b32 %r; add.u32 %r, %r, 1; ret; }\n");
}

std::string calls_with_parameters(int n) {
  const std::string f =
      ".func (.param .b32 o) f(.param .b32 a, .reg .b32 b) { .reg .b32 %r<3>; ld.param.b32 %r1, [a]; add.u32 %r2, %r1, "
      "b; st.param.b32 [o], %r2; ret; }\n";
  return kernel(repeated(n,
                         "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r3; call (y), f, (x, %r2);\n"
                         "ld.param.b32 %r3, [y]; }"),
                f);
}

// Functions that each make `times` calls of the one before.
std::string call_chain(int n, int times) {
  std::string functions = ".func f0() { .reg .b32 %r; add.u32 %r, %r, 1; ret; }\n";
  for (int i = 1; i < n; ++i) {
    functions += ".func f" + std::to_string(i) + "() { .reg .b32 %r; add.u32 %r, %r, 1; ";
    for (int t = 0; t < times; ++t) functions += "call f" + std::to_string(i - 1) + "; ";
    functions += "ret; }\n";
  }
  return kernel("call f" + std::to_string(n - 1) + ";\n", functions);
}

// As many functions as cycles fit 64 bits, again and again: a file of many kernels.
std::string doubling_calls(int n) {
  std::string text = ".version 8.5\n.target sm_80\n.address_size 64\n";
  for (int k = 0; k < n / 20; ++k) {
    const std::string f = "f" + std::to_string(k) + "_";
    for (int i = 0; i < 20; ++i) {
      const std::string inner = i == 0 ? "" : "call " + f + std::to_string(i - 1) + "; ";
      text += ".func " + f + std::to_string(i) + "() { .reg .b32 %r; add.u32 %r, %r, 1; " + inner + inner + "ret; }\n";
    }
    text += ".visible .entry k" + std::to_string(k) + "() { call " + f + "19; ret; }\n";
  }
  return text;
}

std::string breaks(int n) {
  return kernel("mov.u32 %r4, 0;\nH:\nadd.u32 %r4, %r4, 1;\n" +
                repeated(n, each_lane + "\n@%p1 bra E;\nadd.u32 %r3, %r3, 1;") +
                "setp.lt.u32 %p1, %r4, 10;\n@%p1 bra H;\nE:\n");
}

// Jumps over more and more of what follows.
std::string forward_jumps(int n) {
  std::string targets;
  for (int i = n - 1; i >= 0; --i) targets += "L" + std::to_string(i) + ":\nadd.u32 %r3, %r3, 2;\n";
  return kernel(repeated(n, each_lane + "\n@%p1 bra L#;\nadd.u32 %r3, %r3, 1;") + targets);
}

std::string nests(int n) {
  std::string nest;
  for (int d = 4; d < 8; ++d) {
    const std::string depth = std::to_string(d);
    nest += "mov.u32 %r" + depth + ", 0;\nL" + depth + "_#:\n";
  }
  nest += "add.u32 %r3, %r3, %r2;\n";
  for (int d = 7; d >= 4; --d) {
    const std::string depth = std::to_string(d);
    nest += "add.u32 %r" + depth + ", %r" + depth + ", 1;\nsetp.lt.u32 %p1, %r" + depth + ", 4;\n@%p1 bra L" + depth +
            "_#;\n";
  }
  return kernel(repeated(n / 4, nest));
}

std::string loads(int n) {
  return kernel("mul.wide.u32 %d2, %r2, 4;\nadd.u64 %d1, %d1, %d2;\n" +
                repeated(n, "add.u64 %d1, %d1, 128;\nld.global.f32 %f1, [%d1+#];\nadd.f32 %f2, %f2, %f1;"));
}

struct Shape {
  std::string name;
  std::function<std::string(int)> text;
};

const std::vector<Shape> shapes = {
    {"calls", calls},
    {"calls-with-parameters", calls_with_parameters},
    {"call-chain", [](int n) { return call_chain(n, 1); }},
    {"doubling-calls", doubling_calls},
    {"instructions", [](int n) { return kernel(repeated(n, "add.u32 %r3, %r3, %r2;")); }},
    {"blocks", [](int n) { return kernel(repeated(n, "bra L#;\nL#:\nadd.u32 %r3, %r3, %r2;")); }},
    {"diamonds", [](int n) { return kernel(repeated(n, diamond(all_lanes))); }},
    {"divergent-diamonds", [](int n) { return kernel(repeated(n, diamond(each_lane))); }},
    {"exits", [](int n) { return kernel(repeated(n, each_lane + "\n@%p1 exit;\nadd.u32 %r3, %r3, 1;")); }},
    {"forward-jumps", forward_jumps},
    {"breaks", breaks},
    {"loops", [](int n) { return kernel(repeated(n, counting_loop("10"))); }},
    {"divergent-loops", [](int n) { return kernel(repeated(n, counting_loop("%r2"))); }},
    {"nests", nests},
    {"loads", loads},
};

struct Cost {
  double seconds = 0;
  double megabytes = 0;
};

// Whether all kernels of the text have bounds.
bool analyze_all(const std::shared_ptr<const support::SourceFile>& source) {
  ir::Launch launch;
  launch.block = ir::Extent{64, 1, 1};
  const auto machine = timing::load_machine("ampere");
  const auto reading = frontend::read_kernels(source, {}, launch);
  if (!machine || !reading.errors.empty()) return false;
  timing::Limits limits;
  limits.seconds = 0;
  for (const frontend::AnalyzedKernel& k : reading.kernels) {
    if (!timing::analyze(k.kernel, k.flow, k.launch, *machine, {}, limits)) return false;
  }
  return true;
}

std::optional<Cost> measure(const std::string& text) {
  return bench::in_process([&text]() -> std::optional<Cost> {
    const double before = bench::processor_seconds();
    if (!analyze_all(std::make_shared<const support::SourceFile>("growth.ptx", text))) return std::nullopt;
    return Cost{bench::processor_seconds() - before, 0};
  });
}

bool print(const Shape& shape) {
  fmt::print("{:<22}", shape.name);
  double before = 0;
  double megabytes = 0;
  for (int n = smallest; n <= largest && before < longest; n *= 2) {
    const auto cost = measure(shape.text(n));
    if (!cost) {
      fmt::print("  {}: no bound\n", n);
      return false;
    }
    fmt::print("  {:>7.1f} ms", cost->seconds * 1e3);
    fmt::print("{}", before == 0 ? std::string("     ") : fmt::format(" {:4.1f}", std::log2(cost->seconds / before)));
    std::fflush(stdout);
    before = cost->seconds;
    megabytes = cost->megabytes;
  }
  fmt::print("  {:>5.0f} MiB\n", megabytes);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  fmt::print("{:<22}", "shape");
  for (int n = smallest; n <= largest; n *= 2) fmt::print("{:>12} exp.", "n = " + std::to_string(n));
  fmt::print("  memory\n");
  bool all = true;
  for (const Shape& shape : shapes) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), shape.name) == wanted.end()) continue;
    all = print(shape) && all;
  }
  return all ? 0 : 1;
}
