// The collectives of CUB.
// nvcc sm_80
// nvcc sm_90
#include <cub/cub.cuh>

__global__ void cub_block_reduce(const float* in, float* out, int n) {
  using Reduce = cub::BlockReduce<float, 256>;
  __shared__ typename Reduce::TempStorage storage;
  float sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += in[i];
  sum = Reduce(storage).Sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void cub_block_scan(const int* in, int* out) {
  using Load = cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, 128, 4, cub::BLOCK_STORE_TRANSPOSE>;
  using Scan = cub::BlockScan<int, 128>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Scan::TempStorage scan;
  } storage;
  int items[4];
  Load(storage.load).Load(in + blockIdx.x * 512, items);
  __syncthreads();
  Scan(storage.scan).ExclusiveSum(items, items);
  __syncthreads();
  Store(storage.store).Store(out + blockIdx.x * 512, items);
}

__global__ void cub_block_radix_sort(unsigned* keys) {
  using Sort = cub::BlockRadixSort<unsigned, 128, 4>;
  __shared__ typename Sort::TempStorage storage;
  unsigned items[4];
  cub::LoadDirectBlocked(threadIdx.x, keys + blockIdx.x * 512, items);
  Sort(storage).Sort(items);
  cub::StoreDirectBlocked(threadIdx.x, keys + blockIdx.x * 512, items);
}

struct Less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};

__global__ void cub_block_merge_sort(int* keys) {
  using Sort = cub::BlockMergeSort<int, 128, 4>;
  __shared__ typename Sort::TempStorage storage;
  int items[4];
  cub::LoadDirectBlocked(threadIdx.x, keys + blockIdx.x * 512, items);
  Sort(storage).Sort(items, Less());
  cub::StoreDirectBlocked(threadIdx.x, keys + blockIdx.x * 512, items);
}

__global__ void cub_warp_scan(const int* in, int* out) {
  using Scan = cub::WarpScan<int>;
  __shared__ typename Scan::TempStorage storage[4];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = in[i];
  Scan(storage[threadIdx.x / 32]).InclusiveSum(value, value);
  out[i] = value;
}

__global__ void cub_warp_reduce_segments(const int* in, const char* heads, int* out) {
  using Reduce = cub::WarpReduce<int>;
  __shared__ typename Reduce::TempStorage storage[4];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = Reduce(storage[threadIdx.x / 32]).HeadSegmentedSum(in[i], heads[i]);
  if (heads[i]) out[i] = value;
}

__global__ void cub_block_histogram(const unsigned char* in, int* bins) {
  using Histogram = cub::BlockHistogram<unsigned char, 128, 4, 256, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ typename Histogram::TempStorage storage;
  __shared__ int local[256];
  unsigned char items[4];
  cub::LoadDirectStriped<128>(threadIdx.x, in + blockIdx.x * 512, items);
  Histogram(storage).Histogram(items, local);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += 128) atomicAdd(&bins[b], local[b]);
}

struct Unequal {
  __device__ bool operator()(int a, int b) const { return a != b; }
};

__global__ void cub_run_length(const int* in, int* unique, int* lengths, int* count) {
  using Discontinuity = cub::BlockDiscontinuity<int, 128>;
  using Scan = cub::BlockScan<int, 128>;
  __shared__ union {
    typename Discontinuity::TempStorage heads;
    typename Scan::TempStorage scan;
  } storage;
  int item[1] = {in[threadIdx.x]}, head[1], place, total;
  Discontinuity(storage.heads).FlagHeads(head, item, Unequal());
  __syncthreads();
  Scan(storage.scan).ExclusiveSum(head[0], place, total);
  if (head[0]) unique[place] = item[0];
  atomicAdd(&lengths[place + head[0] - 1], 1);
  if (threadIdx.x == 0) *count = total;
}
