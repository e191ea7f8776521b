// Threads that repeat a compare-and-swap until it succeeds: of 32 and of 64 bits, in global and in shared memory.
__global__ void lowest(const float* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int old = *out;
  while (in[i] < __int_as_float(old)) {
    int found = atomicCAS(out, old, __float_as_int(in[i]));
    if (found == old) break;
    old = found;
  }
}

__global__ void sum(const double* in, unsigned long long* out) {
  unsigned long long old = *out, expected;
  do {
    expected = old;
    old = atomicCAS(out, expected, __double_as_longlong(in[threadIdx.x] + __longlong_as_double(expected)));
  } while (old != expected);
}

__global__ void largest(const float* in, int* out) {
  __shared__ int most;
  if (threadIdx.x == 0) most = 0;
  __syncthreads();
  int old = most, expected;
  do {
    expected = old;
    old = atomicCAS(&most, expected, __float_as_int(fmaxf(in[threadIdx.x], __int_as_float(expected))));
  } while (old != expected);
  __syncthreads();
  if (threadIdx.x == 0) *out = most;
}

// What it expects is not what it has found: it may never succeed.
__global__ void lock(int* word) {
  while (atomicCAS(word, 0, 1) != 0) {
  }
}
