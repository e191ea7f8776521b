// The kernels of the CUDA sample alignedTypes (NVIDIA/cuda-samples, Samples/6_Performance/alignedTypes), written anew
// with the same launch and accesses: an array is copied by 64 blocks, element by element of some type.

struct LooseBytes4 {
  unsigned char r, g, b, a;
};

struct LooseWords2 {
  unsigned l, a;
};

struct LooseWords3 {
  unsigned r, g, b;
};

struct LooseWords4 {
  unsigned r, g, b, a;
};

struct __align__(4) Bytes4 {
  unsigned char r, g, b, a;
};

struct __align__(8) Words2 {
  unsigned l, a;
};

struct __align__(16) Words3 {
  unsigned r, g, b;
};

struct __align__(16) Words4 {
  unsigned r, g, b, a;
};

struct __align__(16) Words8 {
  Words4 first, second;
};

template <class Element>
__device__ void copy(Element* out, const Element* in, int elements) {
  const int first = blockDim.x * blockIdx.x + threadIdx.x;
  const int threads = blockDim.x * gridDim.x;
#pragma unroll 1  // as it is written: one element a turn
  for (int i = first; i < elements; i += threads) {
    out[i] = in[i];
  }
}

#define COPY(name, Element) \
  extern "C" __global__ void name(Element* out, const Element* in, int elements) { copy(out, in, elements); }

COPY(copy_byte, unsigned char)
COPY(copy_half_word, unsigned short)
COPY(copy_loose_bytes_4, LooseBytes4)
COPY(copy_loose_words_2, LooseWords2)
COPY(copy_loose_words_3, LooseWords3)
COPY(copy_loose_words_4, LooseWords4)
COPY(copy_bytes_4, Bytes4)
COPY(copy_word, unsigned)
COPY(copy_words_2, Words2)
COPY(copy_words_3, Words3)
COPY(copy_words_4, Words4)
COPY(copy_words_8, Words8)
