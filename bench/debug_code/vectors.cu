// Algorithms of Thrust on vectors, for TYPES element types: what scripts/measure-debug-code compiles with -G.
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

template <typename T>
void launch() {
  thrust::device_vector<T> a(1000), b(1000), c(2000);
  thrust::device_vector<int> keys(1000), positions(1000);
  thrust::sort(a.begin(), a.end());
  thrust::sort_by_key(keys.begin(), keys.end(), a.begin());
  thrust::reduce_by_key(keys.begin(), keys.end(), a.begin(), positions.begin(), b.begin());
  thrust::merge(a.begin(), a.end(), b.begin(), b.end(), c.begin());
  thrust::set_union(a.begin(), a.end(), b.begin(), b.end(), c.begin());
  thrust::inclusive_scan(a.begin(), a.end(), b.begin());
  thrust::partition(a.begin(), a.end(), [] __device__(T x) { return x > T(3); });
  thrust::unique(a.begin(), a.end());
  thrust::lower_bound(a.begin(), a.end(), b.begin(), b.end(), positions.begin());
  thrust::max_element(a.begin(), a.end());
  thrust::reduce(a.begin(), a.end());
}

int main() {
  launch<int>();
#if TYPES > 1
  launch<unsigned long long>();
#endif
#if TYPES > 2
  launch<float>();
  launch<double>();
#endif
}
