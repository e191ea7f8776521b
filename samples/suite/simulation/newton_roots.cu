// A root of each polynomial of degree 3 after Newton, until it no longer moves, but at most `most` steps.
#include "../suite_subset.h"

extern "C" __global__ void newton_roots(const float4* polynomials, float* roots, int count, int most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) {
    return;
  }
  const float4 p = polynomials[i];
  float x = 1.0f;
  float step = 1.0f;
  int turn = 0;
  while (fabsf(step) > 1e-6f && turn < most) {
    const float value = ((p.x * x + p.y) * x + p.z) * x + p.w;
    const float slope = (3.0f * p.x * x + 2.0f * p.y) * x + p.z;
    step = value / slope;
    x -= step;
    ++turn;
  }
  roots[i] = x;
}
