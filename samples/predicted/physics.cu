// Simulations on grids and of particles.
#include <cstdint>
extern "C" {

__global__ void nbody_tiles(const float4* __restrict__ bodies, float4* __restrict__ forces, int n) {
  extern __shared__ float4 tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = bodies[i];
  float ax = 0, ay = 0, az = 0;
  for (int begin = 0; begin < n; begin += blockDim.x) {
    tile[threadIdx.x] = bodies[begin + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < blockDim.x; k++) {
      float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z,
            inv = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
      float s = tile[k].w * inv * inv * inv;
      ax += dx * s, ay += dy * s, az += dz * s;
    }
    __syncthreads();
  }
  forces[i] = make_float4(ax, ay, az, 0);
}

__global__ void heat3d(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz, float c) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  int i = (z * ny + y) * nx + x, plane = nx * ny;
  out[i] = in[i] + c * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - plane] + in[i + plane] - 6 * in[i]);
}

// along z with what is above and below in registers
__global__ void wave3d_columns(const double* __restrict__ now, double* __restrict__ next, int nx, int ny, int nz,
                               double c) {
  __shared__ double tile[10][34];
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1, x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty, plane = nx * ny,
      i = plane + y * nx + x;
  if (x >= nx - 1 || y >= ny - 1) return;  // extents are 2 more than multiples of the tile
  double below = now[i - plane], here = now[i];
  for (int z = 1; z < nz - 1; z++, i += plane) {
    double above = now[i + plane];
    tile[ty][tx] = here;
    if (tx == 1) tile[ty][0] = now[i - 1];
    if (tx == 32) tile[ty][33] = now[i + 1];
    if (ty == 1) tile[0][tx] = now[i - nx];
    if (ty == 8) tile[9][tx] = now[i + nx];
    __syncthreads();
    next[i] =
        2 * here - next[i] +
        c * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] + below + above - 6 * here);
    below = here, here = above;
    __syncthreads();
  }
}

__global__ void game_of_life(const uint8_t* __restrict__ in, uint8_t* __restrict__ out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int l = (x + w - 1) % w, r = (x + 1) % w, a = (y + h - 1) % h, b = (y + 1) % h;
  int n = (in[a * w + l] & 1) + (in[a * w + x] & 1) + (in[a * w + r] & 1) + (in[y * w + l] & 1) + (in[y * w + r] & 1) +
          (in[b * w + l] & 1) + (in[b * w + x] & 1) + (in[b * w + r] & 1);
  out[y * w + x] = n == 3 || (n == 2 && (in[y * w + x] & 1));
}

// a lattice of nine velocities, periodic
__global__ void lattice9(const float* __restrict__ f, float* __restrict__ g, int w, int h, float omega) {
  const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const float wt[9] = {4 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, n = w * h;
  if (x >= w) return;
  float v[9], rho = 0, ux = 0, uy = 0;
#pragma unroll
  for (int i = 0; i < 9; i++) {
    int xx = x - cx[i], yy = y - cy[i];
    xx = xx < 0 ? w - 1 : xx == w ? 0 : xx;
    yy = yy < 0 ? h - 1 : yy == h ? 0 : yy;
    v[i] = f[i * n + yy * w + xx];
    rho += v[i], ux += cx[i] * v[i], uy += cy[i] * v[i];
  }
  ux /= rho, uy /= rho;
#pragma unroll
  for (int i = 0; i < 9; i++) {
    float cu = 3 * (cx[i] * ux + cy[i] * uy);
    g[i * n + y * w + x] = v[i] + omega * (wt[i] * rho * (1 + cu + 0.5f * cu * cu - 1.5f * (ux * ux + uy * uy)) - v[i]);
  }
}

// 512 complex numbers a block of 256, radix 2
__global__ void fft512(float2* data) {
  __shared__ float2 s[512];
  float2* p = data + blockIdx.x * 512;
  for (int i = threadIdx.x; i < 512; i += 256) s[__brev(i) >> 23] = p[i];
  __syncthreads();
  for (int half = 1; half < 512; half *= 2) {
    int k = threadIdx.x % half, i = threadIdx.x / half * 2 * half + k;
    float sine, cosine;
    sincospif(-(float)k / half, &sine, &cosine);
    float2 a = s[i], b = s[i + half], t = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
    s[i] = make_float2(a.x + t.x, a.y + t.y);
    s[i + half] = make_float2(a.x - t.x, a.y - t.y);
    __syncthreads();
  }
  for (int i = threadIdx.x; i < 512; i += 256) p[i] = s[i];
}

// forces between atoms of lists of neighbours
__global__ void lennard_jones(const float4* __restrict__ atoms, const int* __restrict__ neighbours,
                              float4* __restrict__ forces, int n, int most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 a = atoms[i];
  float fx = 0, fy = 0, fz = 0;
  for (int k = 0; k < most; k++) {
    float4 b = atoms[neighbours[k * n + i]];
    float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, d = dx * dx + dy * dy + dz * dz + 0.01f;
    if (d < 0.25f) {
      float inv = 1 / d, six = inv * inv * inv, force = six * (six - 0.5f) * inv;
      fx += dx * force, fy += dy * force, fz += dz * force;
    }
  }
  forces[i] = make_float4(fx, fy, fz, 0);
}

__global__ void fdtd_e(float* __restrict__ ex, float* __restrict__ ey, const float* __restrict__ hz, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int i = y * w + x;
  if (y > 0) ex[i] -= 0.5f * (hz[i] - hz[i - w]);
  if (x > 0) ey[i] -= 0.5f * (hz[i] - hz[i - 1]);
}

__global__ void particles_grid(const float4* __restrict__ particles, float* __restrict__ density, int n, int side) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p = particles[i];
  float fx = p.x * (side - 2), fy = p.y * (side - 2);
  int x = fx, y = fy;
  float a = fx - x, b = fy - y, *d = density + y * side + x;
  atomicAdd(d, p.w * (1 - a) * (1 - b));
  atomicAdd(d + 1, p.w * a * (1 - b));
  atomicAdd(d + side, p.w * (1 - a) * b);
  atomicAdd(d + side + 1, p.w * a * b);
}

// red and black halves of a plane in turn, for a pressure
__global__ void red_black(double* p, const double* __restrict__ rhs, int w, int h, int colour) {
  int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  x += (y + colour) & 1;
  if (x >= w - 1 || y >= h - 1) return;
  int i = y * w + x;
  p[i] = 0.25 * (p[i - 1] + p[i + 1] + p[i - w] + p[i + w] - rhs[i]);
}
}
