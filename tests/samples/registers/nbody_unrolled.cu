extern "C" __global__ void nbody_unrolled(float4* o, const float4* p, int n) {
  __shared__ float4 s[256];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = p[t];
  float ax = 0, ay = 0, az = 0;
  for (int b = 0; b < n; b += 256) {
    s[threadIdx.x] = p[b + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < 256; j++) {
      float dx = s[j].x - me.x, dy = s[j].y - me.y, dz = s[j].z - me.z;
      float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
      float f = s[j].w * r * r * r;
      ax += dx * f;
      ay += dy * f;
      az += dz * f;
    }
    __syncthreads();
  }
  o[t] = make_float4(ax, ay, az, 0);
}
