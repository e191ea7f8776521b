// CUDA samples that show a feature: clocks, votes, groups, barriers, copies beside the threads, calls, printing.
// nvcc sm_80
// nvcc sm_90
#include <assert.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_pipeline.h>
#include <stdio.h>

#include <cuda/barrier>
namespace cg = cooperative_groups;

// clock: the minimum of a block, with the time at both ends.
__global__ void timed_reduction(const float* in, float* out, clock_t* times) {
  extern __shared__ float shared[];
  const int t = threadIdx.x, b = blockIdx.x;
  if (t == 0) times[b] = clock();
  shared[t] = in[t];
  shared[t + blockDim.x] = in[t + blockDim.x];
  for (int d = blockDim.x; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) {
      float f0 = shared[t], f1 = shared[t + d];
      if (f1 < f0) shared[t] = f1;
    }
  }
  if (t == 0) out[b] = shared[0];
  __syncthreads();
  if (t == 0) times[b + gridDim.x] = clock();
}

// concurrentKernels, simpleHyperQ, cudaGraphsPerfScaling: nothing until the clock says so.
__global__ void wait_for_clock(clock_t* out, clock_t cycles) {
  unsigned start = (unsigned)clock();
  clock_t offset = 0;
  while (offset < cycles) offset = (clock_t)((unsigned)clock() - start);
  out[0] = offset;
}
__global__ void sum_of_clocks(clock_t* clocks, int n) {
  __shared__ clock_t shared[32];
  clock_t mine = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine += clocks[i];
  shared[threadIdx.x] = mine;
  __syncthreads();
  for (int i = 16; i > 0; i /= 2) {
    if (threadIdx.x < i) shared[threadIdx.x] += shared[threadIdx.x + i];
    __syncthreads();
  }
  clocks[0] = shared[0];
}

// simpleVoteIntrinsics.
__global__ void votes(const unsigned* in, unsigned* any, unsigned* all) {
  int t = threadIdx.x;
  any[t] = __any_sync(0xffffffffu, in[t]);
  all[t] = __all_sync(0xffffffffu, in[t]);
}
__global__ void votes_of_three(bool* info, int warp_size) {
  int t = threadIdx.x;
  bool* mine = info + t * 3;
  *mine = __any_sync(0xffffffffu, t >= warp_size * 3 / 2);
  *(mine + 1) = t >= warp_size * 3 / 2;
  if (__all_sync(0xffffffffu, t >= warp_size * 3 / 2)) *(mine + 2) = true;
}

// simpleCooperativeGroups: the sum of a group of any kind.
__device__ int sum_of_group(cg::thread_group g, int* shared, int value) {
  int lane = g.thread_rank();
  for (int i = g.size() / 2; i > 0; i /= 2) {
    shared[lane] = value;
    g.sync();
    if (lane < i) value += shared[lane + i];
    g.sync();
  }
  return lane == 0 ? value : -1;
}
__global__ void sums_of_groups(int* out) {
  cg::thread_block block = cg::this_thread_block();
  extern __shared__ int workspace[];
  int rank = block.thread_rank();
  int sum = sum_of_group(block, workspace, rank);
  if (rank == 0) out[0] = sum;
  block.sync();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  sum = sum_of_group(tile, workspace + rank - tile.thread_rank(), tile.thread_rank());
  if (tile.thread_rank() == 0) out[1 + rank / 16] = sum;
}

// simpleAWBarrier: a warp sums the products; arrival and wait are apart.
__global__ void normalize_by_barrier(float* a, float* b, unsigned long long elements, float* partial,
                                     int threads_used) {
  auto block = cg::this_thread_block();
  auto grid = cg::this_grid();
  extern __shared__ float sums[];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (block.thread_rank() == 0) init(&barrier, block.size());
  cg::sync(block);
  float mine = 0;
  auto warp = cg::tiled_partition<32>(block);
  for (int i = grid.thread_rank(); i < elements; i += grid.size()) mine += a[i] * b[i];
  float sum = cg::reduce(warp, mine, cg::plus<float>());
  if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = sum;
  auto token = barrier.arrive();
  barrier.wait(std::move(token));
  if (warp.meta_group_rank() == 0) {
    float last = 0;
    for (int i = warp.thread_rank(); i < warp.meta_group_size(); i += warp.size()) last += sums[i];
    last = cg::reduce(warp, last, cg::plus<float>());
    if (warp.thread_rank() == 0) partial[blockIdx.x] = last;
  }
  cg::sync(grid);
  if (blockIdx.x == 0 && warp.meta_group_rank() == 0) {
    float all = 0;
    for (int i = warp.thread_rank(); i < gridDim.x; i += warp.size()) all += partial[i];
    all = cg::reduce(warp, all, cg::plus<float>());
    if (warp.thread_rank() == 0) partial[0] = sqrtf(all);
  }
  cg::sync(grid);
  const float norm = partial[0];
  for (int i = grid.thread_rank(); i < threads_used; i += grid.size()) {
    a[i] /= norm;
    b[i] /= norm;
  }
}

// binaryPartitionCG.
__global__ void count_odd_numbers(const int* in, int* odd, int* even_and_odd_sums, unsigned size) {
  cg::thread_block block = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  for (int i = grid.thread_rank(); i < size; i += grid.size()) {
    int element = in[i];
    auto part = cg::binary_partition(tile, bool(element & 1));
    if (element & 1) {
      int sum = cg::reduce(part, element, cg::plus<int>());
      if (part.thread_rank() == 0) {
        atomicAdd(odd, part.size());
        atomicAdd(&even_and_odd_sums[0], sum);
      }
    } else {
      int sum = cg::reduce(part, element, cg::plus<int>());
      if (part.thread_rank() == 0) atomicAdd(&even_and_odd_sums[1], sum);
    }
    cg::sync(tile);
  }
}

// warpAggregatedAtomicsCG: a filter, and a histogram by groups with the same label.
__device__ int add_for_group(int* counter) {
  cg::coalesced_group active = cg::coalesced_threads();
  int base;
  if (active.thread_rank() == 0) base = atomicAdd(counter, active.size());
  return active.shfl(base, 0) + active.thread_rank();
}
__global__ void filter_positive(int* out, int* count, const int* in, int n) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  for (int i = id; i < n; i += gridDim.x * blockDim.x)
    if (in[i] > 0) out[add_for_group(count)] = in[i];
}
__global__ void add_to_buckets(const int* in, int* buckets, int n, int number) {
  cg::grid_group grid = cg::this_grid();
  for (int i = grid.thread_rank(); i < n; i += grid.size()) {
    const int bucket = in[i] % number;
    auto group = cg::labeled_partition(cg::coalesced_threads(), bucket);
    if (group.thread_rank() == 0) atomicAdd(&buckets[bucket], (int)group.size());
  }
}
__global__ void largest_of_buckets(const int* in, int* largest, int n, int number) {
  cg::grid_group grid = cg::this_grid();
  for (int i = grid.thread_rank(); i < n; i += grid.size()) {
    const int bucket = in[i] % number;
    auto group = cg::labeled_partition(cg::coalesced_threads(), bucket);
    int value = cg::reduce(group, in[i], cg::greater<int>());
    if (group.thread_rank() == 0) atomicMax(&largest[bucket], value);
  }
}

// systemWideAtomics: fifty rounds, also of compare and swap.
__global__ void system_atomics(int* data) {
  int t = blockDim.x * blockIdx.x + threadIdx.x;
  for (int i = 0; i < 50; i++) {
    atomicAdd_system(&data[0], 10);
    atomicExch_system(&data[1], t);
    atomicMax_system(&data[2], t);
    atomicMin_system(&data[3], t);
    atomicInc_system((unsigned*)&data[4], 17);
    atomicDec_system((unsigned*)&data[5], 137);
    atomicCAS_system(&data[6], t - 1, t);
    atomicAnd_system(&data[7], 2 * t + 7);
    atomicOr_system(&data[8], 1 << t);
    atomicXor_system(&data[9], t);
  }
}

// globalToShmemAsyncCopy: tiles of the matrices come while the ones before are multiplied.
template <int SIZE, int STAGES>
__device__ void multiply_stages(float* c, const float* a, const float* b, int width_a, int width_b) {
  __shared__ alignas(16) float tile_a[STAGES][SIZE][SIZE], tile_b[STAGES][SIZE][SIZE];
  float sum = 0;
  const int begin_a = width_a * SIZE * blockIdx.y, end_a = begin_a + width_a - 1;
  const int begin_b = SIZE * blockIdx.x, step_b = SIZE * width_b;
  const bool writes = threadIdx.x % 4 == 0;
  for (int at_a = begin_a, at_b = begin_b, i = 0, fetch_a = begin_a, fetch_b = begin_b, f = 0; at_a <= end_a;
       at_a += SIZE, at_b += step_b, i = (i + 1) % STAGES) {
    for (; fetch_a <= end_a && fetch_a < at_a + SIZE * STAGES;
         fetch_a += SIZE, fetch_b += step_b, f = (f + 1) % STAGES) {
      if (writes) {
        __pipeline_memcpy_async(&tile_a[f][threadIdx.y][threadIdx.x], &a[fetch_a + width_a * threadIdx.y + threadIdx.x],
                                16);
        __pipeline_memcpy_async(&tile_b[f][threadIdx.y][threadIdx.x], &b[fetch_b + width_b * threadIdx.y + threadIdx.x],
                                16);
      }
      __pipeline_commit();
    }
    __pipeline_wait_prior(STAGES - 1);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < SIZE; ++k) sum += tile_a[i][threadIdx.y][k] * tile_b[i][k][threadIdx.x];
    __syncthreads();
  }
  c[width_b * SIZE * blockIdx.y + SIZE * blockIdx.x + width_b * threadIdx.y + threadIdx.x] = sum;
}
__global__ void matrix_mul_async_stages(float* c, const float* a, const float* b, int width_a, int width_b) {
  multiply_stages<16, 4>(c, a, b, width_a, width_b);
}
__global__ void matrix_mul_async_barrier(float* c, const float* a, const float* b, int width_a, int width_b) {
  constexpr int SIZE = 16;
  __shared__ alignas(16) float tile_a[SIZE][SIZE], tile_b[SIZE][SIZE];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0 && threadIdx.y == 0) init(&barrier, blockDim.x * blockDim.y);
  __syncthreads();
  float sum = 0;
  int begin_a = width_a * SIZE * blockIdx.y, end_a = begin_a + width_a - 1;
  for (int at_a = begin_a, at_b = SIZE * blockIdx.x; at_a <= end_a; at_a += SIZE, at_b += SIZE * width_b) {
    cuda::memcpy_async(&tile_a[threadIdx.y][threadIdx.x], &a[at_a + width_a * threadIdx.y + threadIdx.x], sizeof(float),
                       barrier);
    cuda::memcpy_async(&tile_b[threadIdx.y][threadIdx.x], &b[at_b + width_b * threadIdx.y + threadIdx.x], sizeof(float),
                       barrier);
    barrier.arrive_and_wait();
#pragma unroll
    for (int k = 0; k < SIZE; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    barrier.arrive_and_wait();
  }
  c[width_b * SIZE * blockIdx.y + SIZE * blockIdx.x + width_b * threadIdx.y + threadIdx.x] = sum;
}

// simpleAssert, simplePrintf.
__global__ void assert_below(int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i < n);
}
__global__ void print_of_block(int value) {
  printf("[%d, %d]:\t\tValue is:%d\n", blockIdx.y * gridDim.x + blockIdx.x,
         threadIdx.z * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x, value);
}

// simpleSeparateCompilation: the function comes from the host, which has read its address from a variable.
typedef float (*Function)(float);
__device__ float times_two(float x) { return x * 2.0f; }
__device__ float squared(float x) { return x * x; }
__device__ Function choices[] = {times_two, squared};
__global__ void transform_by_pointer(float* data, Function f, unsigned size) {
  unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < size) data[i] = (*f)(data[i]);
}

// FunctionPointers: the filter of a pixel and the thing done to a block are taken from tables.
typedef unsigned char (*PixelFunction)(unsigned char, unsigned char, unsigned char, unsigned char, float);
__device__ unsigned char gradient_of(unsigned char left, unsigned char right, unsigned char up, unsigned char down,
                                     float scale) {
  short sum = scale * (abs(right - left) + abs(up - down));
  return sum < 0 ? 0 : sum > 255 ? 255 : sum;
}
__device__ unsigned char mean_of(unsigned char left, unsigned char right, unsigned char up, unsigned char down, float) {
  return (left + right + up + down) / 4;
}
__device__ PixelFunction pixel_functions[2] = {gradient_of, mean_of};
__global__ void filter_by_table(unsigned char* out, const unsigned char* in, int width, int height, float scale,
                                int mode) {
  const unsigned char* row = in + blockIdx.x * width;
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    int left = max(i - 1, 0), right = min(i + 1, width - 1);
    int up = blockIdx.x > 0 ? -width : 0, down = blockIdx.x + 1 < height ? width : 0;
    out[blockIdx.x * width + i] = (*pixel_functions[mode])(row[left], row[right], row[i + up], row[i + down], scale);
  }
}

// newdelete: containers made by one thread, of a class with virtual functions.
template <typename T>
struct Container {
  __device__ Container() {}
  __device__ virtual ~Container() {}
  __device__ virtual void push(T e) = 0;
  __device__ virtual bool pop(T& e) = 0;
};
template <typename T>
struct Vector : Container<T> {
  __device__ Vector(int most) : size(0), data(new T[most]) {}
  __device__ ~Vector() { delete[] data; }
  __device__ void push(T e) override { data[atomicAdd(&size, 1)] = e; }
  __device__ bool pop(T& e) override {
    int at = atomicAdd(&size, -1);
    if (at < 1) return false;
    e = data[at - 1];
    return true;
  }
  int size;
  T* data;
};
__global__ void create_vector(Container<int>** to, int most) { *to = new Vector<int>(most); }
__global__ void use_container(Container<int>** container) {
  (*container)->push((int)threadIdx.x);
  __syncthreads();
  int value;
  if ((*container)->pop(value)) (*container)->push(-value);
}

// LargeKernelParameter: a thousand integers as one parameter.
struct Parameters {
  int values[1000];
};
__global__ void many_parameters(__grid_constant__ const Parameters p, int* out) {
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < 1000; ++i) sum += p.values[i];
  *out = sum;
}

// inlinePTX.
__global__ void lane_numbers(int* data, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  data[i] = lane;
}

// graphMemoryNodes.
__global__ void negate_squares(float* in, float* squares, float* out, int n) {
  auto grid = cg::this_grid();
  for (int i = grid.thread_rank(); i < n; i += grid.size()) squares[i] = in[i] * in[i];
  grid.sync();
  for (int i = grid.thread_rank(); i < n; i += grid.size()) out[i] = -squares[i];
}
