// The kernel of the CUDA sample nbody in single precision (NVIDIA/cuda-samples, Samples/5_Domain_Specific/nbody,
// integrateBodies<float>), written anew with the same launch, accesses and arithmetic.

__constant__ float softening_squared;

__device__ float3 interaction(float3 acceleration, float4 body, float4 other) {
  const float3 r = {other.x - body.x, other.y - body.y, other.z - body.z};
  float distance_squared = r.x * r.x + r.y * r.y + r.z * r.z;
  distance_squared += softening_squared;
  const float inverse = rsqrtf(distance_squared);
  const float s = other.w * (inverse * inverse * inverse);
  acceleration.x += r.x * s;
  acceleration.y += r.y * s;
  acceleration.z += r.z * s;
  return acceleration;
}

extern "C" __global__ void integrate_bodies(float4* __restrict__ new_positions, float4* __restrict__ old_positions,
                                            float4* velocities, unsigned first, unsigned bodies, float step,
                                            float damping, int tiles) {
  extern __shared__ float4 shared[];
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= bodies) {
    return;
  }
  float4 position = old_positions[first + index];
  float3 acceleration = {0, 0, 0};
  for (int tile = 0; tile < tiles; ++tile) {
    shared[threadIdx.x] = old_positions[tile * blockDim.x + threadIdx.x];
    __syncthreads();
#pragma unroll 128
    for (unsigned i = 0; i < blockDim.x; ++i) {
      acceleration = interaction(acceleration, position, shared[i]);
    }
    __syncthreads();
  }
  float4 velocity = velocities[first + index];
  velocity.x = (velocity.x + acceleration.x * step) * damping;
  velocity.y = (velocity.y + acceleration.y * step) * damping;
  velocity.z = (velocity.z + acceleration.z * step) * damping;
  position.x += velocity.x * step;
  position.y += velocity.y * step;
  position.z += velocity.z * step;
  new_positions[first + index] = position;
  velocities[first + index] = velocity;
}
