// Lanes leave the first loop in different iterations and reconverge behind it, at a barrier register that the second
// loop uses again, and takes lanes out of.
extern "C" __global__ void weigh(const float* __restrict__ x, float* __restrict__ y, int n, int d) {
  __shared__ float s[1024];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float t = 0;
    for (int j = 0; j < d; ++j) t += x[i * d + j];
    s[i] = t;
  }
  __syncthreads();
  for (int j = threadIdx.x; j < d; j += blockDim.x) {
    float t = 0;
    for (int i = 0; i < n; ++i) t += s[i] * x[i * d + j];
    y[blockIdx.x * d + j] = t;
  }
}
