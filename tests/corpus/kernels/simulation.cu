// Bodies, particles, money and chance.
// nvcc sm_80
// nvcc sm_86
// clang-19 sm_62
#include "subset.h"

__global__ void nbody_forces(const float4* pos, float4* acc, int n, float softening) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p = pos[i];
  float ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; j++) {
    float4 q = pos[j];
    float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
    float inv = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
    float s = q.w * inv * inv * inv;
    ax += dx * s;
    ay += dy * s;
    az += dz * s;
  }
  acc[i].x = ax;
  acc[i].y = ay;
  acc[i].z = az;
}

__global__ void leapfrog(float4* pos, float4* vel, const float4* acc, int n, float dt) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    vel[i].x += acc[i].x * dt;
    vel[i].y += acc[i].y * dt;
    vel[i].z += acc[i].z * dt;
    pos[i].x += vel[i].x * dt;
    pos[i].y += vel[i].y * dt;
    pos[i].z += vel[i].z * dt;
  }
}

// Neighbours in the 27 cells around a particle; where a cell begins and ends stands in memory.
__global__ void cell_collisions(const float4* pos, const int* cell_start, const int* cell_end, float4* force, int n,
                                int grid_size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p = pos[i];
  int cx = (int)p.x, cy = (int)p.y, cz = (int)p.z;
  float fx = 0, fy = 0, fz = 0;
  for (int z = -1; z <= 1; z++)
    for (int y = -1; y <= 1; y++)
      for (int x = -1; x <= 1; x++) {
        int gx = (cx + x) & (grid_size - 1), gy = (cy + y) & (grid_size - 1), gz = (cz + z) & (grid_size - 1);
        int hash = (gz * grid_size + gy) * grid_size + gx;
        int start = cell_start[hash];
        if (start == -1) continue;
        for (int j = start; j < cell_end[hash]; j++) {
          if (j == i) continue;
          float dx = pos[j].x - p.x, dy = pos[j].y - p.y, dz = pos[j].z - p.z;
          float d2 = dx * dx + dy * dy + dz * dz;
          if (d2 < 1.0f) {
            float w = 1.0f - d2;
            fx -= w * dx;
            fy -= w * dy;
            fz -= w * dz;
          }
        }
      }
  force[i].x = fx;
  force[i].y = fy;
  force[i].z = fz;
}

__device__ unsigned int lcg(unsigned int& s) { return s = s * 1664525u + 1013904223u; }

__global__ void pi_samples(int* hits, int samples, unsigned int seed) {
  unsigned int s = seed + (blockIdx.x * blockDim.x + threadIdx.x) * 7919u;
  int inside = 0;
  for (int i = 0; i < samples; i++) {
    float x = (lcg(s) >> 8) * (1.0f / 16777216.0f), y = (lcg(s) >> 8) * (1.0f / 16777216.0f);
    inside += x * x + y * y <= 1.0f;
  }
  atomicAdd(hits, inside);
}

// Marsaglia's polar method draws until a point falls into the circle.
__global__ void normal_polar(float* out, int n, unsigned int seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned int s = seed ^ i;
  float u, v, r;
  do {
    u = (lcg(s) >> 8) * (2.0f / 16777216.0f) - 1.0f;
    v = (lcg(s) >> 8) * (2.0f / 16777216.0f) - 1.0f;
    r = u * u + v * v;
  } while (r >= 1.0f || r == 0.0f);
  out[i] = u * sqrtf(r);
}

__global__ void poisson_knuth(int* out, int n, float limit, unsigned int seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned int s = seed ^ (i * 977u);
  int k = 0;
  float p = 1.0f;
  do {
    k++;
    p *= (lcg(s) >> 8) * (1.0f / 16777216.0f);
  } while (p > limit);
  out[i] = k - 1;
}

__global__ void asian_option(float* payoff, int paths, int steps, float drift, float vol, float strike, unsigned int seed) {
  for (int path = blockIdx.x * blockDim.x + threadIdx.x; path < paths; path += blockDim.x * gridDim.x) {
    unsigned int s = seed + path;
    float price = 100.0f, sum = 0;
    for (int t = 0; t < steps; t++) {
      float z = 0;
      for (int i = 0; i < 12; i++) z += (lcg(s) >> 8) * (1.0f / 16777216.0f);
      price *= __expf(drift + vol * (z - 6.0f));
      sum += price;
    }
    payoff[path] = max(sum / steps - strike, 0.0f);
  }
}

// The tree of Cox, Ross and Rubinstein, folded from its leaves.
__global__ void binomial_option(const float* leaves, float* value, int steps, float up, float down) {
  extern __shared__ float v[];
  for (int i = threadIdx.x; i <= steps; i += blockDim.x) v[i] = leaves[blockIdx.x * (steps + 1) + i];
  for (int t = steps; t > 0; t--) {
    __syncthreads();
    for (int base = 0; base < t; base += blockDim.x) {
      int i = base + threadIdx.x;
      float next = 0;
      if (i < t) next = up * v[i + 1] + down * v[i];
      __syncthreads();
      if (i < t) v[i] = next;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) value[blockIdx.x] = v[0];
}

// Thomas: one tridiagonal system for each thread, down and up again.
__global__ void thomas(const float* a, const float* b, const float* c, float* d, float* scratch, int systems, int n) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= systems) return;
  scratch[s] = c[s] / b[s];
  d[s] = d[s] / b[s];
  for (int i = 1; i < n; i++) {
    int at = i * systems + s;
    float m = 1.0f / (b[at] - a[at] * scratch[at - systems]);
    scratch[at] = c[at] * m;
    d[at] = (d[at] - a[at] * d[at - systems]) * m;
  }
  for (int i = n - 2; i >= 0; i--) d[i * systems + s] -= scratch[i * systems + s] * d[(i + 1) * systems + s];
}

// Cyclic reduction: strides double, then halve.
__global__ void cyclic_reduction(float* a, float* b, float* c, float* d, float* x, int n) {
  int stride = 1;
  int threads = n / 2;
  int t = threadIdx.x;
  while (threads > 1) {
    __syncthreads();
    stride *= 2;
    if (t < threads) {
      int i = stride * t + stride - 1, left = i - stride / 2, right = min(i + stride / 2, n - 1);
      float k1 = a[i] / b[left], k2 = c[i] / b[right];
      b[i] -= c[left] * k1 + a[right] * k2;
      d[i] -= d[left] * k1 + d[right] * k2;
      a[i] = -a[left] * k1;
      c[i] = -c[right] * k2;
    }
    threads /= 2;
  }
  __syncthreads();
  if (t == 0) x[stride - 1] = d[stride - 1] / b[stride - 1];
  for (threads = 1; threads < n; threads *= 2) {
    __syncthreads();
    if (t < threads && stride > 1) {
      int i = stride * t + stride / 2 - 1;
      x[i] = (d[i] - (i >= stride / 2 ? a[i] * x[i - stride / 2] : 0) - c[i] * x[i + stride / 2]) / b[i];
    }
    stride /= 2;
  }
}

struct Body {
  float x, y, z, radius;
  int first_child, next;
};

// Barnes and Hut: a stackless walk over a tree.
__global__ void tree_walk(const Body* nodes, float* potential, int n, float theta) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  int node = 0;
  while (node >= 0) {
    float dx = nodes[node].x - i, dy = nodes[node].y, dz = nodes[node].z;
    float d2 = dx * dx + dy * dy + dz * dz;
    if (nodes[node].first_child < 0 || nodes[node].radius * nodes[node].radius < theta * d2) {
      sum += rsqrtf(d2 + 0.01f);
      node = nodes[node].next;
    } else {
      node = nodes[node].first_child;
    }
  }
  potential[i] = sum;
}
