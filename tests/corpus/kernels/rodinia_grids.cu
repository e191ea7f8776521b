// Rodinia, grids, matrices and wavelets: backprop, dwt2d, gaussian, hotspot, hotspot3D, lud, nw, pathfinder, srad.
// nvcc sm_80
// nvcc sm_75 -G
// clang-19 sm_70
#include "subset.h"

// backprop: sums of a layer by a tree whose step comes from a power in floating point, as there.
constexpr int width16 = 16, height16 = 16;
__global__ void backprop_forward(float* in, float* out, float* weights, float* partial, int in_count, int hidden) {
  int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int index = (hidden + 1) * height16 * by + (hidden + 1) * ty + tx + 1 + (hidden + 1);
  __shared__ float input_node[height16], weight[height16][width16];
  if (tx == 0) input_node[ty] = in[height16 * by + ty + 1];
  __syncthreads();
  weight[ty][tx] = weights[index];
  __syncthreads();
  weight[ty][tx] = weight[ty][tx] * input_node[ty];
  __syncthreads();
  for (int i = 1; i <= 4; i++) {  // the logarithm of the height
    int power = (int)powf(2.0f, (float)i);
    if (ty % power == 0) weight[ty][tx] = weight[ty][tx] + weight[ty + power / 2][tx];
    __syncthreads();
  }
  weights[index] = weight[ty][tx];
  __syncthreads();
  if (tx == 0) partial[by * hidden + ty] = weight[tx][ty];
}
__global__ void backprop_adjust(float* delta, int hidden, float* layer, int in_count, float* w, float* old_w) {
  int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int index = (hidden + 1) * height16 * by + (hidden + 1) * ty + tx + 1 + (hidden + 1);
  int y = height16 * by + ty + 1, x = tx + 1;
  w[index] += 0.3f * delta[x] * layer[y] + 0.3f * old_w[index];
  old_w[index] = 0.3f * delta[x] * layer[y] + 0.3f * old_w[index];
  __syncthreads();
  if (ty == 0 && by == 0) {
    w[x] += 0.3f * delta[x] + 0.3f * old_w[x];
    old_w[x] = 0.3f * delta[x] + 0.3f * old_w[x];
  }
}

// gaussian.
__global__ void gaussian_multipliers(float* m, float* a, int size, int t) {
  if (threadIdx.x + blockIdx.x * blockDim.x >= size - 1 - t) return;
  int row = blockDim.x * blockIdx.x + threadIdx.x + t + 1;
  m[size * row + t] = a[size * row + t] / a[size * t + t];
}
__global__ void gaussian_rows(float* m, float* a, float* b, int size, int j1, int t) {
  if (threadIdx.x + blockIdx.x * blockDim.x >= size - 1 - t) return;
  if (threadIdx.y + blockIdx.y * blockDim.y >= size - t) return;
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  a[size * (x + 1 + t) + y + t] -= m[size * (x + 1 + t) + t] * a[size * t + y + t];
  if (y == 0) b[x + 1 + t] -= m[size * (x + 1 + t) + y + t] * b[t];
}

// hotspot: pyramids, a block computes several steps of a shrinking square.
__global__ void hotspot(int iterations, float* power, float* from, float* to, int columns, int rows, int border_columns,
                        int border_rows, float capacity, float rx, float ry, float rz, float step, float elapsed) {
  constexpr int size = 16;
  __shared__ float temperature[size][size], local_power[size][size], next[size][size];
  float ambient = 80.0f, step_over_capacity = step / capacity, rx1 = 1 / rx, ry1 = 1 / ry, rz1 = 1 / rz;
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int small_rows = size - iterations * 2, small_columns = size - iterations * 2;
  int block_y = small_rows * by - border_rows, block_x = small_columns * bx - border_columns;
  int y = block_y + ty, x = block_x + tx, index = columns * y + x;
  if (y >= 0 && y <= rows - 1 && x >= 0 && x <= columns - 1) {
    temperature[ty][tx] = from[index];
    local_power[ty][tx] = power[index];
  }
  __syncthreads();
  int y_min = block_y < 0 ? -block_y : 0,
      y_max = block_y + size - 1 > rows - 1 ? size - 1 - (block_y + size - rows) : size - 1;
  int x_min = block_x < 0 ? -block_x : 0;
  int x_max = block_x + size - 1 > columns - 1 ? size - 1 - (block_x + size - columns) : size - 1;
  int north = max(ty - 1, y_min), south = min(ty + 1, y_max), west = max(tx - 1, x_min), east = min(tx + 1, x_max);
  bool computed = false;
  for (int i = 0; i < iterations; i++) {
    computed = false;
    if (tx >= i + 1 && tx <= size - i - 2 && ty >= i + 1 && ty <= size - i - 2 && tx >= x_min && tx <= x_max &&
        ty >= y_min && ty <= y_max) {
      computed = true;
      next[ty][tx] =
          temperature[ty][tx] +
          step_over_capacity * (local_power[ty][tx] +
                                (temperature[south][tx] + temperature[north][tx] - 2.0f * temperature[ty][tx]) * ry1 +
                                (temperature[ty][east] + temperature[ty][west] - 2.0f * temperature[ty][tx]) * rx1 +
                                (ambient - temperature[ty][tx]) * rz1);
    }
    __syncthreads();
    if (i == iterations - 1) break;
    if (computed) temperature[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (computed) to[index] = next[ty][tx];
}

// hotspot3D: a thread goes through the layers.
__global__ void hotspot_3d(float* p, float* in, float* out, float capacity, int nx, int ny, int nz, float ce, float cw,
                           float cn, float cs, float ct, float cb, float cc) {
  float ambient = 80.0f;
  int i = blockDim.x * blockIdx.x + threadIdx.x, j = blockDim.y * blockIdx.y + threadIdx.y;
  int c = i + j * nx, plane = nx * ny;
  int w = i == 0 ? c : c - 1, e = i == nx - 1 ? c : c + 1, n = j == 0 ? c : c - nx, s = j == ny - 1 ? c : c + nx;
  float below = in[c], here = below, above = in[c + plane];
  out[c] = cc * here + cw * in[w] + ce * in[e] + cs * in[s] + cn * in[n] + cb * below + ct * above + capacity * p[c] +
           ct * ambient;
  c += plane;
  w += plane;
  e += plane;
  n += plane;
  s += plane;
  for (int k = 1; k < nz - 1; ++k) {
    below = here;
    here = above;
    above = in[c + plane];
    out[c] = cc * here + cw * in[w] + ce * in[e] + cs * in[s] + cn * in[n] + cb * below + ct * above + capacity * p[c] +
             ct * ambient;
    c += plane;
    w += plane;
    e += plane;
    n += plane;
    s += plane;
  }
  below = here;
  here = above;
  out[c] = cc * here + cw * in[w] + ce * in[e] + cs * in[s] + cn * in[n] + cb * below + ct * above + capacity * p[c] +
           ct * ambient;
}

// lud: the diagonal block, the edges, the rest.
constexpr int lud_size = 16;
__global__ void lud_diagonal(float* m, int n, int offset) {
  __shared__ float shadow[lud_size][lud_size];
  int at = offset * n + offset;
  for (int i = 0; i < lud_size; i++) {
    shadow[i][threadIdx.x] = m[at + threadIdx.x];
    at += n;
  }
  __syncthreads();
  for (int i = 0; i < lud_size - 1; i++) {
    if (threadIdx.x > i) {
      for (int j = 0; j < i; j++) shadow[threadIdx.x][i] -= shadow[threadIdx.x][j] * shadow[j][i];
      shadow[threadIdx.x][i] /= shadow[i][i];
    }
    __syncthreads();
    if (threadIdx.x > i)
      for (int j = 0; j < i + 1; j++) shadow[i + 1][threadIdx.x] -= shadow[i + 1][j] * shadow[j][threadIdx.x];
    __syncthreads();
  }
  at = (offset + 1) * n + offset;
  for (int i = 1; i < lud_size; i++) {
    m[at + threadIdx.x] = shadow[i][threadIdx.x];
    at += n;
  }
}
__global__ void lud_perimeter(float* m, int n, int offset) {
  __shared__ float diagonal[lud_size][lud_size], row[lud_size][lud_size], column[lud_size][lud_size];
  int t = threadIdx.x % lud_size;
  int base = (threadIdx.x < lud_size ? offset : offset + lud_size / 2) * n + offset;
  for (int i = 0; i < lud_size / 2; i++)
    diagonal[i + (threadIdx.x < lud_size ? 0 : lud_size / 2)][t] = m[base + i * n + t];
  int row_at = offset * n + offset + (blockIdx.x + 1) * lud_size,
      column_at = (offset + (blockIdx.x + 1) * lud_size) * n + offset;
  if (threadIdx.x < lud_size)
    for (int i = 0; i < lud_size; i++) row[i][t] = m[row_at + i * n + t];
  else
    for (int i = 0; i < lud_size; i++) column[i][t] = m[column_at + i * n + t];
  __syncthreads();
  if (threadIdx.x < lud_size) {
    for (int i = 1; i < lud_size; i++)
      for (int j = 0; j < i; j++) row[i][t] -= diagonal[i][j] * row[j][t];
  } else {
    for (int i = 0; i < lud_size; i++) {
      for (int j = 0; j < i; j++) column[t][i] -= column[t][j] * diagonal[j][i];
      column[t][i] /= diagonal[i][i];
    }
  }
  __syncthreads();
  if (threadIdx.x < lud_size)
    for (int i = 1; i < lud_size; i++) m[row_at + i * n + t] = row[i][t];
  else
    for (int i = 0; i < lud_size; i++) m[column_at + i * n + t] = column[i][t];
}
__global__ void lud_internal(float* m, int n, int offset) {
  __shared__ float row[lud_size][lud_size], column[lud_size][lud_size];
  int at_row = offset + (blockIdx.y + 1) * lud_size, at_column = offset + (blockIdx.x + 1) * lud_size;
  row[threadIdx.y][threadIdx.x] = m[(offset + threadIdx.y) * n + at_column + threadIdx.x];
  column[threadIdx.y][threadIdx.x] = m[(at_row + threadIdx.y) * n + offset + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < lud_size; i++) sum += column[threadIdx.y][i] * row[i][threadIdx.x];
  m[(at_row + threadIdx.y) * n + at_column + threadIdx.x] -= sum;
}

// nw: diagonals of a square, up to its corner and beyond.
__global__ void needle_first(int* reference, int* matrix, int columns, int penalty, int i, int block_width) {
  constexpr int size = 16;
  int bx = blockIdx.x, tx = threadIdx.x, b_x = bx, b_y = i - 1 - bx;
  int index = columns * size * b_y + size * b_x + tx + (columns + 1);
  int index_n = columns * size * b_y + size * b_x + tx + 1, index_w = columns * size * b_y + size * b_x + columns;
  int index_nw = columns * size * b_y + size * b_x;
  __shared__ int temp[size + 1][size + 1], ref[size][size];
  if (tx == 0) temp[tx][0] = matrix[index_nw];
  for (int ty = 0; ty < size; ty++) ref[ty][tx] = reference[index + columns * ty];
  __syncthreads();
  temp[tx + 1][0] = matrix[index_w + columns * tx];
  __syncthreads();
  temp[0][tx + 1] = matrix[index_n];
  __syncthreads();
  for (int m = 0; m < size; m++) {
    if (tx <= m) {
      int x = tx + 1, y = m - tx + 1;
      temp[y][x] = max(temp[y - 1][x - 1] + ref[y - 1][x - 1], max(temp[y][x - 1] - penalty, temp[y - 1][x] - penalty));
    }
    __syncthreads();
  }
  for (int m = size - 2; m >= 0; m--) {
    if (tx <= m) {
      int x = tx + size - m, y = size - tx;
      temp[y][x] = max(temp[y - 1][x - 1] + ref[y - 1][x - 1], max(temp[y][x - 1] - penalty, temp[y - 1][x] - penalty));
    }
    __syncthreads();
  }
  for (int ty = 0; ty < size; ty++) matrix[index + ty * columns] = temp[ty + 1][tx + 1];
}

// pathfinder: as hotspot, in one dimension.
__global__ void pathfinder(int iterations, int* wall, int* source, int* results, int columns, int rows, int start,
                           int border) {
  constexpr int size = 256;
  __shared__ int previous[size], result[size];
  int bx = blockIdx.x, tx = threadIdx.x, small = size - iterations * 2;
  int block_x = small * bx - border, x = block_x + tx;
  int x_min = block_x < 0 ? -block_x : 0;
  int x_max = block_x + size - 1 > columns - 1 ? size - 1 - (block_x + size - columns) : size - 1;
  int west = max(tx - 1, x_min), east = min(tx + 1, x_max);
  bool valid = tx >= x_min && tx <= x_max;
  if (x >= 0 && x <= columns - 1) previous[tx] = source[x];
  __syncthreads();
  bool computed = false;
  for (int i = 0; i < iterations; i++) {
    computed = false;
    if (tx >= i + 1 && tx <= size - i - 2 && valid) {
      computed = true;
      int shortest = min(min(previous[west], previous[tx]), previous[east]);
      result[tx] = shortest + wall[columns * (start + i) + x];
    }
    __syncthreads();
    if (i == iterations - 1) break;
    if (computed) previous[tx] = result[tx];
    __syncthreads();
  }
  if (computed) results[x] = result[tx];
}

// srad v1: the sum of a block whose last part may be smaller than a power of two; and its two steps.
__global__ void srad_reduce(int elements, int number, int stride, float* sums, float* squares) {
  constexpr int size = 512;
  int bx = blockIdx.x, tx = threadIdx.x, ei = bx * size + tx, nf = size - (gridDim.x * size - number), df = 0;
  __shared__ float sum[size], square[size];
  if (ei < number) {
    sum[tx] = sums[ei * stride];
    square[tx] = squares[ei * stride];
  }
  __syncthreads();
  if (nf == size) {
    for (int i = 2; i <= size; i = 2 * i) {
      if ((tx + 1) % i == 0) {
        sum[tx] = sum[tx] + sum[tx - i / 2];
        square[tx] = square[tx] + square[tx - i / 2];
      }
      __syncthreads();
    }
    if (tx == size - 1) {
      sums[bx * stride * size] = sum[tx];
      squares[bx * stride * size] = square[tx];
    }
  } else {
    if (bx != gridDim.x - 1) {
      for (int i = 2; i <= size; i = 2 * i) {
        if ((tx + 1) % i == 0) {
          sum[tx] = sum[tx] + sum[tx - i / 2];
          square[tx] = square[tx] + square[tx - i / 2];
        }
        __syncthreads();
      }
      if (tx == size - 1) {
        sums[bx * stride * size] = sum[tx];
        squares[bx * stride * size] = square[tx];
      }
    } else {
      for (int i = 2; i <= size; i = 2 * i)
        if (nf >= i) df = i;
      for (int i = 2; i <= df; i = 2 * i) {
        if ((tx + 1) % i == 0 && tx < df) {
          sum[tx] = sum[tx] + sum[tx - i / 2];
          square[tx] = square[tx] + square[tx - i / 2];
        }
        __syncthreads();
      }
      if (tx == df - 1) {
        for (int i = bx * size + df; i < bx * size + nf; i++) {
          sum[tx] = sum[tx] + sums[i];
          square[tx] = square[tx] + squares[i];
        }
        sums[bx * stride * size] = sum[tx];
        squares[bx * stride * size] = square[tx];
      }
    }
  }
}
__global__ void srad_coefficients(float lambda, int rows, int columns, long elements, int* north, int* south, int* east,
                                  int* west, float* dn, float* ds, float* de, float* dw, float q0, float* c,
                                  float* image) {
  int ei = blockIdx.x * 512 + threadIdx.x;
  int row = (ei + 1) % rows - 1, column = (ei + 1) / rows + 1 - 1;
  if ((ei + 1) % rows == 0) {
    row = rows - 1;
    column = column - 1;
  }
  if (ei >= elements) return;
  float here = image[ei];
  float n = image[north[row] + rows * column] - here, s = image[south[row] + rows * column] - here;
  float w = image[row + rows * west[column]] - here, e = image[row + rows * east[column]] - here;
  float g2 = (n * n + s * s + w * w + e * e) / (here * here), l = (n + s + w + e) / here;
  float num = 0.5f * g2 - 1.0f / 16.0f * (l * l), den = 1 + 0.25f * l, q = num / (den * den);
  den = (q - q0) / (q0 * (1 + q0));
  float result = 1.0f / (1.0f + den);
  if (result < 0)
    result = 0;
  else if (result > 1)
    result = 1;
  dn[ei] = n;
  ds[ei] = s;
  dw[ei] = w;
  de[ei] = e;
  c[ei] = result;
}
// srad v2: squares of shared memory.
__global__ void srad_two_coefficients(float* e, float* w, float* s, float* n, float* j, float* c, int columns, int rows,
                                      float q0) {
  constexpr int size = 16;
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int index = columns * size * by + size * bx + columns * ty + tx;
  int index_n = columns * size * by + size * bx + tx - columns,
      index_s = columns * size * by + size * bx + columns * size + tx;
  int index_w = columns * size * by + size * bx + columns * ty - 1,
      index_e = columns * size * by + size * bx + columns * ty + size;
  __shared__ float temp[size][size], north[size][size], south[size][size], east[size][size], west[size][size];
  north[ty][tx] = by == 0 ? j[size * bx + tx] : j[index_n];
  south[ty][tx] =
      by == gridDim.y - 1 ? j[columns * size * (gridDim.y - 1) + size * bx + columns * (size - 1) + tx] : j[index_s];
  west[ty][tx] = bx == 0 ? j[columns * size * by + columns * ty] : j[index_w];
  east[ty][tx] =
      bx == gridDim.x - 1 ? j[columns * size * by + size * (gridDim.x - 1) + columns * ty + size - 1] : j[index_e];
  temp[ty][tx] = j[index];
  __syncthreads();
  float here = temp[ty][tx];
  float dn = (ty == 0 ? north[ty][tx] : temp[ty - 1][tx]) - here,
        ds = (ty == size - 1 ? south[ty][tx] : temp[ty + 1][tx]) - here;
  float dw = (tx == 0 ? west[ty][tx] : temp[ty][tx - 1]) - here,
        de = (tx == size - 1 ? east[ty][tx] : temp[ty][tx + 1]) - here;
  float g2 = (dn * dn + ds * ds + dw * dw + de * de) / (here * here), l = (dn + ds + dw + de) / here;
  float den = 1 + 0.25f * l, q = (0.5f * g2 - 1.0f / 16.0f * (l * l)) / (den * den);
  float result = 1.0f / (1.0f + (q - q0) / (q0 * (1 + q0)));
  c[index] = result < 0 ? 0 : result > 1 ? 1 : result;
  e[index] = de;
  w[index] = dw;
  s[index] = ds;
  n[index] = dn;
}

// dwt2d: a column of blocks, forward 5/3, with borders mirrored; a block goes down in steps.
template <int WX, int WY>
__device__ void wavelet_53(const int* in, int* out, int sx, int sy, int steps) {
  __shared__ int window[WX][WY + 3];
  const int x = blockIdx.x * WX + threadIdx.x, first = blockIdx.y * WY * steps;
  auto at = [&](int y) {
    y = y < 0 ? -y : y;
    return y >= sy ? 2 * sy - 2 - y : y;
  };
  if (x >= sx) return;
  for (int i = 0; i < 3; i++) window[threadIdx.x][i] = in[at(first + i - 2) * sx + x];
  for (int step = 0; step < steps; step++) {
    const int y = first + step * WY;
    for (int i = 0; i < WY; i++) window[threadIdx.x][3 + i] = in[at(y + 1 + i) * sx + x];
    for (int i = 1; i < WY + 2; i += 2)
      window[threadIdx.x][i] -= (window[threadIdx.x][i - 1] + window[threadIdx.x][i + 1]) / 2;
    for (int i = 2; i < WY + 1; i += 2)
      window[threadIdx.x][i] += (window[threadIdx.x][i - 1] + window[threadIdx.x][i + 1] + 2) / 4;
    for (int i = 0; i < WY; i++)
      if (y + i < sy) out[((y + i) / 2 + ((y + i) & 1 ? (sy + 1) / 2 : 0)) * sx + x] = window[threadIdx.x][2 + i];
    for (int i = 0; i < 3; i++) window[threadIdx.x][i] = window[threadIdx.x][WY + i];
  }
}
__global__ void wavelet_forward_53(const int* in, int* out, int sx, int sy, int steps) {
  wavelet_53<192, 8>(in, out, sx, sy, steps);
}
__global__ void split_components(int* r, int* g, int* b, const unsigned char* source, int pixels) {
  __shared__ unsigned char data[256 * 3];
  int x = threadIdx.x, base = blockIdx.x * 256 * 3;
  for (int i = 0; i < 3; i++)
    if (base + x + 256 * i < pixels * 3) data[x + 256 * i] = source[base + x + 256 * i];
  __syncthreads();
  int at = blockIdx.x * 256 + x;
  if (at < pixels) {
    r[at] = data[x * 3] - 128;
    g[at] = data[x * 3 + 1] - 128;
    b[at] = data[x * 3 + 2] - 128;
  }
}
