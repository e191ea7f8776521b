// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of samples/ and of data/kernels.cu, launched so that they do something with all their branches.
#pragma once

#include <string>
#include <vector>

#include "tests/machine_code/comparison.hpp"

namespace warpspan::test {

inline machine_code::Argument number(int64_t value) { return {machine_code::Argument::Kind::integer, 0, value, 0}; }
inline machine_code::Argument real(double value) { return {machine_code::Argument::Kind::real, 0, 0, value}; }
inline machine_code::Argument any() { return {}; }
inline machine_code::Argument words(int64_t count, int64_t below) {
  return {machine_code::Argument::Kind::integers, count, below, 0};
}
inline machine_code::Argument longs(int64_t count) { return {machine_code::Argument::Kind::longs, count, 0, 0}; }
inline machine_code::Argument rows(int64_t count, int64_t below) {
  return {machine_code::Argument::Kind::rows, count, below, 0};
}
inline machine_code::Argument floats(int64_t count) { return {machine_code::Argument::Kind::floats, count, 0, 0}; }
inline machine_code::Argument doubles(int64_t count) { return {machine_code::Argument::Kind::doubles, count, 0, 0}; }

struct SampleCase {
  std::string sample;
  machine_code::Case kernel;
};

// Of data/kernels.cu.
inline std::vector<SampleCase> kernel_cases() {
  const std::vector<ir::Extent> two = {{0, 0, 0}, {1, 0, 0}};
  const std::vector<ir::Extent> one = {{0, 0, 0}};
  return {
      {"kernels", {"wide_index", {96, 1, 1}, {2, 1, 1}, two, {any(), any(), number(1000), number(5)}}},
      {"kernels", {"leave_early", {200, 1, 1}, {2, 1, 1}, two, {words(600, 1 << 30), any(), number(60)}}},
      {"kernels", {"leave_both", {200, 1, 1}, {2, 1, 1}, two, {words(600, 1 << 30), any(), number(20)}}},
      {"kernels", {"divide", {64, 1, 1}, {1, 1, 1}, one, {any(), words(64, 5000), any()}}},
      {"kernels", {"divide_wide", {64, 1, 1}, {1, 1, 1}, one, {longs(64), longs(64), any()}}},
      {"kernels", {"bisect", {80, 1, 1}, {2, 1, 1}, two, {rows(1000, 9), words(160, 5000), any(), number(900)}}},
      {"kernels", {"wide_arithmetic", {128, 1, 1}, {2, 1, 1}, two, {longs(256), longs(256), any()}}},
      {"kernels", {"arithmetic", {128, 1, 1}, {2, 1, 1}, two, {any(), any(), any(), number(3)}}},
      {"kernels", {"vote", {96, 1, 1}, {1, 1, 1}, one, {words(96, 100), any(), number(90)}}},
      {"kernels", {"count", {96, 1, 1}, {2, 1, 1}, two, {words(192, 1000), words(64, 100), any(), number(150)}}},
      {"kernels", {"block_sum", {192, 1, 1}, {2, 1, 1}, two, {any(), any(), number(1000)}}},
      {"kernels", {"long_loops", {96, 1, 1}, {2, 1, 1}, two, {words(192, 1 << 30), any(), number(5)}}},
      {"kernels", {"extremes", {128, 1, 1}, {2, 1, 1}, two, {any(), any(), number(20), number(17)}}},
      {"kernels", {"generic", {128, 1, 1}, {2, 1, 1}, two, {words(257, 256), any()}}},
  };
}

// Of data/breaks.cu.
inline std::vector<SampleCase> break_cases() {
  return {
      {"breaks", {"weigh", {96, 1, 1}, {1, 1, 1}, {{0, 0, 0}}, {floats(12000), any(), number(200), number(60)}, 1e-3}}};
}

// Of data/calls.cu and data/spilled.cu, which keep values in frames of local memory.
inline std::vector<SampleCase> frame_cases() {
  return {{"calls", {"calls", {96, 1, 1}, {2, 1, 1}, {{0, 0, 0}, {1, 0, 0}}, {words(64, 1000), any(), number(9)}}},
          {"spilled", {"spilled", {32, 1, 1}, {1, 1, 1}, {{0, 0, 0}}, {any(), number(7)}}}};
}

// Of data/windows.cu.
inline std::vector<SampleCase> window_cases() {
  return {{"windows", {"windows", {96, 1, 1}, {2, 1, 1}, {{0, 0, 0}, {1, 0, 0}}, {words(192, 96), any(), number(3)}}}};
}

// Of data/copies.cu, which the interpreter of PTX does not know.
inline std::vector<SampleCase> copy_cases() {
  const std::vector<ir::Extent> two = {{0, 0, 0}, {1, 0, 0}};
  return {{"copies", {"staged", {96, 1, 1}, {2, 1, 1}, two, {any(), any(), number(5)}}},
          {"copies", {"scattered", {128, 1, 1}, {2, 1, 1}, two, {any(), any(), number(900)}}},
          {"copies", {"ragged", {96, 1, 1}, {1, 1, 1}, {{0, 0, 0}}, {any(), any()}}}};
}

// Of data/opcodes.ptx.
inline std::vector<SampleCase> opcode_cases() {
  std::vector<SampleCase> cases;
  for (int i = 0; i < 4; ++i) {
    const machine_code::Argument values = longs(64 * 32);
    cases.push_back(
        {"opcodes",
         {"opcodes_" + std::to_string(i), {32, 1, 1}, {1, 1, 1}, {{0, 0, 0}}, {values, values, values, any()}}});
  }
  return cases;
}

inline std::vector<SampleCase> sample_cases() {
  using Blocks = std::vector<ir::Extent>;
  const Blocks first = {{0, 0, 0}};
  const Blocks two = {{0, 0, 0}, {1, 0, 0}};
  return {
      {"bitonic_sort", {"bitonic_sort", {256, 1, 1}, {2, 1, 1}, two, {words(1024, 100000)}}},
      {"convolution_separable",
       {"convolution_rows", {16, 4, 1}, {2, 1, 1}, two, {floats(8192), any(), number(256)}, 1e-4}},
      {"convolution_separable",
       {"convolution_columns", {16, 8, 1}, {1, 2, 1}, first, {floats(8192), any(), number(16), number(256)}, 1e-4}},
      {"device_call",
       {"device_call", {128, 1, 1}, {1, 1, 1}, first, {floats(200), floats(128), any(), number(4), number(100)}, 1e-5}},
      {"divergent", {"divergent", {128, 1, 1}, {2, 1, 1}, two, {words(256, 1000), any(), number(200)}}},
      {"fir_constant", {"fir_constant", {128, 1, 1}, {1, 1, 1}, first, {floats(2048), any()}, 1e-4}},
      {"histogram", {"histogram", {256, 1, 1}, {2, 1, 1}, two, {any(), words(256, 10), number(4000)}}},
      {"interpreter",
       {"interpreter", {128, 1, 1}, {1, 1, 1}, first, {words(64, 16), floats(128), any(), number(32)}, 1e-3}},
      {"jacobi_double",
       {"jacobi_double", {16, 16, 1}, {1, 1, 1}, first, {doubles(4096), any(), number(32), number(3)}, 1e-9, true}},
      {"jump_table", {"jump_table", {64, 1, 1}, {1, 1, 1}, first, {words(64, 4), floats(64), number(6)}, 1e-4}},
      {"local_array", {"local_array", {64, 1, 1}, {1, 1, 1}, first, {words(8000, 100), any(), number(100)}}},
      {"mandelbrot",
       {"mandelbrot", {16, 16, 1}, {2, 1, 1}, two, {any(), number(30), number(14), real(0.125), number(100)}}},
      {"matmul_tiled",
       {"matmul_tiled", {16, 16, 1}, {2, 2, 1}, two, {floats(1024), floats(1024), any(), number(32)}, 1e-5}},
      {"nbody", {"nbody", {128, 1, 1}, {2, 1, 1}, two, {floats(1024), any(), real(0.5), number(256)}, 1e-3}},
      {"nested_loop",
       {"nested_loop", {128, 1, 1}, {1, 1, 1}, first, {floats(2048), any(), number(256), number(5), number(7)}, 1e-5}},
      {"precise_math", {"precise_math", {256, 1, 1}, {1, 1, 1}, first, {floats(256), any(), number(250)}, 1e-4}},
      {"reduction",
       {"_Z6reduceILi512EEvPKfPfi", {512, 1, 1}, {2, 1, 1}, two, {floats(3000), any(), number(2500)}, 1e-5}},
      {"reduction",
       {"_Z6reduceILi128EEvPKfPfi", {128, 1, 1}, {2, 1, 1}, two, {floats(3000), any(), number(2500)}, 1e-5}},
      {"saxpy", {"saxpy", {256, 1, 1}, {2, 1, 1}, two, {real(0.5), floats(2000), floats(2000), number(1500)}, 1e-5}},
      {"scan", {"scan", {256, 1, 1}, {2, 1, 1}, two, {words(1024, 1000), any(), any()}}},
      {"search",
       {"search", {128, 1, 1}, {2, 1, 1}, two, {words(20000, 40), any(), number(17), number(200), number(100)}}},
      {"sfu", {"sfu", {256, 1, 1}, {1, 1, 1}, first, {floats(256), any(), real(0.25), real(0.125), number(200)}, 1e-3}},
      {"shuffle_sum", {"shuffle_sum", {128, 1, 1}, {1, 1, 1}, first, {floats(2000), any(), number(500)}, 1e-5}},
      {"spmv",
       {"spmv",
        {128, 1, 1},
        {1, 1, 1},
        first,
        {rows(129, 12), words(2000, 500), floats(2000), floats(500), any(), number(100)},
        1e-5}},
      {"transpose", {"transpose_conflicts", {32, 8, 1}, {2, 1, 1}, two, {floats(4096), any(), number(64), number(32)}}},
      {"transpose", {"transpose_padded", {32, 8, 1}, {2, 1, 1}, two, {floats(4096), any(), number(64), number(32)}}},
      {"triangular",
       {"triangular", {128, 1, 1}, {1, 1, 1}, first, {floats(1000), floats(8000), number(20), number(100)}, 1e-3}},
  };
}

}  // namespace warpspan::test
