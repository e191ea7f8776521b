// Linked with inlined.cu, for the tests of line tables and calls of linked cubins.
__device__ __noinline__ int called(int value) {
  return value * value;
}

extern "C" __global__ void plain(int* data) {
  data[threadIdx.x] += called(5);
}
