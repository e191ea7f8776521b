// SPDX-License-Identifier: GPL-3.0-or-later
// Calls through pointers: machine code tells that they lead to one of these four functions, PTX to one of two.
typedef float (*Of)(float);
typedef void (*Into)(float*, int);
__device__ float twice(float x) { return x * 2.0f; }
__device__ float squared(float x) { return x * x; }
__device__ void put(float* to, int i) { to[i] = 1.0f; }
__device__ void add(float* to, int i) { to[0] += to[i]; }
__device__ Of values[] = {twice, squared};
__device__ Into writers[] = {put, add};
__global__ void apply(float* data, int which) { data[threadIdx.x] = values[which](data[threadIdx.x]); }
__global__ void both(float* data, int which) {
  writers[which](data, threadIdx.x);
  data[threadIdx.x] = values[which](data[threadIdx.x]);
}
