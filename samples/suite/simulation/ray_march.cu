// Spheres seen along rays: each ray goes as far as the nearest surface is away, until it is there or lost.
#include "../suite_subset.h"

constexpr int kSpheres = 8;
constexpr int kMostSteps = 96;

extern "C" __global__ void ray_march(const float4* spheres, float* depths, int width, int height) {
  __shared__ float4 scene[kSpheres];
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  if (thread < kSpheres) {
    scene[thread] = spheres[thread];
  }
  __syncthreads();
  if (x >= width || y >= height) {
    return;
  }
  const float u = (2.0f * x - width) / height;
  const float v = (2.0f * y - height) / height;
  const float scale = rsqrtf(u * u + v * v + 1.0f);
  float depth = 0.0f;
  for (int step = 0; step < kMostSteps; ++step) {
    float distance = 1e9f;
    for (int i = 0; i < kSpheres; ++i) {
      const float dx = u * scale * depth - scene[i].x;
      const float dy = v * scale * depth - scene[i].y;
      const float dz = scale * depth - scene[i].z;
      distance = fminf(distance, sqrtf(dx * dx + dy * dy + dz * dz) - scene[i].w);
    }
    if (distance < 0.001f || depth > 100.0f) {
      break;
    }
    depth += distance;
  }
  depths[y * width + x] = depth;
}
