// Solvers, simulations and finance once more.
#include <cstdint>
extern "C" {

__global__ void waxpby(const double* __restrict__ x, const double* __restrict__ y, double* __restrict__ w, int n, double a, double b) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) w[i] = a * x[i] + b * y[i];
}

__global__ void jacobi_tile(const double* __restrict__ in, const double* __restrict__ right, double* __restrict__ out, int w, int h) {
  __shared__ double s[10][34];
  int x0 = blockIdx.x * 32, y0 = blockIdx.y * 8;
  for (int i = threadIdx.y * 32 + threadIdx.x; i < 340; i += 256) {
    int x = x0 + i % 34, y = y0 + i / 34;
    if (x < w && y < h) s[i / 34][i % 34] = in[y * w + x];
  }
  __syncthreads();
  int x = x0 + threadIdx.x + 1, y = y0 + threadIdx.y + 1, tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  if (x >= w - 1 || y >= h - 1) return;
  out[y * w + x] = 0.25 * (s[ty - 1][tx] + s[ty + 1][tx] + s[ty][tx - 1] + s[ty][tx + 1] - right[y * w + x]);
}

// the last block adds up what all have found
__global__ void dot_last_block(const float* __restrict__ a, const float* __restrict__ b, float* sums, unsigned* arrived, float* out,
                               int n) {
  __shared__ float s[256];
  __shared__ bool is_last;
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) sum += a[i] * b[i];
  s[t] = sum;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0) {
    sums[blockIdx.x] = s[0];
    __threadfence();
    is_last = atomicAdd(arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  sum = 0;
  for (int i = t; i < gridDim.x; i += 256) sum += ((volatile float*)sums)[i];
  s[t] = sum;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}

// a system of a tridiagonal matrix for each thread, systems side by side
__global__ void thomas(const float* __restrict__ lower, const float* __restrict__ upper, float* __restrict__ c, float* __restrict__ d,
                       int rows, int systems) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= systems) return;
  float last_c = 0, last_d = 0;
  for (int i = 0; i < rows; ++i) {
    int at = i * systems + s;
    float m = 1 / (4 - lower[at] * last_c);
    last_c = upper[at] * m;
    last_d = (d[at] - lower[at] * last_d) * m;
    c[at] = last_c, d[at] = last_d;
  }
  for (int i = rows - 2; i >= 0; --i) {
    int at = i * systems + s;
    last_d = d[at] - c[at] * last_d;
    d[at] = last_d;
  }
}

// the same by cyclic reduction, a block for a system, a thread for a row
__global__ void cyclic_reduction(const float* __restrict__ lower, const float* __restrict__ upper, float* __restrict__ right) {
  __shared__ float a[2][512], b[2][512], c[2][512], d[2][512];
  int t = threadIdx.x, n = blockDim.x, at = blockIdx.x * n + t, from = 0;
  a[0][t] = t > 0 ? lower[at] : 0, b[0][t] = 4, c[0][t] = t < n - 1 ? upper[at] : 0, d[0][t] = right[at];
  __syncthreads();
  for (int step = 1; step < n; step *= 2) {
    float na = 0, nb = b[from][t], nc = 0, nd = d[from][t];
    if (t >= step) {
      float k = a[from][t] / b[from][t - step];
      na = -a[from][t - step] * k, nb -= c[from][t - step] * k, nd -= d[from][t - step] * k;
    }
    if (t + step < n) {
      float k = c[from][t] / b[from][t + step];
      nc = -c[from][t + step] * k, nb -= a[from][t + step] * k, nd -= d[from][t + step] * k;
    }
    from ^= 1;
    a[from][t] = na, b[from][t] = nb, c[from][t] = nc, d[from][t] = nd;
    __syncthreads();
  }
  right[at] = d[from][t] / b[from][t];
}

// elimination of a matrix of 32 x 32 in shared memory, a warp for a matrix
__global__ void eliminate32(double* matrices) {
  __shared__ double m[32][33];
  int t = threadIdx.x;
  double* own = matrices + (size_t)blockIdx.x * 1024;
  for (int i = 0; i < 32; ++i) m[i][t] = own[i * 32 + t] + (i == t ? 32 : 0);
  __syncwarp();
  for (int k = 0; k < 31; ++k) {
    double factor = t > k ? m[t][k] / m[k][k] : 0;
    for (int j = k + 1; j < 32; ++j)
      if (t > k) m[t][j] -= factor * m[k][j];
    if (t > k) m[t][k] = factor;
    __syncwarp();
  }
  for (int i = 0; i < 32; ++i) own[i * 32 + t] = m[i][t];
}

__global__ void stencil27(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1, z = blockIdx.z + 1;
  if (x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  float sum = 0;
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) sum += in[((z + dz) * ny + y + dy) * nx + x + dx] * (1.0f / (1 + dx * dx + dy * dy + dz * dz));
  out[(z * ny + y) * nx + x] = sum;
}

// what was there before comes from where the flow came from
__global__ void advect(const float* __restrict__ q, const float2* __restrict__ flow, float* __restrict__ out, int w, int h, float dt) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float2 f = flow[y * w + x];
  float sx = fminf(fmaxf(x - dt * f.x, 0), w - 1.001f), sy = fminf(fmaxf(y - dt * f.y, 0), h - 1.001f);
  int ix = (int)sx, iy = (int)sy;
  float fx = sx - ix, fy = sy - iy;
  const float* at = q + iy * w + ix;
  out[y * w + x] = (at[0] * (1 - fx) + at[1] * fx) * (1 - fy) + (at[w] * (1 - fx) + at[w + 1] * fx) * fy;
}

__global__ void shallow_water(const float* __restrict__ h, const float* __restrict__ u, const float* __restrict__ v,
                              float* __restrict__ out, int w, int rows, float k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= rows - 1) return;
  int i = y * w + x;
  auto flux = [&](int j, const float* s) { return h[j] * s[j]; };
  float speed = fabsf(u[i]) + fabsf(v[i]) + sqrtf(9.81f * h[i]);
  float dx = flux(i + 1, u) - flux(i - 1, u), dy = flux(i + w, v) - flux(i - w, v);
  float lap = h[i + 1] + h[i - 1] + h[i + w] + h[i - w] - 4 * h[i];
  out[i] = h[i] - 0.5f * k * (dx + dy) + 0.25f * k * speed * lap;
}

// densities from particles of cells, whose bounds are in a list
__global__ void cell_densities(const float4* __restrict__ points, const int* __restrict__ starts, float* __restrict__ out, int cells,
                               float radius) {
  int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells) return;
  for (int i = starts[cell]; i < starts[cell + 1]; ++i) {
    float4 p = points[i];
    float sum = 0;
    for (int j = starts[cell]; j < starts[cell + 1]; ++j) {
      float4 q = points[j];
      float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, d = radius * radius - dx * dx - dy * dy - dz * dz;
      if (d > 0) sum += d * d * d;
    }
    out[i] = sum;
  }
}

__global__ void screened_forces(const float4* __restrict__ atoms, float* __restrict__ energies, int n, float alpha) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p = atoms[i];
  float sum = 0;
  for (int j = 0; j < n; ++j) {
    float4 q = atoms[j];
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, r2 = dx * dx + dy * dy + dz * dz;
    if (r2 > 0 && r2 < 0.25f) {
      float r = sqrtf(r2);
      sum += p.w * q.w * erfcf(alpha * r) / r;
    }
  }
  energies[i] = sum;
}

__global__ void twister_step(const unsigned* __restrict__ in, unsigned* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned y = (in[i] & 0x80000000u) | (in[(i + 1) % n] & 0x7fffffffu);
  unsigned v = in[(i + 397) % n] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
  v ^= v >> 11;
  v ^= v << 7 & 0x9d2c5680u;
  v ^= v << 15 & 0xefc60000u;
  out[i] = v ^ v >> 18;
}

// an option by a tree of prices, a block for an option
__global__ void option_tree(const float* __restrict__ spots, const float* __restrict__ strikes, float* __restrict__ out, int steps) {
  __shared__ float value[1024];
  int t = threadIdx.x;
  float spot = 50 + 100 * spots[blockIdx.x], strike = 50 + 100 * strikes[blockIdx.x], up = expf(0.2f / sqrtf((float)steps)),
        p = (1.0002f - 1 / up) / (up - 1 / up);
  if (t <= steps) value[t] = fmaxf(spot * powf(up, 2 * t - steps) - strike, 0);
  __syncthreads();
  for (int s = steps - 1; s >= 0; --s) {
    float next = t <= s ? (p * value[t + 1] + (1 - p) * value[t]) * 0.9998f : 0;
    __syncthreads();
    if (t <= s) value[t] = next;
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = value[0];
}

// paths of a price and its variance
__global__ void heston(float* __restrict__ out, int steps, float kappa, float theta) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned state = i * 747796405u + 2891336453u;
  float price = 100, v = theta;
  for (int s = 0; s < steps; ++s) {
    state = state * 1664525u + 1013904223u;
    float a = (state >> 8) * 5.9604645e-8f + 1e-7f;
    state = state * 1664525u + 1013904223u;
    float b = (state >> 8) * 6.2831853f / 16777216, r = sqrtf(-2 * __logf(a)), root = sqrtf(fmaxf(v, 0) * 0.01f);
    price *= __expf(-0.005f * v + root * r * __cosf(b));
    v += kappa * (theta - v) * 0.01f + 0.3f * root * r * __sinf(b);
  }
  out[i] = fmaxf(price - 100, 0);
}

__global__ void horner(const float* __restrict__ x, const float* __restrict__ coefficients, float* __restrict__ y, int n, int degree) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float at = x[i], sum = 0;
  for (int k = degree; k >= 0; --k) sum = sum * at + coefficients[k];
  y[i] = sum;
}

// Kepler's equation, until it is exact
__global__ void kepler(const double* __restrict__ mean, const double* __restrict__ eccentricity, double* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double m = 6.283185307179586 * mean[i], e = eccentricity[i], a = m;
  for (int k = 0; k < 50; ++k) {
    double step = (a - e * sin(a) - m) / (1.0001 - e * cos(a));
    a -= step;
    if (fabs(step) < 1e-12) break;
  }
  out[i] = a;
}

__global__ void pendulums(float2* states, int n, int steps, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 s = states[i];
  auto slope = [](float2 at) { return make_float2(at.y, -9.81f * sinf(at.x) - 0.1f * at.y); };
  for (int k = 0; k < steps; ++k) {
    float2 a = slope(s), b = slope(make_float2(s.x + dt / 2 * a.x, s.y + dt / 2 * a.y)),
           c = slope(make_float2(s.x + dt / 2 * b.x, s.y + dt / 2 * b.y)), d = slope(make_float2(s.x + dt * c.x, s.y + dt * c.y));
    s.x += dt / 6 * (a.x + 2 * b.x + 2 * c.x + d.x), s.y += dt / 6 * (a.y + 2 * b.y + 2 * c.y + d.y);
  }
  states[i] = s;
}

// random walks within a circle until they reach it
__global__ void walks(const float2* __restrict__ begins, float* __restrict__ out, int n, unsigned seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 p = begins[i];
  p.x = 1.4f * p.x - 0.7f, p.y = 1.4f * p.y - 0.7f;
  unsigned h = i * 2654435769u ^ seed;
  int k = 0;
  for (; k < 200; ++k) {
    float left = 1 - sqrtf(p.x * p.x + p.y * p.y);
    if (left < 0.001f) break;
    h = (h ^ h >> 15) * 2246822519u + 1;
    float s, c;
    __sincosf((h >> 8) * (6.2831853f / 16777216), &s, &c);
    p.x += left * c, p.y += left * s;
  }
  out[i] = p.x + k;
}

// spins of one colour of a chessboard
__global__ void ising(signed char* spins, const float* __restrict__ draws, int w, int h, int colour, float beta) {
  int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y * blockDim.y + threadIdx.y;
  x += y + colour & 1;
  if (x >= w || y >= h) return;
  int sum = (spins[y * w + (x + 1) % w] & 1) + (spins[y * w + (x + w - 1) % w] & 1) + (spins[(y + 1) % h * w + x] & 1) +
            (spins[(y + h - 1) % h * w + x] & 1);
  int own = spins[y * w + x] & 1;
  float energy = (2 * own - 1) * (2 * sum - 4);
  if (draws[y * w + x] < __expf(-2 * beta * energy)) spins[y * w + x] = own ^ 1;
}

// prime numbers up to n by a sieve in shared memory, a block for a segment
__global__ void sieve(const int* __restrict__ primes, int* __restrict__ counts, int many) {
  __shared__ uint8_t crossed[8192];
  __shared__ int total;
  int t = threadIdx.x, base = blockIdx.x * 8192;
  for (int i = t; i < 8192; i += blockDim.x) crossed[i] = 0;
  if (t == 0) total = 0;
  __syncthreads();
  for (int k = t; k < many; k += blockDim.x) {
    int p = 2 * (primes[k] % 500) + 3, first = (base + p - 1) / p * p - base;
    for (int i = first; i < 8192; i += p) crossed[i] = 1;
  }
  __syncthreads();
  int own = 0;
  for (int i = t; i < 8192; i += blockDim.x) own += !crossed[i];
  atomicAdd(&total, own);
  __syncthreads();
  if (t == 0) counts[blockIdx.x] = total;
}
}
