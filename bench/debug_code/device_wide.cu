// Algorithms of CUB for a whole device, for TYPES element types: what scripts/measure-debug-code compiles with -G.
#include <cub/cub.cuh>

struct Data {
  void* temporary;
  size_t bytes;
  int *numbers, *offsets;
};

template <typename T>
void launch(Data data, T* in, T* out, int count) {
  auto& [temporary, bytes, numbers, offsets] = data;
  cub::DeviceReduce::Sum(temporary, bytes, in, out, count);
  cub::DeviceReduce::Min(temporary, bytes, in, out, count);
  cub::DeviceScan::ExclusiveSum(temporary, bytes, in, out, count);
  cub::DeviceRadixSort::SortKeys(temporary, bytes, in, out, count);
  cub::DeviceRadixSort::SortPairs(temporary, bytes, in, out, in, out, count);
  cub::DeviceSelect::Unique(temporary, bytes, in, out, numbers, count);
  cub::DeviceRunLengthEncode::Encode(temporary, bytes, in, out, numbers, numbers, count);
  cub::DeviceMergeSort::SortKeys(temporary, bytes, in, count, [] __device__(T a, T b) { return a < b; });
  cub::DeviceSegmentedReduce::Sum(temporary, bytes, in, out, count, offsets, offsets + 1);
}

int main() {
  Data data{};
  launch<int>(data, nullptr, nullptr, 1);
#if TYPES > 1
  launch<unsigned long long>(data, nullptr, nullptr, 1);
#endif
#if TYPES > 2
  launch<float>(data, nullptr, nullptr, 1);
  launch<double>(data, nullptr, nullptr, 1);
#endif
}
