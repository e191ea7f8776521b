// What the samples have little of: 64-bit indices and arithmetic, divisions, lanes that leave loops, atomics.

// A 64-bit index whose stride the kernel is given.
extern "C" __global__ void wide_index(const int* input, int* output, long long n, long long stride) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
    output[i] = input[i * stride] + (int)(i >> 3);
  }
}

// Lanes leave the loop at different turns, from its middle and by a return.
extern "C" __global__ void leave_early(const unsigned* input, unsigned* output, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned state = input[thread];
  int i = 0;
  for (; i < n; ++i) {
    if ((state & 31) == 7) break;
    state = state * 1664525u + 1013904223u;
    if ((state >> 20) == 5) {
      output[thread] = ~0u;
      return;
    }
    for (unsigned j = 0; j < (state & 3); ++j) {
      state ^= input[thread + j] >> j;
      if (state % 11 == 3) break;
    }
  }
  output[thread + 512] = state + i;
}

// Lanes leave two loops at once, and others one of them.
extern "C" __global__ void leave_both(const unsigned* input, unsigned* output, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned state = input[thread];
  unsigned found = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
#pragma unroll 1
    for (unsigned j = 0; j < (state & 7) + 1; ++j) {
      state = state * 1664525u + 1013904223u;
      if ((state >> 26) == 19) {
        found = state;
        goto out;
      }
      if ((state >> 27) == 3) break;
      if ((state & 0x300) == 0) continue;
      output[thread + 1024] = state;
    }
    __syncwarp(__activemask());
    if (state >> 28 == 2) ++found;
  }
  found += 3;
out:
  output[thread] = found;
  __syncwarp();
  if (found & 1) {
    __syncwarp(__activemask());
    output[thread + 512] = state;
  }
}

extern "C" __global__ void divide(const int* a, const int* b, int* output) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned x = a[thread], y = b[thread] | 1;
  const int sx = a[thread], sy = b[thread] | 1;
  output[thread] = x / y + sx / sy * 3 + x % y * 5 + sx % sy * 7 + x / 10 + sx / 7 + x % 1000;
}

extern "C" __global__ void divide_wide(const long long* a, const long long* b, long long* output) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned long long x = a[thread], y = b[thread] | 1;
  const long long sx = a[thread] - b[thread], sy = b[thread] | 1;
  output[thread] = x / y + sx / sy * 3 + x % y * 5 + sx % sy * 7 + x / 1000 + sx / 7;
}

// The place of a key in a sorted row.
extern "C" __global__ void bisect(const int* sorted, const int* keys, int* output, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int low = 0, high = n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (sorted[middle] < keys[thread]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  output[thread] = low;
}

// Sums, products, shifts and comparisons of 64 bits.
extern "C" __global__ void wide_arithmetic(const long long* a, const long long* b, long long* output) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const long long x = a[thread] - b[thread], y = b[thread] * 3 - a[thread];
  const unsigned long long ux = x, uy = y;
  const int s = (int)(y >> 7);
  long long r = (x + y) ^ (x - y) ^ (x * y) ^ __mul64hi(x, y) ^ (long long)__umul64hi(ux, uy);
  r += (x << (s & 63)) ^ (x >> (s & 63)) ^ (long long)(ux >> (s & 63)) ^ (x >> 3) ^ (long long)(uy >> 37) ^ (y << 35);
  r += x < y ? 1 : 2;
  r ^= ux <= uy ? 4 : 8;
  r += (x == y - 1) ? 16 : 32;
  r ^= ux > (unsigned long long)s ? x : -y;
  r -= x > 5 && y >= -7 ? (x < y ? x : y) : (ux < uy ? uy : ux);
  r += (long long)s * (int)x + (long long)((unsigned)s * (unsigned long long)(unsigned)y);
  r ^= -x + (x & ~y) + (x | y);
  output[thread] = r;
}

// Of 32 bits.
extern "C" __global__ void arithmetic(const int* a, const int* b, int* output, unsigned shift) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = a[thread] - 70000 * (thread & 1), y = b[thread] * 77777;
  const unsigned ux = x, uy = y, s = (uy >> 5) + shift;
  int r = x + y * 3 - (x ^ y) + (x & ~y) + __mulhi(x, y) + (int)__umulhi(ux, uy) + __mul24(x, y);
  r ^= (x << (s & 31)) + (x >> (s & 31)) + (int)(ux >> (s & 31)) + (int)__funnelshift_l(ux, uy, s) + (int)__funnelshift_rc(ux, uy, s & 63);
  r += __popc(x) + 3 * __clz(x) + 5 * __ffs(y) + (int)__brev(x) + (int)__byte_perm(ux, uy, s & 0x7777);
  r ^= min(x, y) + max(x, 7) + (int)min(ux, uy) + (int)max(ux, 9u) + abs(x) + (int)__sad(x, y, ux);
  r += x < y ? 1 : 2;
  r ^= ux >= uy || (x & 3) == 1 ? 4 : 8;
  r += (x > 100) != (y > 100) ? 16 : 32;
  r += (signed char)x + (short)y + (unsigned char)(y >> 8) + (unsigned short)(x >> 3);
  r += ((x >> 4) & 0x3ff) | ((y & 0xff) << 12);
  r += x % 8 + y / 16 + (int)(ux % 32) + (int)(float)(x & 0xffff) + (int)((float)ux * 0.0f);
  output[thread] = r;
}

// Votes and exchanges of a warp some lanes of which have left.
extern "C" __global__ void vote(const int* input, int* output, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = input[thread];
  const unsigned odd = __ballot_sync(~0u, x & 1);
  int r = __all_sync(~0u, x >= 0) + 2 * __any_sync(~0u, x == 3) + __popc(odd & ((1u << (thread & 31)) - 1));
  r += __shfl_sync(~0u, x, thread * 7) + __shfl_up_sync(~0u, x, 3) * 3 + __shfl_xor_sync(~0u, x, 5, 8) * 5;
  if (x & 1) {
    r += __shfl_down_sync(odd, r, 1, 16);
    __syncwarp(odd);
    r += __popc(__activemask());
  }
  if (thread < n) output[thread] = r;
}

// Atomics of both memories; which lane is first does not matter.
extern "C" __global__ void count(const int* input, unsigned* bins, unsigned long long* sums, int n) {
  __shared__ unsigned local[32];
  __shared__ int most;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 32) local[threadIdx.x] = 0;
  if (threadIdx.x == 0) most = -1;
  __syncthreads();
  if (thread < n) {
    const int x = input[thread];
    atomicAdd(&local[x & 31], (unsigned)x);
    atomicMax(&most, x);
    atomicAdd(sums, (unsigned long long)x << 20);
    atomicMin((int*)bins + 40, x - 50);
    atomicXor(bins + 41 + (x & 1), 1u << (x & 31));
  }
  __syncthreads();
  if (threadIdx.x < 32) atomicAdd(bins + threadIdx.x, local[threadIdx.x]);
  if (threadIdx.x == 0) atomicMax((int*)bins + 50, most);
}

// Pointers to local, shared and global memory in one register.
extern "C" __global__ void generic(const int* input, int* output) {
  __shared__ int tile[128];
  int own[8];
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 8; ++i) own[i] = input[thread] + i;
  tile[threadIdx.x] = input[thread + 1];
  __syncthreads();
  const int x = input[thread];
  int* place = x & 1 ? own + (x >> 1 & 7) : x & 2 ? tile + (threadIdx.x ^ 1) : output + thread;
  const int old = *place;
  __syncthreads();
  *place = old * 3 + x;
  __syncthreads();
  output[thread + 1024] = own[x >> 4 & 7] + tile[threadIdx.x] + old;
}

// The sum of each block: shuffles, then a barrier, then shuffles of the first warp.
extern "C" __global__ void block_sum(const int* input, int* sums, int n) {
  __shared__ int of_warps[32];
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += input[i];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(~0u, sum, distance);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? of_warps[threadIdx.x] : 0;
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  }
}

// Two loops, one in the other, that are longer than 4 KiB: ptxas leaves them by CALL for sm_80. Lanes leave the inner one
// at different turns, and a division between them calls a subroutine.
extern "C" __global__ void long_loops(const unsigned* input, unsigned* output, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned state = input[thread];
  float ratio = 1;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    const unsigned limit = state & 3;
#pragma unroll 1
    for (unsigned j = 0; j <= limit; ++j) {
#pragma unroll
      for (unsigned k = 0; k < 72; ++k) state = (state ^ state >> 3) * 0x9e3779b9u + k;
      output[thread + 1024] = state;
    }
    ratio = (float)(state & 1023) / ratio;
  }
  output[thread] = state + (unsigned)ratio;
}

// The least and the greatest of three numbers and of sums. Both limits, which lie side by side, say how often the loop runs.
extern "C" __global__ void extremes(const int* input, int* output, int n, int most) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = input[thread], y = input[thread + 1], z = input[thread + 2];
  int r = max(max(x, y), z) ^ min(min(x, y), 7) ^ max(x + y, z) ^ max(max(x - y, z), 0);
  unsigned u = min(min((unsigned)x, (unsigned)y), (unsigned)most) ^ max((unsigned)x + (unsigned)z, (unsigned)y);
  u ^= max(min(x, z), 0);
  const int turns = min(n + 3, most);
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    r = max(r - x, z) ^ min(min(r, y), i);
    u += r;
  }
  output[thread] = r;
  output[thread + 1024] = u;
}
