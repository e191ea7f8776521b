// The assembler unrolls the outer loop, which the PTX has once.
extern "C" __global__ void unrolled(const float* a, const float* b, float* c, int n) {
  __shared__ float rows[16][16], columns[16][16];
  const int column = blockIdx.x * 16 + threadIdx.x;
  const int row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int start = 0; start < n; start += 16) {
    rows[threadIdx.y][threadIdx.x] = a[row * n + start + threadIdx.x];
    columns[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += rows[threadIdx.y][k] * columns[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
