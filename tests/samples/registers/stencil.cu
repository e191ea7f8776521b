extern "C" __global__ void stencil(float* o, const float* a, int nx, int ny, int nz) {
  int x = threadIdx.x + blockIdx.x * blockDim.x + 4, y = threadIdx.y + blockIdx.y * blockDim.y + 4;
  if (x >= nx - 4 || y >= ny - 4) return;
  float q[9];
#pragma unroll
  for (int i = 0; i < 8; i++) q[i + 1] = a[(i * ny + y) * nx + x];
  for (int z = 4; z < nz - 4; z++) {
#pragma unroll
    for (int i = 0; i < 8; i++) q[i] = q[i + 1];
    q[8] = a[((z + 4) * ny + y) * nx + x];
    float s = 0;
#pragma unroll
    for (int i = 0; i < 9; i++) s += q[i] * (0.1f * i);
#pragma unroll
    for (int i = 1; i <= 4; i++)
      s += (a[(z * ny + y) * nx + x + i] + a[(z * ny + y) * nx + x - i] + a[(z * ny + y + i) * nx + x] +
            a[(z * ny + y - i) * nx + x]) *
           (0.3f / i);
    o[(z * ny + y) * nx + x] = s;
  }
}
