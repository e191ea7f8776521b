// Rodinia, graphs, trees, codes, particles, clusters and tracking.
// nvcc sm_80
// nvcc sm_90 -lineinfo
// clang-19 sm_70
#include "subset.h"

// bfs.
struct GraphNode {
  int starting;
  int no_of_edges;
};
__global__ void bfs_expand(GraphNode* nodes, int* edges, bool* mask, bool* updating, bool* visited, int* cost,
                           int count) {
  int id = blockIdx.x * 512 + threadIdx.x;
  if (id < count && mask[id]) {
    mask[id] = false;
    for (int i = nodes[id].starting; i < nodes[id].no_of_edges + nodes[id].starting; i++) {
      int to = edges[i];
      if (!visited[to]) {
        cost[to] = cost[id] + 1;
        updating[to] = true;
      }
    }
  }
}
__global__ void bfs_update(bool* mask, bool* updating, bool* visited, bool* over, int count) {
  int id = blockIdx.x * 512 + threadIdx.x;
  if (id < count && updating[id]) {
    mask[id] = true;
    visited[id] = true;
    *over = true;
    updating[id] = false;
  }
}

// b+tree: a block goes down for a query, each thread holds one key; the height is an argument.
struct KeyNode {
  int location;
  int indices[257];
  int keys[257];
  bool is_leaf;
  int number;
};
__global__ void find_key(long height, KeyNode* nodes, long nodes_count, int* records, long* current, long* offset,
                         int* keys, int* answer) {
  int thread = threadIdx.x, query = blockIdx.x;
  for (int i = 0; i < height; i++) {
    if (nodes[current[query]].keys[thread] <= keys[query] && nodes[current[query]].keys[thread + 1] > keys[query])
      if (nodes[offset[query]].indices[thread] < nodes_count) offset[query] = nodes[offset[query]].indices[thread];
    __syncthreads();
    if (thread == 0) current[query] = offset[query];
    __syncthreads();
  }
  if (nodes[current[query]].keys[thread] == keys[query]) answer[query] = records[nodes[current[query]].indices[thread]];
}
__global__ void find_range(long height, KeyNode* nodes, long nodes_count, long* current, long* offset, long* last,
                           long* offset_2, int* start, int* end, int* record_start, int* length) {
  int thread = threadIdx.x, query = blockIdx.x;
  for (int i = 0; i < height; i++) {
    if (nodes[current[query]].keys[thread] <= start[query] && nodes[current[query]].keys[thread + 1] > start[query])
      if (nodes[current[query]].indices[thread] < nodes_count) offset[query] = nodes[current[query]].indices[thread];
    if (nodes[last[query]].keys[thread] <= end[query] && nodes[last[query]].keys[thread + 1] > end[query])
      if (nodes[last[query]].indices[thread] < nodes_count) offset_2[query] = nodes[last[query]].indices[thread];
    __syncthreads();
    if (thread == 0) {
      current[query] = offset[query];
      last[query] = offset_2[query];
    }
    __syncthreads();
  }
  if (nodes[current[query]].keys[thread] == start[query]) record_start[query] = nodes[current[query]].indices[thread];
  __syncthreads();
  if (nodes[last[query]].keys[thread] == end[query])
    length[query] = nodes[last[query]].indices[thread] - record_start[query] + 1;
}

// cfd: fluxes over the four faces of a tetrahedron.
struct Vector3 {
  float x, y, z;
};
__device__ float pressure_of(float density, float energy, float speed2) {
  return 0.4f * (energy - 0.5f * density * speed2);
}
__global__ void cfd_step_factor(int nelr, float* variables, float* areas, float* step_factors) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  float density = variables[i];
  Vector3 momentum = {variables[i + nelr], variables[i + 2 * nelr], variables[i + 3 * nelr]};
  float energy = variables[i + 4 * nelr];
  Vector3 v = {momentum.x / density, momentum.y / density, momentum.z / density};
  float speed2 = v.x * v.x + v.y * v.y + v.z * v.z, pressure = pressure_of(density, energy, speed2);
  step_factors[i] = 0.5f / (sqrtf(areas[i]) * (sqrtf(speed2) + sqrtf(1.4f * pressure / density)));
}
__global__ void cfd_flux(int nelr, int* neighbours, float* normals, float* variables, const float* far_field,
                         float* fluxes) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  float density = variables[i], mx = variables[i + nelr], my = variables[i + 2 * nelr], mz = variables[i + 3 * nelr],
        energy = variables[i + 4 * nelr];
  float vx = mx / density, vy = my / density, vz = mz / density, speed2 = vx * vx + vy * vy + vz * vz;
  float pressure = pressure_of(density, energy, speed2), sound = sqrtf(1.4f * pressure / density);
  float flux_d = 0, flux_x = 0, flux_y = 0, flux_z = 0, flux_e = 0;
#pragma unroll
  for (int j = 0; j < 4; j++) {
    int nb = neighbours[i + j * nelr];
    float nx = normals[i + j * nelr], ny = normals[i + (j + 4) * nelr], nz = normals[i + (j + 8) * nelr];
    float length = sqrtf(nx * nx + ny * ny + nz * nz);
    if (nb >= 0) {
      float dn = variables[nb], xn = variables[nb + nelr], yn = variables[nb + 2 * nelr], zn = variables[nb + 3 * nelr],
            en = variables[nb + 4 * nelr];
      float ux = xn / dn, uy = yn / dn, uz = zn / dn, s2 = ux * ux + uy * uy + uz * uz, pn = pressure_of(dn, en, s2);
      float factor = -length * 0.2f * 0.5f * (sqrtf(speed2) + sqrtf(s2) + sound + sqrtf(1.4f * pn / dn));
      flux_d += factor * (density - dn) + 0.5f * (nx * (mx + xn) + ny * (my + yn) + nz * (mz + zn));
      flux_e += factor * (energy - en) + 0.5f * (nx * (vx * (energy + pressure) + ux * (en + pn)));
      flux_x += factor * (mx - xn) + 0.5f * nx * (vx * mx + pressure + ux * xn + pn);
      flux_y += factor * (my - yn) + 0.5f * ny * (vy * my + pressure + uy * yn + pn);
      flux_z += factor * (mz - zn) + 0.5f * nz * (vz * mz + pressure + uz * zn + pn);
    } else if (nb == -1) {
      flux_x += nx * pressure;
      flux_y += ny * pressure;
      flux_z += nz * pressure;
    } else if (nb == -2) {
      flux_d += 0.5f * nx * (far_field[1] + mx);
      flux_e += 0.5f * nx * (far_field[4] + vx * (energy + pressure));
      flux_x += 0.5f * nx * (far_field[5] + vx * mx + pressure);
      flux_y += 0.5f * ny * (far_field[6] + vy * my + pressure);
      flux_z += 0.5f * nz * (far_field[7] + vz * mz + pressure);
    }
  }
  fluxes[i] = flux_d;
  fluxes[i + nelr] = flux_x;
  fluxes[i + 2 * nelr] = flux_y;
  fluxes[i + 3 * nelr] = flux_z;
  fluxes[i + 4 * nelr] = flux_e;
}
__global__ void cfd_time_step(int j, int nelr, float* old_variables, float* variables, float* step_factors,
                              float* fluxes) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  float factor = step_factors[i] / (3 + 1 - j);
  for (int k = 0; k < 5; k++) variables[i + k * nelr] = old_variables[i + k * nelr] + factor * fluxes[i + k * nelr];
}

// heartwall: a block follows one point; its threads share the elements of matrices of several sizes.
struct Wall {
  int frame_rows, in_rows, in_columns, in_elements, conv_rows, conv_columns, conv_elements, in2_rows, in2_columns,
      in2_elements;
};
__global__ void heartwall_convolve(Wall c, const float* templates, const float* frame, const int* rows,
                                   const int* columns, float* in2_all, float* conv_all, float* sums) {
  const int point = blockIdx.x, tx = threadIdx.x, threads = blockDim.x;
  const float* in = templates + point * c.in_elements;
  float* in2 = in2_all + point * c.in2_elements;
  float* conv = conv_all + point * c.conv_elements;
  int ei = tx;
  while (ei < c.in2_elements) {  // the window of the frame around the point
    int row = (ei + 1) % c.in2_rows - 1, column = (ei + 1) / c.in2_rows + 1 - 1;
    if ((ei + 1) % c.in2_rows == 0) {
      row = c.in2_rows - 1;
      column = column - 1;
    }
    in2[ei] = frame[(columns[point] - 1 + column) * c.frame_rows + rows[point] - 1 + row];
    ei = ei + threads;
  }
  __syncthreads();
  ei = tx;
  while (ei < c.conv_elements) {
    int ic = (ei + 1) % c.conv_rows, jc = (ei + 1) / c.conv_rows + 1;
    if ((ei + 1) % c.conv_rows == 0) {
      ic = c.conv_rows;
      jc = jc - 1;
    }
    int ja1 = jc + 1, ia1 = ic + 1;
    int ja1_first = c.in2_columns < ja1 ? ja1 - c.in2_columns + 1 : 1,
        ja1_last = c.in_columns < ja1 ? c.in_columns : ja1;
    int ia1_first = c.in2_rows < ia1 ? ia1 - c.in2_rows + 1 : 1, ia1_last = c.in_rows < ia1 ? c.in_rows : ia1;
    float s = 0;
    for (int ja = ja1_first; ja <= ja1_last; ja++) {
      int jb = ja1 - ja;
      for (int ia = ia1_first; ia <= ia1_last; ia++)
        s = s + in[c.in_rows * (ja - 1) + ia - 1] * in2[c.in2_rows * jb + ia1 - ia];
    }
    conv[c.conv_rows * (jc - 1) + ic - 1] = s;
    ei = ei + threads;
  }
  __syncthreads();
  ei = tx;
  while (ei < c.conv_columns) {  // sums of columns
    float sum = 0;
    for (int row = 0; row < c.conv_rows; row++) {
      sum += conv[ei * c.conv_rows + row];
      conv[ei * c.conv_rows + row] = sum;
    }
    sums[point * c.conv_columns + ei] = sum;
    ei = ei + threads;
  }
}

// huffman: codes of varying length, a scan over their lengths, bits set by atomic or.
__global__ void huffman_encode(unsigned* data, const unsigned* codewords, const unsigned* lengths, unsigned* out,
                               unsigned* out_index) {
  __shared__ unsigned start[256], words[256];
  unsigned k = threadIdx.x, at = blockIdx.x * blockDim.x + threadIdx.x, value = data[at], length = 0;
  unsigned long long code = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    unsigned symbol = value >> (24 - 8 * i) & 255u, bits = lengths[symbol];
    code = code << bits | codewords[symbol];
    length += bits;
  }
  start[k] = length;
  __syncthreads();
  unsigned offset = 1;
  for (unsigned d = blockDim.x >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (k < d) start[offset * (2 * k + 2) - 1] += start[offset * (2 * k + 1) - 1];
    offset *= 2;
  }
  if (k == 0) start[blockDim.x - 1] = 0;
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (k < d) {
      unsigned a = offset * (2 * k + 1) - 1, b = offset * (2 * k + 2) - 1, t = start[a];
      start[a] = start[b];
      start[b] += t;
    }
  }
  __syncthreads();
  if (k == blockDim.x - 1) out_index[blockIdx.x] = start[k] + length;
  words[k] = 0;
  __syncthreads();
  unsigned word = start[k] / 32, bit = start[k] % 32;
  while (length > 0) {
    unsigned free_bits = 32 - bit, take = length < free_bits ? length : free_bits;
    unsigned part = (unsigned)(code >> (length - take)) & (take == 32 ? 0xffffffffu : (1u << take) - 1);
    atomicOr((int*)&words[word & 255], (int)(part << (free_bits - take)));
    length -= take;
    bit = 0;
    word++;
  }
  __syncthreads();
  out[at] = words[k];
}

// hybridsort: bucket of an element by a search among pivots, and merging of runs of four.
__global__ void bucket_count(const float* in, int* indices, unsigned* offsets, const float* pivots, int size) {
  constexpr int buckets = 1024;
  __shared__ unsigned counts[buckets];
  const unsigned threads = blockDim.x * gridDim.x;
  for (int i = threadIdx.x; i < buckets; i += blockDim.x) counts[i] = 0;
  __syncthreads();
  for (int t = blockDim.x * blockIdx.x + threadIdx.x; t < size; t += threads) {
    float element = in[t];
    int at = buckets / 2 - 1, jump = buckets / 4;
    float pivot = pivots[at];
    while (jump >= 1) {
      at = element < pivot ? at - jump : at + jump;
      pivot = pivots[at];
      jump /= 2;
    }
    at = element < pivot ? at : at + 1;
    indices[t] = (int)(atomicAdd(&counts[at], 1u) << 10 | at);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < buckets; i += blockDim.x) offsets[blockIdx.x * buckets + i] = counts[i];
}
__device__ float4 sorted_four(float4 a) {
  float4 b;
  b.x = min(a.x, a.y);
  b.y = max(a.x, a.y);
  b.z = min(a.z, a.w);
  b.w = max(a.z, a.w);
  a.x = min(b.x, b.z);
  a.z = max(b.x, b.z);
  a.y = min(b.y, b.w);
  a.w = max(b.y, b.w);
  b = a;
  b.y = min(a.y, a.z);
  b.z = max(a.y, a.z);
  return b;
}
__global__ void merge_lists_of_four(const float4* in, float4* out, const int* starts, const int* list_sizes, int lists,
                                    int nrelems, int per_list) {
  int id = blockIdx.x * blockDim.x + threadIdx.x, division = id / per_list;
  if (division >= lists) return;
  int at = id - division * per_list, start_a = starts[division] + at * nrelems;
  if (start_a >= starts[division + 1]) return;
  int length_a = nrelems / 2, start_b = start_a + length_a;
  int length_b = min(nrelems - length_a, starts[division + 1] - start_b);
  if (length_b <= 0) {
    for (int i = 0; i < starts[division + 1] - start_a; i++) out[start_a + i] = in[start_a + i];
    return;
  }
  int a = 0, b = 0, to = start_a;
  float4 lower = in[start_a], upper = in[start_b];
  while (true) {
    float4 low, high;
    low.x = min(lower.x, upper.w);
    low.y = min(lower.y, upper.z);
    low.z = min(lower.z, upper.y);
    low.w = min(lower.w, upper.x);
    high.x = max(lower.x, upper.w);
    high.y = max(lower.y, upper.z);
    high.z = max(lower.z, upper.y);
    high.w = max(lower.w, upper.x);
    out[to++] = sorted_four(low);
    lower = sorted_four(high);
    a++;
    if (a >= length_a || b >= length_b) break;
    float4 next_a = in[start_a + a], next_b = in[start_b + b];
    if (next_a.x < next_b.x) {
      upper = next_a;
    } else {
      upper = next_b;
      b++;
      a--;
    }
  }
  out[to] = lower;
  while (b < length_b) out[to++] = in[start_b + b++];
  while (a < length_a) out[to++] = in[start_a + a++];
}

// kmeans.
__global__ void kmeans_invert(const float* in, float* out, int points, int features) {
  int id = threadIdx.x + blockDim.x * blockIdx.x;
  if (id < points)
    for (int i = 0; i < features; i++) out[id + points * i] = in[id * features + i];
}
__global__ void kmeans_point(const float* features, int nfeatures, int points, int clusters, int* membership,
                             const float* centers) {
  const unsigned id = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
  int index = -1;
  if (id < points) {
    float least = 3.4e38f;
    for (int i = 0; i < clusters; i++) {
      float distance = 0;
      for (int j = 0; j < nfeatures; j++) {
        float d = features[id + j * points] - centers[i * nfeatures + j];
        distance += d * d;
      }
      if (distance < least) {
        least = distance;
        index = i;
      }
    }
    membership[id] = index;
  }
}

// lavaMD: a block is a box; its neighbours stand in memory with their number.
struct Neighbour {
  int x, y, z, number;
  long offset;
};
struct Box {
  int x, y, z, number;
  long offset;
  int nn;
  Neighbour nei[26];
};
struct Vector4 {
  double v, x, y, z;
};
__global__ void box_forces(double alpha, long boxes, const Box* box, const Vector4* rv, const double* qv, Vector4* fv) {
  constexpr int per_box = 100;
  const int bx = blockIdx.x, tx = threadIdx.x;
  __shared__ Vector4 a_rv[per_box], b_rv[per_box];
  __shared__ double b_qv[per_box];
  if (bx >= boxes) return;
  double a2 = 2.0 * alpha * alpha;
  const int first_i = box[bx].offset;
  int w = tx;
  while (w < per_box) {
    a_rv[w] = rv[first_i + w];
    w = w + 128;
  }
  __syncthreads();
  for (int k = 0; k < 1 + box[bx].nn; k++) {
    const int pointer = k == 0 ? bx : box[bx].nei[k - 1].number, first_j = box[pointer].offset;
    w = tx;
    while (w < per_box) {
      b_rv[w] = rv[first_j + w];
      b_qv[w] = qv[first_j + w];
      w = w + 128;
    }
    __syncthreads();
    w = tx;
    while (w < per_box) {
      for (int j = 0; j < per_box; j++) {
        double r2 = a_rv[w].v + b_rv[j].v - (a_rv[w].x * b_rv[j].x + a_rv[w].y * b_rv[j].y + a_rv[w].z * b_rv[j].z);
        double u2 = a2 * r2, vij = 1.0 / (1.0 + u2 + 0.5 * u2 * u2), fs = 2 * vij;
        fv[first_i + w].v += b_qv[j] * vij;
        fv[first_i + w].x += b_qv[j] * fs * (a_rv[w].x - b_rv[j].x);
        fv[first_i + w].y += b_qv[j] * fs * (a_rv[w].y - b_rv[j].y);
        fv[first_i + w].z += b_qv[j] * fs * (a_rv[w].z - b_rv[j].z);
      }
      w = w + 128;
    }
    __syncthreads();
  }
}

// leukocyte: variances of gradients over circles, dilation, and snakes until they move no more.
__global__ void gicov(const float* grad_x, const float* grad_y, const float* sines, const float* cosines,
                      const int* tx_of, const int* ty_of, float* result, int grad_m, int columns, int max_radius) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= columns * grad_m) return;
  int row = i % grad_m, column = i / grad_m;
  if (row < max_radius || row >= grad_m - max_radius || column < max_radius || column >= columns - max_radius) return;
  float best = 0;
  for (int k = 0; k < 7; k++) {
    float sum = 0, m2 = 0, mean = 0;
    for (int n = 0; n < 150; n++) {
      int y = column + ty_of[k * 150 + n], x = row + tx_of[k * 150 + n], at = y * grad_m + x;
      float p = grad_x[at] * cosines[n] + grad_y[at] * sines[n];
      sum += p;
      float delta = p - mean;
      mean = mean + delta / (float)(n + 1);
      m2 = m2 + delta * (p - mean);
    }
    mean = sum / 150.0f;
    float variance = m2 / 149.0f;
    if (mean * mean / variance > best) {
      best = mean * mean / variance;
      result[i] = best;
    }
  }
}
__global__ void dilate(const float* img, const float* strel, int img_m, int img_n, int strel_m, int strel_n,
                       float* dilated) {
  int center_i = strel_m / 2, center_j = strel_n / 2;
  int id = blockIdx.x * blockDim.x + threadIdx.x, i = id % img_m, j = id / img_m;
  if (j >= img_n) return;
  float most = 0;
  for (int ei = 0; ei < strel_m; ei++) {
    int y = i - center_i + ei;
    if (y >= 0 && y < img_m)
      for (int ej = 0; ej < strel_n; ej++) {
        int x = j - center_j + ej;
        if (x >= 0 && x < img_n && strel[ei * strel_n + ej] != 0) most = max(most, img[x * img_m + y]);
      }
  }
  dilated[i * img_n + j] = most;
}
__global__ void converge_field(float** fields, const float** gradients, const int* ms, const int* ns, float mu,
                               int iterations, float cutoff) {
  __shared__ float total[512];
  __shared__ int moved;
  const int cell = blockIdx.x, t = threadIdx.x, m = ms[cell], n = ns[cell], size = m * n;
  float* field = fields[cell];
  const float* gradient = gradients[cell];
  if (t == 0) moved = 1;
  __syncthreads();
  int turn = 0;
  while (moved && turn < iterations) {
    float change = 0;
    const int thread_blocks = (size + blockDim.x - 1) / blockDim.x;
    for (int b = 0; b < thread_blocks; b++) {
      int at = b * blockDim.x + t;
      if (at < size) {
        int i = at / n, j = at % n, up = i == 0 ? 0 : i - 1, down = i == m - 1 ? i : i + 1, left = j == 0 ? 0 : j - 1,
            right = j == n - 1 ? j : j + 1;
        float here = field[at],
              sum = field[up * n + j] + field[down * n + j] + field[i * n + left] + field[i * n + right];
        float next = here + mu * (sum - 4 * here) - (1.0f / 5.0f) * gradient[at] * (here - gradient[at]);
        change += fabsf(next - here);
        field[at] = next;
      }
      __syncthreads();
    }
    total[t] = change;
    __syncthreads();
    for (int th = blockDim.x / 2; th > 0; th /= 2) {
      if (t < th) total[t] += total[t + th];
      __syncthreads();
    }
    if (t == 0 && total[0] / (float)size < cutoff) moved = 0;
    turn++;
    __syncthreads();
  }
}

// mummergpu: a query goes down a suffix tree in memory, and by links to the suffixes' nodes.
struct SuffixNode {
  int child[4];
  int suffix_link;
  int edge_start, edge_length;
};
__global__ void match_queries(const SuffixNode* tree, const char* reference, const char* queries, const int* addresses,
                              const int* lengths, int* match_nodes, int* match_lengths, int number, int least) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= number) return;
  int length = lengths[id], base = addresses[id], node = 0, depth = 0;
  for (int start = 0; start <= length - least; start++) {
    int at = start + depth;
    while (at < length) {
      int next = tree[node].child[queries[base + at] & 3];
      if (next == 0) break;
      int matched = 0;
      while (matched < tree[next].edge_length && at < length &&
             reference[tree[next].edge_start + matched] == queries[base + at]) {
        matched++;
        at++;
      }
      if (matched < tree[next].edge_length) break;
      node = next;
    }
    match_nodes[base + start] = node;
    match_lengths[base + start] = at - start;
    depth = max(at - start - 1, 0);
    node = tree[node].suffix_link;
  }
}

// nn.
struct Location {
  float latitude, longitude;
};
__global__ void distances_to(const Location* locations, float* distances, int records, float latitude,
                             float longitude) {
  int id = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
  if (id < records) {
    const Location* l = locations + id;
    distances[id] = sqrtf((latitude - l->latitude) * (latitude - l->latitude) +
                          (longitude - l->longitude) * (longitude - l->longitude));
  }
}

// particlefilter: weights of the particles, and the search for the one that takes the place of another.
__global__ void particle_likelihood(float* array_x, float* array_y, const int* object_xy, float* likelihood,
                                    const unsigned char* video, int particles, int ones, int max_size, int k,
                                    int width_frames, int frames, float* weights, float* partial) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  __shared__ float buffer[512];
  if (i < particles) {
    float sum = 0;
    for (int y = 0; y < ones; y++) {
      int x = (int)(array_x[i] + 0.5f) + object_xy[y * 2 + 1], z = (int)(array_y[i] + 0.5f) + object_xy[y * 2];
      int at = abs(x * width_frames + z * frames + k);
      if (at >= max_size) at = 0;
      float p = (float)video[at];
      sum += ((p - 100) * (p - 100) - (p - 228) * (p - 228)) / 50.0f;
    }
    likelihood[i] = sum / ones;
    weights[i] = weights[i] * expf(likelihood[i]);
  }
  buffer[threadIdx.x] = i < particles ? weights[i] : 0.0f;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) buffer[threadIdx.x] += buffer[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = buffer[0];
}
__global__ void particle_find_index(float* array_x, float* array_y, const float* cdf, const float* u, float* next_x,
                                    float* next_y, int particles) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= particles) return;
  int index = -1;
  for (int x = 0; x < particles; x++)
    if (cdf[x] >= u[i]) {
      index = x;
      break;
    }
  if (index == -1) index = particles - 1;
  next_x[i] = array_x[index];
  next_y[i] = array_y[index];
}
__global__ void particle_normalize(float* weights, int particles, const float* partial, float* cdf, float* u,
                                   int* seed) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  __shared__ float u1, sum;
  if (threadIdx.x == 0) sum = partial[0];
  __syncthreads();
  if (i < particles) weights[i] = weights[i] / sum;
  __syncthreads();
  if (i == 0) {
    cdf[0] = weights[0];
    for (int x = 1; x < particles; x++) cdf[x] = weights[x] + cdf[x - 1];
    seed[0] = seed[0] * 1103515245 + 12345;
    u[0] = (float)(seed[0] & 0x7fffffff) / 2147483647.0f / particles;
  }
  __syncthreads();
  if (threadIdx.x == 0) u1 = u[0];
  __syncthreads();
  if (i < particles) u[i] = u1 + i / (float)particles;
}

// streamcluster: what the points save by another center.
__global__ void streamcluster_gain(int points, int dimensions, long x, const float* weight, const float* cost,
                                   const long* assigned, int k, bool* switches, const float* coordinates, float* work,
                                   const int* center_table) {
  const int bid = blockIdx.x + gridDim.x * blockIdx.y, id = blockDim.x * bid + threadIdx.x;
  if (id < points) {
    float* lower = &work[id * (k + 1)];
    float distance = 0;
    for (int i = 0; i < dimensions; i++) {
      float d = coordinates[i * points + id] - coordinates[i * points + x];
      distance += d * d;
    }
    distance *= weight[id];
    if (distance < cost[id]) {
      switches[id] = true;
      lower[k] += distance - cost[id];
    } else {
      lower[center_table[assigned[id]]] += cost[id] - distance;
    }
  }
}

// myocyte: one thread solves the equations of a cell by embedded Runge and Kutta; the step halves until its error is
// small.
__device__ void cell_derivatives(float time, const float* y, const float* p, float* dy) {
  float v = y[0];
  for (int i = 0; i < 16; i++) {
    float alpha = p[i] * expf(-(v + 40.0f) / (10.0f + i)), beta = p[i + 16] / (1.0f + expf(-(v + 20.0f) / (5.0f + i)));
    dy[i] = alpha * (1.0f - y[i]) - beta * y[i];
  }
  dy[0] = p[32] * (time < 5.0f ? 1.0f : 0.0f) - p[33] * y[1] * y[1] * y[1] * y[2] * (v - 50.0f) -
          p[34] * y[3] * (v + 77.0f);
}
__global__ void myocyte_solve(int workload, int x_max, const float* initial, const float* parameters, float* out) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= workload) return;
  float y[16], k1[16], k2[16], next[16];
  for (int i = 0; i < 16; i++) y[i] = initial[id * 16 + i];
  const float* p = parameters + id * 36;
  for (int x = 0; x < x_max; x++) {
    float h = 1.0f, done = 0;
    int failed = 0;
    while (done < 1.0f) {
      cell_derivatives(x + done, y, p, k1);
      for (int i = 0; i < 16; i++) next[i] = y[i] + h * k1[i];
      cell_derivatives(x + done + h, next, p, k2);
      float error = 0;
      for (int i = 0; i < 16; i++) error = max(error, fabsf(0.5f * h * (k2[i] - k1[i])));
      if (error < 1e-3f || failed > 12) {
        for (int i = 0; i < 16; i++) y[i] += 0.5f * h * (k1[i] + k2[i]);
        done += h;
        h = min(1.0f - done, 2.0f * h);
        failed = 0;
        if (h <= 0.0f) break;
      } else {
        h *= 0.5f;
        failed++;
      }
    }
    for (int i = 0; i < 16; i++) out[(id * x_max + x) * 16 + i] = y[i];
  }
}
