// Steps over graphs in compressed rows.
extern "C" {

__global__ void bfs_step(const int* __restrict__ rows, const int* __restrict__ targets, int* level, int* changed, int n,
                         int depth) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || level[v] != depth) return;
  for (int e = rows[v]; e < rows[v + 1]; e++) {
    int t = targets[e];
    if (level[t] > depth + 1) {
      level[t] = depth + 1;
      *changed = 1;
    }
  }
}

__global__ void bfs_frontier(const int* __restrict__ rows, const int* __restrict__ targets,
                             const int* __restrict__ frontier, int* visited, int* next, int* count, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (i >= n) return;
  int v = frontier[i];
  for (int e = rows[v] + lane; e < rows[v + 1]; e += 32) {
    int t = targets[e];
    if (atomicExch(visited + t, 1) == 0) next[atomicAdd(count, 1)] = t;
  }
}

__global__ void pagerank_pull(const int* __restrict__ rows, const int* __restrict__ sources,
                              const float* __restrict__ rank, const int* __restrict__ degree, float* __restrict__ next,
                              int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  float s = 0;
  for (int e = rows[v]; e < rows[v + 1]; e++) {
    int u = sources[e];
    s += rank[u] / (degree[u] + 1);
  }
  next[v] = 0.15f / n + 0.85f * s;
}

__global__ void pagerank_push(const int* __restrict__ rows, const int* __restrict__ targets,
                              const float* __restrict__ rank, float* next, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  int begin = rows[v], end = rows[v + 1];
  float share = 0.85f * rank[v] / max(end - begin, 1);
  for (int e = begin; e < end; e++) atomicAdd(next + targets[e], share);
}

// labels of connected components over a list of edges
__global__ void label_edges(const int* __restrict__ from, const int* __restrict__ to, int* label, int* changed,
                            int edges) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges) return;
  int a = label[from[e]], b = label[to[e]];
  if (a == b) return;
  atomicMin(label + max(a, b), min(a, b));
  *changed = 1;
}

__global__ void pointer_jump(int* parent, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  int p = parent[v];
  for (int i = 0; i < 8; i++) {
    int up = parent[p];
    if (up == p) break;
    p = up;
  }
  parent[v] = p;
}

__global__ void relax_edges(const int* __restrict__ from, const int* __restrict__ to, const int* __restrict__ weight,
                            int* distance, int edges) {
  for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < edges; e += gridDim.x * blockDim.x) {
    int d = distance[from[e]] + weight[e];
    if (d < distance[to[e]]) atomicMin(distance + to[e], d);
  }
}

// common neighbours of the ends of an edge: the shorter list is looked up in the other by halving
__global__ void common_neighbours(const int* __restrict__ rows, const int* __restrict__ targets,
                                  const int* __restrict__ from, const int* __restrict__ to, int* __restrict__ counts,
                                  int edges) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges) return;
  int a = from[e], b = to[e], found = 0;
  for (int i = rows[a]; i < rows[a + 1]; i++) {
    int wanted = targets[i], low = rows[b], high = rows[b + 1];
    while (low < high) {
      int middle = (low + high) >> 1;
      if (targets[middle] < wanted)
        low = middle + 1;
      else
        high = middle;
    }
    found += low < rows[b + 1] && targets[low] == wanted;
  }
  counts[e] = found;
}
}
