// Rays, trees and boards.
// nvcc sm_89
// clang-19 sm_62
#include "subset.h"

struct Sphere {
  float x, y, z, radius2;
};

__constant__ Sphere spheres[64];

__global__ void trace_spheres(float* image, int width, int height, int count, int bounces) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  float ox = 0, oy = 0, oz = -5, dx = px / (float)width - 0.5f, dy = py / (float)height - 0.5f, dz = 1;
  float light = 1;
  for (int b = 0; b < bounces; b++) {
    float nearest = 1e30f;
    int hit = -1;
    for (int s = 0; s < count; s++) {
      float lx = spheres[s].x - ox, ly = spheres[s].y - oy, lz = spheres[s].z - oz;
      float along = lx * dx + ly * dy + lz * dz, d2 = lx * lx + ly * ly + lz * lz - along * along;
      if (along < 0 || d2 > spheres[s].radius2) continue;
      float t = along - sqrtf(spheres[s].radius2 - d2);
      if (t < nearest) {
        nearest = t;
        hit = s;
      }
    }
    if (hit < 0) break;
    ox += dx * nearest;
    oy += dy * nearest;
    oz += dz * nearest;
    dz = -dz;
    light *= 0.7f;
  }
  image[py * width + px] = light;
}

struct Node {
  float low[3], high[3];
  int left, right;  // right < 0: a leaf of -right triangles from left
};

__global__ void bvh_traverse(const Node* nodes, const float* triangles, const float4* rays, int* hits, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n) return;
  int stack[32];
  int top = 0, found = 0;
  stack[top++] = 0;
  while (top > 0) {
    Node node = nodes[stack[--top]];
    float near = 0, far = 1e30f;
    for (int a = 0; a < 3; a++) {
      float origin = a == 0 ? rays[r].x : a == 1 ? rays[r].y : rays[r].z;
      near = max(near, (node.low[a] - origin) * rays[r].w);
      far = min(far, (node.high[a] - origin) * rays[r].w);
    }
    if (near > far) continue;
    if (node.right < 0) {
      for (int t = 0; t < -node.right; t++)
        if (triangles[node.left + t] > near) found++;
    } else {
      stack[top++] = node.left;
      stack[top++] = node.right;
    }
  }
  hits[r] = found;
}

__global__ void sphere_march(float* depth, int width, float far, float epsilon) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float t = 0, dx = x / (float)width - 0.5f, dy = y / (float)width - 0.5f;
  while (t < far) {
    float px = t * dx, py = t * dy, pz = t - 4;
    float d = sqrtf(px * px + py * py + pz * pz) - 1;
    if (d < epsilon) break;
    t += d;
  }
  depth[y * width + x] = t;
}

__global__ void voxel_walk(const unsigned char* grid, int* hit, int size, float dx, float dy, float dz) {
  int ray = blockIdx.x * blockDim.x + threadIdx.x;
  int x = ray % size, y = ray / size % size, z = 0, steps = 0;
  float tx = 0, ty = 0, tz = 0;
  while (x >= 0 && y >= 0 && z >= 0 && x < size && y < size && z < size) {
    if (grid[(z * size + y) * size + x]) break;
    if (tx < ty && tx < tz) {
      tx += dx;
      x++;
    } else if (ty < tz) {
      ty += dy;
      y++;
    } else {
      tz += dz;
      z++;
    }
    steps++;
  }
  hit[ray] = steps;
}

// All ways to set queens, by hand-made back-tracking; the first rows are given.
__global__ void queens(const int* first_columns, int* solutions, int n) {
  int mask = (1 << n) - 1, row = 0, count = 0;
  int columns[16], left[16], right[16], open[16];
  int given = first_columns[blockIdx.x * blockDim.x + threadIdx.x];
  columns[0] = given;
  left[0] = given << 1;
  right[0] = given >> 1;
  open[0] = mask & ~(columns[0] | left[0] | right[0]);
  while (row >= 0) {
    if (open[row] == 0) {
      row--;
    } else {
      int bit = open[row] & -open[row];
      open[row] ^= bit;
      if (row == n - 2) {
        count++;
      } else {
        columns[row + 1] = columns[row] | bit;
        left[row + 1] = (left[row] | bit) << 1;
        right[row + 1] = (right[row] | bit) >> 1;
        row++;
        open[row] = mask & ~(columns[row] | left[row] | right[row]);
      }
    }
  }
  atomicAdd(solutions, count);
}

__global__ void knapsack_row(const int* previous, int* current, int capacity, int weight, int value) {
  for (int c = blockIdx.x * blockDim.x + threadIdx.x; c <= capacity; c += gridDim.x * blockDim.x)
    current[c] = c >= weight ? max(previous[c], previous[c - weight] + value) : previous[c];
}

// Partial sums of permutations, by Heap's method without recursion.
__global__ void permutations(const int* costs, int* best, int n) {
  int c[8], p[8];
  for (int i = 0; i < n; i++) {
    c[i] = 0;
    p[i] = i;
  }
  int least = 1 << 30, i = 0;
  while (i < n) {
    if (c[i] < i) {
      int a = i % 2 ? c[i] : 0, t = p[a];
      p[a] = p[i];
      p[i] = t;
      int sum = 0;
      for (int j = 0; j < n; j++) sum += costs[(threadIdx.x * n + j) * n + p[j]];
      least = min(least, sum);
      c[i]++;
      i = 0;
    } else {
      c[i] = 0;
      i++;
    }
  }
  best[threadIdx.x] = least;
}
