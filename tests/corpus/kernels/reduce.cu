// Sums and extremes of an array, from the first lesson on divergence to shuffles and a template for each block size.
// nvcc sm_80
// nvcc sm_75 -G
// nvcc sm_90 -lineinfo
// clang-19 sm_62
#include "subset.h"

__global__ void reduce_interleaved(const float* in, float* out, unsigned int n) {
  extern __shared__ float sdata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    if (tid % (2 * s) == 0) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = sdata[0];
}

__global__ void reduce_bank_conflicts(const float* in, float* out, unsigned int n) {
  extern __shared__ float sdata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned int s = 1; s < blockDim.x; s <<= 1) {
    unsigned int index = 2 * s * tid;
    if (index < blockDim.x) sdata[index] += sdata[index + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = sdata[0];
}

__global__ void reduce_sequential(const float* in, float* out, unsigned int n) {
  extern __shared__ float sdata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  float sum = i < n ? in[i] : 0.0f;
  if (i + blockDim.x < n) sum += in[i + blockDim.x];
  sdata[tid] = sum;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = sdata[0];
}

template <unsigned int blockSize>
__device__ void warp_tail(volatile float* sdata, unsigned int tid) {
  if (blockSize >= 64) sdata[tid] += sdata[tid + 32];
  if (blockSize >= 32) sdata[tid] += sdata[tid + 16];
  if (blockSize >= 16) sdata[tid] += sdata[tid + 8];
  if (blockSize >= 8) sdata[tid] += sdata[tid + 4];
  if (blockSize >= 4) sdata[tid] += sdata[tid + 2];
  if (blockSize >= 2) sdata[tid] += sdata[tid + 1];
}

template <unsigned int blockSize>
__global__ void reduce_unrolled(const float* in, float* out, unsigned int n) {
  __shared__ float sdata[blockSize];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockSize * 2) + tid;
  unsigned int gridSize = blockSize * 2 * gridDim.x;
  float sum = 0;
  while (i < n) {
    sum += in[i];
    if (i + blockSize < n) sum += in[i + blockSize];
    i += gridSize;
  }
  sdata[tid] = sum;
  __syncthreads();
  if (blockSize >= 512) { if (tid < 256) sdata[tid] += sdata[tid + 256]; __syncthreads(); }
  if (blockSize >= 256) { if (tid < 128) sdata[tid] += sdata[tid + 128]; __syncthreads(); }
  if (blockSize >= 128) { if (tid < 64) sdata[tid] += sdata[tid + 64]; __syncthreads(); }
  if (tid < 32) warp_tail<blockSize>(sdata, tid);
  if (tid == 0) out[blockIdx.x] = sdata[0];
}
template __global__ void reduce_unrolled<256>(const float*, float*, unsigned int);

__device__ __forceinline__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

__device__ float block_sum(float value) {
  __shared__ float partial[32];
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  value = warp_sum(value);
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / 32 ? partial[lane] : 0.0f;
  if (warp == 0) value = warp_sum(value);
  return value;
}

__global__ void reduce_shuffle(const float* in, float* out, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// The place of the largest number; ties go to the smaller index.
__global__ void argmax(const float* in, int* where, int n) {
  __shared__ float values[256];
  __shared__ int places[256];
  float best = -3.0e38f;
  int place = -1;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (in[i] > best) {
      best = in[i];
      place = i;
    }
  }
  values[threadIdx.x] = best;
  places[threadIdx.x] = place;
  __syncthreads();
  for (int half = blockDim.x >> 1; half; half >>= 1) {
    if ((int)threadIdx.x < half) {
      float other = values[threadIdx.x + half];
      int other_place = places[threadIdx.x + half];
      if (other > values[threadIdx.x] || (other == values[threadIdx.x] && other_place < places[threadIdx.x])) {
        values[threadIdx.x] = other;
        places[threadIdx.x] = other_place;
      }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) *where = places[0];
}

// Any number of threads: the odd one out is carried along.
__global__ void reduce_any_size(const int* in, int* out, int n) {
  __shared__ int data[1024];
  int tid = threadIdx.x;
  data[tid] = tid < n ? in[tid] : 0;
  __syncthreads();
  int active = n;
  while (active > 1) {
    int half = (active + 1) / 2;
    if (tid < active / 2) data[tid] += data[tid + half];
    __syncthreads();
    active = half;
  }
  if (tid == 0) *out = data[0];
}
