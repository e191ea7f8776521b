// CUDA samples, textures, surfaces and volumes.
// nvcc sm_80
// nvcc sm_100

// simpleTexture.
__global__ void rotate_texture(float* out, int width, int height, float theta, cudaTextureObject_t tex) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = (float)x - (float)width / 2, v = (float)y - (float)height / 2;
  float tu = u * cosf(theta) - v * sinf(theta), tv = v * cosf(theta) + u * sinf(theta);
  out[y * width + x] = tex2D<float>(tex, tu / (float)width + 0.5f, tv / (float)height + 0.5f);
}

// simplePitchLinearTexture.
__global__ void shift_pitch(float* out, int pitch, int width, int height, int shift_x, int shift_y,
                            cudaTextureObject_t tex) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * pitch + x] = tex2D<float>(tex, (x + shift_x) / (float)width, (y + shift_y) / (float)height);
}

// simpleTexture3D.
__global__ void volume_slice(unsigned* out, unsigned width, unsigned height, float w, cudaTextureObject_t tex) {
  unsigned x = __umul24(blockIdx.x, blockDim.x) + threadIdx.x, y = __umul24(blockIdx.y, blockDim.y) + threadIdx.y;
  float voxel = tex3D<float>(tex, x / (float)width, y / (float)height, w);
  if (x < width && y < height) out[__umul24(y, width) + x] = voxel * 255;
}

// simpleLayeredTexture, simpleCubemapTexture.
__global__ void transform_layer(float* out, int width, int height, int layer, cudaTextureObject_t tex) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[layer * width * height + y * width + x] =
      -tex2DLayered<float>(tex, (x + 0.5f) / (float)width, (y + 0.5f) / (float)height, layer) + layer;
}
__global__ void transform_cubemap(float* out, int width, cudaTextureObject_t tex) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = (x + 0.5f) / (float)width * 2.0f - 1.0f, v = (y + 0.5f) / (float)width * 2.0f - 1.0f;
  for (int face = 0; face < 6; face++) {
    float cx, cy, cz;
    if (face == 0) {
      cx = 1;
      cy = -v;
      cz = -u;
    } else if (face == 1) {
      cx = -1;
      cy = -v;
      cz = u;
    } else if (face == 2) {
      cx = u;
      cy = 1;
      cz = v;
    } else if (face == 3) {
      cx = u;
      cy = -1;
      cz = -v;
    } else if (face == 4) {
      cx = u;
      cy = -v;
      cz = 1;
    } else {
      cx = -u;
      cy = -v;
      cz = -1;
    }
    out[face * width * width + y * width + x] = -texCubemap<float>(tex, cx, cy, cz);
  }
}

// simpleSurfaceWrite.
__global__ void write_surface(const float* data, int width, int height, cudaSurfaceObject_t out) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  surf2Dwrite(data[y * width + x], out, x * 4, y, cudaBoundaryModeTrap);
}

// bindlessTexture: a level of detail, and a picture that another one chooses.
__global__ void next_mipmap(cudaSurfaceObject_t out, cudaTextureObject_t in, unsigned width, unsigned height) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float px = 1.0f / width, py = 1.0f / height;
  float4 c = make_float4(0, 0, 0, 0);
  for (int k = 0; k < 4; k++) {
    float4 t = tex2D<float4>(in, (x + (k & 1)) * px, (y + (k >> 1)) * py);
    c.x += t.x;
    c.y += t.y;
    c.z += t.z;
    c.w += t.w;
  }
  surf2Dwrite(make_uchar4(c.x * 63.75f, c.y * 63.75f, c.z * 63.75f, c.w * 63.75f), out, x * 4, y);
}
__global__ void choose_image(uchar4* out, int width, int height, float lod, cudaTextureObject_t atlas) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float u = x / (float)width, v = y / (float)height;
  uint2 handle = tex2D<uint2>(atlas, u, v);
  cudaTextureObject_t image = (unsigned long long)handle.y << 32 | handle.x;
  float4 c = tex2DLod<float4>(image, u, 1 - v, lod);
  out[y * width + x] = make_uchar4(c.x * 255, c.y * 255, c.z * 255, 255);
}

// volumeRender: a ray through the box, until it is full or leaves; five hundred steps at most.
struct Matrix34 {
  float4 m[3];
};
__constant__ Matrix34 inverse_view;
__device__ bool meets_box(float3 o, float3 d, float* near, float* far) {
  float3 inv = make_float3(1 / d.x, 1 / d.y, 1 / d.z);
  float bx = inv.x * (-1 - o.x), by = inv.y * (-1 - o.y), bz = inv.z * (-1 - o.z), tx = inv.x * (1 - o.x),
        ty = inv.y * (1 - o.y), tz = inv.z * (1 - o.z);
  *near = fmaxf(fmaxf(fminf(tx, bx), fminf(ty, by)), fminf(tz, bz));
  *far = fminf(fminf(fmaxf(tx, bx), fmaxf(ty, by)), fmaxf(tz, bz));
  return *far > *near;
}
__device__ float row_of(float4 m, float3 v) { return m.x * v.x + m.y * v.y + m.z * v.z; }
__global__ void render_volume(unsigned* out, unsigned width, unsigned height, float density, float brightness,
                              float offset, float scale, cudaTextureObject_t volume, cudaTextureObject_t transfer) {
  const int most_steps = 500;
  const float step = 0.01f, full = 0.95f;
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float u = x / (float)width * 2.0f - 1.0f, v = y / (float)height * 2.0f - 1.0f;
  float3 o = make_float3(inverse_view.m[0].w, inverse_view.m[1].w, inverse_view.m[2].w), d = make_float3(u, v, -2.0f);
  float inv = rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
  d = make_float3(d.x * inv, d.y * inv, d.z * inv);
  d = make_float3(row_of(inverse_view.m[0], d), row_of(inverse_view.m[1], d), row_of(inverse_view.m[2], d));
  float near, far;
  if (!meets_box(o, d, &near, &far)) return;
  if (near < 0) near = 0;
  float4 sum = make_float4(0, 0, 0, 0);
  float t = near;
  float3 p = make_float3(o.x + d.x * near, o.y + d.y * near, o.z + d.z * near);
  for (int i = 0; i < most_steps; i++) {
    float sample = tex3D<float>(volume, p.x * 0.5f + 0.5f, p.y * 0.5f + 0.5f, p.z * 0.5f + 0.5f);
    float4 c = tex1D<float4>(transfer, (sample - offset) * scale);
    c.w *= density;
    float rest = (1 - sum.w) * c.w;
    sum.x += c.x * rest;
    sum.y += c.y * rest;
    sum.z += c.z * rest;
    sum.w += rest;
    if (sum.w > full) break;
    t += step;
    if (t > far) break;
    p.x += d.x * step;
    p.y += d.y * step;
    p.z += d.z * step;
  }
  out[y * width + x] = (unsigned)(sum.w * brightness * 255) << 24 | (unsigned)(sum.z * 255) << 16 |
                       (unsigned)(sum.y * 255) << 8 | (unsigned)(sum.x * 255);
}

// volumeFiltering: weights of a filter that stand in constant memory, as many as an argument says.
__constant__ float4 filter_taps[512];
__global__ void filter_volume(cudaTextureObject_t in, cudaSurfaceObject_t out, int filter_size, float filter_offset,
                              int width, int height, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= width || y >= height || z >= depth) return;
  float filtered = 0, base = 0;
  for (int i = 0; i < filter_size; i++) {
    float4 b = filter_taps[i];
    filtered += b.w * tex3D<float>(in, (x + 0.5f + b.x) / width, (y + 0.5f + b.y) / height, (z + 0.5f + b.z) / depth);
    base += b.w;
  }
  surf3Dwrite((unsigned char)((filtered + filter_offset) * 255.0f / (base == 0 ? 1 : base)), out, x, y, z);
}
