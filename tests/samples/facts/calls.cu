// Functions with a loop whose turns depend on data, called from several places.
__device__ __noinline__ int run_length(const int* row, int at) {
  int turns = 0;
  while (row[at + turns] != 0) ++turns;
  return turns;
}

__device__ __noinline__ int two_runs(const int* row, int at) {
  return run_length(row, at) +
         run_length(row, at + 100);
}

extern "C" __global__ void runs(const int* rows, int* lengths) {
  const int first = run_length(rows, 0);
  const int others = two_runs(rows, 1000);
  lengths[threadIdx.x] = first + others;
}
