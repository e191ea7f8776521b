// Forces of atoms on each other after Lennard-Jones, from lists of neighbours, with a cutoff. How many neighbours an
// atom has stands in memory.
#include "../suite_subset.h"

extern "C" __global__ void lennard_jones(const float4* positions, const int* neighbour_counts, const int* neighbours,
                                         float4* forces, int atoms, float cutoff) {
  const int atom = blockIdx.x * blockDim.x + threadIdx.x;
  if (atom >= atoms) {
    return;
  }
  const float4 here = positions[atom];
  float4 force = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int i = 0; i < neighbour_counts[atom]; ++i) {
    const float4 there = positions[neighbours[i * atoms + atom]];
    const float dx = here.x - there.x;
    const float dy = here.y - there.y;
    const float dz = here.z - there.z;
    const float square = dx * dx + dy * dy + dz * dz;
    if (square < cutoff * cutoff) {
      const float inverse = 1.0f / square;
      const float sixth = inverse * inverse * inverse;
      const float scale = 24.0f * inverse * sixth * (2.0f * sixth - 1.0f);
      force.x += scale * dx;
      force.y += scale * dy;
      force.z += scale * dz;
    }
  }
  forces[atom] = force;
}
