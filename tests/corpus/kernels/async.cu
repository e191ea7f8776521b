// Copies that run beside the threads: cp.async, pipelines, barriers.
// nvcc sm_80
// nvcc sm_90
// nvcc sm_120
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

__global__ void pipeline_primitives(const float4* in, float* out, int tiles) {
  __shared__ float4 stage[2][128];
  int t = threadIdx.x;
  float sum = 0;
  __pipeline_memcpy_async(&stage[0][t], &in[t], sizeof(float4));
  __pipeline_commit();
  for (int tile = 0; tile < tiles; tile++) {
    if (tile + 1 < tiles) {
      __pipeline_memcpy_async(&stage[(tile + 1) & 1][t], &in[(tile + 1) * 128 + t], sizeof(float4));
      __pipeline_commit();
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    float4 v = stage[tile & 1][127 - t];
    sum += v.x + v.y + v.z + v.w;
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = sum;
}

__global__ void pipeline_thread_scope(const int* in, int* out, int batches) {
  constexpr int stages = 3;
  __shared__ int buffer[stages][256];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  int t = threadIdx.x, sum = 0;
  for (int compute = 0, fetch = 0; compute < batches; ++compute) {
    for (; fetch < batches && fetch < compute + stages; ++fetch) {
      pipe.producer_acquire();
      cuda::memcpy_async(&buffer[fetch % stages][t], &in[fetch * 256 + t], sizeof(int), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += buffer[compute % stages][t];
    pipe.consumer_release();
  }
  out[t] = sum;
}

__global__ void pipeline_block_scope(const int* in, int* out, int batches) {
  constexpr int stages = 2;
  extern __shared__ int buffer[];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int n = block.size(), sum = 0;
  pipe.producer_acquire();
  cuda::memcpy_async(block, buffer, in, sizeof(int) * n, pipe);
  pipe.producer_commit();
  for (int b = 1; b < batches; ++b) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, buffer + (b % 2) * n, in + b * n, sizeof(int) * n, pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    sum += buffer[((b - 1) % 2) * n + n - 1 - threadIdx.x];
    pipe.consumer_release();
  }
  pipe.consumer_wait();
  sum += buffer[((batches - 1) % 2) * n + threadIdx.x];
  pipe.consumer_release();
  out[threadIdx.x] = sum;
}

__global__ void block_barrier(const float* in, float* out, int tiles) {
  __shared__ float tile[256];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  float sum = 0;
  for (int i = 0; i < tiles; i++) {
    cuda::memcpy_async(block, tile, in + i * 256, sizeof(float) * 256, bar);
    bar.arrive_and_wait();
    sum += tile[255 - threadIdx.x];
    bar.arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}

__global__ void group_memcpy(const int* in, int* out, int n) {
  __shared__ int tile[512];
  auto block = cg::this_thread_block();
  int sum = 0;
  for (int at = 0; at < n; at += 512) {
    cg::memcpy_async(block, tile, in + at, sizeof(int) * 512);
    cg::wait(block);
    for (int i = threadIdx.x; i < 512; i += blockDim.x) sum += tile[i];
    block.sync();
  }
  out[threadIdx.x] = sum;
}
