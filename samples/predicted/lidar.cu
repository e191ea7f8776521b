// Steps of lidar pipelines and of perception around them; a point is four floats.
#include <cstdint>
extern "C" {

__global__ void transform_points(const float4* __restrict__ in, float4* __restrict__ out,
                                 const float* __restrict__ pose, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p = in[i];
  out[i] = make_float4(pose[0] * p.x + pose[1] * p.y + pose[2] * p.z + pose[3],
                       pose[4] * p.x + pose[5] * p.y + pose[6] * p.z + pose[7],
                       pose[8] * p.x + pose[9] * p.y + pose[10] * p.z + pose[11], p.w);
}

__global__ void range_image(const float4* __restrict__ points, unsigned* __restrict__ image, int n, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p = points[i];
  p.x -= 0.5f, p.y -= 0.5f, p.z -= 0.5f;
  float range = sqrtf(p.x * p.x + p.y * p.y + p.z * p.z) + 1e-3f;
  int column = (atan2f(p.y, p.x) * 0.15915494f + 0.5f) * w, row = (asinf(p.z / range) * 0.31830989f + 0.5f) * h;
  column = min(max(column, 0), w - 1), row = min(max(row, 0), h - 1);
  atomicMin(image + row * w + column, (unsigned)(range * 65536));
}

__global__ void voxel_count(const float4* __restrict__ points, int* __restrict__ counts, float4* __restrict__ sums,
                            int n, int side) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float4 p = points[i];
    int v = ((int)(p.z * side) * side + (int)(p.y * side)) * side + (int)(p.x * side);
    atomicAdd(counts + v, 1);
    atomicAdd(&sums[v].x, p.x), atomicAdd(&sums[v].y, p.y), atomicAdd(&sums[v].z, p.z);
  }
}

__global__ void ground_mask(const float* __restrict__ ranges, uint8_t* __restrict__ mask, int w, int rows,
                            float slope) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  float before = ranges[x];
  bool ground = true;
  for (int y = 1; y < rows; y++) {
    float r = ranges[y * w + x];
    ground = ground ? fabsf(r - before) < slope * 4 : fabsf(r - before) < slope;
    mask[y * w + x] = ground;
    before = r;
  }
}

// nearest of all others, by tiles
__global__ void nearest(const float4* __restrict__ queries, const float4* __restrict__ points, int* __restrict__ found,
                        int n, int m) {
  __shared__ float4 tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 q = i < n ? queries[i] : make_float4(0, 0, 0, 0);
  float best = 1e30f;
  int which = -1;
  for (int begin = 0; begin < m; begin += 128) {
    if (threadIdx.x < 128 && begin + threadIdx.x < m) tile[threadIdx.x] = points[begin + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < min(128, m - begin); k++) {
      float dx = q.x - tile[k].x, dy = q.y - tile[k].y, dz = q.z - tile[k].z, d = dx * dx + dy * dy + dz * dz;
      if (d < best) best = d, which = begin + k;
    }
    __syncthreads();
  }
  if (i < n) found[i] = which;
}

__global__ void ray_spheres(const float4* __restrict__ spheres, float4* __restrict__ image, int count, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float dx = (x - w * 0.5f) / w, dy = (y - h * 0.5f) / h, dz = 1, inv = rsqrtf(dx * dx + dy * dy + dz * dz);
  dx *= inv, dy *= inv, dz *= inv;
  float nearest = 1e30f;
  int hit = -1;
  for (int i = 0; i < count; i++) {
    float4 s = spheres[i];
    float cx = s.x - 0.5f, cy = s.y - 0.5f, cz = s.z * 4 + 1, r = s.w * 0.1f;
    float b = cx * dx + cy * dy + cz * dz, c = cx * cx + cy * cy + cz * cz - r * r, d = b * b - c;
    if (d > 0) {
      float t = b - sqrtf(d);
      if (t > 0 && t < nearest) nearest = t, hit = i;
    }
  }
  image[y * w + x] = hit < 0 ? make_float4(0, 0, 0, 1) : make_float4(nearest, hit * 0.01f, 1 / nearest, 1);
}

// overlap of boxes: x, y, width, height; one word of bits for 32 others, as detectors suppress with
__global__ void box_overlaps(const float4* __restrict__ boxes, unsigned* __restrict__ bits, int n, float most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, words = (n + 31) / 32;
  if (i >= n) return;
  float4 a = boxes[i];
  unsigned set = 0;
  for (int k = 0; k < 32; k++) {
    int j = blockIdx.y * 32 + k;
    if (j >= n || j <= i) continue;
    float4 b = boxes[j];
    float w = fminf(a.x + a.z, b.x + b.z) - fmaxf(a.x, b.x), h = fminf(a.y + a.w, b.y + b.w) - fmaxf(a.y, b.y);
    float common = fmaxf(w, 0.f) * fmaxf(h, 0.f);
    if (common > most * (a.z * a.w + b.z * b.w - common)) set |= 1u << k;
  }
  bits[i * words + blockIdx.y] = set;
}

__global__ void kmeans_assign(const float* __restrict__ points, const float* __restrict__ centres,
                              int* __restrict__ nearest, float* __restrict__ sums, int* __restrict__ counts, int n,
                              int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x[8];
#pragma unroll
  for (int d = 0; d < 8; d++) x[d] = points[d * n + i];
  int best = 0;
  float least = 1e30f;
  for (int c = 0; c < k; c++) {
    float distance = 0;
#pragma unroll
    for (int d = 0; d < 8; d++) distance += (x[d] - centres[c * 8 + d]) * (x[d] - centres[c * 8 + d]);
    if (distance < least) least = distance, best = c;
  }
  nearest[i] = best;
  atomicAdd(counts + best, 1);
#pragma unroll
  for (int d = 0; d < 8; d++) atomicAdd(sums + best * 8 + d, x[d]);
}

// log odds of cells along rays of an occupancy grid
__global__ void occupancy_rays(const float* __restrict__ angles, const float* __restrict__ ranges,
                               float* __restrict__ grid, int n, int side) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float dx, dy;
  sincosf(angles[i] * 6.2831853f, &dy, &dx);
  int steps = ranges[i] * (side / 2 - 1);
  float x = side * 0.5f, y = side * 0.5f;
  for (int k = 0; k < steps; k++) {
    atomicAdd(grid + (int)y * side + (int)x, -0.1f);
    x += dx, y += dy;
  }
  atomicAdd(grid + (int)y * side + (int)x, 0.9f);
}
}
