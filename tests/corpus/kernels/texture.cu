// Textures and surfaces.
// nvcc sm_80
// nvcc sm_75 -lineinfo
// nvcc sm_100

__global__ void texture_rotate(float* out, cudaTextureObject_t tex, int width, int height, float theta) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float u = x / (float)width - 0.5f, v = y / (float)height - 0.5f;
  float tu = u * cosf(theta) - v * sinf(theta) + 0.5f, tv = v * cosf(theta) + u * sinf(theta) + 0.5f;
  out[y * width + x] = tex2D<float>(tex, tu, tv);
}

__global__ void texture_box(float4* out, cudaTextureObject_t tex, int width, int height, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++) {
      float4 t = tex2D<float4>(tex, x + dx + 0.5f, y + dy + 0.5f);
      sum.x += t.x;
      sum.y += t.y;
      sum.z += t.z;
      sum.w += t.w;
    }
  if (x < width && y < height) out[y * width + x] = sum;
}

__global__ void volume_march(float* out, cudaTextureObject_t volume, int width, int steps, float step, float threshold) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0, depth = 0;
  for (int i = 0; i < steps; i++) {
    float sample = tex3D<float>(volume, x * step, y * step, depth);
    sum += (1.0f - sum) * sample;
    if (sum > threshold) break;
    depth += step;
  }
  out[y * width + x] = sum;
}

__global__ void surface_copy(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    uchar4 data;
    surf2Dread(&data, in, x * 4, y);
    surf2Dwrite(data, out, x * 4, y);
  }
}

__global__ void texture_table(const int* keys, int* out, cudaTextureObject_t table, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    out[i] = tex1Dfetch<int>(table, keys[i] & 1023);
}

__global__ void layered_gather(float4* out, cudaTextureObject_t tex, int layers) {
  int x = threadIdx.x, y = threadIdx.y;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int l = 0; l < layers; l++) {
    float4 t = tex2DLayered<float4>(tex, x, y, l);
    sum.x += t.x + t.y;
    sum.w += t.z + t.w;
  }
  out[y * blockDim.x + x] = sum;
}
