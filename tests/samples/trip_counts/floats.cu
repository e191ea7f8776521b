// Loops that count in floating point. Compiled by
//   nvcc -ptx -arch=sm_80 floats.cu -o floats.nvcc-sm_80.ptx
//   nvcc -ptx -arch=sm_75 -ftz=true -fmad=false floats.cu -o floats.nvcc-sm_75-ftz.ptx
//   nvcc -ptx -arch=sm_90 -Xcicc -O0 floats.cu -o floats.nvcc-sm_90-O0.ptx
//   clang-14 -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -O2 -S floats.cu -o
//   floats.clang-sm_70.ptx
#ifdef __clang__
#define __global__ __attribute__((global))
#define threads_x __nvvm_read_ptx_sreg_tid_x()
#else
#define threads_x threadIdx.x
#endif

#define LOOP(NAME, NUMBER, START, TEST, STEP)                                                    \
  extern "C" __global__ void NAME(volatile NUMBER* out, NUMBER begin, NUMBER end, NUMBER step) { \
    _Pragma("unroll 1") for (NUMBER x = START; TEST; STEP)* out = x;                             \
  }

LOOP(below, float, begin, x < end, x += step)
LOOP(up_to, float, begin, x <= end, x += step)
LOOP(unequal, float, begin, x != end, x += step)
LOOP(down, float, begin, x > end, x -= step)
LOOP(not_down, float, begin, !(x <= end), x -= step)
LOOP(below_double, double, begin, x < end, x += step)
LOOP(down_double, double, begin, x >= end, x = x - step)
LOOP(tenths, float, 0, x < 1.0f, x += 0.1f)
LOOP(tenths_double, double, 0, x < 1.0, x += 0.1)
LOOP(ones, float, -3, x <= 3, x++)
LOOP(halves, float, begin, x > end, x *= 0.5f)
LOOP(growth, float, begin, x < end, x = x * step + 1)
LOOP(quotients, float, begin, x > end, x /= step)
LOOP(of_threads, float, (int)threads_x - 7, x < end, x += step)

extern "C" __global__ void products(volatile float* out, float begin, float end, float step) {
#pragma unroll 1
  for (int i = 0; i * step < end; i++) *out = i;
}
extern "C" __global__ void until_integer(volatile float* out, float begin, float end, float step) {
#pragma unroll 1
  for (int i = 0; i < (int)((end - begin) / step); i++) *out = i;
}
