// A prefix sum in one pass: each block waits for what the blocks before it publish.
// nvcc sm_80
// nvcc sm_90
struct Status {
  int flag;  // 0 nothing, 1 the sum of the block, 2 the sum of all up to it
  int value;
};

__global__ void scan_lookback(const int* in, int* out, volatile Status* status, int* ticket, int n) {
  __shared__ int tile, warp_totals[32], prefix;
  if (threadIdx.x == 0) tile = atomicAdd(ticket, 1);
  __syncthreads();
  int i = tile * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int x = i < n ? in[i] : 0;
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    int y = __shfl_up_sync(0xffffffff, x, d);
    if (lane >= d) x += y;
  }
  if (lane == 31) warp_totals[warp] = x;
  __syncthreads();
  if (warp == 0) {
    int t = lane < blockDim.x / 32 ? warp_totals[lane] : 0;
    for (int d = 1; d < 32; d <<= 1) {
      int y = __shfl_up_sync(0xffffffff, t, d);
      if (lane >= d) t += y;
    }
    warp_totals[lane] = t;
  }
  __syncthreads();
  if (warp > 0) x += warp_totals[warp - 1];
  if (threadIdx.x == blockDim.x - 1) {
    status[tile].value = x;
    __threadfence();
    status[tile].flag = tile == 0 ? 2 : 1;
    int sum = 0;
    for (int before = tile - 1; before >= 0; before--) {
      int flag;
      do flag = status[before].flag; while (flag == 0);
      __threadfence();
      sum += status[before].value;
      if (flag == 2) break;
    }
    prefix = sum;
    if (tile > 0) {
      status[tile].value = sum + x;
      __threadfence();
      status[tile].flag = 2;
    }
  }
  __syncthreads();
  if (i < n) out[i] = x + prefix;
}
