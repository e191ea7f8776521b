// Keeps the positive numbers of an array, in any order of warps: a ballot counts those of a warp, one atomic a warp
// reserves their places.
#include "../suite_subset.h"

extern "C" __global__ void compact(const float* numbers, float* kept, unsigned int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int lane = threadIdx.x % 32;
  const float number = i < n ? numbers[i] : 0.0f;
  const bool keeps = number > 0.0f;

  const unsigned int votes = __ballot_sync(0xffffffffu, keeps);
  unsigned int first = 0;
  if (lane == 0) {
    first = atomicAdd(count, static_cast<unsigned int>(__popc(votes)));
  }
  first = __shfl_sync(0xffffffffu, first, 0);
  if (keeps) {
    kept[first + __popc(votes & ((1u << lane) - 1))] = number;
  }
}
