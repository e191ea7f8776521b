// The kernels of BabelStream, CUDA, double precision (UoB-HPC/BabelStream, src/cuda/CUDAStream.cu), written anew with
// the same launch, accesses and arithmetic. Up to version 4 a thread has one element; from version 5 on it has a loop.

constexpr double scalar = 0.4;
constexpr int block = 1024;

extern "C" __global__ void copy_one(const double* a, double* c) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  c[i] = a[i];
}

extern "C" __global__ void mul_one(double* b, const double* c) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  b[i] = scalar * c[i];
}

extern "C" __global__ void add_one(const double* a, const double* b, double* c) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  c[i] = a[i] + b[i];
}

extern "C" __global__ void triad_one(double* a, const double* b, const double* c) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  a[i] = b[i] + scalar * c[i];
}

extern "C" __global__ void copy_loop(const double* a, double* c, int size) {
  for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < size; i += gridDim.x * blockDim.x) {
    c[i] = a[i];
  }
}

extern "C" __global__ void mul_loop(double* b, const double* c, int size) {
  for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < size; i += gridDim.x * blockDim.x) {
    b[i] = scalar * c[i];
  }
}

extern "C" __global__ void add_loop(const double* a, const double* b, double* c, int size) {
  for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < size; i += gridDim.x * blockDim.x) {
    c[i] = a[i] + b[i];
  }
}

extern "C" __global__ void triad_loop(double* a, const double* b, const double* c, int size) {
  for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < size; i += gridDim.x * blockDim.x) {
    a[i] = b[i] + scalar * c[i];
  }
}

extern "C" __global__ void dot(const double* a, const double* b, double* sums, int size) {
  __shared__ double partial[block];
  double sum = 0;
  for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < size; i += gridDim.x * blockDim.x) {
    sum += a[i] * b[i];
  }
  partial[threadIdx.x] = sum;
  for (int offset = blockDim.x / 2; offset > 0; offset /= 2) {
    __syncthreads();
    if (threadIdx.x < offset) {
      partial[threadIdx.x] += partial[threadIdx.x + offset];
    }
  }
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = partial[threadIdx.x];
  }
}
