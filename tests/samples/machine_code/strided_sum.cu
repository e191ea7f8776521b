// nvcc -ptx -arch=sm_75 strided_sum.cu; ptxas unrolls the loop by four, by two and by one.
extern "C" __global__ void strided_sum(const int* in, int* out, int n) {
  int sum = 0;
  for (unsigned i = threadIdx.x; i < n; i += 256) sum += in[16 * i];
  out[threadIdx.x] = sum;
}
