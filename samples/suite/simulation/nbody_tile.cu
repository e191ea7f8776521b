// Gravity of all bodies on each, a tile of positions in shared memory at a time; any number of bodies.
#include "../suite_subset.h"

constexpr int kTile = 128;

extern "C" __global__ void nbody_tile(const float4* positions, float4* accelerations, int bodies) {
  __shared__ float4 tile[kTile];
  const int body = blockIdx.x * kTile + threadIdx.x;
  const float4 here = positions[min(body, bodies - 1)];
  float ax = 0.0f;
  float ay = 0.0f;
  float az = 0.0f;
  for (int start = 0; start < bodies; start += kTile) {
    if (start + threadIdx.x < bodies) {
      tile[threadIdx.x] = positions[start + threadIdx.x];
    }
    __syncthreads();
    for (int i = 0; i < min(kTile, bodies - start); ++i) {
      const float dx = tile[i].x - here.x;
      const float dy = tile[i].y - here.y;
      const float dz = tile[i].z - here.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-9f);
      const float pull = tile[i].w * inverse * inverse * inverse;
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
    __syncthreads();
  }
  if (body < bodies) {
    accelerations[body] = make_float4(ax, ay, az, 0.0f);
  }
}
