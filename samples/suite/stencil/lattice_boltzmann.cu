// A step of the lattice Boltzmann method in two dimensions with nine velocities (D2Q9): stream from the neighbours of a
// periodic box, then collide. Distributions are stored one velocity behind the other.
#include "../suite_subset.h"

constexpr int kVelocities = 9;
__constant__ int velocity_x[kVelocities] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int velocity_y[kVelocities] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ float weights[kVelocities] = {4.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 36, 1.0f / 36,
                                           1.0f / 36, 1.0f / 36};

extern "C" __global__ void lattice_boltzmann(const float* before, float* after, int width, int height, float omega) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) {
    return;
  }
  float flow[kVelocities];
  float density = 0.0f;
  float momentum_x = 0.0f;
  float momentum_y = 0.0f;
  for (int i = 0; i < kVelocities; ++i) {
    const int from_x = (x - velocity_x[i] + width) % width;
    const int from_y = (y - velocity_y[i] + height) % height;
    flow[i] = before[(i * height + from_y) * width + from_x];
    density += flow[i];
    momentum_x += flow[i] * velocity_x[i];
    momentum_y += flow[i] * velocity_y[i];
  }
  const float u = momentum_x / density;
  const float v = momentum_y / density;
  const float energy = 1.5f * (u * u + v * v);
  for (int i = 0; i < kVelocities; ++i) {
    const float along = 3.0f * (u * velocity_x[i] + v * velocity_y[i]);
    const float balance = weights[i] * density * (1.0f + along + 0.5f * along * along - energy);
    after[(i * height + y) * width + x] = flow[i] + omega * (balance - flow[i]);
  }
}
