// Hashes, ciphers, checksums.
// nvcc sm_80
// nvcc sm_75 -O1
// clang-19 sm_62
// clang-14 sm_60 -O2
#include "subset.h"

typedef unsigned int u32;
typedef unsigned char u8;
typedef unsigned long long u64;

__constant__ u32 K[64];
__constant__ u32 T0[256];
__constant__ u8 sbox[256];
__constant__ u32 crc_tables[4][256];

__device__ __forceinline__ u32 rotr(u32 x, int n) { return (x >> n) | (x << (32 - n)); }
__device__ __forceinline__ u32 rotl(u32 x, int n) { return (x << n) | (x >> (32 - n)); }

__device__ void sha256_transform(u32* state, const u32* block) {
  u32 w[64];
  for (int i = 0; i < 16; i++) w[i] = block[i];
  for (int i = 16; i < 64; i++) {
    u32 s0 = rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    u32 s1 = rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  u32 v[8];
  for (int i = 0; i < 8; i++) v[i] = state[i];
#pragma unroll 1
  for (int i = 0; i < 64; i++) {
    u32 t1 = v[7] + (rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + K[i] + w[i];
    u32 t2 = (rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    v[7] = v[6];
    v[6] = v[5];
    v[5] = v[4];
    v[4] = v[3] + t1;
    v[3] = v[2];
    v[2] = v[1];
    v[1] = v[0];
    v[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) state[i] += v[i];
}

__global__ void sha256(const u32* messages, u32* digests, int blocks, int count) {
  int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= count) return;
  u32 state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (int b = 0; b < blocks; b++) sha256_transform(state, messages + (m * blocks + b) * 16);
  for (int i = 0; i < 8; i++) digests[m * 8 + i] = state[i];
}

// A nonce whose hash is small: each thread tries its own, until one is found.
__global__ void find_nonce(const u32* header, u32 target, u32* found, u32 tries) {
  u32 nonce = blockIdx.x * blockDim.x + threadIdx.x;
  u32 step = gridDim.x * blockDim.x;
  for (u32 i = 0; i < tries && *(volatile u32*)found == 0; i++, nonce += step) {
    u32 h = header[0] ^ nonce;
    for (int r = 0; r < 16; r++) h = rotl(h * 0x85ebca6bu, 13) + header[r & 7];
    if (h < target) *found = nonce;
  }
}

__global__ void aes128(const u32* in, u32* out, const u32* round_keys, int blocks) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= blocks) return;
  u32 s[4], t[4];
  for (int i = 0; i < 4; i++) s[i] = in[4 * b + i] ^ round_keys[i];
#pragma unroll 1
  for (int round = 1; round < 10; round++) {
    for (int i = 0; i < 4; i++)
      t[i] = T0[s[i] & 255] ^ rotl(T0[(s[(i + 1) & 3] >> 8) & 255], 8) ^ rotl(T0[(s[(i + 2) & 3] >> 16) & 255], 16) ^
             rotl(T0[s[(i + 3) & 3] >> 24], 24) ^ round_keys[4 * round + i];
    for (int i = 0; i < 4; i++) s[i] = t[i];
  }
  for (int i = 0; i < 4; i++)
    out[4 * b + i] = (sbox[s[i] & 255] | sbox[(s[(i + 1) & 3] >> 8) & 255] << 8 | sbox[(s[(i + 2) & 3] >> 16) & 255] << 16 |
                      (u32)sbox[s[(i + 3) & 3] >> 24] << 24) ^ round_keys[40 + i];
}

__global__ void chacha20(const u32* key, u32* stream, u32 counter, int rounds) {
  u32 x[16], start[16];
  for (int i = 0; i < 16; i++) start[i] = x[i] = key[i];
  x[12] = start[12] = counter + blockIdx.x * blockDim.x + threadIdx.x;
#define QUARTER(a, b, c, d) \
  x[a] += x[b]; x[d] = rotl(x[d] ^ x[a], 16); x[c] += x[d]; x[b] = rotl(x[b] ^ x[c], 12); \
  x[a] += x[b]; x[d] = rotl(x[d] ^ x[a], 8); x[c] += x[d]; x[b] = rotl(x[b] ^ x[c], 7);
  for (int i = rounds; i > 0; i -= 2) {
    QUARTER(0, 4, 8, 12) QUARTER(1, 5, 9, 13) QUARTER(2, 6, 10, 14) QUARTER(3, 7, 11, 15)
    QUARTER(0, 5, 10, 15) QUARTER(1, 6, 11, 12) QUARTER(2, 7, 8, 13) QUARTER(3, 4, 9, 14)
  }
  for (int i = 0; i < 16; i++) stream[(blockIdx.x * blockDim.x + threadIdx.x) * 16 + i] = x[i] + start[i];
}

__global__ void crc_slicing(const u8* data, u32* crcs, int length, int count) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count) return;
  const u8* p = data + (u64)t * length;
  u32 crc = 0xffffffffu;
  int left = length;
  while (left >= 4) {
    crc ^= *(const u32*)p;
    crc = crc_tables[3][crc & 255] ^ crc_tables[2][(crc >> 8) & 255] ^ crc_tables[1][(crc >> 16) & 255] ^ crc_tables[0][crc >> 24];
    p += 4;
    left -= 4;
  }
  while (left--) crc = (crc >> 8) ^ crc_tables[0][(crc ^ *p++) & 255];
  crcs[t] = ~crc;
}

__global__ void adler32(const u8* data, u32* sums, int length) {
  const u8* p = data + (blockIdx.x * blockDim.x + threadIdx.x) * length;
  u32 a = 1, b = 0;
  while (length > 0) {
    int run = length > 5552 ? 5552 : length;
    length -= run;
    do {
      a += *p++;
      b += a;
    } while (--run);
    a %= 65521;
    b %= 65521;
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = b << 16 | a;
}

__global__ void murmur3(const u32* keys, u32* hashes, int words, int n) {
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) {
    u32 h = 42;
    for (int i = 0; i < words; i++) {
      u32 x = keys[k * words + i] * 0xcc9e2d51u;
      h ^= rotl(x, 15) * 0x1b873593u;
      h = rotl(h, 13) * 5 + 0xe6546b64u;
    }
    h ^= h >> 16;
    hashes[k] = h * 0x85ebca6bu;
  }
}

// Square and multiply modulo a number: a turn for each bit of the exponent, which stands in memory.
__global__ void modular_power(const u64* base, const u64* exponent, u64* result, u64 modulus, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  u64 r = 1, b = base[t] % modulus, e = exponent[t];
  while (e) {
    if (e & 1) r = r * b % modulus;
    b = b * b % modulus;
    e >>= 1;
  }
  result[t] = r;
}

__global__ void sieve_segment(u8* composite, const int* primes, int count, int low, int size) {
  for (int p = threadIdx.x; p < count; p += blockDim.x) {
    int prime = primes[p];
    int first = ((low + prime - 1) / prime) * prime - low;
    for (int i = first; i < size; i += prime) composite[i] = 1;
  }
}

__global__ void sieve_numbers(u8* composite, int n) {
  for (int p = 2 + threadIdx.x; p * p <= n; p += blockDim.x)
    for (int i = p * p; i <= n; i += p) composite[i] = 1;
}

__global__ void trial_division(const u32* numbers, u32* factor, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  u32 x = numbers[t];
  u32 d = 2;
  while (d * d <= x && x % d != 0) d++;
  factor[t] = d * d > x ? x : d;
}
