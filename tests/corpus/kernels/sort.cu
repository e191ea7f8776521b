// Sorts: networks over global and shared memory, one bit of a radix, merging, and those of the first semester.
// nvcc sm_80
// nvcc sm_89 -O1
// clang-19 sm_62
// clang-14 sm_35
#include "subset.h"

__device__ __forceinline__ void order(unsigned int& a, unsigned int& b, bool up) {
  if ((a > b) == up) {
    unsigned int t = a;
    a = b;
    b = t;
  }
}

__global__ void bitonic_step(unsigned int* keys, int j, int k) {
  unsigned int i = threadIdx.x + blockDim.x * blockIdx.x;
  unsigned int other = i ^ j;
  if (other > i) order(keys[i], keys[other], (i & k) == 0);
}

__global__ void odd_even_transposition(int* keys, int n) {
  __shared__ int s[1024];
  int t = threadIdx.x;
  s[t] = keys[t];
  __syncthreads();
  for (int phase = 0; phase < n; ++phase) {
    int left = 2 * t + (phase & 1);
    if (left + 1 < n && s[left] > s[left + 1]) {
      int swap = s[left];
      s[left] = s[left + 1];
      s[left + 1] = swap;
    }
    __syncthreads();
  }
  keys[t] = s[t];
}

// Batcher's network: odd-even merge sort of arrayLength keys.
__global__ void odd_even_merge_sort(unsigned int* keys, unsigned int arrayLength) {
  __shared__ unsigned int s_key[1024];
  s_key[threadIdx.x] = keys[threadIdx.x];
  s_key[threadIdx.x + 512] = keys[threadIdx.x + 512];
  for (unsigned int size = 2; size <= arrayLength; size <<= 1) {
    unsigned int stride = size / 2;
    unsigned int offset = threadIdx.x & (stride - 1);
    __syncthreads();
    unsigned int pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    order(s_key[pos], s_key[pos + stride], true);
    stride >>= 1;
    for (; stride > 0; stride >>= 1) {
      __syncthreads();
      pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      if (offset >= stride) order(s_key[pos - stride], s_key[pos], true);
    }
  }
  __syncthreads();
  keys[threadIdx.x] = s_key[threadIdx.x];
  keys[threadIdx.x + 512] = s_key[threadIdx.x + 512];
}

__global__ void radix_split(const unsigned int* in, unsigned int* out, int bit, int n) {
  __shared__ int zeros[512];
  int t = threadIdx.x;
  unsigned int key = t < n ? in[t] : 0xffffffffu;
  int is_zero = !((key >> bit) & 1);
  zeros[t] = is_zero;
  __syncthreads();
  for (int d = 1; d < (int)blockDim.x; d += d) {
    int before = t >= d ? zeros[t - d] : 0;
    __syncthreads();
    zeros[t] += before;
    __syncthreads();
  }
  int total = zeros[blockDim.x - 1];
  int place = is_zero ? zeros[t] - 1 : total + t - zeros[t];
  if (t < n) out[place] = key;
}

// Bottom up: each thread merges two runs, fewer and fewer of them.
__global__ void merge_sort_block(int* data, int* scratch, int n) {
  for (int width = 1; width < n; width = 2 * width) {
    int start = 2 * width * threadIdx.x;
    if (start < n) {
      int middle = min(start + width, n);
      int end = min(start + 2 * width, n);
      int i = start, j = middle;
      for (int k = start; k < end; k++) {
        if (i < middle && (j >= end || data[i] <= data[j]))
          scratch[k] = data[i++];
        else
          scratch[k] = data[j++];
      }
      for (int k = start; k < end; k++) data[k] = scratch[k];
    }
    __syncthreads();
  }
}

__global__ void insertion_sort_rows(float* rows, int columns) {
  float* row = rows + (blockIdx.x * blockDim.x + threadIdx.x) * columns;
  for (int i = 1; i < columns; i++) {
    float key = row[i];
    int j = i - 1;
    while (j >= 0 && row[j] > key) {
      row[j + 1] = row[j];
      j--;
    }
    row[j + 1] = key;
  }
}

__global__ void shell_sort(int* data, int n) {
  for (int gap = n / 2; gap > 0; gap /= 2) {
    for (int first = threadIdx.x; first < gap; first += blockDim.x)
      for (int i = first + gap; i < n; i += gap) {
        int key = data[i];
        int j;
        for (j = i; j >= gap && data[j - gap] > key; j -= gap) data[j] = data[j - gap];
        data[j] = key;
      }
    __syncthreads();
  }
}

__global__ void comb_sort(int* all, int n) {
  int* data = all + threadIdx.x * n;
  int gap = n;
  bool swapped = true;
  while (gap > 1 || swapped) {
    gap = gap * 10 / 13;
    if (gap < 1) gap = 1;
    swapped = false;
    for (int i = 0; i + gap < n; i++)
      if (data[i] > data[i + gap]) {
        int t = data[i];
        data[i] = data[i + gap];
        data[i + gap] = t;
        swapped = true;
      }
  }
}

__global__ void rank_sort(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int rank = 0;
  for (int j = 0; j < n; j++) rank += in[j] < in[i] || (in[j] == in[i] && j < i);
  out[rank] = in[i];
}

__global__ void heap_sort_rows(int* rows, int n) {
  int* a = rows + (blockIdx.x * blockDim.x + threadIdx.x) * n;
  for (int end = n - 1, start = n / 2 - 1; end > 0;) {
    if (start >= 0) {
      start--;
    } else {
      int t = a[0];
      a[0] = a[end];
      a[end] = t;
      end--;
    }
    int root = start + 1;
    while (2 * root + 1 <= end) {
      int child = 2 * root + 1;
      if (child + 1 <= end && a[child] < a[child + 1]) child++;
      if (a[root] >= a[child]) break;
      int t = a[root];
      a[root] = a[child];
      a[child] = t;
      root = child;
    }
  }
}
