// Sorting, searching, scanning, counting.
#include <cstdint>
extern "C" {

__global__ void bitonic_step(unsigned* data, int j, int k) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ j;
  if (other <= i) return;
  unsigned a = data[i], b = data[other];
  bool up = (i & k) == 0;
  if ((a > b) == up) data[i] = b, data[other] = a;
}

// a block sorts twice as many as it has threads
__global__ void bitonic_block(unsigned* data) {
  extern __shared__ unsigned s[];
  unsigned n = 2 * blockDim.x, base = blockIdx.x * n;
  s[threadIdx.x] = data[base + threadIdx.x];
  s[threadIdx.x + blockDim.x] = data[base + threadIdx.x + blockDim.x];
  for (unsigned k = 2; k <= n; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) {
      __syncthreads();
      unsigned i = 2 * threadIdx.x - (threadIdx.x & (j - 1)), other = i + j;
      unsigned a = s[i], b = s[other];
      if ((a > b) == ((i & k) == 0)) s[i] = b, s[other] = a;
    }
  __syncthreads();
  data[base + threadIdx.x] = s[threadIdx.x];
  data[base + threadIdx.x + blockDim.x] = s[threadIdx.x + blockDim.x];
}

// where each of two sorted lists goes in the merged one
__global__ void merge_ranks(const unsigned* __restrict__ a, const unsigned* __restrict__ b, unsigned* __restrict__ out,
                            int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned key = a[i];
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (b[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  out[i + low] = key;
}

__global__ void radix_counts(const unsigned* __restrict__ keys, int* __restrict__ counts, int n, int shift) {
  __shared__ int bins[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(bins + (keys[i] >> shift & 255), 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) counts[i * gridDim.x + blockIdx.x] = bins[i];
}

__global__ void block_scan(const int* __restrict__ in, int* __restrict__ out, int* __restrict__ sums, int n) {
  __shared__ int s[2][1024];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, from = 0;
  s[0][t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
    from = 1 - from;
    __syncthreads();
  }
  if (i < n) out[i] = s[from][t];
  if (t == blockDim.x - 1) sums[blockIdx.x] = s[from][t];
}

// those above a limit, in any order of warps
__global__ void compact(const float* __restrict__ in, float* __restrict__ out, int* __restrict__ count, int n,
                        float limit) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float v = in[i];
    unsigned active = __activemask(), kept = __ballot_sync(active, v > limit);
    int lane = threadIdx.x % 32, leader = __ffs(active) - 1, base = 0;
    if (lane == leader) base = atomicAdd(count, __popc(kept));
    base = __shfl_sync(active, base, leader);
    if (v > limit) out[base + __popc(kept & ((1u << lane) - 1))] = v;
  }
}

__global__ void histogram_global(const uint8_t* __restrict__ in, int* __restrict__ bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(bins + in[i], 1);
}

// a histogram a warp, then one a block
__global__ void histogram_warps(const uchar4* __restrict__ in, int* __restrict__ bins, int quads) {
  __shared__ int mine[8][256];
  int warp = threadIdx.x / 32;
  for (int i = threadIdx.x; i < 8 * 256; i += blockDim.x) ((int*)mine)[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
    uchar4 v = in[i];
    atomicAdd(&mine[warp][v.x], 1), atomicAdd(&mine[warp][v.y], 1), atomicAdd(&mine[warp][v.z], 1),
        atomicAdd(&mine[warp][v.w], 1);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x) {
    int sum = 0;
    for (int w = 0; w < 8; w++) sum += mine[w][b];
    atomicAdd(bins + b, sum);
  }
}

__global__ void reduce_sum(const float4* __restrict__ in, float* __restrict__ out, int quads) {
  __shared__ float part[32];
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
    float4 v = in[i];
    s += v.x + v.y + v.z + v.w;
  }
  for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x < 32) {
    s = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
    for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o);
    if (threadIdx.x == 0) out[blockIdx.x] = s;
  }
}

__global__ void argmax_atomic(const unsigned* __restrict__ in, unsigned long long* __restrict__ best, int n) {
  unsigned long long most = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned long long v = (unsigned long long)in[i] << 32 | i;
    most = v > most ? v : most;
  }
  atomicMax(best, most);
}

__device__ unsigned hash_of(unsigned key) {
  key ^= key >> 16, key *= 0x85ebca6bu, key ^= key >> 13, key *= 0xc2b2ae35u;
  return key ^ key >> 16;
}

// open addressing; 0 is an empty place
__global__ void hash_insert(const unsigned* __restrict__ keys, unsigned* table, unsigned* values, int n,
                            unsigned mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned key = keys[i] | 1;
  for (unsigned at = hash_of(key) & mask, tries = 0; tries <= mask; tries++, at = (at + 1) & mask) {
    unsigned old = atomicCAS(table + at, 0u, key);
    if (old == 0 || old == key) {
      values[at] = i;
      return;
    }
  }
}

__global__ void hash_find(const unsigned* __restrict__ keys, const unsigned* __restrict__ table,
                          int* __restrict__ found, int n, unsigned mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned key = keys[i];
  int at = hash_of(key) & mask, place = -1;
  for (int tries = 0; tries < 16; tries++, at = (at + 1) & mask) {
    unsigned held = table[at];
    if (held == key) place = at;
    if (held == key || held == 0) break;
  }
  found[i] = place;
}

__global__ void lower_bounds(const unsigned* __restrict__ sorted, const unsigned* __restrict__ keys,
                             int* __restrict__ places, int n, int queries) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= queries) return;
  unsigned key = keys[i];
  int low = 0, length = n;
  while (length > 0) {
    int half = length / 2;
    if (sorted[low + half] < key)
      low += half + 1, length -= half + 1;
    else
      length = half;
  }
  places[i] = low;
}

// each thread sorts sixteen by insertion, in an array of its own
__global__ void insertion16(const float* __restrict__ in, float* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v[16];
  for (int k = 0; k < 16; k++) {
    float x = in[k * n + i];
    int j = k;
    for (; j > 0 && v[j - 1] > x; j--) v[j] = v[j - 1];
    v[j] = x;
  }
  for (int k = 0; k < 16; k++) out[k * n + i] = v[k];
}
}
