// CUDA samples, sorts, scans, sums and histograms.
// nvcc sm_80
// nvcc sm_90 -lineinfo
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;

// reduction, kernel 6: the block size is known to the compiler, the number of elements perhaps a power of two.
template <unsigned SIZE, bool POWER_OF_TWO>
__device__ void sum_of_block(const int* in, int* out, unsigned n) {
  extern __shared__ int shared[];
  unsigned t = threadIdx.x, stride = SIZE * gridDim.x;
  int sum = 0;
  if (POWER_OF_TWO) {
    unsigned i = blockIdx.x * SIZE * 2 + threadIdx.x;
    stride = stride << 1;
    while (i < n) {
      sum += in[i];
      if (i + SIZE < n) sum += in[i + SIZE];
      i += stride;
    }
  } else {
    unsigned i = blockIdx.x * SIZE + threadIdx.x;
    while (i < n) {
      sum += in[i];
      i += stride;
    }
  }
  shared[t] = sum;
  __syncthreads();
  if (SIZE >= 512 && t < 256) shared[t] = sum = sum + shared[t + 256];
  __syncthreads();
  if (SIZE >= 256 && t < 128) shared[t] = sum = sum + shared[t + 128];
  __syncthreads();
  if (SIZE >= 128 && t < 64) shared[t] = sum = sum + shared[t + 64];
  __syncthreads();
  if (t < 32) {
    if (SIZE >= 64) sum += shared[t + 32];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  }
  if (t == 0) out[blockIdx.x] = sum;
}
__global__ void reduction_six(const int* in, int* out, unsigned n) { sum_of_block<256, true>(in, out, n); }
__global__ void reduction_six_any(const int* in, int* out, unsigned n) { sum_of_block<256, false>(in, out, n); }

// reduction, kernel 3: half of the threads each turn.
__global__ void reduction_three(const int* in, int* out, unsigned n) {
  cg::thread_block block = cg::this_thread_block();
  extern __shared__ int shared[];
  unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  int sum = i < n ? in[i] : 0;
  if (i + blockDim.x < n) sum += in[i + blockDim.x];
  shared[t] = sum;
  block.sync();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) shared[t] = sum = sum + shared[t + s];
    block.sync();
  }
  if (t == 0) out[blockIdx.x] = sum;
}

// reduction, cooperative groups: as many loads as the grid is too small.
__global__ void reduction_groups(const int* in, int* out, unsigned n) {
  cg::thread_block block = cg::this_thread_block();
  extern __shared__ int shared[];
  unsigned group = block.group_index().x, per = block.group_dim().x;
  int value = 0;
  unsigned i = group * per + block.thread_rank(), stride = per * gridDim.x;
  while (i < n) {
    value += in[i];
    i += stride;
  }
  shared[block.thread_rank()] = value;
  block.sync();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int sum = cg::reduce(warp, value, cg::plus<int>());
  if (warp.thread_rank() == 0) shared[warp.meta_group_rank()] = sum;
  block.sync();
  if (block.thread_rank() == 0) {
    sum = 0;
    for (int w = 0; w < warp.meta_group_size(); w++) sum += shared[w];
    out[group] = sum;
  }
}

// threadFenceReduction: the last block that is done adds the sums of all.
__device__ unsigned blocks_done = 0;
__global__ void reduction_single_pass(const float* in, volatile float* out, unsigned n) {
  extern __shared__ float sums[];
  __shared__ bool am_last;
  unsigned t = threadIdx.x, i = blockIdx.x * (128 * 2) + t, stride = 128 * 2 * gridDim.x;
  float sum = 0;
  while (i < n) {
    sum += in[i];
    if (i + 128 < n) sum += in[i + 128];
    i += stride;
  }
  sums[t] = sum;
  __syncthreads();
  for (unsigned s = 64; s > 0; s >>= 1) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0) {
    out[blockIdx.x] = sums[0];
    __threadfence();
    am_last = atomicInc(&blocks_done, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (am_last) {
    sum = 0;
    for (unsigned k = t; k < gridDim.x; k += 128) sum += out[k];
    sums[t] = sum;
    __syncthreads();
    for (unsigned s = 64; s > 0; s >>= 1) {
      if (t < s) sums[t] += sums[t + s];
      __syncthreads();
    }
    if (t == 0) {
      out[0] = sums[0];
      blocks_done = 0;
    }
  }
}

// reductionMultiBlockCG, simpleCudaGraphs: sums of the blocks, a barrier of the grid, then one block.
__global__ void reduction_of_grid(const float* in, float* out, unsigned n) {
  cg::thread_block block = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  extern __shared__ double partial[];
  partial[block.thread_rank()] = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) partial[block.thread_rank()] += in[i];
  block.sync();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  partial[block.thread_rank()] = cg::reduce(warp, partial[block.thread_rank()], cg::plus<double>());
  block.sync();
  if (block.thread_rank() == 0) {
    double sum = 0;
    for (int i = 0; i < blockDim.x; i += warp.size()) sum += partial[i];
    out[blockIdx.x] = (float)sum;
  }
  cg::sync(grid);
  if (grid.thread_rank() == 0)
    for (int b = 1; b < gridDim.x; b++) out[0] += out[b];
}

// scalarProd: a block goes through the pairs of vectors, with as many sums as fit.
__global__ void scalar_products(float* out, const float* a, const float* b, int vectors, int elements) {
  constexpr int accumulators = 1024;
  __shared__ float sums[accumulators];
  for (int v = blockIdx.x; v < vectors; v += gridDim.x) {
    int base = elements * v, end = base + elements;
    for (int k = threadIdx.x; k < accumulators; k += blockDim.x) {
      float sum = 0;
      for (int at = base + k; at < end; at += accumulators) sum += a[at] * b[at];
      sums[k] = sum;
    }
    for (int stride = accumulators / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      for (int k = threadIdx.x; k < stride; k += blockDim.x) sums[k] += sums[stride + k];
    }
    __syncthreads();
    if (threadIdx.x == 0) out[v] = sums[0];
  }
}

// fp16ScalarProduct.
__device__ void sum_halves(half2* shared) {
  for (int s = 64; s > 0; s >>= 1) {
    if (threadIdx.x < s) shared[threadIdx.x] = __hadd2(shared[threadIdx.x], shared[threadIdx.x + s]);
    __syncthreads();
  }
}
__global__ void scalar_product_halves(const half2* a, const half2* b, float* out, unsigned long long size) {
  __shared__ half2 shared[128];
  int stride = gridDim.x * blockDim.x;
  half2 value = __float2half2_rn(0.f);
  for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < size; i += stride) value = __hfma2(a[i], b[i], value);
  shared[threadIdx.x] = value;
  __syncthreads();
  sum_halves(shared);
  if (threadIdx.x == 0) {
    half2 sum = shared[0];
    out[blockIdx.x] = __low2float(sum) + __high2float(sum);
  }
}

// scan: four elements for each thread, in two halves of shared memory.
__device__ unsigned scan_inclusive(unsigned value, volatile unsigned* data, unsigned size, cg::thread_block block) {
  unsigned at = 2 * threadIdx.x - (threadIdx.x & (size - 1));
  data[at] = 0;
  at += size;
  data[at] = value;
  for (unsigned offset = 1; offset < size; offset <<= 1) {
    cg::sync(block);
    unsigned sum = data[at] + data[at - offset];
    cg::sync(block);
    data[at] = sum;
  }
  return data[at];
}
__global__ void scan_exclusive_shared(uint4* out, const uint4* in, unsigned size) {
  cg::thread_block block = cg::this_thread_block();
  __shared__ unsigned data[2 * 256];
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 v = in[at];
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  unsigned before = scan_inclusive(v.w, data, size / 4, block) - v.w;
  out[at] = make_uint4(before, before + v.x, before + v.y, before + v.z);
}
__global__ void scan_uniform_add(uint4* data, const unsigned* sums) {
  __shared__ unsigned sum;
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) sum = sums[blockIdx.x];
  __syncthreads();
  uint4 v = data[at];
  v.x += sum;
  v.y += sum;
  v.z += sum;
  v.w += sum;
  data[at] = v;
}

// shfl_scan.
__global__ void shuffle_scan(int* data, int width, int* partial) {
  extern __shared__ int warp_sums[];
  int id = blockIdx.x * blockDim.x + threadIdx.x, lane = id % warpSize, warp = threadIdx.x / warpSize;
  int value = data[id];
#pragma unroll
  for (int i = 1; i <= width; i *= 2) {
    int n = __shfl_up_sync(0xffffffffu, value, i, width);
    if (lane >= i) value += n;
  }
  if (threadIdx.x % warpSize == warpSize - 1) warp_sums[warp] = value;
  __syncthreads();
  if (warp == 0 && lane < blockDim.x / warpSize) {
    int sum = warp_sums[lane];
    int mask = (1 << (blockDim.x / warpSize)) - 1;
    for (int i = 1; i <= blockDim.x / warpSize; i *= 2) {
      int n = __shfl_up_sync(mask, sum, i, blockDim.x / warpSize);
      if (lane >= i) sum += n;
    }
    warp_sums[lane] = sum;
  }
  __syncthreads();
  value += warp > 0 ? warp_sums[warp - 1] : 0;
  data[id] = value;
  if (partial != nullptr && threadIdx.x == blockDim.x - 1) partial[blockIdx.x] = value;
}
__global__ void shuffle_rows_of_image(const uint4* image, uint4* integral) {
  __shared__ unsigned sums[128];
  int id = threadIdx.x, lane = id % 32, warp = id / 32;
  uint4 data = image[blockIdx.x * blockDim.x + id];
  unsigned result[16];
  const unsigned words[4] = {data.x, data.y, data.z, data.w};
#pragma unroll
  for (int i = 0; i < 16; i++) result[i] = (words[i / 4] >> (8 * (i % 4)) & 255u) + (i > 0 ? result[i - 1] : 0);
  unsigned sum = result[15];
  for (int i = 1; i < 32; i *= 2) {
    unsigned n = __shfl_up_sync(0xffffffffu, sum, i, 32);
    if (lane >= i) sum += n;
  }
  if (lane == 31) sums[warp] = sum;
  __syncthreads();
  unsigned before = sum - result[15];
  for (int w = 0; w < warp; w++) before += sums[w];
  for (int i = 0; i < 4; i++)
    integral[(blockIdx.x * blockDim.x + id) * 4 + i] = make_uint4(
        before + result[4 * i], before + result[4 * i + 1], before + result[4 * i + 2], before + result[4 * i + 3]);
}

// histogram: 64 bins with bytes for each thread, and 256 with counters for each warp.
__device__ void add_byte(unsigned char* mine, unsigned word) {
  mine[(word >> 2 & 63) * 64]++;
  mine[(word >> 10 & 63) * 64]++;
  mine[(word >> 18 & 63) * 64]++;
  mine[(word >> 26 & 63) * 64]++;
}
__global__ void histogram_64(unsigned* partial, const uint4* data, unsigned count) {
  __shared__ unsigned char counters[64 * 64];
  unsigned char* mine = counters + ((threadIdx.x & ~63) | (threadIdx.x & 15) << 2 | (threadIdx.x & 48) >> 4);
  for (int i = 0; i < 64 / 4; i++) ((unsigned*)counters)[threadIdx.x + i * 64] = 0;
  __syncthreads();
  for (unsigned at = blockIdx.x * blockDim.x + threadIdx.x; at < count; at += blockDim.x * gridDim.x) {
    uint4 v = data[at];
    add_byte(mine, v.x);
    add_byte(mine, v.y);
    add_byte(mine, v.z);
    add_byte(mine, v.w);
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    unsigned char* base = counters + threadIdx.x * 64;
    unsigned sum = 0, at = 4 * (threadIdx.x & 15);
    for (unsigned i = 0; i < 16; i++) {
      sum += base[at] + base[at + 1] + base[at + 2] + base[at + 3];
      at = (at + 4) & 63;
    }
    partial[blockIdx.x * 64 + threadIdx.x] = sum;
  }
}
__global__ void histogram_256(unsigned* partial, const unsigned* data, unsigned count) {
  constexpr int warps = 6, threads = warps * 32;
  __shared__ unsigned counters[warps * 256];
  unsigned* mine = counters + (threadIdx.x >> 5) * 256;
  for (unsigned i = 0; i < warps * 256 / threads; i++) counters[threadIdx.x + i * threads] = 0;
  __syncthreads();
  for (unsigned at = blockIdx.x * blockDim.x + threadIdx.x; at < count; at += blockDim.x * gridDim.x) {
    unsigned word = data[at];
    for (int byte = 0; byte < 4; byte++) atomicAdd(mine + (word >> (8 * byte) & 255), 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < 256; bin += threads) {
    unsigned sum = 0;
    for (unsigned w = 0; w < warps; w++) sum += counters[bin + w * 256];
    partial[blockIdx.x * 256 + bin] = sum;
  }
}
__global__ void histogram_merge(unsigned* histogram, const unsigned* partial, unsigned partials) {
  __shared__ unsigned data[256];
  unsigned sum = 0;
  for (unsigned i = threadIdx.x; i < partials; i += 256) sum += partial[blockIdx.x + i * 256];
  data[threadIdx.x] = sum;
  for (unsigned stride = 128; stride > 0; stride >>= 1) {
    __syncthreads();
    if (threadIdx.x < stride) data[threadIdx.x] += data[threadIdx.x + stride];
  }
  if (threadIdx.x == 0) histogram[blockIdx.x] = data[0];
}

// sortingNetworks.
__device__ void order(unsigned& ka, unsigned& va, unsigned& kb, unsigned& vb, unsigned up) {
  if ((ka > kb) == up) {
    unsigned t = ka;
    ka = kb;
    kb = t;
    t = va;
    va = vb;
    vb = t;
  }
}
constexpr unsigned in_shared = 1024;
__global__ void bitonic_sort_shared(unsigned* keys_out, unsigned* values_out, const unsigned* keys_in,
                                    const unsigned* values_in, unsigned length, unsigned up) {
  cg::thread_block block = cg::this_thread_block();
  __shared__ unsigned k[in_shared], v[in_shared];
  unsigned base = blockIdx.x * in_shared + threadIdx.x;
  k[threadIdx.x] = keys_in[base];
  v[threadIdx.x] = values_in[base];
  k[threadIdx.x + in_shared / 2] = keys_in[base + in_shared / 2];
  v[threadIdx.x + in_shared / 2] = values_in[base + in_shared / 2];
  for (unsigned size = 2; size < length; size <<= 1) {
    unsigned direction = up ^ ((threadIdx.x & (size / 2)) != 0);
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      cg::sync(block);
      unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      order(k[at], v[at], k[at + stride], v[at + stride], direction);
    }
  }
  for (unsigned stride = length / 2; stride > 0; stride >>= 1) {
    cg::sync(block);
    unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    order(k[at], v[at], k[at + stride], v[at + stride], up);
  }
  cg::sync(block);
  keys_out[base] = k[threadIdx.x];
  values_out[base] = v[threadIdx.x];
  keys_out[base + in_shared / 2] = k[threadIdx.x + in_shared / 2];
  values_out[base + in_shared / 2] = v[threadIdx.x + in_shared / 2];
}
__global__ void bitonic_merge_global(unsigned* keys, unsigned* values, unsigned length, unsigned size, unsigned stride,
                                     unsigned up) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, in_half = i & (length / 2 - 1);
  unsigned direction = up ^ ((in_half & (size / 2)) != 0), at = 2 * i - (i & (stride - 1));
  order(keys[at], values[at], keys[at + stride], values[at + stride], direction);
}
__global__ void odd_even_sort_shared(unsigned* keys, unsigned* values, unsigned length, unsigned up) {
  __shared__ unsigned k[in_shared], v[in_shared];
  unsigned base = blockIdx.x * in_shared + threadIdx.x;
  k[threadIdx.x] = keys[base];
  v[threadIdx.x] = values[base];
  k[threadIdx.x + in_shared / 2] = keys[base + in_shared / 2];
  v[threadIdx.x + in_shared / 2] = values[base + in_shared / 2];
  for (unsigned size = 2; size <= length; size <<= 1) {
    unsigned stride = size / 2, offset = threadIdx.x & (stride - 1);
    __syncthreads();
    unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    order(k[at], v[at], k[at + stride], v[at + stride], up);
    stride >>= 1;
    for (; stride > 0; stride >>= 1) {
      __syncthreads();
      at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      if (offset >= stride) order(k[at - stride], v[at - stride], k[at], v[at], up);
    }
  }
  __syncthreads();
  keys[base] = k[threadIdx.x];
  values[base] = v[threadIdx.x];
  keys[base + in_shared / 2] = k[threadIdx.x + in_shared / 2];
  values[base + in_shared / 2] = v[threadIdx.x + in_shared / 2];
}

// mergeSort: ranks by searches whose step halves from the next power of two of the stride.
__device__ unsigned places_below(unsigned value, const unsigned* data, unsigned size, unsigned stride, bool inclusive) {
  if (size == 0) return 0;
  unsigned at = 0;
  for (; stride > 0; stride >>= 1) {
    unsigned next = min(at + stride, size);
    if (inclusive ? data[next - 1] <= value : data[next - 1] < value) at = next;
  }
  return at;
}
__device__ unsigned power_of_two_from(unsigned x) { return (x & (x - 1)) ? 1u << (32 - __clz(x)) : x; }
__global__ void merge_sort_shared(unsigned* keys_out, unsigned* values_out, const unsigned* keys_in,
                                  const unsigned* values_in, unsigned length) {
  __shared__ unsigned k[in_shared], v[in_shared];
  unsigned base = blockIdx.x * in_shared + threadIdx.x;
  k[threadIdx.x] = keys_in[base];
  v[threadIdx.x] = values_in[base];
  k[threadIdx.x + in_shared / 2] = keys_in[base + in_shared / 2];
  v[threadIdx.x + in_shared / 2] = values_in[base + in_shared / 2];
  for (unsigned stride = 1; stride < length; stride <<= 1) {
    unsigned l = threadIdx.x & (stride - 1);
    unsigned* base_key = k + 2 * (threadIdx.x - l);
    unsigned* base_value = v + 2 * (threadIdx.x - l);
    __syncthreads();
    unsigned ka = base_key[l], va = base_value[l], kb = base_key[l + stride], vb = base_value[l + stride];
    unsigned to_a = places_below(ka, base_key + stride, stride, power_of_two_from(stride), false) + l;
    unsigned to_b = places_below(kb, base_key, stride, power_of_two_from(stride), true) + l;
    __syncthreads();
    base_key[to_a] = ka;
    base_value[to_a] = va;
    base_key[to_b] = kb;
    base_value[to_b] = vb;
  }
  __syncthreads();
  keys_out[base] = k[threadIdx.x];
  values_out[base] = v[threadIdx.x];
  keys_out[base + in_shared / 2] = k[threadIdx.x + in_shared / 2];
  values_out[base + in_shared / 2] = v[threadIdx.x + in_shared / 2];
}
__global__ void merge_sample_ranks(unsigned* ranks_a, unsigned* ranks_b, const unsigned* keys, unsigned stride,
                                   unsigned n, unsigned threads) {
  unsigned pos = blockIdx.x * blockDim.x + threadIdx.x;
  if (pos >= threads) return;
  unsigned i = pos & (stride / 128 - 1), base = (pos - i) * (2 * 128);
  keys += base;
  ranks_a += base / 128;
  ranks_b += base / 128;
  unsigned size_a = stride, size_b = min(stride, n - stride - base);
  unsigned samples_a = (size_a + 127) / 128, samples_b = (size_b + 127) / 128;
  if (i < samples_a) {
    ranks_a[i] = i * 128;
    ranks_b[i] = places_below(keys[i * 128], keys + stride, size_b, power_of_two_from(size_b), false);
  }
  if (i < samples_b) {
    ranks_b[stride / 128 + i] = i * 128;
    ranks_a[stride / 128 + i] = places_below(keys[stride + i * 128], keys, size_a, power_of_two_from(size_a), true);
  }
}
__global__ void merge_intervals(unsigned* keys_out, const unsigned* keys_in, const unsigned* limits_a,
                                const unsigned* limits_b, unsigned stride, unsigned n) {
  __shared__ unsigned keys[2 * 128];
  __shared__ unsigned start_a, start_b, length_a, length_b;
  unsigned interval = blockIdx.x & (2 * stride / 128 - 1), base = (blockIdx.x - interval) * 128;
  keys_in += base;
  keys_out += base;
  if (threadIdx.x == 0) {
    unsigned size_b = min(stride, n - stride - base);
    unsigned samples = (stride + 127) / 128 + (size_b + 127) / 128;
    start_a = limits_a[blockIdx.x];
    start_b = limits_b[blockIdx.x];
    length_a = (interval + 1 < samples ? limits_a[blockIdx.x + 1] : stride) - start_a;
    length_b = (interval + 1 < samples ? limits_b[blockIdx.x + 1] : size_b) - start_b;
  }
  __syncthreads();
  if (threadIdx.x < length_a) keys[threadIdx.x] = keys_in[start_a + threadIdx.x];
  if (threadIdx.x < length_b) keys[128 + threadIdx.x] = keys_in[stride + start_b + threadIdx.x];
  __syncthreads();
  unsigned ka = keys[threadIdx.x], kb = keys[128 + threadIdx.x];
  unsigned to_a = threadIdx.x + places_below(ka, keys + 128, length_b, 128, false);
  unsigned to_b = threadIdx.x + places_below(kb, keys, length_a, 128, true);
  __syncthreads();
  if (threadIdx.x < length_a) keys[to_a] = ka;
  if (threadIdx.x < length_b) keys[to_b] = kb;
  __syncthreads();
  if (threadIdx.x < length_a + length_b) keys_out[start_a + start_b + threadIdx.x] = keys[threadIdx.x];
}
