// SPDX-License-Identifier: GPL-3.0-or-later
// A pointer that one loop moves on, then some code, then another loop: as many numbers are added as blocks came before.
extern "C" __global__ void sum_before(int* data, const int* sums, int n) {
  __shared__ int carry;
  if (threadIdx.x == 0) {
    int total = 0;
    for (int b = 0; b < (int)blockIdx.x; b++) total += sums[b];
    carry = total;
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += carry;
}
