// Threads that wait for one another, and loops of compare-and-swap.
// nvcc sm_80
// nvcc sm_75
// clang-19 sm_62
#include "subset.h"

__global__ void spin_lock(int* lock, volatile int* shared_value, int turns) {
  for (int i = 0; i < turns; i++) {
    if (threadIdx.x == 0) {
      while (atomicCAS(lock, 0, 1) != 0) {
      }
      *shared_value += 1;
      atomicExch(lock, 0);
    }
    __syncthreads();
  }
}

__global__ void ticket_lock(int* next, volatile int* serving, int* counter) {
  if (threadIdx.x == 0) {
    int mine = atomicAdd(next, 1);
    while (*serving != mine) {
    }
    *counter += 1;
    *serving = mine + 1;
  }
}

__device__ double atomic_add_cas(double* address, double value) {
  unsigned long long* as_int = (unsigned long long*)address;
  unsigned long long old = *as_int, assumed;
  do {
    assumed = old;
    old = atomicCAS(as_int, assumed, (unsigned long long)__double_as_longlong(value + __longlong_as_double((long long)assumed)));
  } while (assumed != old);
  return __longlong_as_double((long long)old);
}

__global__ void sum_double_cas(const double* in, double* out, int n) {
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  atomic_add_cas(out, sum);
}

__global__ void float_min_cas(const float* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int old = *out;
  while (in[i] < __int_as_float(old)) {
    int assumed = old;
    old = atomicCAS(out, assumed, __float_as_int(in[i]));
    if (old == assumed) break;
  }
}

__global__ void hash_table_insert(const int* keys, const int* values, int* table_keys, int* table_values, int n, int capacity) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int key = keys[i];
    unsigned int slot = (unsigned int)key * 2654435761u;
    while (true) {
      slot &= capacity - 1;
      int previous = atomicCAS(&table_keys[slot], -1, key);
      if (previous == -1 || previous == key) {
        table_values[slot] = values[i];
        break;
      }
      slot++;
    }
  }
}

__global__ void hash_table_lookup(const int* keys, const int* table_keys, const int* table_values, int* out, int n,
                                  int capacity) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int key = keys[i], value = -1;
  unsigned int slot = (unsigned int)key * 2654435761u % capacity;
  for (int probe = 0; probe < capacity; probe++) {
    if (table_keys[slot] == key) {
      value = table_values[slot];
      break;
    }
    if (table_keys[slot] == -1) break;
    slot = (slot + 1) % capacity;
  }
  out[i] = value;
}

__global__ void grid_barrier_by_hand(float* data, int n, int steps, volatile int* arrived) {
  for (int s = 1; s <= steps; s++) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) data[i] = 0.5f * data[i] + s;
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicAdd((int*)arrived, 1);
      while (*arrived < s * (int)gridDim.x) {
      }
    }
    __syncthreads();
  }
}

// The last block that comes adds up what all left.
__global__ void last_block_sum(const float* in, float* partial, float* out, int* finished, int n) {
  __shared__ float sums[128];
  __shared__ bool last;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if ((int)threadIdx.x < s) sums[threadIdx.x] += sums[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sums[0];
    last = atomicAdd(finished, 1) == (int)gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float total = 0;
    for (unsigned int b = 0; b < gridDim.x; b++) total += partial[b];
    *out = total;
  }
}

// Work from a queue until it is empty.
__global__ void work_queue(int* head, const int* items, int* results, int count) {
  __shared__ int item;
  while (true) {
    __syncthreads();
    if (threadIdx.x == 0) item = atomicAdd(head, 1);
    __syncthreads();
    if (item >= count) return;
    int v = items[item];
    atomicAdd(&results[threadIdx.x], v);
  }
}
