// Arithmetic on streams: finance, random numbers, codes, text.
#include <cstdint>
extern "C" {

__device__ float normal_cdf(float x) {
  float k = 1 / (1 + 0.2316419f * fabsf(x));
  float c = 0.39894228f * expf(-0.5f * x * x) * k *
            (0.31938153f + k * (-0.35656378f + k * (1.78147794f + k * (-1.82125598f + k * 1.33027443f))));
  return x > 0 ? 1 - c : c;
}

__global__ void black_scholes(const float* __restrict__ price, const float* __restrict__ strike,
                              const float* __restrict__ years, float* __restrict__ call, float* __restrict__ put, int n,
                              float rate, float volatility) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float s = 5 + 25 * price[i], x = 1 + 99 * strike[i], t = 0.25f + 9 * years[i], root = sqrtf(t);
    float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root),
          d2 = d1 - volatility * root;
    float c1 = normal_cdf(d1), c2 = normal_cdf(d2), discount = expf(-rate * t);
    call[i] = s * c1 - x * discount * c2;
    put[i] = x * discount * (1 - c2) - s * (1 - c1);
  }
}

// paths of an option, xorshift, Box and Muller
__global__ void monte_carlo(float* __restrict__ sums, int steps, float drift, float volatility) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t state = i * 747796405u + 2891336453u;
  float value = 1;
  for (int k = 0; k < steps; k++) {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    float u = (state >> 8) * 5.9604645e-8f + 1e-7f;
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    float v = (state >> 8) * 5.9604645e-8f;
    value *= expf(drift + volatility * sqrtf(-2 * logf(u)) * cospif(2 * v));
  }
  for (int o = 16; o; o >>= 1) value += __shfl_xor_sync(~0u, value, o);
  if (threadIdx.x % 32 == 0) sums[i / 32] = value;
}

__global__ void philox(uint4* __restrict__ out, int n, uint32_t key) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint4 c = make_uint4(i, 0, 0, 0);
  uint32_t k0 = key, k1 = key ^ 0x12345678u;
#pragma unroll
  for (int r = 0; r < 10; r++) {
    uint32_t h0 = __umulhi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x, h1 = __umulhi(0xCD9E8D57u, c.z),
             l1 = 0xCD9E8D57u * c.z;
    c = make_uint4(h1 ^ c.y ^ k0, l1, h0 ^ c.w ^ k1, l0);
    k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
  }
  out[i] = c;
}

// a checksum of each block of bytes, with a table
__global__ void crc_blocks(const uint8_t* __restrict__ data, const uint32_t* __restrict__ table,
                           uint32_t* __restrict__ out, int blocks, int bytes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= blocks) return;
  uint32_t crc = ~0u;
  for (int k = 0; k < bytes; k++) crc = crc >> 8 ^ table[(crc ^ data[i * bytes + k]) & 255];
  out[i] = ~crc;
}

// ten rounds of a block cipher by four tables in shared memory
__global__ void cipher_rounds(const uint4* __restrict__ in, uint4* __restrict__ out,
                              const uint32_t* __restrict__ tables, const uint4* __restrict__ keys, int n) {
  __shared__ uint32_t t[4][256];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) ((uint32_t*)t)[i] = tables[i];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint4 s = in[i];
  for (int r = 0; r < 10; r++) {
    uint4 k = keys[r];
    uint32_t a = t[0][s.x & 255] ^ t[1][s.y >> 8 & 255] ^ t[2][s.z >> 16 & 255] ^ t[3][s.w >> 24] ^ k.x;
    uint32_t b = t[0][s.y & 255] ^ t[1][s.z >> 8 & 255] ^ t[2][s.w >> 16 & 255] ^ t[3][s.x >> 24] ^ k.y;
    uint32_t c = t[0][s.z & 255] ^ t[1][s.w >> 8 & 255] ^ t[2][s.x >> 16 & 255] ^ t[3][s.y >> 24] ^ k.z;
    uint32_t d = t[0][s.w & 255] ^ t[1][s.x >> 8 & 255] ^ t[2][s.y >> 16 & 255] ^ t[3][s.z >> 24] ^ k.w;
    s = make_uint4(a, b, c, d);
  }
  out[i] = s;
}

// where a short pattern begins
__global__ void find_pattern(const uint8_t* __restrict__ text, const uint8_t* __restrict__ pattern,
                             int* __restrict__ count, int n, int length) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i + length <= n; i += gridDim.x * blockDim.x) {
    int k = 0;
    while (k < length && (text[i + k] & 3) == (pattern[k] & 3)) k++;
    if (k == length) atomicAdd(count, 1);
  }
}

// edit distance of two words a thread, words of 16, a row in registers
__global__ void edit_distance(const uint8_t* __restrict__ a, const uint8_t* __restrict__ b, int* __restrict__ out,
                              int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int row[17];
#pragma unroll
  for (int j = 0; j <= 16; j++) row[j] = j;
  for (int r = 0; r < 16; r++) {
    int letter = a[i * 16 + r] & 7, diagonal = row[0];
    row[0] = r + 1;
#pragma unroll
    for (int j = 1; j <= 16; j++) {
      int cost = diagonal + ((b[i * 16 + j - 1] & 7) != letter);
      diagonal = row[j];
      row[j] = min(min(row[j], row[j - 1]) + 1, cost);
    }
  }
  out[i] = row[16];
}

// bits in which fingerprints of 512 differ from a wanted one
__global__ void fingerprints(const uint4* __restrict__ prints, const uint4* __restrict__ wanted, int* __restrict__ out,
                             int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int bits = 0;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    uint4 a = prints[i * 4 + k], b = wanted[k];
    bits += __popc(a.x ^ b.x) + __popc(a.y ^ b.y) + __popc(a.z ^ b.z) + __popc(a.w ^ b.w);
  }
  out[i] = bits;
}

__global__ void julia(uint8_t* __restrict__ out, int w, int h, float cx, float cy, int most) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float zx = 3.f * x / w - 1.5f, zy = 3.f * y / h - 1.5f;
  int n = 0;
  while (n < most && zx * zx + zy * zy < 4) {
    float t = zx * zx - zy * zy + cx;
    zy = 2 * zx * zy + cy;
    zx = t;
    n++;
  }
  out[y * w + x] = n;
}

// greatest common divisors, 64-bit remainders
__global__ void divisors(const uint32_t* __restrict__ a, const uint32_t* __restrict__ b, uint32_t* __restrict__ out,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long x = (unsigned long long)a[i] << 12 | 1, y = (unsigned long long)b[i] << 8 | 3;
  for (int k = 0; k < 12 && y != 0; k++) {
    unsigned long long r = x % y;
    x = y;
    y = r;
  }
  out[i] = (uint32_t)x;
}

// a filter of infinite response of second order, a channel a thread
__global__ void biquad(const float* __restrict__ in, float* __restrict__ out, int channels, int samples, float b0,
                       float b1, float a1, float a2) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= channels) return;
  float x1 = 0, y1 = 0, y2 = 0;
  for (int i = 0; i < samples; i++) {
    float x = in[i * channels + c], y = b0 * x + b1 * x1 - a1 * y1 - a2 * y2;
    out[i * channels + c] = y;
    x1 = x, y2 = y1, y1 = y;
  }
}
}
