// CUDA samples, introduction: vectors, one matrix product, streams, atomics, votes.
// nvcc sm_80
// clang-19 sm_70
#include "subset.h"

// vectorAdd, and all that show another way to the same kernel.
__global__ void vector_add(const float* a, const float* b, float* c, int count) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < count) c[i] = a[i] + b[i] + 0.0f;
}

// asyncAPI, simpleCallback.
__global__ void increment(int* data, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = data[i] + by;
}

// simpleMultiCopy: the work of each element is repeated.
__global__ void increment_repeated(int* out, const int* in, int count, int repetitions) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    for (int r = 0; r < repetitions; ++r) out[i] = in[i] + 1;
}

// simpleStreams: the factor stands in memory.
__global__ void fill_from_factor(int* data, const int* factor, int repetitions) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < repetitions; r++) data[i] += *factor;
}

// simpleMultiGPU.
__global__ void partial_sums(float* sums, const float* data, int count) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  float sum = 0;
  for (int i = id; i < count; i += threads) sum += data[i];
  sums[id] = sum;
}

// cudaOpenMP.
__global__ void add_constant(int* data, const int b) { data[blockIdx.x * blockDim.x + threadIdx.x] += b; }

// simpleMPI.
__global__ void square_roots(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = sqrtf(in[i]);
}

// simpleOccupancy.
__global__ void square(int* data, int count) {
  extern __shared__ int unused[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] = data[i] * data[i];
}

// simpleP2P, streamOrderedAllocationP2P.
__global__ void copy_and_scale(const float* from, float* to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i] * 2.0f;
}

// template, simpleTemplates.
template <typename T>
__device__ void scale_by_threads(const T* in, T* out) {
  extern __shared__ __attribute__((aligned(16))) char bytes[];
  T* shared = reinterpret_cast<T*>(bytes);
  unsigned t = threadIdx.x;
  shared[t] = in[t];
  __syncthreads();
  shared[t] = (T)blockDim.x * shared[t];
  __syncthreads();
  out[t] = shared[t];
}
__global__ void scale_floats(const float* in, float* out) { scale_by_threads(in, out); }
__global__ void scale_ints(const int* in, int* out) { scale_by_threads(in, out); }

// cppIntegration: four characters in an integer.
__global__ void add_ten_to_bytes(int* data) {
  int t = threadIdx.x, packed = data[t];
  data[t] = ((((packed << 0) >> 24) - 10) << 24) | ((((packed << 8) >> 24) - 10) << 16) |
            ((((packed << 16) >> 24) - 10) << 8) | ((((packed << 24) >> 24) - 10) << 0);
}

// matrixMul: tiles of 32 by 32, walked by pointers' offsets until the end of the row of A.
template <int SIZE>
__device__ void multiply_tiles(float* c, const float* a, const float* b, int width_a, int width_b) {
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int first_a = width_a * SIZE * by, last_a = first_a + width_a - 1, step_a = SIZE;
  int first_b = SIZE * bx, step_b = SIZE * width_b;
  float sum = 0;
  for (int at_a = first_a, at_b = first_b; at_a <= last_a; at_a += step_a, at_b += step_b) {
    __shared__ float tile_a[SIZE][SIZE], tile_b[SIZE][SIZE];
    tile_a[ty][tx] = a[at_a + width_a * ty + tx];
    tile_b[ty][tx] = b[at_b + width_b * ty + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < SIZE; ++k) sum += tile_a[ty][k] * tile_b[k][tx];
    __syncthreads();
  }
  c[width_b * SIZE * by + SIZE * bx + width_b * ty + tx] = sum;
}
__global__ void matrix_mul_32(float* c, float* a, float* b, int width_a, int width_b) {
  multiply_tiles<32>(c, a, b, width_a, width_b);
}
__global__ void matrix_mul_16(float* c, float* a, float* b, int width_a, int width_b) {
  multiply_tiles<16>(c, a, b, width_a, width_b);
}

// simpleAtomicIntrinsics: each operation once, on cells of its own.
__global__ void every_atomic(int* data) {
  unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
  atomicAdd(&data[0], 10);
  atomicAdd(&data[1], -10);
  atomicExch(&data[2], (int)i);
  atomicMax(&data[3], (int)i);
  atomicMin(&data[4], (int)i);
  atomicInc((unsigned*)&data[5], 17u);
  atomicDec((unsigned*)&data[6], 137u);
  atomicCAS(&data[7], (int)i - 1, (int)i);
  atomicAnd(&data[8], (int)(2 * i + 7));
  atomicOr(&data[9], 1 << (i & 31));
  atomicXor(&data[10], (int)i);
}

// StreamPriorities, bandwidth of a copy by the threads.
__global__ void copy_grid_stride(int* to, const int* from, unsigned long long count) {
  int threads = gridDim.x * blockDim.x;
  for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) to[i] = from[i];
}

// alignedTypes: structures of several sizes.
struct Packed {
  unsigned char r, g, b, a;
};
struct alignas(16) Aligned {
  unsigned r, g, b, a;
};
template <typename T>
__device__ void copy_elements(T* out, const T* in, int count) {
  int threads = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) out[i] = in[i];
}
__global__ void copy_packed(Packed* out, const Packed* in, int count) { copy_elements(out, in, count); }
__global__ void copy_aligned(Aligned* out, const Aligned* in, int count) { copy_elements(out, in, count); }

// simpleAttributes: the same window again and again.
__global__ void read_window(int* data, int size, int hits) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < hits; ++k) data[i % size] += i & 7;
}

// c++11_cuda: each letter of the text is held against four others.
__global__ void letter_frequency(int* count, const char* text, int n, const char* letters, int kinds) {
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    for (int k = 0; k < kinds; k++)
      if (text[i] == letters[k]) {
        mine++;
        break;
      }
  atomicAdd(count, mine);
}

// cudaCompressibleMemory.
__global__ void saxpy_vectors(const float a, const float4* x, const float4* y, float4* z, const unsigned long long n) {
  for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float4 p = x[i], q = y[i];
    float4 r;
    r.x = a * p.x + q.x;
    r.y = a * p.y + q.y;
    r.z = a * p.z + q.z;
    r.w = a * p.w + q.w;
    z[i] = r;
  }
}

// ptxjit.
__global__ void write_number(int* data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = i;
}

// transpose: 32 by 32 tiles by 16 rows at a time, with a column to spare against bank conflicts.
constexpr int tile = 32, rows = 16;
__global__ void transpose_naive(float* out, const float* in, int width, int height) {
  int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  int from = x + width * y, to = y + height * x;
  for (int i = 0; i < tile; i += rows) out[to + i] = in[from + i * width];
}
__global__ void transpose_no_conflicts(float* out, const float* in, int width, int height) {
  __shared__ float square[tile][tile + 1];
  int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  int from = x + y * width;
  int to = blockIdx.y * tile + threadIdx.x + (blockIdx.x * tile + threadIdx.y) * height;
  for (int i = 0; i < tile; i += rows) square[threadIdx.y + i][threadIdx.x] = in[from + i * width];
  __syncthreads();
  for (int i = 0; i < tile; i += rows) out[to + i * height] = square[threadIdx.x][threadIdx.y + i];
}
__global__ void transpose_diagonal(float* out, const float* in, int width, int height) {
  __shared__ float square[tile][tile + 1];
  int bx, by;
  if (width == height) {
    by = blockIdx.x;
    bx = (blockIdx.x + blockIdx.y) % gridDim.x;
  } else {
    int id = blockIdx.x + gridDim.x * blockIdx.y;
    by = id % gridDim.y;
    bx = (id / gridDim.y + by) % gridDim.x;
  }
  int from = bx * tile + threadIdx.x + (by * tile + threadIdx.y) * width;
  int to = by * tile + threadIdx.x + (bx * tile + threadIdx.y) * height;
  for (int i = 0; i < tile; i += rows) square[threadIdx.y + i][threadIdx.x] = in[from + i * width];
  __syncthreads();
  for (int i = 0; i < tile; i += rows) out[to + i * height] = square[threadIdx.x][threadIdx.y + i];
}
