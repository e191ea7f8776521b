// SPDX-License-Identifier: MIT-0
// Kernels. What they measure stands in inline PTX that no compiler may drop. The first operation needs the value of the
// first clock, and a predicate that needs the last result guards the second one. `zero` and `one` have these values,
// which no compiler knows; the lane's number keeps clocks out of uniform registers, from which ptxas reads them again
// behind the operations (seen with CUDA 13.0 for sm_120).

typedef unsigned long long Word;

constexpr unsigned clocks_of_block =
    64;  // a begin and an end for each of 32 warps; behind them whether a block is there

// Whether the block runs on the multiprocessor of that number and is the first one there; any block does if it is -1.
__device__ bool is_here(int chosen, Word* clocks) {
  if (chosen < 0) return true;
  __shared__ bool here;
  if (threadIdx.x == 0) {
    unsigned multiprocessor;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    here = multiprocessor == static_cast<unsigned>(chosen) && atomicExch(clocks + clocks_of_block, 1ull) == 0;
  }
  __syncthreads();
  return here;
}

#define TIMES_4(text) text text text text
#define TIMES_16(text) TIMES_4(TIMES_4(text))
#define TIMES_32(text) TIMES_4(text text text text text text text text)
#define TIMES_64(text) TIMES_4(TIMES_4(TIMES_4(text)))

// The body between two readings of the clock, twice: the first iteration brings code and data into the caches. Each
// warp hands over its last readings. `setup` gives `pointer` to the body, as %2; %3 is zero, %4 one.
#define MEASURED(name, setup, body)                                                                      \
  extern "C" __global__ void name(Word* clocks, Word pointer, unsigned zero, unsigned one, int chosen) { \
    if (!is_here(chosen, clocks)) return;                                                                \
    setup;                                                                                               \
    _Pragma("unroll 1") for (unsigned iteration = zero; iteration != one + one; ++iteration) {           \
      Word begin, end;                                                                                   \
      __syncthreads();                                                                                   \
      asm volatile(                                                                                      \
          "{\n.reg .pred p, q;\n.reg .b32 c, d, x, x0, x1, x2;\n"                                        \
          ".reg .b64 a, v, v0, v1, v2, w;\n"                                                             \
          "mov.b32 d, %3;\nmov.b32 c, %4;\nmov.b64 w, {c, c};\nmov.u32 x0, %%laneid;\n"                  \
          "mov.u64 %0, %%clock64;\n"                                                                     \
          "cvt.u32.u64 x, %0;\nxor.b32 x, x, x0;\nand.b32 x, x, %3;\n" body                              \
          "setp.ge.u32 p, x, %3;\nmov.u64 %1, %0;\n@p mov.u64 %1, %%clock64;\n}"                         \
          : "=&l"(begin), "=&l"(end)                                                                     \
          : "l"(pointer), "r"(zero), "r"(one)                                                            \
          : "memory");                                                                                   \
      if (threadIdx.x % 32 == 0) {                                                                       \
        clocks[threadIdx.x / 32 * 2] = begin;                                                            \
        clocks[threadIdx.x / 32 * 2 + 1] = end;                                                          \
      }                                                                                                  \
    }                                                                                                    \
  }

// Two kernels of 64 and 128 operations, of which `four` are four: what more the second one takes is 64 times what one
// takes.
#define SERIES(name, setup, before, four, after)          \
  MEASURED(name##_64, setup, before TIMES_16(four) after) \
  MEASURED(name##_128, setup, before TIMES_32(four) after)

// Each operation needs the result of the one before: in x, of 64 bits in v, an address in a.
#define WORD_CHAIN(name, one_operation) SERIES(chain_##name, , "", TIMES_4(one_operation), "")
#define PAIR_CHAIN(name, two) SERIES(chain_##name, , "", two two, "")
#define OF_LANE "mov.u32 x0, %%laneid;\nxor.b32 x, x, x0;\n"
#define LONG_BEFORE "mov.b64 v, {x, x};\n"
#define LONG_AFTER "cvt.u32.u64 x, v;\n"
#define ADDRESS_BEFORE "cvt.u64.u32 a, x;\nadd.u64 a, a, %2;\n"
#define ADDRESS_AFTER "cvt.u32.u64 x, a;\n"

WORD_CHAIN(fp32, "fma.rn.f32 x, x, c, c;\n")
SERIES(chain_int_add, , "xor.b32 x0, x, c;\n",
       "add.s32 x0, x0, x;\nadd.s32 x, x, x0;\nadd.s32 x0, x0, x;\nadd.s32 x, x, x0;\n", "xor.b32 x, x, x0;\n")
WORD_CHAIN(int_mul, "mad.lo.s32 x, x, c, d;\n")
WORD_CHAIN(logic, "lop3.b32 x, x, c, d, 0xe8;\n")
WORD_CHAIN(shift, "shf.l.wrap.b32 x, x, c, d;\n")
PAIR_CHAIN(compare, "min.s32 x, x, c;\nmax.s32 x, x, d;\n")
PAIR_CHAIN(predicate, "setp.ne.s32 q, x, c;\n@q shf.l.wrap.b32 x, x, c, d;\n")
WORD_CHAIN(fp16, "fma.rn.f16x2 x, x, c, c;\n")
SERIES(chain_fp64, , LONG_BEFORE, TIMES_4("fma.rn.f64 v, v, w, w;\n"), LONG_AFTER)
WORD_CHAIN(special, "ex2.approx.ftz.f32 x, x;\n")
WORD_CHAIN(convert, "cvt.rni.f32.f32 x, x;\n")
SERIES(chain_shuffle, , OF_LANE, TIMES_4("shfl.sync.bfly.b32 x, x, c, 31, -1;\n"), "")
PAIR_CHAIN(vote, "setp.ne.s32 q, x, c;\nvote.sync.ballot.b32 x, q, -1;\n")
WORD_CHAIN(barrier, "bar.sync 0;\n")

// Words that contain their own addresses. Lanes are `one` and more words apart: so many ways of a bank conflict.
#define OWN_WORDS                                                          \
  __shared__ unsigned words[32 * 32];                                      \
  for (unsigned i = threadIdx.x; i < 32 * 32; i += blockDim.x)             \
    words[i] = static_cast<unsigned>(__cvta_generic_to_shared(words + i)); \
  __syncthreads();                                                         \
  pointer = words[(threadIdx.x % 32) * static_cast<unsigned>(pointer) % (32 * 32)]
#define SHARED_BEFORE "cvt.u32.u64 x0, %2;\nadd.u32 x, x, x0;\n"
#define ONE_WORD               \
  __shared__ unsigned counter; \
  counter = 0;                 \
  __syncthreads();             \
  pointer = __cvta_generic_to_shared(&counter) + (threadIdx.x & zero)

SERIES(chain_load_shared, OWN_WORDS, SHARED_BEFORE, TIMES_4("ld.shared.u32 x, [x];\n"), "")
SERIES(chain_load_constant, , ADDRESS_BEFORE, TIMES_4("ld.const.u64 a, [a];\n"), ADDRESS_AFTER)
SERIES(chain_load_l1, , ADDRESS_BEFORE, TIMES_4("ld.global.u64 a, [a];\n"), ADDRESS_AFTER)
SERIES(chain_load_l2, , ADDRESS_BEFORE, TIMES_4("ld.global.cg.u64 a, [a];\n"), ADDRESS_AFTER)
SERIES(chain_atomic_shared, ONE_WORD, "cvt.u32.u64 x0, %2;\n", TIMES_4("atom.shared.add.u32 x, [x0], x;\n"), "")
SERIES(chain_atomic_global, pointer += threadIdx.x & zero, "", TIMES_4("atom.global.add.u32 x, [%2], x;\n"), "")
SERIES(chain_fence_block, , "", TIMES_4("st.global.u32 [%2], x;\nmembar.cta;\n"), "")
SERIES(chain_fence_device, , "", TIMES_4("st.global.u32 [%2], x;\nmembar.gl;\n"), "")
SERIES(chain_fence_system, , "", TIMES_4("st.global.u32 [%2], x;\nmembar.sys;\n"), "")

// Of four chains, so that units are what warps wait for.
#define WORDS_BEFORE "add.u32 x0, x, c;\nadd.u32 x1, x0, c;\nadd.u32 x2, x1, c;\n"
#define WORDS_AFTER "xor.b32 x, x, x0;\nxor.b32 x, x, x1;\nxor.b32 x, x, x2;\n"
#define UNIT(name, a, b, c, d) SERIES(unit_##name, , WORDS_BEFORE, a b c d, WORDS_AFTER)

UNIT(fp32, "fma.rn.f32 x, x, c, c;\n", "fma.rn.f32 x0, x0, c, c;\n", "fma.rn.f32 x1, x1, c, c;\n",
     "fma.rn.f32 x2, x2, c, c;\n")
UNIT(logic, "lop3.b32 x, x, c, d, 0xe8;\n", "lop3.b32 x0, x0, c, d, 0xe8;\n", "lop3.b32 x1, x1, c, d, 0xe8;\n",
     "lop3.b32 x2, x2, c, d, 0xe8;\n")
UNIT(special, "ex2.approx.ftz.f32 x, x;\n", "ex2.approx.ftz.f32 x0, x0;\n", "ex2.approx.ftz.f32 x1, x1;\n",
     "ex2.approx.ftz.f32 x2, x2;\n")
SERIES(unit_shuffle, , OF_LANE WORDS_BEFORE,
       "shfl.sync.bfly.b32 x, x, c, 31, -1;\nshfl.sync.bfly.b32 x0, x0, c, 31, -1;\n"
       "shfl.sync.bfly.b32 x1, x1, c, 31, -1;\nshfl.sync.bfly.b32 x2, x2, c, 31, -1;\n",
       WORDS_AFTER)
SERIES(unit_fp64, , LONG_BEFORE "add.u64 v0, v, w;\nadd.u64 v1, v0, w;\nadd.u64 v2, v1, w;\n",
       "fma.rn.f64 v, v, w, w;\nfma.rn.f64 v0, v0, w, w;\nfma.rn.f64 v1, v1, w, w;\nfma.rn.f64 v2, v2, w, w;\n",
       "xor.b64 v, v, v0;\nxor.b64 v, v, v1;\nxor.b64 v, v, v2;\n" LONG_AFTER)
SERIES(unit_load_shared, OWN_WORDS, SHARED_BEFORE "add.u32 x0, x, 128;\nadd.u32 x1, x, 256;\nadd.u32 x2, x, 384;\n",
       "ld.shared.u32 x, [x];\nld.shared.u32 x0, [x0];\nld.shared.u32 x1, [x1];\nld.shared.u32 x2, [x2];\n",
       WORDS_AFTER)

#ifndef WARPSPAN_CHAINS_ONLY

// Straight code of so many instructions, four times: clocks gets what each iteration takes. The first one finds nothing
// in the caches, if nothing has run the code before.
#define EIGHT_FMAS                                                                 \
  "fma.rn.f32 y0, y0, c, c;\nfma.rn.f32 y1, y1, c, c;\nfma.rn.f32 y2, y2, c, c;\n" \
  "fma.rn.f32 y3, y3, c, c;\nfma.rn.f32 y4, y4, c, c;\nfma.rn.f32 y5, y5, c, c;\n" \
  "fma.rn.f32 y6, y6, c, c;\nfma.rn.f32 y7, y7, c, c;\n"
constexpr unsigned code_iterations = 4;
#define STRAIGHT_CODE(instructions, body)                                                                  \
  extern "C" __global__ void code_##instructions(Word* clocks, unsigned zero, unsigned one) {              \
    _Pragma("unroll 1") for (unsigned iteration = zero; iteration != code_iterations * one; ++iteration) { \
      Word begin, end;                                                                                     \
      asm volatile(                                                                                        \
          "{\n.reg .pred p;\n.reg .b32 c, x, y<8>;\nmov.b32 c, %3;\nmov.u32 x, %%laneid;\n"                \
          "mov.u64 %0, %%clock64;\ncvt.u32.u64 y0, %0;\nxor.b32 x, x, y0;\nand.b32 x, x, %2;\n"            \
          "add.u32 y0, x, c;\nadd.u32 y1, y0, c;\nadd.u32 y2, y1, c;\nadd.u32 y3, y2, c;\n"                \
          "add.u32 y4, y3, c;\nadd.u32 y5, y4, c;\nadd.u32 y6, y5, c;\nadd.u32 y7, y6, c;\n" body          \
          "xor.b32 y0, y0, y1;\nxor.b32 y2, y2, y3;\nxor.b32 y4, y4, y5;\nxor.b32 y6, y6, y7;\n"           \
          "xor.b32 y0, y0, y2;\nxor.b32 y4, y4, y6;\nxor.b32 y0, y0, y4;\n"                                \
          "setp.ge.u32 p, y0, %2;\nmov.u64 %1, %0;\n@p mov.u64 %1, %%clock64;\n}"                          \
          : "=&l"(begin), "=&l"(end)                                                                       \
          : "r"(zero), "r"(one)                                                                            \
          : "memory");                                                                                     \
      if (threadIdx.x == 0) clocks[iteration] = end - begin;                                               \
    }                                                                                                      \
  }

STRAIGHT_CODE(512, TIMES_64(EIGHT_FMAS))
STRAIGHT_CODE(2048, TIMES_4(TIMES_64(EIGHT_FMAS)))
STRAIGHT_CODE(4096, TIMES_4(TIMES_4(TIMES_32(EIGHT_FMAS))))
STRAIGHT_CODE(16384, TIMES_32(TIMES_64(EIGHT_FMAS)))

#endif

// One access at a time of 16 bytes, to lines in a random order: samples gets the cycles of each, with those of its
// clocks. `access` reads [a] into x. mask: number of lines less one, a power of two.
constexpr unsigned accesses = 1024;
#define TIMED(name, access)                                                                                           \
  extern "C" __global__ void name(Word* samples, Word* clocks, const char* base, Word mask, Word seed, unsigned zero, \
                                  int chosen) {                                                                       \
    if (!is_here(chosen, clocks)) return;                                                                             \
    __shared__ Word taken[accesses];                                                                                  \
    Word index = seed;                                                                                                \
    _Pragma("unroll 1") for (unsigned i = 0; i != accesses; ++i) {                                                    \
      index = index * 6364136223846793005ull + 1442695040888963407ull;                                                \
      Word begin, end;                                                                                                \
      unsigned value;                                                                                                 \
      asm volatile(                                                                                                   \
          "{\n.reg .pred p;\n.reg .b32 x, y0, y1, y2;\n.reg .b64 a;\nmov.u32 y0, %%laneid;\n"                         \
          "mov.u64 %0, %%clock64;\ncvt.u32.u64 x, %0;\nxor.b32 x, x, y0;\nand.b32 x, x, %4;\n"                        \
          "cvt.u64.u32 a, x;\nadd.u64 a, a, %3;\n" access                                                             \
          "setp.ge.u32 p, x, %4;\nmov.u64 %1, %0;\n@p mov.u64 %1, %%clock64;\nmov.b32 %2, x;\n}"                      \
          : "=&l"(begin), "=&l"(end), "=&r"(value)                                                                    \
          : "l"(base + (index >> 20 & mask) * 128), "r"(zero)                                                         \
          : "memory");                                                                                                \
      index += value & zero;                                                                                          \
      if (threadIdx.x == 0) taken[i] = end - begin;                                                                   \
    }                                                                                                                 \
    __syncthreads();                                                                                                  \
    for (unsigned i = threadIdx.x; i < accesses; i += blockDim.x) samples[i] = taken[i];                              \
  }

TIMED(timed_nothing, "cvt.u32.u64 x, a;\n")
TIMED(timed_load,
      "ld.global.cg.v4.u32 {x, y0, y1, y2}, [a];\nxor.b32 x, x, y0;\nxor.b32 y1, y1, y2;\nxor.b32 x, x, y1;\n")

#ifndef WARPSPAN_CHAINS_ONLY

// Each eight threads read `each` whole lines of a power of two of them, and write them if asked to: `step` lines apart,
// one further after each round, or, with a step of 0, at random.
constexpr unsigned threads_of_line = 8;
extern "C" __global__ void read_lines(unsigned* sink, char* base, Word mask, Word step, unsigned each, bool write) {
  const Word groups = static_cast<Word>(gridDim.x) * blockDim.x / threads_of_line;
  Word index = (static_cast<Word>(blockIdx.x) * blockDim.x + threadIdx.x) / threads_of_line;
  unsigned sum = 0;
#pragma unroll 8
  for (unsigned i = 0; i < each; ++i, index += groups) {
    Word line = index * step + index * step / (mask + 1);
    if (step == 0) {
      line = (index + 1) * 0x9e3779b97f4a7c15ull;
      line = (line ^ line >> 29) * 0xbf58476d1ce4e5b9ull >> 20;
    }
    char* address = base + (line & mask) * 128 + threadIdx.x % threads_of_line * 16;
    unsigned x, y, z, w;
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                 : "l"(address)
                 : "memory");
    if (write)
      asm volatile("st.global.cg.v4.u32 [%0], {%1, %2, %3, %4};"
                   :
                   : "l"(address), "r"(x + 1), "r"(y), "r"(z), "r"(w)
                   : "memory");
    sum += x ^ y ^ z ^ w;
  }
  if (sum == 0x5ca1ab1e) *sink = sum;
}

// to = factor * from, or from + factor * more where there are more.
extern "C" __global__ void stream(float4* to, const float4* from, const float4* more, float factor, Word count) {
  const Word threads = static_cast<Word>(gridDim.x) * blockDim.x;
  for (Word i = static_cast<Word>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += threads) {
    const float4 a = from[i];
    const float4 b = more == nullptr ? a : more[i];
    const float rest = more == nullptr ? 0.0f : 1.0f;
    to[i] = make_float4(rest * a.x + factor * b.x, rest * a.y + factor * b.y, rest * a.z + factor * b.z,
                        rest * a.w + factor * b.w);
  }
}

// Each block reads `passes` times 512 bytes with each of its warps, from `lines` lines that the L2 has, or all of
// them the same line. log gets the block's multiprocessor, begin and end.
extern "C" __global__ void read_l2(Word* log, unsigned* sink, const char* base, Word lines, unsigned passes,
                                   Word* clocks, int chosen) {
  if (!is_here(chosen, clocks)) return;
  const Word begin = clock64();
  const Word warp = static_cast<Word>(blockIdx.x) * 8191 + threadIdx.x / 32;
  unsigned sum = 0;
#pragma unroll 8
  for (unsigned i = 0; i < passes; ++i) {
    const Word first = lines == 1 ? 0 : (warp + static_cast<Word>(i) * (blockDim.x / 32)) * 4 % lines * 128;
    const Word offset = lines == 1 ? threadIdx.x % 8 * 16 : threadIdx.x % 32 * 16;
    unsigned x, y, z, w;
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                 : "l"(base + first + offset));
    sum += x ^ y ^ z ^ w;
  }
  if (sum == 0x5ca1ab1e) *sink = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  unsigned multiprocessor;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  log[blockIdx.x * 3] = multiprocessor;
  log[blockIdx.x * 3 + 1] = begin;
  log[blockIdx.x * 3 + 2] = clock64();
}

// A block that works for a while. log gets its multiprocessor, when its last warp began, and its end.
extern "C" __global__ void dispatched(Word* log, unsigned cycles) {
  const Word begin = clock64();
  __shared__ Word last;
  if (threadIdx.x == 0) last = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) atomicMax(&last, begin);
  while (clock64() - begin < cycles) {
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  unsigned multiprocessor;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  log[blockIdx.x * 3] = multiprocessor;
  log[blockIdx.x * 3 + 1] = last;
  log[blockIdx.x * 3 + 2] = clock64();
}

extern "C" __global__ void nothing(Word* log) {
  if (log == nullptr) return;
  log[0] = 1;
}

// Cycles and nanoseconds of a time under load, of each block.
extern "C" __global__ void tick(Word* log, Word cycles) {
  Word begin_time, end_time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin_time) : : "memory");
  const Word begin = clock64();
  float work = static_cast<float>(threadIdx.x);
  while (clock64() - begin < cycles) work = work * work + 1.0f;
  const Word end = clock64();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end_time) : : "memory");
  if (threadIdx.x != 0) return;
  log[blockIdx.x * 2] = end - begin + (work == 0.125f ? 1 : 0);
  log[blockIdx.x * 2 + 1] = end_time - begin_time;
}

// The address of a constant as loads from constant memory take it, which is what the constant contains.
__constant__ Word own_address;
extern "C" __global__ void address_of_constant(Word* to) {
  asm volatile("{\n.reg .b64 a;\ncvta.to.const.u64 a, %1;\nst.global.u64 [%0], a;\n}"
               :
               : "l"(to), "l"(&own_address)
               : "memory");
}

#endif
