// A loop whose limit is in memory.
extern "C" __global__ void search(const int* keys, const int* limit, int* found) {
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < *limit; ++i) sum += keys[i];
  found[threadIdx.x] = sum;
}
