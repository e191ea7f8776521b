// Points of a linear congruential generator that fall into a quarter of a circle; one atomic a warp.
#include "../suite_subset.h"

__device__ __forceinline__ float next_random(unsigned int& state) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) * (1.0f / 16777216.0f);
}

extern "C" __global__ void monte_carlo_pi(unsigned int* hits, int points, unsigned int seed) {
  unsigned int state = seed ^ ((blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u);
  int inside = 0;
  for (int i = 0; i < points; ++i) {
    const float x = next_random(state);
    const float y = next_random(state);
    if (x * x + y * y <= 1.0f) {
      ++inside;
    }
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    inside += __shfl_down_sync(0xffffffffu, inside, distance);
  }
  if (threadIdx.x % 32 == 0) {
    atomicAdd(hits, static_cast<unsigned int>(inside));
  }
}
