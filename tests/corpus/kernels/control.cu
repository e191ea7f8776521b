// Control flow: switches, calls through tables, recursion, structures as parameters, loops over bits and digits.
// nvcc sm_80
// nvcc sm_120
// nvcc sm_80 -G
// clang-19 sm_62
#include "subset.h"

typedef unsigned int u32;

__global__ void stack_machine(const int* program, const int* input, int* output, int length) {
  int stack[16];
  int top = 0, t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int pc = 0; pc < length; pc++) {
    int word = program[pc];
    switch (word & 15) {
      case 0: stack[top++ & 15] = word >> 4; break;
      case 1: stack[top++ & 15] = input[t]; break;
      case 2: top--; stack[(top - 1) & 15] += stack[top & 15]; break;
      case 3: top--; stack[(top - 1) & 15] -= stack[top & 15]; break;
      case 4: top--; stack[(top - 1) & 15] *= stack[top & 15]; break;
      case 5: top--; stack[(top - 1) & 15] ^= stack[top & 15]; break;
      case 6: top--; stack[(top - 1) & 15] &= stack[top & 15]; break;
      case 7: top--; stack[(top - 1) & 15] |= stack[top & 15]; break;
      case 8: stack[(top - 1) & 15] = -stack[(top - 1) & 15]; break;
      case 9: stack[top & 15] = stack[(top - 1) & 15]; top++; break;
      case 10: stack[(top - 1) & 15] = stack[(top - 1) & 15] > 0; break;
      default: return;
    }
  }
  output[t] = stack[(top - 1) & 15];
}

__device__ float op_add(float a, float b) { return a + b; }
__device__ float op_mul(float a, float b) { return a * b; }
__device__ float op_max(float a, float b) { return a > b ? a : b; }
typedef float (*Operation)(float, float);
__device__ Operation operations[3] = {op_add, op_mul, op_max};

__global__ void call_through_table(const float* in, float* out, int which, int n) {
  Operation f = operations[which];
  float r = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) r = f(r, in[i]);
  out[threadIdx.x] = r;
}

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void recursive_fibonacci(int* out, int n) { out[threadIdx.x] = fibonacci(n); }

struct Params {
  const float* in;
  float* out;
  int width, height;
  float scale;
  int steps;
};

__global__ void struct_of_parameters(Params p) {
  for (int y = blockIdx.x; y < p.height; y += gridDim.x)
    for (int x = threadIdx.x; x < p.width; x += blockDim.x) {
      float v = p.in[y * p.width + x];
      for (int s = 0; s < p.steps; s++) v = v * p.scale + 1;
      p.out[y * p.width + x] = v;
    }
}

__constant__ int c_taps;
__constant__ float c_filter[64];

__global__ void constant_limit(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < c_taps; k++) sum += c_filter[k] * in[i + k];
  out[i] = sum;
}

__global__ void collatz(int* lengths, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    u32 x = i + 1;
    int length = 0;
    while (x != 1) {
      x = x % 2 ? 3 * x + 1 : x / 2;
      length++;
    }
    lengths[i] = length;
  }
}

__global__ void gcd_euclid(const int* a, const int* b, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = a[i], y = b[i];
  while (y != 0) {
    int r = x % y;
    x = y;
    y = r;
  }
  out[i] = x;
}

__global__ void bit_loops(const u32* in, int* counts, int* logs, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  u32 x = in[i];
  int count = 0, log = 0;
  while (x) {
    x &= x - 1;
    count++;
  }
  x = in[i];
  while (x >>= 1) log++;
  counts[i] = count;
  logs[i] = log;
}

__global__ void integer_root(const u32* in, u32* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  u32 x = in[i], root = 0, bit = 1u << 30;
  while (bit > x) bit >>= 2;
  while (bit) {
    if (x >= root + bit) {
      x -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
    bit >>= 2;
  }
  out[i] = root;
}

__global__ void digit_sums(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = in[i], sum = 0;
  for (; x > 0; x /= 10) sum += x % 10;
  out[i] = sum;
}

// Position in a mixed radix: divisions by sizes that are parameters.
__global__ void strided_copy(const float* in, float* out, int n, int d0, int d1, int d2, int s0, int s1, int s2) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    int r = i;
    int a = r % d0;
    r /= d0;
    int b = r % d1;
    r /= d1;
    out[i] = in[a * s0 + b * s1 + r % d2 * s2];
  }
}

__global__ void lower_bound_search(const int* sorted, const int* keys, int* places, int n, int queries) {
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= queries) return;
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (sorted[middle] < keys[q])
      low = middle + 1;
    else
      high = middle;
  }
  places[q] = low;
}

__global__ void lower_bound_count(const int* sorted, const int* keys, int* places, int n, int queries) {
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= queries) return;
  int first = 0, count = n;
  while (count > 0) {
    int step = count / 2;
    if (sorted[first + step] < keys[q]) {
      first += step + 1;
      count -= step + 1;
    } else {
      count = step;
    }
  }
  places[q] = first;
}

// All rows below the diagonal, two counters that move together.
__global__ void pairs(const float* x, float* out, int n) {
  float sum = 0;
  for (int i = 0, j = n - 1; i < j; i++, j--) sum += x[i] * x[j];
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) sum += x[i] - x[j];
  out[threadIdx.x] = sum;
}

__global__ void unsigned_countdown(float* data, u32 n) {
  for (u32 i = n; i-- > 0;) data[i * blockDim.x + threadIdx.x] *= 0.5f;
}

__global__ void escape_time(int* out, int width, float x0, float y0, float step, int limit) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  float cx = x0 + px * step, cy = y0 + py * step, x = 0, y = 0;
  int i = 0;
  while (x * x + y * y < 4.0f && i < limit) {
    float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    i++;
  }
  out[py * width + px] = i;
}

__global__ void sixty_four_bit_grid_stride(const double* in, double* out, unsigned long long n) {
  double sum = 0;
  for (unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += (unsigned long long)gridDim.x * blockDim.x)
    sum += in[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void pointer_loop(const float* begin, const float* end, float* out) {
  float sum = 0;
  for (const float* p = begin + threadIdx.x; p < end; p += blockDim.x) sum += *p;
  out[threadIdx.x] = sum;
}

__global__ void linked_list(const int* next, const int* heads, int* lengths) {
  int length = 0;
  for (int node = heads[threadIdx.x]; node != -1; node = next[node]) length++;
  lengths[threadIdx.x] = length;
}
