// Loops that run as often as a quotient or a remainder says. nvcc -ptx -arch=sm_75, and ptxas 13.0.
#define LOOP(name, type, limit) \
  extern "C" __global__ void name(type *out, type n, type b) { \
    _Pragma("unroll 1") for (type i = 0; i < (type)(limit); ++i) out[i] += i; \
  }
LOOP(quotient_u32, unsigned, n / b)
LOOP(rest_u32, unsigned, n % b)
LOOP(quotient_s32, int, n / b)
LOOP(rest_s32, int, n % b)
LOOP(quotient_s16, short, n / b)
