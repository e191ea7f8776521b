// Graphs in compressed rows and as lists of edges.
// nvcc sm_80
// nvcc sm_75
// clang-19 sm_62
#include "subset.h"

__global__ void bfs_queue(const int* row, const int* adj, int* depth, const int* frontier, int* next, int* next_size,
                          int size, int level) {
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < size; t += gridDim.x * blockDim.x) {
    int v = frontier[t];
    for (int e = row[v]; e < row[v + 1]; ++e) {
      int w = adj[e];
      if (atomicMin(&depth[w], level + 1) > level + 1) next[atomicAdd(next_size, 1)] = w;
    }
  }
}

__global__ void bfs_bottom_up(const int* row, const int* adj, int* depth, int vertices, int level, int* changed) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices || depth[v] != -1) return;
  for (int e = row[v]; e < row[v + 1]; e++)
    if (depth[adj[e]] == level) {
      depth[v] = level + 1;
      *changed = 1;
      return;
    }
}

__global__ void sssp_relax(const int* from, const int* to, const int* weight, int* distance, int* changed, int edges) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < edges) {
    int d = distance[from[e]] + weight[e];
    if (d < distance[to[e]]) {
      atomicMin(&distance[to[e]], d);
      *changed = 1;
    }
  }
}

// All rounds of Bellman and Ford in one block.
__global__ void bellman_ford_block(const int* from, const int* to, const int* weight, int* distance, int vertices,
                                   int edges) {
  __shared__ int changed;
  for (int round = 0; round < vertices - 1; round++) {
    __syncthreads();
    if (threadIdx.x == 0) changed = 0;
    __syncthreads();
    for (int e = threadIdx.x; e < edges; e += blockDim.x) {
      int d = distance[from[e]] + weight[e];
      if (d < distance[to[e]]) {
        atomicMin(&distance[to[e]], d);
        changed = 1;
      }
    }
    __syncthreads();
    if (!changed) break;
  }
}

__global__ void pagerank_pull(const int* row, const int* adj, const int* out_degree, const float* rank, float* next,
                              int vertices, float damping) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < vertices) {
    float sum = 0;
    for (int e = row[v]; e < row[v + 1]; e++) {
      int u = adj[e];
      sum += rank[u] / out_degree[u];
    }
    next[v] = (1.0f - damping) / vertices + damping * sum;
  }
}

__global__ void components_hook(const int* from, const int* to, int* parent, int* changed, int edges) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges) return;
  int u = parent[from[e]];
  int v = parent[to[e]];
  int high = u > v ? u : v;
  int low = u + v - high;
  if (high != low && parent[high] == high) {
    parent[high] = low;
    *changed = 1;
  }
}

__global__ void components_compress(int* parent, int vertices) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < vertices)
    while (parent[v] != parent[parent[v]]) parent[v] = parent[parent[v]];
}

// Common neighbours of the ends of each edge; both lists are sorted.
__global__ void count_triangles(const int* row, const int* adj, const int* from, const int* to, int* total, int edges) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges) return;
  int i = row[from[e]], i_end = row[from[e] + 1];
  int j = row[to[e]], j_end = row[to[e] + 1];
  int common = 0;
  while (i < i_end && j < j_end) {
    int difference = adj[i] - adj[j];
    if (difference == 0) common++;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  atomicAdd(total, common);
}

// Greedy colours: the smallest that no neighbour has.
__global__ void color_vertices(const int* row, const int* adj, int* color, int vertices) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices) return;
  for (int base = 0;; base += 32) {
    unsigned int taken = 0;
    for (int e = row[v]; e < row[v + 1]; e++) {
      int c = color[adj[e]] - base;
      if (c >= 0 && c < 32) taken |= 1u << c;
    }
    if (taken != 0xffffffffu) {
      int c = 0;
      while (taken & 1) {
        taken >>= 1;
        c++;
      }
      color[v] = base + c;
      return;
    }
  }
}

__global__ void random_walk(const int* row, const int* adj, int* visits, int walkers, int steps, unsigned int seed) {
  int w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w >= walkers) return;
  unsigned int state = seed ^ (w * 2654435761u);
  int v = w;
  for (int s = 0; s < steps; s++) {
    int degree = row[v + 1] - row[v];
    if (degree == 0) break;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    v = adj[row[v] + state % degree];
    atomicAdd(&visits[v], 1);
  }
}
