// SHOC: levels 0 to 2.
// nvcc sm_80
// nvcc sm_90
#include <cstdint>

// Triad.
__global__ void triad(const float* a, const float* b, float* c, float s) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  c[id] = a[id] + s * b[id];
}

// DeviceMemory: coalesced and strided reads, and random ones.
__global__ void read_coalesced(const float* data, float* out, int size, int repetitions) {
  int id = blockIdx.x * blockDim.x + threadIdx.x, s = id, j = 0;
  float sum = 0;
  for (j = 0; j < repetitions; ++j) {
    for (int k = 0; k < 16; k++) sum += data[(s + k * 4096) & (size - 1)];
    s = (s + 10 * 4096) & (size - 1);
  }
  out[id] = sum;
}
__global__ void read_unit_stride(const float* data, float* out, int size, int repetitions) {
  int id = blockIdx.x * blockDim.x + threadIdx.x, s = id * 1024;
  float sum = 0;
  for (int j = 0; j < repetitions; ++j) {
    for (int k = 0; k < 16; k++) sum += data[(s + k) & (size - 1)];
    s = (s + 16) & (size - 1);
  }
  out[id] = sum;
}

// MaxFlops.
__global__ void multiply_add_8(float* data, int iterations, float v1, float v2) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  float s[8];
  s[0] = data[id];
  for (int i = 1; i < 8; i++) s[i] = 10.0f * i - s[i - 1];
  for (int j = 0; j < iterations; ++j) {
#pragma unroll
    for (int k = 0; k < 16; k++)
#pragma unroll
      for (int i = 0; i < 8; i++) s[i] = v1 - s[i] * v2;
  }
  float sum = 0;
  for (int i = 0; i < 8; i++) sum += s[i];
  data[id] = sum;
}

// BFS: one thread for each node, levels in memory; and queues in shared memory, with a spill.
__global__ void bfs_one_level(unsigned* levels, const unsigned* offsets, const unsigned* edges, unsigned nodes,
                              int current, int* flag) {
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= nodes || levels[id] != current) return;
  unsigned count = offsets[id + 1] - offsets[id], offset = offsets[id];
  while (count > 0) {
    unsigned to = edges[offset];
    if (levels[to] == UINT32_MAX) {
      levels[to] = current + 1;
      *flag = 1;
    }
    offset++;
    count--;
  }
}
__global__ void bfs_block_queue(volatile unsigned* frontier, volatile unsigned* next_frontier, unsigned frontier_length,
                                volatile unsigned* cost, volatile int* visited, const unsigned* offsets,
                                const unsigned* edges, unsigned* next_length, unsigned most) {
  __shared__ volatile unsigned length, queue[2048];
  __shared__ unsigned shift;
  if (threadIdx.x == 0) length = 0;
  __syncthreads();
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < frontier_length) {
    unsigned node = frontier[tid];
    visited[node] = 0;
    unsigned count = offsets[node + 1] - offsets[node], offset = offsets[node];
    while (count--) {
      unsigned to = edges[offset];
      unsigned c = atomicMin((unsigned*)&cost[to], cost[node] + 1);
      if (c > cost[node] + 1 && atomicExch((int*)&visited[to], 1) == 0) {
        unsigned at = atomicAdd((unsigned*)&length, 1);
        if (at < 2048)
          queue[at] = to;
        else
          next_frontier[atomicAdd(next_length, 1) % most] = to;
      }
      offset++;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) shift = atomicAdd(next_length, length);
  __syncthreads();
  unsigned at = threadIdx.x;
  while (at < length) {
    next_frontier[(at + shift) % most] = queue[at];
    at += blockDim.x;
  }
}

// FFT: 512 points for a block of 64 threads, eight each; and a check of what came back.
__device__ void butterfly(float2& a, float2& b) {
  float2 t = a;
  a = make_float2(t.x + b.x, t.y + b.y);
  b = make_float2(t.x - b.x, t.y - b.y);
}
__device__ float2 times(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ void fft_of_eight(float2* v) {
  for (int i = 0; i < 4; i++) butterfly(v[i], v[i + 4]);
  v[5] = times(v[5], make_float2(0.70710678f, -0.70710678f));
  v[6] = times(v[6], make_float2(0, -1));
  v[7] = times(v[7], make_float2(-0.70710678f, -0.70710678f));
  for (int h = 0; h < 8; h += 4) {
    butterfly(v[h], v[h + 2]);
    butterfly(v[h + 1], v[h + 3]);
    v[h + 3] = times(v[h + 3], make_float2(0, -1));
    butterfly(v[h], v[h + 1]);
    butterfly(v[h + 2], v[h + 3]);
  }
}
__global__ void fft_512(float2* work) {
  __shared__ float stage[8 * 8 * 9];
  int tid = threadIdx.x, hi = tid >> 3, lo = tid & 7;
  work += blockIdx.x * 512 + tid;
  const int reversed[8] = {0, 4, 2, 6, 1, 5, 3, 7};
  float2 v[8];
  for (int i = 0; i < 8; i++) v[i] = work[i * 64];
  fft_of_eight(v);
  for (int i = 1; i < 8; i++) {
    float s, c;
    __sincosf(-2.0f * 3.14159265f * reversed[i] * tid / 512.0f, &s, &c);
    v[i] = times(v[i], make_float2(c, s));
  }
  for (int part = 0; part < 2; part++) {
    for (int i = 0; i < 8; i++) stage[i * 66 + hi * 8 + lo] = part ? v[reversed[i]].y : v[reversed[i]].x;
    __syncthreads();
    for (int i = 0; i < 8; i++) (part ? v[i].y : v[i].x) = stage[lo * 66 + i * 8 + hi];
    __syncthreads();
  }
  fft_of_eight(v);
  for (int i = 1; i < 8; i++) {
    float s, c;
    __sincosf(-2.0f * 3.14159265f * reversed[i] * hi / 64.0f, &s, &c);
    v[i] = times(v[i], make_float2(c, s));
  }
  for (int part = 0; part < 2; part++) {
    for (int i = 0; i < 8; i++) stage[hi * 72 + i * 8 + lo] = part ? v[reversed[i]].y : v[reversed[i]].x;
    __syncthreads();
    for (int i = 0; i < 8; i++) (part ? v[i].y : v[i].x) = stage[hi * 72 + lo * 8 + i];
    __syncthreads();
  }
  fft_of_eight(v);
  for (int i = 0; i < 8; i++) work[i * 64] = v[reversed[i]];
}
__global__ void fft_check(const float2* work, int half, int* failed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (work[i].x != work[i + half].x || work[i].y != work[i + half].y) *failed = 1;
}

// GEMM: 16 results for a thread, until the last column of A.
__device__ void row_times(float a, const float* b, float* c) {
#pragma unroll
  for (int i = 0; i < 16; i++) c[i] += a * b[i];
}
__global__ void sgemm_nn(const float* a, int lda, const float* b, int ldb, float* c, int ldc, int k, float alpha,
                         float beta) {
  const int inx = threadIdx.x, iny = threadIdx.y, id = inx + iny * 16, ibx = blockIdx.x * 64, iby = blockIdx.y * 16;
  a += ibx + id;
  b += inx + (iby + iny) * ldb;
  c += ibx + id + iby * ldc;
  const float* last = b + k;
  float sum[16] = {0};
  do {
    float values[4] = {a[0], a[lda], a[2 * lda], a[3 * lda]};
    __shared__ float bs[16][17];
    bs[inx][iny] = b[0];
    bs[inx][iny + 4] = b[4 * ldb];
    bs[inx][iny + 8] = b[8 * ldb];
    bs[inx][iny + 12] = b[12 * ldb];
    __syncthreads();
    a += 4 * lda;
    for (int i = 0; i < 16; i += 4) {
      for (int j = 0; j < 4; j++) {
        row_times(values[j], &bs[i + j][0], sum);
        values[j] = a[j * lda];
      }
      if (i < 12) a += 4 * lda;
    }
    b += 16;
    __syncthreads();
  } while (b < last);
  for (int i = 0; i < 16; i++, c += ldc) c[0] = alpha * sum[i] + beta * c[0];
}

// MD: forces of the neighbours in a list of a fixed length.
__global__ void lennard_jones(float4* forces, const float4* positions, int neighbours, const int* list, float cutoff2,
                              float lj1, float lj2, int atoms) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  float4 p = positions[id], f = make_float4(0, 0, 0, 0);
  int j = 0;
  while (j < neighbours) {
    float4 q = positions[list[j * atoms + id]];
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < cutoff2) {
      float inv = 1.0f / r2, r6 = inv * inv * inv, force = inv * r6 * (lj1 * r6 - lj2);
      f.x += dx * force;
      f.y += dy * force;
      f.z += dz * force;
    }
    j++;
  }
  forces[id] = f;
}

// MD5Hash: the keys of a space by their numbers.
__constant__ unsigned sines[64];
__device__ void md5_block(const unsigned* words, unsigned* digest) {
  const int shifts[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
  unsigned a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
  for (int i = 0; i < 64; i++) {
    unsigned f, g;
    if (i < 16) {
      f = (b & c) | (~b & d);
      g = i;
    } else if (i < 32) {
      f = (d & b) | (~d & c);
      g = (5 * i + 1) & 15;
    } else if (i < 48) {
      f = b ^ c ^ d;
      g = (3 * i + 5) & 15;
    } else {
      f = c ^ (b | ~d);
      g = (7 * i) & 15;
    }
    unsigned t = d, x = a + f + sines[i] + words[g];
    int s = shifts[i / 16 * 4 + (i & 3)];
    d = c;
    c = b;
    b = b + (x << s | x >> (32 - s));
    a = t;
  }
  digest[0] = a + 0x67452301;
  digest[1] = b + 0xefcdab89;
  digest[2] = c + 0x98badcfe;
  digest[3] = d + 0x10325476;
}
__global__ void find_key_of_digest(unsigned d0, unsigned d1, unsigned d2, unsigned d3, int space, int byte_length,
                                   int values_per_byte, int* found, unsigned char* found_key, unsigned* found_digest) {
  int start = (blockIdx.x * blockDim.x + threadIdx.x) * values_per_byte;
  unsigned char key[8] = {0};
  int index = start;
  for (int i = 0; i < byte_length; i++) {
    key[i] = index % values_per_byte;
    index /= values_per_byte;
  }
  for (int i = 0; i < values_per_byte && start + i < space; ++i) {
    unsigned words[16] = {0}, digest[4];
    for (int b = 0; b < 8; b++)
      words[b / 4] |= (unsigned)(b < byte_length ? key[b] : b == byte_length ? 128 : 0) << (8 * (b % 4));
    if (byte_length == 8) words[2] = 128;
    words[14] = byte_length * 8;
    md5_block(words, digest);
    if (digest[0] == d0 && digest[1] == d1 && digest[2] == d2 && digest[3] == d3) {
      *found = start + i;
      for (int b = 0; b < 8; b++) found_key[b] = key[b];
      for (int b = 0; b < 4; b++) found_digest[b] = digest[b];
    }
    ++key[0];
  }
}

// NeuralNet: a forward layer, and the step of the weights; layers' sizes stand in memory.
__global__ void feed_forward(const float* weights, const float* biases, const float* activations, float* out,
                             const int* sizes, int layer, int batch) {
  const int neuron = blockIdx.x * blockDim.x + threadIdx.x, inputs = sizes[layer - 1], outputs = sizes[layer];
  if (neuron >= outputs) return;
  for (int sample = 0; sample < batch; sample++) {
    float z = biases[neuron];
    for (int i = 0; i < inputs; i++) z += weights[neuron * inputs + i] * activations[sample * inputs + i];
    out[sample * outputs + neuron] = 1.0f / (1.0f + expf(-z));
  }
}
__global__ void update_weights(float* weights, const float* gradients, float rate, int inputs, int outputs, int batch) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < inputs * outputs; i += blockDim.x * gridDim.x) {
    float sum = 0;
    for (int b = 0; b < batch; b++) sum += gradients[b * inputs * outputs + i];
    weights[i] -= rate / batch * sum;
  }
}

// QTClustering: for each seed, points join the cluster whose diameter grows least, until the threshold.
__global__ void qt_cluster(const float* distances, const int* neighbours, char* taken, int* cardinalities, int* best,
                           float threshold, int points, int most_degree, int seeds) {
  __shared__ float least[64];
  __shared__ int which[64], closest;
  extern __shared__ float diameter[];
  const int tid = threadIdx.x;
  for (int seed = blockIdx.x; seed < seeds; seed += gridDim.x) {
    for (int i = tid; i < most_degree; i += blockDim.x) diameter[i] = 0;
    __syncthreads();
    int count = 1, newest = seed;
    while (true) {
      float mine = 3.4e38f;
      int at = -1;
      for (int i = tid; i < most_degree; i += blockDim.x) {
        int candidate = neighbours[seed * most_degree + i];
        if (candidate < 0) break;
        if (taken[blockIdx.x * points + candidate]) continue;
        float d = fmaxf(diameter[i], distances[candidate * points + newest]);
        diameter[i] = d;
        if (d < mine) {
          mine = d;
          at = candidate;
        }
      }
      least[tid] = mine;
      which[tid] = at;
      __syncthreads();
      for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s && least[tid + s] < least[tid]) {
          least[tid] = least[tid + s];
          which[tid] = which[tid + s];
        }
        __syncthreads();
      }
      if (tid == 0) closest = least[0] < threshold ? which[0] : -1;
      __syncthreads();
      if (closest < 0) break;
      newest = closest;
      if (tid == 0) taken[blockIdx.x * points + newest] = 1;
      count++;
      __syncthreads();
    }
    if (tid == 0) cardinalities[seed] = count;
    for (int i = tid; i < points; i += blockDim.x) taken[blockIdx.x * points + i] = 0;
    __syncthreads();
  }
  if (tid == 0) *best = 0;
}

// Reduction.
__global__ void shoc_reduce(const float* in, float* out, unsigned n) {
  constexpr unsigned size = 256;
  const unsigned tid = threadIdx.x, grid = size * 2 * gridDim.x;
  unsigned i = blockIdx.x * (size * 2) + tid;
  extern __shared__ float sums[];
  sums[tid] = 0;
  while (i < n) {
    sums[tid] += in[i] + in[i + size];
    i += grid;
  }
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) sums[tid] += sums[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = sums[0];
}

// S3D: rates of reactions, with Arrhenius' law, for each point; no loops.
__global__ void s3d_rates(const float* pressure, const float* temperature, const float* y, float* rates,
                          float density) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  float t = temperature[i], lt = logf(t), inv = 1.0f / t, p = pressure[i];
  float c[8];
  for (int s = 0; s < 8; s++) c[s] = y[s * n + i] * p * density * inv;
  for (int r = 0; r < 22; r++) {
    float k = expf(31.0f - 0.5f * r + (0.1f * r - 1.0f) * lt - (8000.0f + 100.0f * r) * inv);
    float equilibrium = expf(fminf(85.0f, 1.5f * r - 400.0f * inv));
    float forward = k * c[r & 7] * c[(r + 3) & 7], backward = k / equilibrium * c[(r + 1) & 7] * c[(r + 5) & 7];
    if (r % 5 == 0) {
      float low = expf(20.0f - 900.0f * inv) * (c[0] + c[1] + c[2]), pr = low / k, f = log10f(fmaxf(pr, 1e-30f));
      forward *= pr / (1.0f + pr) * powf(10.0f, -0.3f / (1.0f + f * f));
    }
    rates[r * n + i] = forward - backward;
  }
}

// Scan: sums of regions, their scan by one block, then the scan from there.
__device__ float scan_of_block(float value, volatile float* shared) {
  const unsigned t = threadIdx.x;
  shared[t] = 0;
  const unsigned at = blockDim.x + t;
  shared[at] = value;
  __syncthreads();
  for (unsigned i = 1; i < blockDim.x; i *= 2) {
    float x = shared[at - i];
    __syncthreads();
    shared[at] += x;
    __syncthreads();
  }
  return shared[at - 1];
}
__global__ void scan_region_sums(const float* in, float* sums, int n) {
  extern __shared__ float part[];
  int region = n / 4 / gridDim.x * 4, start = blockIdx.x * region,
      stop = blockIdx.x == gridDim.x - 1 ? n : start + region;
  float sum = 0;
  int i = start + threadIdx.x;
  while (i < stop) {
    sum += in[i];
    i += blockDim.x;
  }
  part[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}
__global__ void scan_bottom(const float4* in, float4* out, const float* sums, int n) {
  __shared__ float shared[512];
  __shared__ float seed;
  float start_value = sums[blockIdx.x];
  int n4 = n / 4, region = n4 / gridDim.x, start = blockIdx.x * region,
      stop = blockIdx.x == gridDim.x - 1 ? n4 : start + region;
  int i = start + threadIdx.x;
  unsigned window = start;
  while (window < stop) {
    float4 v;
    if (i < stop) {
      v = in[i];
      v.y += v.x;
      v.z += v.y;
      v.w += v.z;
    } else {
      v.w = 0;
    }
    float before = scan_of_block(v.w, shared) + start_value;
    if (i < stop) {
      v.x += before;
      v.y += before;
      v.z += before;
      v.w += before;
      out[i] = v;
    }
    if (threadIdx.x == blockDim.x - 1) seed = before + (i < stop ? 0 : v.w);
    __syncthreads();
    start_value = seed + (i < stop ? v.w - before : 0);
    __syncthreads();
    window += blockDim.x;
    i += blockDim.x;
  }
}

// Sort: by four bits; sums of digits and their places.
__global__ void radix_digit_counts(const uint4* keys, unsigned* counts, int n, unsigned shift) {
  __shared__ unsigned digits[16];
  if (threadIdx.x < 16) digits[threadIdx.x] = 0;
  __syncthreads();
  int region = n / 4 / gridDim.x, i = blockIdx.x * region + threadIdx.x,
      stop = blockIdx.x == gridDim.x - 1 ? n / 4 : blockIdx.x * region + region;
  while (i < stop) {
    uint4 k = keys[i];
    atomicAdd(&digits[k.x >> shift & 15], 1u);
    atomicAdd(&digits[k.y >> shift & 15], 1u);
    atomicAdd(&digits[k.z >> shift & 15], 1u);
    atomicAdd(&digits[k.w >> shift & 15], 1u);
    i += blockDim.x;
  }
  __syncthreads();
  if (threadIdx.x < 16) counts[threadIdx.x * gridDim.x + blockIdx.x] = digits[threadIdx.x];
}
__global__ void radix_sort_blocks(const uint4* keys_in, uint4* keys_out, unsigned first_bit, unsigned bits) {
  __shared__ unsigned shared[2 * 128], keys[512];
  uint4 key = keys_in[blockIdx.x * 128 + threadIdx.x];
  for (unsigned shift = first_bit; shift < first_bit + bits; ++shift) {
    unsigned z[4] = {!(key.x >> shift & 1), !(key.y >> shift & 1), !(key.z >> shift & 1), !(key.w >> shift & 1)};
    unsigned mine = z[0] + z[1] + z[2] + z[3], at = threadIdx.x + 128;
    shared[threadIdx.x] = 0;
    shared[at] = mine;
    __syncthreads();
    for (unsigned i = 1; i < 128; i *= 2) {
      unsigned x = shared[at - i];
      __syncthreads();
      shared[at] += x;
      __syncthreads();
    }
    unsigned before = shared[at] - mine, all = shared[255];
    __syncthreads();
    unsigned k[4] = {key.x, key.y, key.z, key.w};
    for (int j = 0; j < 4; j++) {
      unsigned rank = z[j] ? before : all + threadIdx.x * 4 + j - before;
      before += z[j];
      keys[(rank & 3) * 128 + (rank >> 2)] = k[j];
    }
    __syncthreads();
    key = make_uint4(keys[threadIdx.x], keys[threadIdx.x + 128], keys[threadIdx.x + 256], keys[threadIdx.x + 384]);
    __syncthreads();
  }
  keys_out[blockIdx.x * 128 + threadIdx.x] = key;
}

// Spmv: a thread for each row, a warp for each row, and rows of one length.
__global__ void spmv_scalar(const float* values, const int* columns, const int* rows, int n, const float* x,
                            float* out) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) {
    float sum = 0;
    int start = rows[row], end = rows[row + 1];
    for (int j = start; j < end; j++) sum += values[j] * x[columns[j]];
    out[row] = sum;
  }
}
__global__ void spmv_vector(const float* values, const int* columns, const int* rows, int n, const float* x,
                            float* out) {
  int t = threadIdx.x, lane = t & 31, row = (blockDim.x / 32) * blockIdx.x + t / 32;
  __shared__ volatile float partial[128];
  if (row < n) {
    int start = rows[row], end = rows[row + 1];
    float mine = 0;
    for (int j = start + lane; j < end; j += 32) mine += values[j] * x[columns[j]];
    partial[t] = mine;
    for (int s = 16; s > 0; s >>= 1) {
      if (lane < s) partial[t] = partial[t] + partial[t + s];
      __syncwarp();
    }
    if (lane == 0) out[row] = partial[t];
  }
}
__global__ void spmv_ellpack(const float* values, const int* columns, const int* lengths, int n, const float* x,
                             float* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) {
    float sum = 0;
    int most = lengths[t];
    for (int i = 0; i < most; i++) sum += values[i * n + t] * x[columns[i * n + t]];
    out[t] = sum;
  }
}

// Stencil2D: nine points, a block of rows with a halo in shared memory.
__global__ void stencil_nine(const float* data, float* next, int alignment, float center, float cardinal,
                             float diagonal, int rows_per_block) {
  extern __shared__ float local[];
  const int columns = gridDim.y * blockDim.y + 2,
            padded = columns + (columns % alignment == 0 ? 0 : alignment - columns % alignment);
  const int lc = blockDim.y + 2, gid_row = blockIdx.x * rows_per_block,
            gid_column = blockIdx.y * blockDim.y + threadIdx.y;
  for (int i = 0; i < rows_per_block + 2; i++) {
    local[i * lc + threadIdx.y + 1] = data[(gid_row + i) * padded + gid_column + 1];
    if (threadIdx.y == 0) local[i * lc] = data[(gid_row + i) * padded + gid_column];
    if (threadIdx.y == blockDim.y - 1) local[i * lc + blockDim.y + 1] = data[(gid_row + i) * padded + gid_column + 2];
  }
  __syncthreads();
  for (int i = 0; i < rows_per_block; i++) {
    const float* p = local + (i + 1) * lc + threadIdx.y + 1;
    float sum =
        cardinal * (p[-lc] + p[lc] + p[-1] + p[1]) + diagonal * (p[-lc - 1] + p[-lc + 1] + p[lc - 1] + p[lc + 1]);
    next[(gid_row + i + 1) * padded + gid_column + 1] = center * p[0] + sum;
  }
}
