// CUDA samples, bodies, particles, fluids, waves, surfaces.
// nvcc sm_80
// nvcc sm_75
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// nbody: tiles of bodies in shared memory.
__device__ float3 interaction(float3 ai, float4 bi, float4 bj, float softening) {
  float3 r = make_float3(bj.x - bi.x, bj.y - bi.y, bj.z - bi.z);
  float inv = rsqrtf(r.x * r.x + r.y * r.y + r.z * r.z + softening), s = bj.w * inv * inv * inv;
  return make_float3(ai.x + r.x * s, ai.y + r.y * s, ai.z + r.z * s);
}
__global__ void nbody_integrate(float4* __restrict__ next, const float4* __restrict__ old, float4* velocity,
                                unsigned offset, unsigned bodies, float dt, float damping, float softening, int tiles) {
  cg::thread_block block = cg::this_thread_block();
  extern __shared__ float4 shared_positions[];
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= bodies) return;
  float4 position = old[offset + index];
  float3 force = make_float3(0, 0, 0);
  for (int tile = 0; tile < tiles; tile++) {
    shared_positions[threadIdx.x] = old[tile * blockDim.x + threadIdx.x];
    cg::sync(block);
#pragma unroll 128
    for (unsigned counter = 0; counter < blockDim.x; counter++)
      force = interaction(force, position, shared_positions[counter], softening);
    cg::sync(block);
  }
  float4 v = velocity[offset + index];
  v.x = (v.x + force.x * dt) * damping;
  v.y = (v.y + force.y * dt) * damping;
  v.z = (v.z + force.z * dt) * damping;
  position.x += v.x * dt;
  position.y += v.y * dt;
  position.z += v.z * dt;
  next[offset + index] = position;
  velocity[offset + index] = v;
}

// particles: hashes of cells, where they start, and collisions with what is in the 27 cells around.
struct SimParams {
  float3 collider_position;
  float collider_radius;
  float3 gravity;
  float damping, particle_radius;
  uint3 grid_size;
  unsigned cells;
  float3 origin, cell_size;
  float spring, damp, shear, attraction;
};
__constant__ SimParams params;
__device__ int3 cell_of(float3 p) {
  return make_int3(floorf((p.x - params.origin.x) / params.cell_size.x),
                   floorf((p.y - params.origin.y) / params.cell_size.y),
                   floorf((p.z - params.origin.z) / params.cell_size.z));
}
__device__ unsigned hash_of(int3 c) {
  c.x = c.x & (params.grid_size.x - 1);
  c.y = c.y & (params.grid_size.y - 1);
  c.z = c.z & (params.grid_size.z - 1);
  return __umul24(__umul24(c.z, params.grid_size.y), params.grid_size.x) + __umul24(c.y, params.grid_size.x) + c.x;
}
__global__ void particles_hash(unsigned* hashes, unsigned* indices, const float4* positions, unsigned count) {
  unsigned i = __umul24(blockIdx.x, blockDim.x) + threadIdx.x;
  if (i >= count) return;
  float4 p = positions[i];
  hashes[i] = hash_of(cell_of(make_float3(p.x, p.y, p.z)));
  indices[i] = i;
}
__global__ void particles_find_starts(unsigned* starts, unsigned* ends, float4* sorted_positions,
                                      float4* sorted_velocities, const unsigned* hashes, const unsigned* indices,
                                      const float4* positions, const float4* velocities, unsigned count) {
  cg::thread_block block = cg::this_thread_block();
  extern __shared__ unsigned shared_hash[];
  unsigned i = __umul24(blockIdx.x, blockDim.x) + threadIdx.x, hash;
  if (i < count) {
    hash = hashes[i];
    shared_hash[threadIdx.x + 1] = hash;
    if (i > 0 && threadIdx.x == 0) shared_hash[0] = hashes[i - 1];
  }
  cg::sync(block);
  if (i < count) {
    if (i == 0 || hash != shared_hash[threadIdx.x]) {
      starts[hash] = i;
      if (i > 0) ends[shared_hash[threadIdx.x]] = i;
    }
    if (i == count - 1) ends[hash] = i + 1;
    unsigned from = indices[i];
    sorted_positions[i] = positions[from];
    sorted_velocities[i] = velocities[from];
  }
}
__device__ float3 collide_spheres(float3 a, float3 b, float3 va, float3 vb, float ra, float rb, float attraction) {
  float3 d = make_float3(b.x - a.x, b.y - a.y, b.z - a.z), force = make_float3(0, 0, 0);
  float distance = sqrtf(d.x * d.x + d.y * d.y + d.z * d.z), reach = ra + rb;
  if (distance < reach) {
    float3 n = make_float3(d.x / distance, d.y / distance, d.z / distance),
           v = make_float3(vb.x - va.x, vb.y - va.y, vb.z - va.z);
    float along = v.x * n.x + v.y * n.y + v.z * n.z, spring = -params.spring * (reach - distance);
    force.x = spring * n.x + params.damp * v.x + params.shear * (v.x - along * n.x) + attraction * d.x;
    force.y = spring * n.y + params.damp * v.y + params.shear * (v.y - along * n.y) + attraction * d.y;
    force.z = spring * n.z + params.damp * v.z + params.shear * (v.z - along * n.z) + attraction * d.z;
  }
  return force;
}
__global__ void particles_collide(float4* new_velocities, const float4* positions, const float4* velocities,
                                  const unsigned* indices, const unsigned* starts, const unsigned* ends,
                                  unsigned count) {
  unsigned index = __umul24(blockIdx.x, blockDim.x) + threadIdx.x;
  if (index >= count) return;
  float4 p4 = positions[index], v4 = velocities[index];
  float3 p = make_float3(p4.x, p4.y, p4.z), v = make_float3(v4.x, v4.y, v4.z), force = make_float3(0, 0, 0);
  int3 cell = cell_of(p);
  for (int z = -1; z <= 1; z++)
    for (int y = -1; y <= 1; y++)
      for (int x = -1; x <= 1; x++) {
        unsigned hash = hash_of(make_int3(cell.x + x, cell.y + y, cell.z + z)), start = starts[hash];
        if (start != 0xffffffff) {
          unsigned end = ends[hash];
          for (unsigned j = start; j < end; j++)
            if (j != index) {
              float4 q = positions[j], w = velocities[j];
              float3 f = collide_spheres(p, make_float3(q.x, q.y, q.z), v, make_float3(w.x, w.y, w.z),
                                         params.particle_radius, params.particle_radius, params.attraction);
              force = make_float3(force.x + f.x, force.y + f.y, force.z + f.z);
            }
        }
      }
  float3 f = collide_spheres(p, params.collider_position, v, make_float3(0, 0, 0), params.particle_radius,
                             params.collider_radius, 0);
  new_velocities[indices[index]] = make_float4(v.x + force.x + f.x, v.y + force.y + f.y, v.z + force.z + f.z, 0);
}

// fluidsGL: a tile of 64 columns, sixteen rows for each thread.
__global__ void fluid_add_forces(float2* v, int dx, int dy, int spx, int spy, float fx, float fy, int r, size_t pitch) {
  int tx = threadIdx.x, ty = threadIdx.y;
  float2* to = (float2*)((char*)v + (ty + spy) * pitch) + tx + spx;
  float2 t = *to;
  tx -= r;
  ty -= r;
  float s = 1.0f / (1.0f + tx * tx * tx * tx + ty * ty * ty * ty);
  t.x += s * fx;
  t.y += s * fy;
  *to = t;
}
__global__ void fluid_advect(float2* v, float* vx, float* vy, int dx, int pdx, int dy, float dt, int lb,
                             cudaTextureObject_t field) {
  int gtidx = blockIdx.x * blockDim.x + threadIdx.x, gtidy = blockIdx.y * (lb * blockDim.y) + threadIdx.y * lb;
  if (gtidx < dx)
    for (int p = 0; p < lb; p++) {
      int fi = gtidy + p;
      if (fi < dy) {
        int fj = fi * pdx + gtidx;
        float2 t = tex2D<float2>(field, gtidx, fi);
        float px = (gtidx + 0.5f) - dt * t.x * dx, py = (fi + 0.5f) - dt * t.y * dy;
        t = tex2D<float2>(field, px, py);
        vx[fj] = t.x;
        vy[fj] = t.y;
      }
    }
}
__global__ void fluid_diffuse(float2* vx, float2* vy, int dx, int dy, float dt, float viscosity, int lb) {
  int gtidx = blockIdx.x * blockDim.x + threadIdx.x, gtidy = blockIdx.y * (lb * blockDim.y) + threadIdx.y * lb;
  if (gtidx < dx)
    for (int p = 0; p < lb; p++) {
      int fi = gtidy + p;
      if (fi < dy) {
        int fj = fi * dx + gtidx, iix = gtidx, iiy = fi > dy / 2 ? fi - dy : fi;
        float2 x = vx[fj], y = vy[fj];
        float kk = (float)(iix * iix + iiy * iiy), diff = 1.0f / (1.0f + viscosity * dt * kk);
        x.x *= diff;
        x.y *= diff;
        y.x *= diff;
        y.y *= diff;
        if (kk > 0) {
          float inv = 1.0f / kk, rx = (iix * x.x + iiy * y.x) * inv, ry = (iix * x.y + iiy * y.y) * inv;
          x.x -= rx * iix;
          x.y -= ry * iix;
          y.x -= rx * iiy;
          y.y -= ry * iiy;
        }
        vx[fj] = x;
        vy[fj] = y;
      }
    }
}

// oceanFFT.
__global__ void ocean_spectrum(const float2* h0, float2* ht, unsigned in_width, unsigned out_width, unsigned out_height,
                               float t, float patch) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned at = y * in_width + x, mirror = (out_height - y) * in_width + (out_width - x), to = y * out_width + x;
  float kx = (-(int)out_width / 2.0f + x) * (2.0f * 3.14159265f / patch),
        ky = (-(int)out_width / 2.0f + y) * (2.0f * 3.14159265f / patch);
  float w = sqrtf(9.81f * sqrtf(kx * kx + ky * ky));
  if (x < out_width && y < out_height) {
    float2 a = h0[at], b = h0[mirror];
    float c = cosf(w * t), s = sinf(w * t);
    ht[to] = make_float2(a.x * c - a.y * s + b.x * c - b.y * s, a.x * s + a.y * c - b.x * s - b.y * c);
  }
}
__global__ void ocean_slope(const float* h, float2* slope, unsigned width, unsigned height) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * width + x;
  float2 s = make_float2(0, 0);
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
    s = make_float2(h[i + 1] - h[i - 1], h[i + width] - h[i - width]);
  slope[i] = s;
}

// simpleGL, and the waves of those with Vulkan and Direct3D.
__global__ void wave_vertices(float4* pos, unsigned width, unsigned height, float time) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = x / (float)width * 2.0f - 1.0f, v = y / (float)height * 2.0f - 1.0f;
  float w = sinf(u * 4.0f + time) * cosf(v * 4.0f + time) * 0.5f;
  pos[y * width + x] = make_float4(u, w, v, 1.0f);
}

// marchingCubes: which cubes are cut, and triangles of them; how many stands in a table.
__device__ uint3 grid_position(unsigned i, uint3 shift, uint3 mask) {
  return make_uint3(i & mask.x, i >> shift.y & mask.y, i >> shift.z & mask.z);
}
__device__ float field_of(float3 p) {
  p = make_float3(p.x * 3.0f, p.y * 3.0f, p.z * 3.0f);
  return p.x * p.x * p.x * p.x - 5 * p.x * p.x + p.y * p.y * p.y * p.y - 5 * p.y * p.y + p.z * p.z * p.z * p.z -
         5 * p.z * p.z + 11.8f;
}
__global__ void classify_voxels(unsigned* vertices, unsigned* occupied, const unsigned char* volume, uint3 size,
                                uint3 shift, uint3 mask, unsigned voxels, float iso,
                                cudaTextureObject_t vertices_of_cube, cudaTextureObject_t volume_texture) {
  unsigned block = __mul24(blockIdx.y, gridDim.x) + blockIdx.x, i = __mul24(block, blockDim.x) + threadIdx.x;
  uint3 p = grid_position(i, shift, mask);
  unsigned cube = 0;
  for (int k = 0; k < 8; k++) {
    uint3 q = make_uint3(min(p.x + (k & 1 ^ k >> 1 & 1), size.x - 1), min(p.y + (k >> 1 & 1), size.y - 1),
                         min(p.z + (k >> 2 & 1), size.z - 1));
    cube += (tex1Dfetch<float>(volume_texture, q.z * size.x * size.y + q.y * size.x + q.x) < iso) << k;
  }
  unsigned count = tex1Dfetch<unsigned>(vertices_of_cube, cube);
  if (i < voxels) {
    vertices[i] = count;
    occupied[i] = count > 0;
  }
}
__global__ void compact_voxels(unsigned* compacted, const unsigned* occupied, const unsigned* scanned,
                               unsigned voxels) {
  unsigned block = __mul24(blockIdx.y, gridDim.x) + blockIdx.x, i = __mul24(block, blockDim.x) + threadIdx.x;
  if (occupied[i] && i < voxels) compacted[scanned[i]] = i;
}
__global__ void generate_triangles(float4* pos, float4* norm, const unsigned* compacted, const unsigned* scanned,
                                   uint3 size, uint3 shift, uint3 mask, float3 voxel, float iso, unsigned active,
                                   unsigned most, cudaTextureObject_t triangles, cudaTextureObject_t vertices_of_cube) {
  unsigned block = __mul24(blockIdx.y, gridDim.x) + blockIdx.x, i = __mul24(block, blockDim.x) + threadIdx.x;
  if (i > active - 1) i = active - 1;
  unsigned at = compacted[i];
  uint3 g = grid_position(at, shift, mask);
  float3 p = make_float3(-1.0f + g.x * voxel.x, -1.0f + g.y * voxel.y, -1.0f + g.z * voxel.z), v[8];
  float field[8];
  for (int k = 0; k < 8; k++) {
    v[k] =
        make_float3(p.x + (k & 1 ^ k >> 1 & 1) * voxel.x, p.y + (k >> 1 & 1) * voxel.y, p.z + (k >> 2 & 1) * voxel.z);
    field[k] = field_of(v[k]);
  }
  unsigned cube = 0;
  for (int k = 0; k < 8; k++) cube += (field[k] < iso) << k;
  __shared__ float3 edges[12 * 32];
  for (int e = 0; e < 12; e++) {
    int a = e < 8 ? e : e - 8, b = e < 4 ? (e + 1) & 3 : e < 8 ? 4 + ((e + 1) & 3) : e - 4;
    float t = (iso - field[a]) / (field[b] - field[a]);
    edges[e * 32 + threadIdx.x] =
        make_float3(v[a].x + t * (v[b].x - v[a].x), v[a].y + t * (v[b].y - v[a].y), v[a].z + t * (v[b].z - v[a].z));
  }
  __syncthreads();
  unsigned count = tex1Dfetch<unsigned>(vertices_of_cube, cube);
  for (int k = 0; k < count; k += 3) {
    unsigned index = scanned[at] + k;
    float3 t[3];
    for (int c = 0; c < 3; c++) t[c] = edges[tex1Dfetch<unsigned>(triangles, cube * 16 + k + c) * 32 + threadIdx.x];
    float3 e0 = make_float3(t[1].x - t[0].x, t[1].y - t[0].y, t[1].z - t[0].z),
           e1 = make_float3(t[2].x - t[0].x, t[2].y - t[0].y, t[2].z - t[0].z);
    float4 n = make_float4(e0.y * e1.z - e0.z * e1.y, e0.z * e1.x - e0.x * e1.z, e0.x * e1.y - e0.y * e1.x, 0);
    if (index < most - 3)
      for (int c = 0; c < 3; c++) {
        pos[index + c] = make_float4(t[c].x, t[c].y, t[c].z, 1);
        norm[index + c] = n;
      }
  }
}

// smokeParticles: noise from a texture moves them, depth for a sort.
__global__ void smoke_integrate(float4* positions, float4* velocities, float dt, float3 gravity, float damping,
                                float noise_frequency, float noise_speed, float noise_amplitude, float time,
                                unsigned count, cudaTextureObject_t noise) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float4 p = positions[i], v = velocities[i];
  float age = p.w, life = v.w;
  if (age < life)
    age += dt;
  else
    age = life;
  v.x += gravity.x * dt;
  v.y += gravity.y * dt;
  v.z += gravity.z * dt;
  float4 n = tex3D<float4>(noise, p.x * noise_frequency + time * noise_speed,
                           p.y * noise_frequency + time * noise_speed, p.z * noise_frequency + time * noise_speed);
  v.x += n.x * noise_amplitude;
  v.y += n.y * noise_amplitude;
  v.z += n.z * noise_amplitude;
  p.x += v.x * dt;
  p.y += v.y * dt;
  p.z += v.z * dt;
  positions[i] = make_float4(p.x, p.y, p.z, age);
  velocities[i] = make_float4(v.x * damping, v.y * damping, v.z * damping, life);
}

// lineOfSight: angles along a ray, visible where the largest so far is less.
__global__ void ray_angles(const float* height, float2 origin, float2 direction, float* angles, float observer,
                           int count) {
  unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= count) return;
  float2 at = make_float2(origin.x + i * direction.x, origin.y + i * direction.y);
  int x = (int)floorf(at.x), y = (int)floorf(at.y);
  float dx = at.x - origin.x, dy = at.y - origin.y;
  angles[i] = atanf((height[y * 10000 + x] - observer) / sqrtf(dx * dx + dy * dy));
}
__global__ void ray_visibility(const float* angles, const float* scanned, int count, bool* visible) {
  unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < count) visible[i] = scanned[i] <= angles[i];
}

// segmentationTreeThrust: marks of segments, and edges of the next level's vertices by their offsets.
__global__ void mark_segments(const unsigned* vertices, unsigned* segments, unsigned count) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) segments[vertices[i]] = 1;
}
__global__ void successors_to_representatives(const unsigned* successors, unsigned* representatives, unsigned count) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned next = successors[i], current = i;
  if (current < next) {
    unsigned after = successors[next];
    if (after == current) next = current;
  }
  while (next != successors[next]) {
    unsigned far = successors[next];
    if (successors[far] == next) {
      next = min(next, far);
      break;
    }
    next = far;
  }
  representatives[i] = next;
}
__global__ void lightest_edges(const unsigned* offsets, const unsigned* weights, const unsigned* edges,
                               unsigned* successors, unsigned count) {
  unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= count) return;
  unsigned least = 0xffffffff, to = v;
  for (unsigned e = offsets[v]; e < offsets[v + 1]; ++e)
    if (weights[e] < least) {
      least = weights[e];
      to = edges[e];
    }
  successors[v] = to;
}

// randomFog: points of several shapes, and their distances.
__global__ void fog_positions(float3* points, const float* random, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float phi = random[i] * 6.2831853f, theta = acosf(2.0f * random[count + i] - 1.0f), r = cbrtf(random[2 * count + i]);
  points[i] = make_float3(r * sinf(theta) * cosf(phi), r * sinf(theta) * sinf(phi), r * cosf(theta));
}
