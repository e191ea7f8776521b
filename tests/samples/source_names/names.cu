// Parameters of many kinds, for the names that debug information has. scripts/make-source-names makes the PTX of it.
#include "cuda_subset.h"
enum class Mode : int { fast, exact };

struct Base {
  int base_count;
  int hidden;
};

struct Dims {
  int x, y;
};

struct Derived : Base {
  int hidden;  // also in Base: s.hidden could be either
  long long size;
};

struct Shape {
  const float* data;
  int n;
  Dims dims[2];
  int table[2][3];
  union {
    int as_int;
    float as_float;
  };
  struct {
    short low, high;
  };
  unsigned narrow : 5;
  unsigned wide : 11;
  static int shared;
  Mode mode;
  double scale;
  bool is_dense;
  Derived derived;
};

template <typename T, int STEP>
__global__ void templated(T* out, T limit) {
  for (T i = 0; i < limit; ++i) out[i * STEP] = i;
}
template __global__ void templated<int, 1>(int*, int);
template __global__ void templated<long long, 2>(long long*, long long);

namespace inner {
__global__ void overloaded(float* out, int count) {
  for (int i = 0; i < count; ++i) out[i] = 1.0f;
}
}  // namespace inner
__global__ void overloaded(float* out, unsigned rounds) {
  for (unsigned i = 0; i < rounds; ++i) out[i] = 2.0f;
}

extern "C" __global__ void plain(float* out, const float* in, int K) {
  float sum = 0;
  for (int i = 0; i < K; ++i) sum += in[i];
  out[threadIdx.x] = sum;
}

extern "C" __global__ void members(float* out, Shape s) {
  float sum = 0;
  for (int i = 0; i < s.n; ++i) sum += s.data[i];
  for (int i = 0; i < s.dims[1].y; ++i) sum += s.data[i];
  for (int i = 0; i < s.derived.size; ++i) sum += s.data[i];
  out[threadIdx.x] = sum;
}

// The same types, but the names of the numbers stand in another order.
extern "C" __global__ void first(int* out, int rows, int columns) {
  for (int i = 0; i < rows; ++i) out[i] = columns;
}
extern "C" __global__ void second(int* out, int columns, int rows) {
  for (int i = 0; i < rows; ++i) out[i] = columns;
}

extern "C" __global__ void unnamed(int* out, int, int rows) {
  for (int i = 0; i < rows; ++i) out[i] = i;
}

extern "C" __global__ void referring(const Dims& dims, Mode mode, bool flag, double scale, Dims pair) {
  for (int i = 0; i < pair.x; ++i) {
    if (flag && mode == Mode::exact) const_cast<Dims&>(dims).x += static_cast<int>(scale);
  }
}
