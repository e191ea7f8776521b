// printf and assert.
// nvcc sm_80
// nvcc sm_75 -G
#include <cassert>
#include <cstdio>

__global__ void print_values(const int* in, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (in[i] < 0) printf("block %d thread %d: value %d is %d\n", blockIdx.x, threadIdx.x, i, in[i]);
}

__global__ void checked_gather(const int* index, const float* in, float* out, int n, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int k = index[i];
  assert(k >= 0 && k < size);
  out[i] = in[k];
}

__global__ void trap_on_nan(const float* in, int* bad, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    if (in[i] != in[i]) {
      atomicAdd(bad, 1);
      __trap();
    }
}

__global__ void heap_lists(int** lists, int n) {
  int* list = (int*)malloc(n * sizeof(int));
  if (list == nullptr) return;
  for (int i = 0; i < n; i++) list[i] = threadIdx.x * i;
  if (threadIdx.x & 1)
    free(list);
  else
    lists[threadIdx.x] = list;
}

__global__ void timed_spin(long long* spent, long long cycles) {
  long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  spent[blockIdx.x] = clock64() - begin;
}

__global__ void nap(const volatile int* go, int* seen) {
  unsigned ns = 8;
  while (*go == 0) {
#if __CUDA_ARCH__ >= 700
    __nanosleep(ns);
#endif
    if (ns < 256) ns *= 2;
  }
  *seen = 1;
}
