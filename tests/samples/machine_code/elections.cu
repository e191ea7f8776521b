// Each lane asks for a copy of its own.
extern "C" __global__ void prefetch(const char* p) {
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], 16;" ::"l"(p + 1024 * threadIdx.x));
}
