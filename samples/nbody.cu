// Gravitation of n bodies on each body: tiles of 128 bodies in shared memory, the reciprocal square root on the special
// function unit, vector loads of four floats.
#include "cuda_subset.h"

constexpr int kTile = 128;

struct __attribute__((aligned(16))) Body {
  float x, y, z, mass;
};

extern "C" __global__ void nbody(const Body* bodies, Body* accelerations, float softening, int n) {
  __shared__ Body tile[kTile];

  const Body self = bodies[blockIdx.x * kTile + threadIdx.x];
  Body sum = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int start = 0; start < n; start += kTile) {
    tile[threadIdx.x] = bodies[start + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < kTile; ++j) {
      const float dx = tile[j].x - self.x;
      const float dy = tile[j].y - self.y;
      const float dz = tile[j].z - self.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
      const float strength = tile[j].mass * inverse * inverse * inverse;
      sum.x += dx * strength;
      sum.y += dy * strength;
      sum.z += dz * strength;
    }
    __syncthreads();
  }
  accelerations[blockIdx.x * kTile + threadIdx.x] = sum;
}
