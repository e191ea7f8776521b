// SPDX-License-Identifier: GPL-3.0-or-later
// Parsing speed: bytes of PTX a second on one core, and memory beside the text.
//   build/release/bench/bench_parse [--benchmark_filter=...]
// WARPSPAN_BENCH_PTX names a file to use instead of the generated one.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "frontend/ptx/calls/expand_calls.hpp"
#include "frontend/ptx/lowering/lower.hpp"
#include "frontend/ptx/syntax/parser.hpp"

namespace {

using warpspan::support::SourceFile;

// A module of about `bytes` bytes in the manner of a compiler: kernels of some hundred instructions with loops, shared
// memory, vector accesses and floating-point arithmetic.
std::string generated_module(size_t bytes) {
  std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n\n";
  for (int k = 0; text.size() < bytes; ++k) {
    const std::string name = "_Z6kernelILi" + std::to_string(k) + "EEvPKfPfi";
    text += ".visible .entry " + name + "(\n\t.param .u64 " + name + "_param_0,\n\t.param .u64 " + name +
            "_param_1,\n\t.param .u32 " + name + "_param_2\n)\n{\n\t.reg .pred \t%p<20>;\n\t.reg .f32 \t%f<200>;\n" +
            "\t.reg .b32 \t%r<100>;\n\t.reg .b64 \t%rd<100>;\n\n\tld.param.u64 \t%rd1, [" + name + "_param_0];\n" +
            "\tld.param.u64 \t%rd2, [" + name + "_param_1];\n\tld.param.u32 \t%r1, [" + name + "_param_2];\n" +
            "\tcvta.to.global.u64 \t%rd3, %rd1;\n\tmov.u32 \t%r2, %tid.x;\n";
    for (int b = 1; b <= 10; ++b) {
      const std::string label = "$L__BB" + std::to_string(k) + "_" + std::to_string(b);
      text += "\n" + label + ":\n";
      for (int i = 0; i < 10; ++i) {
        const std::string n = std::to_string(b * 9 + i % 7);
        text += "\tmul.wide.s32 \t%rd" + n + ", %r" + n + ", 4;\n\tadd.s64 \t%rd5, %rd3, %rd" + n +
                ";\n\tld.global.nc.v4.f32 \t{%f1, %f2, %f3, %f4}, [%rd5+16];\n\tfma.rn.f32 \t%f" + n +
                ", %f1, %f2, %f" + n + ";\n\tst.global.f32 \t[%rd5+-4], %f" + n + ";\n";
      }
      text += "\tadd.s32 \t%r1, %r1, -1;\n\tsetp.ne.s32 \t%p1, %r1, 0;\n\t@%p1 bra \t" + label + ";\n";
    }
    text += "\tret;\n}\n\n";
  }
  return text;
}

std::shared_ptr<const SourceFile> input() {
  static const auto file = [] {
    std::string text;
    if (const char* path = std::getenv("WARPSPAN_BENCH_PTX")) {
      std::ifstream in(path, std::ios::binary);
      std::stringstream all;
      all << in.rdbuf();
      text = all.str();
    } else {
      text = generated_module(20'000'000);
    }
    return std::make_shared<const SourceFile>("bench.ptx", std::move(text));
  }();
  return file;
}

void parse(benchmark::State& state) {
  const auto source = input();
  size_t instructions = 0;
  for ([[maybe_unused]] const auto _ : state) {
    const auto module = warpspan::ptx::parse(source);
    if (!module) state.SkipWithError(module.errors().front().message.c_str());
    if (module) {
      instructions = 0;
      for (const auto& function : module->functions) instructions += function.instructions.size();
    }
    benchmark::DoNotOptimize(instructions);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(source->text().size()));
  state.counters["instructions"] = static_cast<double>(instructions);
}
BENCHMARK(parse)->Unit(benchmark::kMillisecond)->MinTime(2);

// The bytes a parsed module holds, of its arrays, per byte of text.
void memory(benchmark::State& state) {
  const auto source = input();
  for ([[maybe_unused]] const auto _ : state) {
    const auto module = warpspan::ptx::parse(source);
    if (!module) continue;
    size_t bytes = module->variables.capacity() * sizeof(warpspan::ptx::Variable);
    for (const auto& f : module->functions) {
      bytes += sizeof f + f.instructions.capacity() * sizeof f.instructions[0] +
               f.operands.capacity() * sizeof f.operands[0] + f.labels.capacity() * sizeof f.labels[0] +
               f.positions.capacity() * sizeof f.positions[0] +
               f.register_ranges.capacity() * sizeof f.register_ranges[0];
    }
    state.counters["bytes_per_text_byte"] = static_cast<double>(bytes) / static_cast<double>(source->text().size());
  }
}
BENCHMARK(memory)->Unit(benchmark::kMillisecond)->Iterations(1);

void lower(benchmark::State& state) {
  const auto source = input();
  const auto module = warpspan::ptx::parse(source);
  if (!module) return state.SkipWithError("the module has errors");
  for ([[maybe_unused]] const auto _ : state) {
    size_t blocks = 0;
    for (const auto& function : module->functions) {
      if (!function.is_entry || !function.has_body) continue;
      const auto expanded = warpspan::ptx::expand_calls(*module, function);
      if (expanded) blocks += warpspan::ptx::lower(*module, *expanded).blocks.size();
    }
    benchmark::DoNotOptimize(blocks);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(source->text().size()));
}
BENCHMARK(lower)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
