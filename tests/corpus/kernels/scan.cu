// Prefix sums.
// nvcc sm_86
// nvcc sm_80 -G
// clang-19 sm_62
// clang-14 sm_60 -O2
#include "subset.h"

// Hillis and Steele, two buffers.
__global__ void scan_naive(const float* in, float* out, int n) {
  extern __shared__ float temp[];
  int thid = threadIdx.x;
  int pout = 0, pin = 1;
  temp[pout * n + thid] = thid > 0 ? in[thid - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (thid >= offset)
      temp[pout * n + thid] = temp[pin * n + thid] + temp[pin * n + thid - offset];
    else
      temp[pout * n + thid] = temp[pin * n + thid];
    __syncthreads();
  }
  out[thid] = temp[pout * n + thid];
}

// Blelloch: up-sweep and down-sweep.
__global__ void scan_work_efficient(const float* in, float* out, int n) {
  extern __shared__ float temp[];
  int thid = threadIdx.x;
  int offset = 1;
  temp[2 * thid] = in[2 * thid];
  temp[2 * thid + 1] = in[2 * thid + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1;
      int bi = offset * (2 * thid + 2) - 1;
      temp[bi] += temp[ai];
    }
    offset *= 2;
  }
  if (thid == 0) temp[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1;
      int bi = offset * (2 * thid + 2) - 1;
      float t = temp[ai];
      temp[ai] = temp[bi];
      temp[bi] += t;
    }
  }
  __syncthreads();
  out[2 * thid] = temp[2 * thid];
  out[2 * thid + 1] = temp[2 * thid + 1];
}

__global__ void add_block_sums(int* data, const int* sums, int n) {
  __shared__ int carry;
  if (threadIdx.x == 0) {
    int total = 0;
    for (int b = 0; b < (int)blockIdx.x; b++) total += sums[b];
    carry = total;
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += carry;
}

// Each thread scans a run of its own, then the runs are put together.
__global__ void scan_serial_runs(const int* in, int* out, int items) {
  __shared__ int totals[256];
  int begin = threadIdx.x * items;
  int sum = 0;
  for (int i = begin; i < begin + items; i++) sum += in[i];
  totals[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    int running = 0;
    for (unsigned t = 0; t < blockDim.x; ++t) {
      int next = totals[t];
      totals[t] = running;
      running += next;
    }
  }
  __syncthreads();
  sum = totals[threadIdx.x];
  for (int i = begin; i < begin + items; i++) {
    out[i] = sum;
    sum += in[i];
  }
}
