// SPDX-License-Identifier: GPL-3.0-or-later
// A load by a generic address that may be of each thread's own memory, where lanes side by side read words of many lines.
__global__ void either(int* out, int n) {
  int own[64];
  for (int i = 0; i < 64; i++) own[i] = out[i + n];
  const int* from = n > 5 ? own : out;
  out[threadIdx.x] = from[threadIdx.x & 31];
}
