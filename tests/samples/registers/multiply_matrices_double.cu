extern "C" __global__ void multiply_matrices_double(double* c, const double* a, const double* b, int n) {
  __shared__ double sa[16][16 * 2], sb[16][16 * 2];
  int tx = threadIdx.x, ty = threadIdx.y;
  double acc[2][2] = {};
  for (int k0 = 0; k0 < n; k0 += 16) {
#pragma unroll
    for (int i = 0; i < 2; i++) {
      sa[ty][tx + 16 * i] = a[(k0 + ty) * n + blockIdx.y * 16 * 2 + tx + 16 * i];
      sb[ty][tx + 16 * i] = b[(k0 + ty) * n + blockIdx.x * 16 * 2 + tx + 16 * i];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; k++) {
      double ra[2], rb[2];
#pragma unroll
      for (int i = 0; i < 2; i++) {
        ra[i] = sa[k][ty * 2 + i];
        rb[i] = sb[k][tx * 2 + i];
      }
#pragma unroll
      for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 2; j++) acc[i][j] += ra[i] * rb[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 2; i++)
#pragma unroll
    for (int j = 0; j < 2; j++)
      c[(blockIdx.y * 16 * 2 + ty * 2 + i) * n + blockIdx.x * 16 * 2 + tx * 2 + j] = acc[i][j];
}
