// Cooperative groups: reductions of tiles, aggregated atomics, a barrier over the grid.
// nvcc sm_80
// nvcc sm_90
// nvcc sm_75 -lineinfo
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__global__ void cg_reduce(const int* in, int* out, int n) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sum = cg::reduce(tile, sum, cg::plus<int>());
  if (tile.thread_rank() == 0) atomicAdd(out, sum);
}

__global__ void cg_reduce_float_tile16(const float* in, float* out, int rows, int columns) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 16;
  if (row >= rows) return;
  float best = -1e30f;
  for (int c = tile.thread_rank(); c < columns; c += tile.size()) best = fmaxf(best, in[row * columns + c]);
  best = cg::reduce(tile, best, cg::greater<float>());
  if (tile.thread_rank() == 0) out[row] = best;
}

__device__ int sum_over(cg::thread_group g, int* shared, int value) {
  int lane = g.thread_rank();
  for (int i = g.size() / 2; i > 0; i /= 2) {
    shared[lane] = value;
    g.sync();
    if (lane < i) value += shared[lane + i];
    g.sync();
  }
  return value;
}

__global__ void cg_generic_groups(const int* in, int* out) {
  __shared__ int workspace[256];
  cg::thread_block block = cg::this_thread_block();
  int value = in[block.thread_rank() + block.group_index().x * block.size()];
  int total = sum_over(block, workspace, value);
  auto quarter = cg::tiled_partition(block, 8);
  int part = sum_over(quarter, workspace + block.thread_rank() / 8 * 8, value);
  if (quarter.thread_rank() == 0) out[block.thread_rank() / 8] = part;
  if (block.thread_rank() == 0) out[32] = total;
}

__device__ int aggregated_increment(int* counter) {
  cg::coalesced_group active = cg::coalesced_threads();
  int previous = 0;
  if (active.thread_rank() == 0) previous = atomicAdd(counter, active.size());
  return active.thread_rank() + active.shfl(previous, 0);
}

__global__ void cg_filter(const int* in, int* out, int* count, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    if (in[i] > 0) out[aggregated_increment(count)] = in[i];
}

__global__ void cg_scan_tile(const unsigned* in, unsigned* out, int n) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = i < n ? in[i] : 0;
  unsigned sum = cg::inclusive_scan(tile, value);
  if (i < n) out[i] = sum;
}

// Jacobi steps of the whole grid in one launch.
__global__ void cg_grid_jacobi(float* a, float* b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int step = 0; step < steps; step++) {
    for (int i = grid.thread_rank(); i < n; i += grid.size())
      if (i > 0 && i < n - 1) b[i] = 0.5f * (a[i - 1] + a[i + 1]);
    grid.sync();
    float* swap = a;
    a = b;
    b = swap;
  }
}
