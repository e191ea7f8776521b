// Strings and codes.
// nvcc sm_80
// nvcc sm_120
// clang-19 sm_62
#include "subset.h"

typedef unsigned char u8;
typedef unsigned int u32;

__global__ void string_lengths(const char* text, const int* starts, int* lengths, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  const char* s = text + starts[t];
  const char* p = s;
  while (*p) p++;
  lengths[t] = (int)(p - s);
}

__global__ void find_pattern(const char* text, const char* pattern, int* hits, int n, int m) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i + m <= n; i += gridDim.x * blockDim.x) {
    int j = 0;
    while (j < m && text[i + j] == pattern[j]) j++;
    if (j == m) atomicAdd(hits, 1);
  }
}

__global__ void kmp(const char* text, const int* fail, const char* pattern, int* hits, int piece, int m) {
  int begin = (blockIdx.x * blockDim.x + threadIdx.x) * piece;
  int state = 0;
  for (int i = begin; i < begin + piece + m - 1; i++) {
    while (state > 0 && text[i] != pattern[state]) state = fail[state - 1];
    if (text[i] == pattern[state]) state++;
    if (state == m) {
      atomicAdd(hits, 1);
      state = fail[state - 1];
    }
  }
}

__global__ void levenshtein(const char* a, const char* words, int* distance, int m, int n) {
  int row[65];
  const char* b = words + (blockIdx.x * blockDim.x + threadIdx.x) * n;
  for (int j = 0; j <= n; j++) row[j] = j;
  for (int i = 1; i <= m; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      int above = row[j];
      row[j] = min(min(row[j] + 1, row[j - 1] + 1), diagonal + (a[i - 1] != b[j - 1]));
      diagonal = above;
    }
  }
  distance[blockIdx.x * blockDim.x + threadIdx.x] = row[n];
}

// The longest earlier match within a window, as LZ77 seeks it.
__global__ void lz_longest_match(const u8* data, int* length, int* offset, int n, int window, int longest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int best = 0, best_offset = 0;
  int first = i > window ? i - window : 0;
  for (int s = first; s < i; s++) {
    int l = 0;
    while (l < longest && i + l < n && data[s + l] == data[i + l]) ++l;
    if (l > best) {
      best = l;
      best_offset = i - s;
    }
  }
  length[i] = best;
  offset[i] = best_offset;
}

__global__ void lz_decompress(const u8* in, u8* out, const int* sizes) {
  const u8* p = in + blockIdx.x * 4096;
  u8* q = out + blockIdx.x * 65536;
  const u8* end = p + sizes[blockIdx.x];
  while (p < end) {
    u32 token = *p++;
    u32 literals = token >> 4;
    if (literals == 15) {
      u32 more;
      do {
        more = *p++;
        literals += more;
      } while (more == 255);
    }
    for (u32 i = threadIdx.x; i < literals; i += blockDim.x) q[i] = p[i];
    p += literals;
    q += literals;
    if (p >= end) break;
    u32 back = p[0] | p[1] << 8;
    p += 2;
    u32 match = (token & 15) + 4;
    __syncthreads();
    for (u32 i = threadIdx.x; i < match; i += blockDim.x) q[i] = q[(int)(i % back) - (int)back];
    q += match;
    __syncthreads();
  }
}

__global__ void dfa_match(const u8* text, const u8* next, int* accepted, int piece, int states) {
  extern __shared__ u8 table[];
  for (int i = threadIdx.x; i < states * 256; i += blockDim.x) table[i] = next[i];
  __syncthreads();
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  u8 state = 0;
  for (int i = 0; i < piece; i++) state = table[state * 256 + text[t * piece + i]];
  accepted[t] = state == states - 1;
}

__global__ void huffman_decode(const u32* bits, const short* left, const short* right, u8* out, int symbols) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int at = t * 4096;
  for (int i = 0; i < symbols; i++) {
    int node = 0;
    do {
      int bit = bits[at >> 5] >> (at & 31) & 1;
      node = bit ? right[node] : left[node];
      at++;
    } while (node >= 0);
    out[t * symbols + i] = (u8)~node;
  }
}

__global__ void base64_encode(const u8* in, char* out, int triples) {
  __shared__ char alphabet[64];
  if (threadIdx.x < 64) {
    int c = threadIdx.x;
    alphabet[c] = c < 26 ? 'A' + c : c < 52 ? 'a' + c - 26 : c < 62 ? '0' + c - 52 : c == 62 ? '+' : '/';
  }
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < triples; i += gridDim.x * blockDim.x) {
    u32 v = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
    for (int k = 0; k < 4; k++) out[4 * i + k] = alphabet[v >> (18 - 6 * k) & 63];
  }
}

__global__ void format_decimal(const u32* numbers, char* text, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  char* p = text + 12 * t + 11;
  u32 v = numbers[t];
  *p = 0;
  do {
    *--p = '0' + v % 10;
    v /= 10;
  } while (v != 0);
}

__global__ void parse_decimal(const char* text, int* numbers, int n) {
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < n; t += gridDim.x * blockDim.x) {
    const char* p = text + 12 * t;
    int v = 0;
    while (*p >= '0' && *p <= '9') v = 10 * v + (*p++ - '0');
    numbers[t] = v;
  }
}

__global__ void varint_decode(const u8* in, const int* starts, u32* out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  const u8* p = in + starts[t];
  u32 v = 0;
  for (int shift = 0; shift < 32; shift += 7) {
    u8 byte = *p++;
    v |= (u32)(byte & 127) << shift;
    if (byte < 128) break;
  }
  out[t] = v;
}

__global__ void run_lengths(const u8* in, int* lengths, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || (i > 0 && in[i] == in[i - 1])) return;
  int j = i + 1;
  while (j < n && in[j] == in[i]) j++;
  lengths[i] = j - i;
}

__global__ void longest_common_subsequence(const char* a, const char* b, int* table, int n, int m) {
  for (int d = 2; d <= n + m; d++) {
    int low = max(1, d - m), high = min(n, d - 1);
    for (int i = low + threadIdx.x; i <= high; i += blockDim.x) {
      int j = d - i;
      int* at = table + i * (m + 1) + j;
      *at = a[i - 1] == b[j - 1] ? at[-m - 2] + 1 : max(at[-1], at[-m - 1]);
    }
    __syncthreads();
  }
}
