// Copies from global to shared memory that go on while the warp does: of 16 bytes, two groups in flight; of 4 bytes with
// a stride that makes bank conflicts; of 8 bytes, of which each thread reads as many as remain; of fewer than 16.
__device__ unsigned place(const void* shared) { return static_cast<unsigned>(__cvta_generic_to_shared(shared)); }

extern "C" __global__ void staged(const int4* p, int4* q, int n) {
  __shared__ int4 tiles[2][96];
  const int tid = threadIdx.x, first = blockIdx.x * 96 * n + tid;
  const auto fetch = [&](int tile) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\ncp.async.commit_group;" ::"r"(place(&tiles[tile & 1][tid])),
                 "l"(p + first + 96 * tile)
                 : "memory");
  };
  fetch(0);
  int4 sum = {0, 0, 0, 0};
  for (int tile = 0; tile < n; ++tile) {
    if (tile + 1 < n) fetch(tile + 1);
    if (tile + 1 < n)
      asm volatile("cp.async.wait_group 1;" ::: "memory");
    else
      asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    const int4 other = tiles[tile & 1][95 - tid];
    sum.x += other.x;
    sum.y ^= other.y;
    sum.z += other.z;
    sum.w ^= other.w;
    __syncthreads();
  }
  q[blockIdx.x * 96 + tid] = sum;
}

extern "C" __global__ void scattered(const int* p, int* q, int n) {
  __shared__ int words[1024];
  __shared__ long long pairs[128];
  const int tid = threadIdx.x, here = blockIdx.x * 128 + tid;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(place(&words[8 * tid])), "l"(p + here) : "memory");
  const int left = n - 8 * here, bytes = left < 0 ? 0 : left > 8 ? 8 : left;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(place(&pairs[tid])), "l"(p + 2 * here), "r"(bytes)
               : "memory");
  asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  q[here] = words[8 * (127 - tid)] + static_cast<int>(pairs[127 - tid]) + static_cast<int>(pairs[tid] >> 32);
}

// Of each row of 128 bytes as many as the thread's number says, fewer than 16.
extern "C" __global__ void ragged(const int* p, int* q) {
  __shared__ int words[512];
  const int tid = threadIdx.x, bytes = tid & 15;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(place(&words[4 * tid])), "l"(p + 32 * tid), "r"(bytes)
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  q[tid] = words[4 * tid] + words[4 * tid + 3];
}
