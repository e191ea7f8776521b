// Inlined twice, one into the other, for the tests of line tables.
static __device__ __forceinline__ int scaled(int value) {
  return value * 3
    + 1;
}
static __device__ __forceinline__ int shifted(int value) {
  value ^= 5;
  return scaled(value);
}
