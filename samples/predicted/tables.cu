// Data bases, texts and graphs once more.
#include <cstdint>
extern "C" {

// a pass of a sort: a block moves its keys to where earlier counts say
__global__ void radix_scatter(const unsigned* __restrict__ keys, const int* __restrict__ starts, unsigned* __restrict__ out, int n,
                              int shift) {
  __shared__ int next[16];
  if (threadIdx.x < 16) next[threadIdx.x] = starts[threadIdx.x * gridDim.x + blockIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned key = keys[i];
  out[atomicAdd(&next[key >> shift & 15], 1)] = key;
}

// sums of runs of equal keys, within warps
__global__ void run_sums(const int* __restrict__ keys, const float* __restrict__ values, float* __restrict__ sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  if (i >= n) return;
  int key = keys[i];
  float sum = values[i];
  for (int step = 1; step < 32; step *= 2) {
    float other = __shfl_up_sync(~0u, sum, step);
    int its = __shfl_up_sync(~0u, key, step);
    if (lane >= step && its == key) sum += other;
  }
  int after = __shfl_down_sync(~0u, key, 1);
  if (lane == 31 || after != key) atomicAdd(&sums[key], sum);
}

__global__ void bloom_insert(const unsigned* __restrict__ keys, unsigned* __restrict__ bits, int n, unsigned mask) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned h = keys[i] * 2654435769u;
    for (int k = 0; k < 4; ++k) {
      h ^= h >> 15;
      h *= 2246822519u;
      atomicOr(&bits[h >> 5 & mask], 1u << (h & 31));
    }
  }
}

__global__ void bloom_query(const unsigned* __restrict__ keys, const unsigned* __restrict__ bits, uint8_t* __restrict__ found, int n,
                            unsigned mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned h = keys[i] * 2654435769u;
  bool all = true;
  for (int k = 0; k < 4 && all; ++k) {
    h ^= h >> 15;
    h *= 2246822519u;
    all = bits[h >> 5 & mask] >> (h & 31) & 1;
  }
  found[i] = all;
}

__global__ void cuckoo_find(const unsigned* __restrict__ keys, const uint2* __restrict__ table, unsigned* __restrict__ values, int n,
                            unsigned mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned key = keys[i], a = key * 2654435769u >> 7 & mask, b = (key ^ key >> 11) * 2246822519u >> 5 & mask;
  uint2 first = table[a];
  if (first.x == key) {
    values[i] = first.y;
    return;
  }
  uint2 second = table[b];
  values[i] = second.x == key ? second.y : 0;
}

// rows of the one table that match some of the other one, whose chains lead downwards
__global__ void join_probe(const unsigned* __restrict__ keys, const int* __restrict__ heads, const int* __restrict__ nexts,
                           const unsigned* __restrict__ built, int* __restrict__ matches, int n, int buckets) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned key = keys[i];
  int count = 0;
  for (int at = heads[key % buckets]; at > 0;) {
    count += built[at] == key;
    int next = nexts[at];
    at = next < at ? next : -1;
  }
  matches[i] = count;
}

__global__ void group_sums(const int* __restrict__ groups, const int* __restrict__ amounts, int* __restrict__ sums,
                           int* __restrict__ counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int g = groups[i];
  atomicAdd(&sums[g], amounts[i]);
  atomicAdd(&counts[g], 1);
}

// which rows lie between two values, as bits
__global__ void filter_bits(const int* __restrict__ column, unsigned* __restrict__ bits, int* __restrict__ count, int n, int low,
                            int high) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  bool is_in = i < n && column[i] >= low && column[i] < high;
  unsigned all = __ballot_sync(~0u, is_in);
  if (lane == 0 && i < n) {
    bits[i / 32] = all;
    atomicAdd(count, __popc(all));
  }
}

__global__ void dictionary_decode(const unsigned short* __restrict__ codes, const float* __restrict__ words, float* __restrict__ out,
                                  int n) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  ushort2 c = *(const ushort2*)(codes + i);
  *(float2*)(out + i) = make_float2(words[c.x], words[c.y]);
}

__global__ void count_letters(const uint4* __restrict__ text, int* __restrict__ total, int n) {
  int count = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    uint4 v = text[i];
    unsigned w[4] = {v.x, v.y, v.z, v.w};
    for (int k = 0; k < 4; ++k) count += __popc(~(w[k] >> 7 & ~(w[k] >> 6)) & 0x01010101);
  }
  count = __reduce_add_sync(~0u, count);
  if (threadIdx.x % 32 == 0) atomicAdd(total, count);
}

// positions of separators, a warp takes 128 letters at a time
__global__ void find_separators(const unsigned* __restrict__ text, int* __restrict__ places, int* __restrict__ count, int n,
                                unsigned separator) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  if (i >= n) return;
  unsigned hits = __vcmpeq4(text[i], separator * 0x01010101u) & 0x01010101u;
  int own = __popc(hits), before = own;
  for (int step = 1; step < 32; step *= 2) {
    int other = __shfl_up_sync(~0u, before, step);
    if (lane >= step) before += other;
  }
  int base = 0;
  if (lane == 31 && before > 0) base = atomicAdd(count, before);
  base = __shfl_sync(~0u, base, 31) + before - own;
  while (hits != 0) {
    int bit = __ffs(hits) - 1;
    places[base++] = 4 * i + bit / 8;
    hits &= hits - 1;
  }
}

// an automaton reads a chunk of text
__global__ void automaton(const uint8_t* __restrict__ text, const int* __restrict__ moves, int* __restrict__ ends, int chunk,
                          int chunks, int states) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= chunks) return;
  int state = 0;
  for (int k = 0; k < chunk; ++k) state = moves[state * 256 + text[(size_t)i * chunk + k]] % states;
  ends[i] = state;
}

__global__ void base64(const uint8_t* __restrict__ in, uint32_t* __restrict__ out, const uint8_t* __restrict__ letters, int n) {
  __shared__ uint8_t table[64];
  if (threadIdx.x < 64) table[threadIdx.x] = letters[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned v = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
  out[i] = table[v >> 18] | table[v >> 12 & 63] << 8 | table[v >> 6 & 63] << 16 | table[v & 63] << 24;
}

// common neighbours of pairs of vertices by rows of bits, a warp for a pair
__global__ void bit_triangles(const unsigned* __restrict__ rows, const int* __restrict__ a, const int* __restrict__ b,
                              int* __restrict__ out, int words, int n) {
  int pair = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, count = 0;
  if (pair >= n) return;
  const unsigned *first = rows + (size_t)a[pair] * words, *second = rows + (size_t)b[pair] * words;
  for (int i = lane; i < words; i += 32) count += __popc(first[i] & second[i]);
  count = __reduce_add_sync(~0u, count);
  if (lane == 0) out[pair] = count;
}

__global__ void shortest_paths_step(const int* __restrict__ starts, const int* __restrict__ ends, const int* __restrict__ lengths,
                                    int* __restrict__ distances, int* __restrict__ changed, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  int own = distances[v];
  if (own > 800) return;
  for (int e = starts[v]; e < starts[v + 1]; ++e)
    if (atomicMin(&distances[ends[e]], own + lengths[e]) > own + lengths[e]) *changed = 1;
}

// vertices whose number is the largest of all neighbours'
__global__ void independent(const int* __restrict__ starts, const int* __restrict__ ends, const unsigned* __restrict__ numbers,
                            uint8_t* __restrict__ chosen, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  unsigned own = numbers[v];
  bool largest = true;
  for (int e = starts[v]; e < starts[v + 1] && largest; ++e) largest = numbers[ends[e]] <= own;
  chosen[v] = largest;
}

__global__ void degree_counts(const int* __restrict__ ends, int* __restrict__ degrees, int edges) {
  for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < edges; e += gridDim.x * blockDim.x) atomicAdd(&degrees[ends[e]], 1);
}

// the two trees become one
__global__ void union_edges(const int* __restrict__ from, const int* __restrict__ to, int* parents, int edges) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges) return;
  int a = from[e], b = to[e];
  for (;;) {
    while (parents[a] != a) a = parents[a];
    while (parents[b] != b) b = parents[b];
    if (a == b) return;
    if (a < b) {
      int swap = a;
      a = b;
      b = swap;
    }
    if (atomicCAS(&parents[a], a, b) == a) return;
  }
}

__global__ void sample_edges(const int* __restrict__ starts, const int* __restrict__ ends, const int* __restrict__ seeds,
                                  int* __restrict__ out, int n, int many) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * many) return;
  int v = seeds[i / many], first = starts[v], count = starts[v + 1] - first;
  unsigned h = (i + 1) * 2654435769u;
  h ^= h >> 13;
  out[i] = count > 0 ? ends[first + h % count] : v;
}

// a forest of trees of ten levels decides, a thread for a row
__global__ void forest(const float* __restrict__ rows, const int* __restrict__ features, const float* __restrict__ limits,
                       float* __restrict__ out, int n, int columns, int trees) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int t = 0; t < trees; ++t) {
    int at = 0;
    for (int level = 0; level < 10; ++level) {
      int node = t * 1024 + at;
      at = 2 * at + 1 + (rows[(size_t)features[node] * n + i] > limits[node] ? 1 : 0);
      if (at >= 1023) break;
    }
    sum += limits[t * 1024 + min(at, 1022)];
  }
  out[i] = sum / trees;
}

__global__ void warp_sort(unsigned* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  if (i >= n) return;
  unsigned own = data[i];
  for (int k = 2; k <= 32; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      unsigned other = __shfl_xor_sync(~0u, own, j);
      bool low = (lane & j) == 0, up = (lane & k) == 0;
      own = low == up ? min(own, other) : max(own, other);
    }
  data[i] = own;
}

// how many are below, at and above a pivot
__global__ void three_ways(const unsigned* __restrict__ data, int* __restrict__ counts, int n, unsigned pivot) {
  __shared__ int sums[3];
  if (threadIdx.x < 3) sums[threadIdx.x] = 0;
  __syncthreads();
  int below = 0, at = 0;
  int end = min(n, (int)((blockIdx.x + 1) * blockDim.x * 8)), own = 0;
  for (int i = blockIdx.x * blockDim.x * 8 + threadIdx.x; i < end; i += blockDim.x, ++own) {
    below += data[i] < pivot;
    at += data[i] == pivot;
  }
  atomicAdd(&sums[0], below);
  atomicAdd(&sums[1], at);
  atomicAdd(&sums[2], own - below - at);
  __syncthreads();
  if (threadIdx.x < 3) atomicAdd(&counts[threadIdx.x], sums[threadIdx.x]);
}

// 32 words of a warp as 32 columns of bits
__global__ void transpose_bits(const unsigned* __restrict__ in, unsigned* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  if (i >= n) return;
  unsigned word = in[i], mine = 0;
  for (int bit = 0; bit < 32; ++bit) {
    unsigned column = __ballot_sync(~0u, word >> bit & 1);
    if (lane == bit) mine = column;
  }
  out[i] = mine;
}

// elements above a limit, a place for a warp's at once
__global__ void keep_large(const float* __restrict__ in, float* __restrict__ out, int* __restrict__ count, int n, float limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  float value = i < n ? in[i] : 0;
  unsigned kept = __ballot_sync(~0u, i < n && value > limit);
  int base = 0;
  if (lane == 0 && kept != 0) base = atomicAdd(count, __popc(kept));
  base = __shfl_sync(~0u, base, 0);
  if (kept >> lane & 1) out[base + __popc(kept & ((1u << lane) - 1))] = value;
}
}
