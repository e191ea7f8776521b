// CUDA samples, money, chance, roots and equations.
// nvcc sm_80
// nvcc sm_90
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

// BlackScholes.
__device__ float normal_distribution(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float c = 0.39894228f * __expf(-0.5f * d * d) *
            (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - c : c;
}
__launch_bounds__(128) __global__
    void black_scholes(float2* __restrict calls, float2* __restrict puts, float2* __restrict prices,
                       float2* __restrict strikes, float2* __restrict years, float rate, float volatility, int count) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= count / 2) return;
  float call[2], put[2];
  const float s[2] = {prices[i].x, prices[i].y}, x[2] = {strikes[i].x, strikes[i].y}, t[2] = {years[i].x, years[i].y};
  for (int k = 0; k < 2; k++) {
    float root = sqrtf(t[k]),
          d1 = (__logf(s[k] / x[k]) + (rate + 0.5f * volatility * volatility) * t[k]) / (volatility * root);
    float d2 = d1 - volatility * root, n1 = normal_distribution(d1), n2 = normal_distribution(d2),
          e = __expf(-rate * t[k]);
    call[k] = s[k] * n1 - x[k] * e * n2;
    put[k] = x[k] * e * (1.0f - n2) - s[k] * (1.0f - n1);
  }
  calls[i] = make_float2(call[0], call[1]);
  puts[i] = make_float2(put[0], put[1]);
}

// binomialOptions: 2048 steps, sixteen leaves for each of 128 threads.
struct Option {
  float s, x, v_by_dt, pu_by_df, pd_by_df;
};
__constant__ Option options[1024];
__device__ float call_values[1024];
__global__ void binomial_options() {
  constexpr int threads = 128, steps = 2048, per = steps / threads;
  cg::thread_block block = cg::this_thread_block();
  __shared__ float exchange[threads + 1];
  const int tid = threadIdx.x;
  const Option& o = options[blockIdx.x];
  float call[per + 1];
#pragma unroll
  for (int i = 0; i < per; ++i) {
    float d = o.s * __expf(o.v_by_dt * (2.0f * (tid * per + i) - steps)) - o.x;
    call[i] = d > 0 ? d : 0;
  }
  if (tid == 0) exchange[threads] = fmaxf(o.s * __expf(o.v_by_dt * steps) - o.x, 0);
  int last = max(0, tid * per - 1);
  for (int i = steps; i > 0; --i) {
    exchange[tid] = call[0];
    cg::sync(block);
    call[per] = exchange[tid + 1];
    cg::sync(block);
    if (i > last) {
#pragma unroll
      for (int j = 0; j < per; ++j) call[j] = o.pu_by_df * call[j + 1] + o.pd_by_df * call[j];
    }
  }
  if (tid == 0) call_values[blockIdx.x] = call[0];
}

// MonteCarloMultiGPU: a block for each option, paths by block-stride, a sum of the block.
struct McOption {
  float s, x, mu_by_t, v_by_sqrt_t;
};
__global__ void monte_carlo_options(const float* __restrict random, const McOption* __restrict options,
                                    float2* __restrict values, int paths, int count) {
  constexpr int n = 256;
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  __shared__ float sum[n], sum2[n];
  for (int option = blockIdx.x; option < count; option += gridDim.x) {
    const float s = options[option].s, x = options[option].x, mu = options[option].mu_by_t,
                v = options[option].v_by_sqrt_t;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
      float a = 0, b = 0;
#pragma unroll 8
      for (int p = i; p < paths; p += n) {
        float call = fmaxf(s * __expf(mu + v * random[p]) - x, 0.0f);
        a += call;
        b += call * call;
      }
      sum[i] = a;
      sum2[i] = b;
    }
    cg::sync(block);
    float beta = cg::reduce(tile, sum[threadIdx.x], cg::plus<float>()),
          beta2 = cg::reduce(tile, sum2[threadIdx.x], cg::plus<float>());
    if (tile.thread_rank() == 0) {
      sum[threadIdx.x] = beta;
      sum2[threadIdx.x] = beta2;
    }
    cg::sync(block);
    if (threadIdx.x == 0) {
      beta = beta2 = 0;
      for (int i = 0; i < blockDim.x; i += tile.size()) {
        beta += sum[i];
        beta2 += sum2[i];
      }
      values[option] = make_float2(beta, beta2);
    }
    cg::sync(block);
  }
}

// SobolQRNG: the power of two of the grid is the stride; the directions of a step by the lowest zero bit.
__global__ void sobol(unsigned vectors, unsigned dimensions, const unsigned* directions, float* out) {
  cg::thread_block block = cg::this_thread_block();
  __shared__ unsigned v[32];
  directions += 32 * blockIdx.y;
  out += vectors * blockIdx.y;
  if (threadIdx.x < 32) v[threadIdx.x] = directions[threadIdx.x];
  cg::sync(block);
  int i0 = threadIdx.x + blockIdx.x * blockDim.x, stride = gridDim.x * blockDim.x;
  unsigned g = i0 ^ (i0 >> 1), x = 0, mask = 0;
  for (unsigned k = 0; k < __ffs(stride) - 1; k++) {
    mask = -(g & 1);
    x ^= mask & v[k];
    g = g >> 1;
  }
  if (i0 < vectors) out[i0] = (float)x * 2.3283064e-10f;
  unsigned v_log2stride = v[__ffs(stride) - 2], v_mask;
  for (unsigned i = i0 + stride; i < vectors; i += stride) {
    x ^= v_log2stride ^ v[__ffs(~((i - stride) | (stride - 1))) - 1];
    v_mask = x;
    out[i] = (float)v_mask * 2.3283064e-10f;
  }
}

// quasirandomGenerator: sums over the bits of the number, and the inverse of the normal distribution.
__constant__ unsigned quasi_table[3][31];
__global__ void quasirandom(float* out, unsigned seed, unsigned n) {
  const unsigned* directions = quasi_table[threadIdx.y];
  const unsigned tid = blockDim.x * blockIdx.x + threadIdx.x, threads = blockDim.x * gridDim.x;
  for (unsigned pos = tid; pos < n; pos += threads) {
    unsigned result = 0, data = seed + pos;
    for (int bit = 0; bit < 31; bit++, data >>= 1)
      if (data & 1) result ^= directions[bit];
    out[threadIdx.y * n + pos] = (float)(result + 1) * (1.0f / 2147483648.0f);
  }
}
__device__ float inverse_normal(unsigned x) {
  bool negate = false;
  if (x >= 0x80000000u) {
    x = 0xffffffffu - x;
    negate = true;
  }
  float x1 = 1.0f / 4294967296.0f, x2 = x1 / 2.0f, p = x * x1 + x2 - 0.5f, z;
  if (p > -0.425f) {
    float r = 0.180625f - p * p;
    z = p * (((-25.44f * r + 41.39f) * r - 18.61f) * r + 2.5f) /
        ((((3.13f * r - 21.06f) * r + 23.08f) * r - 8.47f) * r + 1.0f);
  } else {
    float r = __logf(-__logf(p + 0.5f));
    z = 0.3374754f + r * (0.9761690f + r * (0.1607979f + r * (0.0276438f + r * (0.0038405f + r * 0.0003951f))));
  }
  return negate ? -z : z;
}
__global__ void inverse_normal_of_range(float* out, const unsigned* in, unsigned n) {
  unsigned distance = 0xffffffffu / (n + 1), tid = blockDim.x * blockIdx.x + threadIdx.x,
           threads = blockDim.x * gridDim.x;
  if (in) {
    for (unsigned pos = tid; pos < n; pos += threads) out[pos] = inverse_normal(in[pos]);
  } else {
    for (unsigned pos = tid; pos < n; pos += threads) out[pos] = inverse_normal((pos + 1) * distance);
  }
}

// MersenneTwister: 4096 small twisters; and Box and Muller.
__constant__ unsigned twister_parameters[4096][3];
__global__ void twister_numbers(float* random, const unsigned* seeds, int per_generator) {
  const int tid = blockDim.x * blockIdx.x + threadIdx.x;
  unsigned state[19], matrix_a = twister_parameters[tid & 4095][0], mask_b = twister_parameters[tid & 4095][1],
                      mask_c = twister_parameters[tid & 4095][2];
  state[0] = seeds[tid];
  for (int i = 1; i < 19; i++) state[i] = 1812433253u * (state[i - 1] ^ (state[i - 1] >> 30)) + i;
  int at = 0;
  unsigned first = state[0];
  for (int out = 0; out < per_generator; out++) {
    int next = at + 1, middle = at + 9;
    if (next >= 19) next -= 19;
    if (middle >= 19) middle -= 19;
    unsigned current = first;
    first = state[next];
    unsigned x = (current & 0xfffffffeu) | (first & 1);
    x = state[middle] ^ (x >> 1) ^ (x & 1 ? matrix_a : 0);
    state[at] = x;
    at = next;
    x ^= x >> 12;
    x ^= (x << 7) & mask_b;
    x ^= (x << 15) & mask_c;
    x ^= x >> 18;
    random[tid + out * blockDim.x * gridDim.x] = ((float)x + 1.0f) / 4294967296.0f;
  }
}
__global__ void box_muller(float* random, int per_generator) {
  const int tid = blockDim.x * blockIdx.x + threadIdx.x, stride = blockDim.x * gridDim.x;
  for (int out = 0; out < per_generator; out += 2) {
    float u1 = random[tid + out * stride], u2 = random[tid + (out + 1) * stride];
    float r = sqrtf(-2.0f * logf(u1)), phi = 2 * 3.14159265f * u2;
    random[tid + out * stride] = r * __cosf(phi);
    random[tid + (out + 1) * stride] = r * __sinf(phi);
  }
}

// MC_EstimatePiP, MC_EstimatePiQ: points from memory.
__device__ unsigned sum_of_counts(unsigned value, cg::thread_block block) {
  extern __shared__ unsigned counts[];
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  unsigned lane_sum = cg::reduce(tile, value, cg::plus<unsigned>());
  if (tile.thread_rank() == 0) counts[tile.meta_group_rank()] = lane_sum;
  cg::sync(block);
  if (block.thread_rank() == 0) {
    lane_sum = 0;
    for (int i = 0; i < tile.meta_group_size(); i++) lane_sum += counts[i];
  }
  return lane_sum;
}
__global__ void estimate_pi(unsigned* results, const float* points, unsigned simulations) {
  cg::thread_block block = cg::this_thread_block();
  unsigned tid = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x, inside = 0;
  const float* px = points + tid;
  const float* py = px + simulations;
  for (unsigned i = tid; i < simulations; i += step, px += step, py += step) {
    float x = *px, y = *py;
    if (x * x + y * y < 1) inside++;
  }
  inside = sum_of_counts(inside, block);
  if (threadIdx.x == 0) results[blockIdx.x] = inside;
}

// MC_SingleAsianOptionP: paths and their value.
__global__ void asian_paths(const float* random, float* paths, unsigned simulations, unsigned steps, float s, float dt,
                            float r, float sigma) {
  unsigned tid = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  float drift = (r - 0.5f * sigma * sigma) * dt, diffusion = sigma * sqrtf(dt);
  for (unsigned i = tid; i < simulations; i += step) {
    const float* z = random + i;
    float* out = paths + i;
    float value = s;
    for (unsigned t = 0; t < steps; t++, z += simulations, out += simulations) {
      value = value * expf(drift + diffusion * *z);
      *out = value;
    }
  }
}
__global__ void asian_values(float* values, const float* paths, unsigned simulations, unsigned steps, float strike,
                             bool call) {
  unsigned tid = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  float sum = 0;
  for (unsigned i = tid; i < simulations; i += step) {
    const float* path = paths + i;
    float average = 0;
    for (unsigned t = 0; t < steps; t++, path += simulations) average += *path;
    average /= steps;
    sum += fmaxf(0.0f, call ? average - strike : strike - average);
  }
  values[tid] = sum;
}

// Mandelbrot: blocks of the picture, in single and in double precision.
template <typename T>
__device__ int iterations_of(T x0, T y0, T jx, T jy, int limit, bool julia) {
  T x = x0, y = y0, xx = x * x, yy = y * y, cx = julia ? jx : x0, cy = julia ? jy : y0;
  int i = limit;
  while (i && xx + yy < T(4.0)) {
    y = x * y * T(2.0) + cy;
    x = xx - yy + cx;
    yy = y * y;
    xx = x * x;
    i--;
  }
  return i;
}
template <typename T>
__device__ void paint_mandelbrot(uchar4* out, int w, int h, int limit, T x_off, T y_off, T jx, T jy, T scale,
                                 uchar4 colors, int frame, int animation, int grid_width, int blocks, bool julia) {
  for (unsigned b = blockIdx.x; b < blocks; b += gridDim.x) {
    unsigned bx = b % grid_width, by = b / grid_width;
    const int ix = blockDim.x * bx + threadIdx.x, iy = blockDim.y * by + threadIdx.y;
    if (ix < w && iy < h) {
      int m = iterations_of<T>((T)ix * scale + x_off, (T)iy * scale + y_off, jx, jy, limit, julia);
      m = m > 0 ? limit - m : 0;
      uchar4 c = make_uchar4(0, 0, 0, 0);
      if (m) {
        m += animation;
        c = make_uchar4(m * colors.x, m * colors.y, m * colors.z, 0);
      }
      int pixel = w * iy + ix;
      if (frame == 0) {
        out[pixel] = c;
      } else {
        int f = frame + 1, half = f / 2;
        uchar4 o = out[pixel];
        out[pixel] = make_uchar4((o.x * frame + c.x + half) / f, (o.y * frame + c.y + half) / f,
                                 (o.z * frame + c.z + half) / f, 0);
      }
    }
  }
}
__global__ void mandelbrot_float(uchar4* out, int w, int h, int limit, float x, float y, float jx, float jy,
                                 float scale, uchar4 colors, int frame, int animation, int grid_width, int blocks,
                                 bool julia) {
  paint_mandelbrot<float>(out, w, h, limit, x, y, jx, jy, scale, colors, frame, animation, grid_width, blocks, julia);
}
__global__ void mandelbrot_double(uchar4* out, int w, int h, int limit, double x, double y, double jx, double jy,
                                  double scale, uchar4 colors, int frame, int animation, int grid_width, int blocks,
                                  bool julia) {
  paint_mandelbrot<double>(out, w, h, limit, x, y, jx, jy, scale, colors, frame, animation, grid_width, blocks, julia);
}

// interval: Newton with a stack of intervals for each thread; and by recursion, of a depth that the host sets.
struct Interval {
  double lower, upper;
};
__device__ Interval f_of(Interval x, int thread) {
  double a = 1.0 + 0.02 * thread;
  double l = __dmul_rd(x.lower, x.lower), u = __dmul_ru(x.upper, x.upper);
  if (x.lower < 0 && x.upper > 0) {
    l = 0;
    u = fmax(__dmul_ru(x.lower, x.lower), u);
  }
  return {__dadd_rd(__dmul_rd(l, l), -a * u), __dadd_ru(__dmul_ru(u, u), -a * l)};
}
__device__ Interval f_derived(Interval x, int thread) {
  return {__dmul_rd(4 * x.lower, x.lower * x.lower) - 2.2 - thread, __dmul_ru(4 * x.upper, x.upper * x.upper) + 2.2};
}
__device__ bool has_zero(Interval x) { return x.lower <= 0 && x.upper >= 0; }
__device__ bool is_small(Interval x) { return x.upper - x.lower < 1e-6 * fmax(fabs(x.upper + x.lower), 1.0); }
__global__ void interval_newton(Interval* buffer, int* counts, Interval start, int threads_used, int stack_size) {
  extern __shared__ Interval unused_intervals[];
  const int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid >= threads_used) return;
  Interval stack[128];
  int top = 0, found = 0;
  stack[top++] = start;
  while (top > 0) {
    Interval x = stack[--top];
    if (!has_zero(f_of(x, tid))) continue;
    if (is_small(x)) {
      buffer[tid * 128 + (found++ & 127)] = x;
      continue;
    }
    double mid = 0.5 * (x.lower + x.upper);
    Interval at = f_of({mid, mid}, tid), d = f_derived(x, tid);
    Interval parts[2];
    bool split = has_zero(d);
    if (split) {
      parts[0] = {x.lower, mid};
      parts[1] = {mid, x.upper};
    } else {
      double a = mid - at.upper / d.lower, b = mid - at.lower / d.upper;
      parts[0] = {fmax(x.lower, fmin(a, b)), fmin(x.upper, fmax(a, b))};
    }
    if (split && top < 127) stack[top++] = parts[1];
    if (parts[0].lower <= parts[0].upper) stack[top++] = parts[0];
  }
  counts[tid] = found;
}

// eigenvalues: bisection; counts of smaller ones by Sturm's sequence, a thread for each interval.
__device__ unsigned smaller_than(const float* d, const float* s, unsigned n, float x) {
  float delta = d[0] - x;
  unsigned count = delta < 0;
  for (unsigned k = 1; k < n; ++k) {
    delta = d[k] - x - s[k - 1] * s[k - 1] / delta;
    count += delta < 0;
  }
  return count;
}
__global__ void bisect_small(const float* g_d, const float* g_s, const unsigned n, float* g_left, float* g_right,
                             unsigned* g_counts, float lg, float ug, unsigned lg_count, unsigned ug_count,
                             float epsilon) {
  cg::thread_block block = cg::this_thread_block();
  __shared__ float left[512], right[512];
  __shared__ unsigned left_count[512], right_count[512], compact[513], active, active_second, all_converged;
  const unsigned tid = threadIdx.x;
  left[tid] = right[tid] = 0;
  left_count[tid] = right_count[tid] = compact[tid] = 0;
  cg::sync(block);
  if (tid == 0) {
    left[0] = lg;
    right[0] = ug;
    left_count[0] = lg_count;
    right_count[0] = ug_count;
    active = 1;
    compact[512] = 0;
  }
  while (true) {
    all_converged = 1;
    cg::sync(block);
    float l = 0, r = 0, m = 0;
    unsigned lc = 0, rc = 0, mc = 0;
    bool converged = true, two = false;
    if (tid < active) {
      l = left[tid];
      r = right[tid];
      lc = left_count[tid];
      rc = right_count[tid];
      converged = r - l <= fmaxf(fabsf(l), fabsf(r)) * epsilon;
      if (!converged) {
        m = l + (r - l) * 0.5f;
        all_converged = 0;
      }
    }
    cg::sync(block);
    if (all_converged) break;
    if (tid < active && !converged) mc = smaller_than(g_d, g_s, n, m);
    compact[tid] = 0;
    cg::sync(block);
    if (tid < active && !converged) {
      two = mc > lc && mc < rc;
      if (mc == lc)
        l = m;
      else
        r = m;
      compact[tid] = two;
    }
    cg::sync(block);
    if (tid == 0) active_second = active;
    unsigned offset = 1;
    for (unsigned d = 256; d > 0; d >>= 1) {
      cg::sync(block);
      if (tid < d) compact[offset * (2 * tid + 2) - 1] += compact[offset * (2 * tid + 1) - 1];
      offset <<= 1;
    }
    unsigned added = compact[511];
    cg::sync(block);
    if (tid == 0) compact[511] = 0;
    for (unsigned d = 1; d < 512; d <<= 1) {
      offset >>= 1;
      cg::sync(block);
      if (tid < d) {
        unsigned t = compact[offset * (2 * tid + 1) - 1];
        compact[offset * (2 * tid + 1) - 1] = compact[offset * (2 * tid + 2) - 1];
        compact[offset * (2 * tid + 2) - 1] += t;
      }
    }
    cg::sync(block);
    if (tid < active) {
      left[tid] = l;
      right[tid] = two ? m : r;
      left_count[tid] = lc;
      right_count[tid] = two ? mc : rc;
      if (two) {
        unsigned to = active_second + compact[tid];
        left[to & 511] = m;
        right[to & 511] = r;
        left_count[to & 511] = mc;
        right_count[to & 511] = rc;
      }
    }
    cg::sync(block);
    if (tid == 0) active = min(active + added, 512u);
    cg::sync(block);
  }
  cg::sync(block);
  if (tid < n) {
    g_left[tid] = left[tid];
    g_right[tid] = right[tid];
    g_counts[tid] = right_count[tid];
  }
}

// fastWalshTransform: in shared memory by fours, from a logarithm of the size.
__global__ void fast_walsh_shared(float* out, const float* in, int log2n) {
  cg::thread_block block = cg::this_thread_block();
  extern __shared__ float data[];
  const int n = 1 << log2n, base = blockIdx.x << log2n;
  for (int pos = threadIdx.x; pos < n; pos += blockDim.x) data[pos] = in[base + pos];
  const int pos = threadIdx.x;
  for (int stride = n >> 2; stride > 0; stride >>= 2) {
    int lo = pos & (stride - 1), i0 = ((pos - lo) << 2) + lo, i1 = i0 + stride, i2 = i1 + stride, i3 = i2 + stride;
    cg::sync(block);
    float d0 = data[i0], d1 = data[i1], d2 = data[i2], d3 = data[i3], t = d0;
    d0 = d0 + d2;
    d2 = t - d2;
    t = d1;
    d1 = d1 + d3;
    d3 = t - d3;
    t = d0;
    data[i0] = d0 + d1;
    data[i1] = t - d1;
    t = d2;
    data[i2] = d2 + d3;
    data[i3] = t - d3;
  }
  if (log2n & 1) {
    cg::sync(block);
    for (int p = threadIdx.x; p < n / 2; p += blockDim.x) {
      int i0 = p << 1, i1 = i0 + 1;
      float d0 = data[i0], d1 = data[i1];
      data[i0] = d0 + d1;
      data[i1] = d0 - d1;
    }
  }
  cg::sync(block);
  for (int p = threadIdx.x; p < n; p += blockDim.x) out[base + p] = data[p];
}
__global__ void fast_walsh_modulate(float* a, const float* b, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x, threads = blockDim.x * gridDim.x;
  float scale = 1.0f / (float)n;
  for (int pos = tid; pos < n; pos += threads) a[pos] *= b[pos] * scale;
}

// conjugateGradientMultiBlockCG: the whole solver is one kernel, with barriers of the grid.
__device__ double grid_dot_result = 0;
__device__ void grid_spmv(const int* rows, const int* columns, const float* values, int n, float alpha, const float* x,
                          float* y, const cg::grid_group& grid) {
  for (int i = grid.thread_rank(); i < n; i += grid.size()) {
    int first = rows[i], next = rows[i + 1], count = next - first;
    float sum = 0;
    for (int j = 0; j < count; j++) sum += alpha * values[first + j] * x[columns[first + j]];
    y[i] = sum;
  }
}
__device__ void grid_axpy(float a, const float* x, float* y, int n, const cg::grid_group& grid) {
  for (int i = grid.thread_rank(); i < n; i += grid.size()) y[i] = a * x[i] + y[i];
}
__device__ void grid_dot(const float* a, const float* b, int n, const cg::thread_block& block,
                         const cg::grid_group& grid) {
  extern __shared__ double partial_dots[];
  double sum = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += (double)(a[i] * b[i]);
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  sum = cg::reduce(tile, sum, cg::plus<double>());
  if (tile.thread_rank() == 0) partial_dots[tile.meta_group_rank()] = sum;
  cg::sync(block);
  if (tile.meta_group_rank() == 0) {
    sum = tile.thread_rank() < tile.meta_group_size() ? partial_dots[tile.thread_rank()] : 0.0;
    sum = cg::reduce(tile, sum, cg::plus<double>());
    if (tile.thread_rank() == 0) atomicAdd(&grid_dot_result, sum);
  }
}
__global__ void conjugate_gradient(int* rows, int* columns, float* values, float* x, float* ax, float* p, float* r,
                                   double* dot_result, int nnz, int n, float tolerance) {
  cg::thread_block block = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  const int most = 10000;
  float a = 1, na = -1, r0 = 0, r1, b;
  grid_spmv(rows, columns, values, n, a, x, ax, grid);
  cg::sync(grid);
  grid_axpy(na, ax, r, n, grid);
  cg::sync(grid);
  grid_dot(r, r, n, block, grid);
  cg::sync(grid);
  r1 = grid_dot_result;
  int k = 1;
  while (r1 > tolerance * tolerance && k <= most) {
    if (k > 1) {
      b = r1 / r0;
      for (int i = grid.thread_rank(); i < n; i += grid.size()) p[i] = r[i] + b * p[i];
    } else {
      for (int i = grid.thread_rank(); i < n; i += grid.size()) p[i] = r[i];
    }
    cg::sync(grid);
    grid_spmv(rows, columns, values, n, a, p, ax, grid);
    if (threadIdx.x == 0 && blockIdx.x == 0) grid_dot_result = 0;
    cg::sync(grid);
    grid_dot(p, ax, n, block, grid);
    cg::sync(grid);
    a = r1 / grid_dot_result;
    grid_axpy(a, p, x, n, grid);
    na = -a;
    grid_axpy(na, ax, r, n, grid);
    r0 = r1;
    cg::sync(grid);
    if (threadIdx.x == 0 && blockIdx.x == 0) grid_dot_result = 0;
    cg::sync(grid);
    grid_dot(r, r, n, block, grid);
    cg::sync(grid);
    r1 = grid_dot_result;
    a = 1;
    k++;
  }
  if (grid.thread_rank() == 0) *dot_result = r1;
}
// conjugateGradientCudaGraphs.
__global__ void quotient(float* r1, float* r0, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) b[0] = r1[0] / r0[0];
}
__global__ void start_vectors(float* rhs, float* x, int n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    rhs[i] = 1.0f;
    x[i] = 0.0f;
  }
}

// jacobiCudaGraphs: rows of a block in shared memory, four rows at a time; and the error.
constexpr int jacobi_rows = 512, jacobi_block = 4;
__global__ void jacobi_method(const float* a, const double* b, float conv_threshold, double* x, double* x_new,
                              double* sum) {
  cg::thread_block block = cg::this_thread_block();
  __shared__ double x_shared[jacobi_rows], b_shared[jacobi_block + 1];
  for (int i = threadIdx.x; i < jacobi_rows; i += blockDim.x) x_shared[i] = x[i];
  if (threadIdx.x < jacobi_block)
    for (int k = threadIdx.x, i = k + blockIdx.x * jacobi_block; k < jacobi_block + 1 && i < jacobi_rows;
         k += jacobi_block, i += jacobi_block)
      b_shared[i % (jacobi_block + 1)] = b[i];
  cg::sync(block);
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  for (int k = 0, i = blockIdx.x * jacobi_block; k < jacobi_block && i < jacobi_rows; k++, i++) {
    double row_sum = 0;
    for (int j = threadIdx.x; j < jacobi_rows; j += blockDim.x) row_sum += (double)a[i * jacobi_rows + j] * x_shared[j];
    for (int offset = tile.size() / 2; offset > 0; offset /= 2) row_sum += tile.shfl_down(row_sum, offset);
    if (tile.thread_rank() == 0) atomicAdd(&b_shared[i % (jacobi_block + 1)], -row_sum);
  }
  cg::sync(block);
  if (threadIdx.x < jacobi_block) {
    cg::thread_block_tile<jacobi_block> four = cg::tiled_partition<jacobi_block>(block);
    double temp = 0;
    for (int k = threadIdx.x, i = k + blockIdx.x * jacobi_block; k < jacobi_block && i < jacobi_rows;
         k += jacobi_block, i += jacobi_block) {
      double dx = b_shared[i % (jacobi_block + 1)] / a[i * jacobi_rows + i];
      x_new[i] = x_shared[i] + dx;
      temp += fabs(dx);
    }
    for (int offset = four.size() / 2; offset > 0; offset /= 2) temp += four.shfl_down(temp, offset);
    if (four.thread_rank() == 0) atomicAdd(sum, temp);
  }
}

// FDTD3d: a column of the volume is kept in registers, the plane in shared memory; the halo by those at the edge.
constexpr int fd_radius = 4;
__constant__ float fd_stencil[fd_radius + 1];
__global__ void finite_differences_3d(float* out, const float* in, const int dim_x, const int dim_y, const int dim_z) {
  cg::thread_block block = cg::this_thread_block();
  bool valid = true;
  const int gx = blockIdx.x * blockDim.x + threadIdx.x, gy = blockIdx.y * blockDim.y + threadIdx.y, lx = threadIdx.x,
            ly = threadIdx.y;
  const int work_x = blockDim.x, work_y = blockDim.y, stride_y = dim_x + 2 * fd_radius,
            stride_z = stride_y * (dim_y + 2 * fd_radius);
  __shared__ float tile[16 + 2 * fd_radius][32 + 2 * fd_radius];
  int in_at = fd_radius * stride_y + fd_radius + gy * stride_y + gx, out_at = 0;
  const int tx = lx + fd_radius, ty = ly + fd_radius;
  float before[fd_radius], behind[fd_radius];
  if (gx >= dim_x + fd_radius || gy >= dim_y + fd_radius) valid = false;
  if (gx >= dim_x || gy >= dim_y) valid = false;
  for (int i = fd_radius - 2; i >= 0; i--) {
    behind[i] = in[in_at];
    in_at += stride_z;
  }
  float current = in[in_at];
  out_at = in_at;
  in_at += stride_z;
  for (int i = 0; i < fd_radius; i++) {
    before[i] = in[in_at];
    in_at += stride_z;
  }
#pragma unroll 9
  for (int iz = 0; iz < dim_z; iz++) {
    for (int i = fd_radius - 1; i > 0; i--) behind[i] = behind[i - 1];
    behind[0] = current;
    current = before[0];
#pragma unroll 4
    for (int i = 0; i < fd_radius - 1; i++) before[i] = before[i + 1];
    before[fd_radius - 1] = in[in_at];
    in_at += stride_z;
    out_at += stride_z;
    cg::sync(block);
    if (ly < fd_radius) {
      tile[ly][tx] = in[out_at - fd_radius * stride_y];
      tile[ly + work_y + fd_radius][tx] = in[out_at + work_y * stride_y];
    }
    if (lx < fd_radius) {
      tile[ty][lx] = in[out_at - fd_radius];
      tile[ty][lx + work_x + fd_radius] = in[out_at + work_x];
    }
    tile[ty][tx] = current;
    cg::sync(block);
    float value = fd_stencil[0] * current;
#pragma unroll 4
    for (int i = 1; i <= fd_radius; i++)
      value += fd_stencil[i] * (before[i - 1] + behind[i - 1] + tile[ty - i][tx] + tile[ty + i][tx] + tile[ty][tx - i] +
                                tile[ty][tx + i]);
    if (valid) out[out_at] = value;
  }
}

// simpleCUFFT.
__global__ void multiply_spectra(float2* a, const float2* b, int size, float scale) {
  const int threads = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += threads) {
    float2 p = a[i], q = b[i];
    a[i] = make_float2(scale * (p.x * q.x - p.y * q.y), scale * (p.x * q.y + p.y * q.x));
  }
}

// UnifiedMemoryPerf: products of matrices by tiles, of any order.
__global__ void matrix_multiply_any(float* c, const float* a, const float* b, unsigned n) {
  __shared__ float as[32][32], bs[32][32];
  unsigned row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (unsigned t = 0; t < (n + 31) / 32; t++) {
    as[threadIdx.y][threadIdx.x] = row < n && t * 32 + threadIdx.x < n ? a[row * n + t * 32 + threadIdx.x] : 0;
    bs[threadIdx.y][threadIdx.x] = column < n && t * 32 + threadIdx.y < n ? b[(t * 32 + threadIdx.y) * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < 32; k++) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

// MC_EstimatePiInlineP, MC_SingleAsianOptionP: the state of a generator (xorwow) is taken from memory.
struct Xorwow {
  unsigned d, v[5];
};
__device__ float uniform_of(Xorwow& s) {
  unsigned t = s.v[0] ^ (s.v[0] >> 2);
  s.v[0] = s.v[1];
  s.v[1] = s.v[2];
  s.v[2] = s.v[3];
  s.v[3] = s.v[4];
  s.v[4] = (s.v[4] ^ (s.v[4] << 4)) ^ (t ^ (t << 1));
  s.d += 362437;
  return (s.v[4] + s.d) * 2.3283064e-10f + 1.1641532e-10f;
}
__global__ void estimate_pi_inline(unsigned* results, const Xorwow* states, unsigned simulations) {
  cg::thread_block block = cg::this_thread_block();
  unsigned tid = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x, inside = 0;
  Xorwow local = states[tid];
  for (unsigned i = tid; i < simulations; i += step) {
    float x = uniform_of(local), y = uniform_of(local);
    if (x * x + y * y < 1) inside++;
  }
  inside = sum_of_counts(inside, block);
  if (threadIdx.x == 0) results[blockIdx.x] = inside;
}

// MC_EstimatePiInlineQ: Sobol's numbers, set to the place of the thread bit by bit.
struct SobolState {
  unsigned i, x, c, directions[32];
};
__device__ void start_sobol(const unsigned* directions, unsigned offset, SobolState* s) {
  for (int i = 0; i < 32; i++) s->directions[i] = directions[i];
  s->x = s->c = s->i = 0;
  if (offset > 0) {
    s->i += offset;
    unsigned gray = s->i ^ (s->i >> 1);
    for (unsigned bit = 0; gray; gray >>= 1, bit++)
      if (gray & 1) s->x ^= s->directions[bit];
  }
}
__device__ float next_of(SobolState* s) {
  unsigned result = s->x;
  s->x ^= s->directions[__ffs(~s->i) - 1];
  s->i++;
  return result * 2.3283064e-10f;
}
__global__ void estimate_pi_sobol(unsigned* results, SobolState* states, const unsigned* directions,
                                  unsigned simulations) {
  cg::thread_block block = cg::this_thread_block();
  unsigned tid = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x, inside = 0;
  start_sobol(directions, tid, &states[tid]);
  start_sobol(directions + 32, tid, &states[tid + step]);
  SobolState x_state = states[tid], y_state = states[tid + step];
  for (unsigned i = tid; i < simulations; i += step) {
    float x = next_of(&x_state), y = next_of(&y_state);
    if (x * x + y * y < 1) inside++;
  }
  inside = sum_of_counts(inside, block);
  if (threadIdx.x == 0) results[blockIdx.x] = inside;
}
