// Measures on the first GPU how fast few lines are served, how long caches and TLBs keep what was read, what bulk
// copies take, and how long threads sleep: rates EXPERIMENT, one of lines, l2, l1, pages, bulk, sleep. Prints rows of a
// table with its head; cycles are those of a multiprocessor (clock64). scripts/attack-device runs all of them.
#include <cuda.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using u = unsigned;
using ull = unsigned long long;

void check(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "rates: %s: %s\n", what, cudaGetErrorString(result));
  std::exit(1);
}

template <typename T>
T* memory(size_t count) {
  T* made = nullptr;
  check(cudaMalloc(&made, count * sizeof(T)), "memory");
  check(cudaMemset(made, 0, count * sizeof(T)), "memory");
  return made;
}

template <typename T>
std::vector<T> copied(const T* from, size_t count) {
  std::vector<T> to(count);
  check(cudaDeviceSynchronize(), "run");
  check(cudaMemcpy(to.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost), "copy");
  return to;
}

int multiprocessors() {
  int count = 0;
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0), "device");
  return count;
}

constexpr size_t MiB = size_t(1) << 20;

// Lines one behind the other, in any order, or so many bytes apart.
struct Order {
  const char* name;
  u apart;  // 0: in any order
};
__device__ size_t place_of(u i, u lines, u apart) {  // of a word
  return apart == 0 ? (size_t(i) * 7919 % lines) * 32 : size_t(i) * (apart / 4);
}

// ---- few lines
// ---------------------------------------------------------------------------------------------------------

// Cycles until `value` is there, from `begin` on: nothing is stored before, and the clock is read behind the store.
__device__ u cycles_until(u value, ull begin) {
  __shared__ volatile u seen[1024];
  seen[threadIdx.x] = value;
  return u(clock64() - begin);
}

__device__ u mixed(u value) {
  value = (value ^ (value >> 16)) * 2246822519u;
  value = (value ^ (value >> 13)) * 3266489917u;
  return value ^ (value >> 16);
}

enum Operation { load, load_lane, store, reduce_lane, atomic_lane, operations };
const char* const operation_names[] = {"load", "load of a lane", "store", "red of a lane", "atom of a lane"};
enum Place { consecutive, every_4k, anywhere, places };
const char* const place_names[] = {"consecutive", "4 KiB apart", "anywhere in 64 MiB"};

// Each warp asks `turns` times for one of n lines, whichever, or all warps for the same one in turn; every second warp
// for one of others if that is another number.
template <int Op>
__global__ void few_lines(u* g, u of_even, u of_odd, int place, int in_step, int turns, ull* taken) {
  const u lane = threadIdx.x & 31, warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  const u n = warp % 2 == 0 ? of_even : of_odd, first = warp % 2 == 0 || of_even == of_odd ? 0 : 65536;
  u sum = 0;
  __syncthreads();
  const ull begin = clock64();
  for (int i = 0; i < turns; ++i) {
    const u number = first + (in_step ? u(i) : mixed(warp * 65537u + i)) % n;
    const u line = place == consecutive ? number : place == every_4k ? number * 32 : mixed(number + 99) & 0x7ffff;
    u* const at = g + line * 32;
    if (Op == load) sum += __ldcg(at + lane);
    if (Op == load_lane && lane == 0) sum += __ldcg(at);
    if (Op == store) __stcg(at + lane, sum + i);
    if (Op == reduce_lane && lane == 0) atomicAdd(at, 1u);
    if (Op == atomic_lane && lane == 0) sum += atomicAdd(at, 1u);
  }
  if (sum == 0x12345678u) g[0] = sum;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) taken[blockIdx.x] = clock64() - begin;
}

template <int Op>
double requests_cycles(u* g, ull* taken, u n, u of_odd, int place, int in_step, int blocks, int turns) {
  for (int i = 0; i < 2; ++i) few_lines<Op><<<blocks, 1024>>>(g, n, of_odd, place, in_step, turns, taken);
  const std::vector<ull> cycles = copied(taken, blocks);
  return double(*std::max_element(cycles.begin(), cycles.end())) / (double(blocks) * 32 * turns);
}

void lines() {
  u* g = memory<u>(64 * MiB / sizeof(u));
  ull* taken = memory<ull>(1024);
  using Measured = double (*)(u*, ull*, u, u, int, int, int, int);
  const Measured measured[] = {requests_cycles<load>, requests_cycles<load_lane>, requests_cycles<store>,
                               requests_cycles<reduce_lane>, requests_cycles<atomic_lane>};
  std::printf("experiment,operation,place,order,multiprocessors,lines,lines of odd warps,cycles of a request\n");
  for (const int blocks : {multiprocessors(), 1})
    for (int op = 0; op < operations; ++op)
      for (int place = 0; place < places; ++place)
        for (const int in_step : {0, 1})
          for (const u n : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u, 2048u, 16384u})
            for (const u of_odd : {n, 512u})
              if (of_odd == n || (n < 128 && place == consecutive))
                std::printf("lines,%s,%s,%s,%d,%u,%u,%.4f\n", operation_names[op], place_names[place],
                            in_step ? "in step" : "any", blocks, n, of_odd,
                            measured[op](g, taken, n, of_odd, place, in_step, blocks, 128));
}

// ---- how long the L2 keeps a line
// ----------------------------------------------------------------------------------------

__device__ u multiprocessor() {
  u number;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}

// The block on multiprocessor `reader` reads a line of each `step` lines, one after another.
__global__ void read_lines(const u* g, u count, u step, u reader, u* latencies) {
  if (multiprocessor() != reader || threadIdx.x != 0) return;
  u sum = 0;
  for (u i = 0; i < count; ++i) {
    const ull begin = clock64();
    sum += __ldcg(g + (size_t(i) * step + sum) * 32);
    const u taken = cycles_until(sum, begin);
    if (latencies != nullptr) latencies[i] = taken;
  }
}

// Lines in between, by all multiprocessors or by one.
__global__ void stream_lines(u* g, u lines, int writes, u apart, int only, u* sink) {
  if (only >= 0 && multiprocessor() != u(only)) return;
  const u warps = (only >= 0 ? 1 : gridDim.x) * (blockDim.x / 32);
  const u warp = (only >= 0 ? 0 : blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x & 31;
  u sum = 0;
  for (u i = warp; i < lines; i += warps) {
    u* const at = g + place_of(i, lines, apart) + lane;
    if (writes)
      *at = i;
    else
      sum += __ldcg(at);
  }
  if (sum == 0x12345678u) *sink = sum;
}

void tell(const char* head, const std::vector<u>& latencies, u hit) {
  std::vector<u> sorted = latencies;
  std::sort(sorted.begin(), sorted.end());
  const size_t hits = size_t(std::upper_bound(sorted.begin(), sorted.end(), hit) - sorted.begin());
  std::printf("%s,%zu,%zu,%u,%u,%u,%u\n", head, hits, sorted.size(), sorted[0], sorted[sorted.size() / 2],
              sorted[sorted.size() * 9 / 10], sorted.back());
}

void l2() {
  constexpr u kept = 512, step = 57;  // lines that are asked for again, and how far they lie apart
  u* g = memory<u>(256 * MiB / sizeof(u));
  u* flushed = memory<u>(128 * MiB / sizeof(u));
  constexpr size_t bytes = 16 * 1024 * MiB;
  u* others = memory<u>(bytes / sizeof(u));
  u* latencies = memory<u>(kept);
  const int count = multiprocessors();
  std::printf(
      "experiment,between,order,by,first reader,second reader,MiB between,hits,of,least,median,of ten nine,most\n");
  for (const int writes : {0, 1})
    for (const Order order : {Order{"in order", 128}, {"any", 0}, {"4 KiB apart", 4096}, {"64 KiB apart", 65536}})
      for (const int only : {-1, 5})
        for (const int second : {0, 77})
          for (const double mebibytes :
               {0.0, 1.0, 3.125, 6.25, 9.375, 12.5, 15.625, 18.75, 21.875, 25.0, 31.25, 37.5, 43.75, 50.0, 62.5}) {
            const u lines = u(mebibytes * MiB / 128);
            if (size_t(lines) * order.apart > bytes) continue;
            stream_lines<<<count, 1024>>>(flushed, u(128 * MiB / 128), 1, 128, -1, others);  // nothing is kept
            read_lines<<<count, 32>>>(g, kept, step, 0, nullptr);
            stream_lines<<<count, 1024>>>(others, lines, writes, order.apart, only, others);
            read_lines<<<count, 32>>>(g, kept, step, u(second), latencies);
            char head[128];
            std::snprintf(head, sizeof head, "l2,%s,%s,%s,0,%d,%.3f", writes ? "writes" : "reads", order.name,
                          only < 0 ? "all" : "one", second, mebibytes);
            tell(head, copied(latencies, kept), 450);
          }
}

// ---- the L1
// --------------------------------------------------------------------------------------------------------------

// One warp reads `kept` lines, then `between` others, then the first again, one after another.
__global__ void l1_lines(const u* g, u kept, u between, u apart, u* latencies) {
  extern __shared__ u unused[];
  const u lane = threadIdx.x;
  u sum = 0;
  for (u i = 0; i < kept; ++i) sum += __ldca(g + i * 32 + lane);
  const u* const others = g + 65536 * 32;
  for (u i = 0; i < between; ++i)
    sum += __ldca(others + (apart == 0 ? (mixed(i) & 0xffff) * 32 : i * (apart / 4)) + lane);
  __syncwarp();
  for (u i = 0; i < kept; ++i) {
    const ull begin = clock64();
    sum = __ldca(g + i * 32 + lane + (sum == 0x12345678u));
    const u taken = cycles_until(sum, begin);
    if (lane == 0) latencies[i] = taken;
  }
}

void l1() {
  constexpr u kept = 16;
  u* g = memory<u>(256 * MiB / sizeof(u));
  u* latencies = memory<u>(kept);
  check(cudaFuncSetAttribute(l1_lines, cudaFuncAttributeMaxDynamicSharedMemorySize, 223 * 1024), "shared memory");
  std::printf("experiment,shared KiB of a block,order,KiB between,hits,of,least,median,of ten nine,most\n");
  for (const u shared : {0u, 100u, 223u}) {
    for (const Order order :
         {Order{"in order", 128}, {"any", 0}, {"1 KiB apart", 1024}, {"4 KiB apart", 4096}, {"64 KiB apart", 65536}}) {
      for (const u kibibytes : {0u,  2u,  4u,  7u,  10u,  12u,  14u,  16u,  18u,  20u,  22u,  24u,  26u,  28u,  32u,
                                48u, 64u, 80u, 96u, 112u, 128u, 144u, 160u, 176u, 192u, 208u, 224u, 240u, 256u, 320u}) {
        check(cudaFuncSetAttribute(l1_lines, cudaFuncAttributePreferredSharedMemoryCarveout, shared == 0 ? 0 : 100),
              "shared");
        l1_lines<<<1, 32, shared * 1024>>>(g, kept, kibibytes * 8, order.apart, latencies);
        char head[128];
        std::snprintf(head, sizeof head, "l1,%u,%s,%u", shared, order.name, kibibytes);
        tell(head, copied(latencies, kept), 120);
      }
    }
  }
}

// ---- pages
// ---------------------------------------------------------------------------------------------------------------

constexpr u classes = 40;  // of 100 cycles

// One lane of each warp reads a line of each of `pages` pages (a power of two), one after another in any order,
// `passes` times; the last is told. `apart`: bytes from page to page.
__global__ void read_pages(const char* g, u pages, ull apart, u passes, ull* sums, u* counts) {
  if ((threadIdx.x & 31) != 0) return;
  const u warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  ull sum = 0;
  u most = 0, dependent = 0;
  for (u pass = 0; pass < passes; ++pass) {
    for (u i = 0; i < pages; ++i) {
      const u page = (i * 2654435769u + warp * 40503u + dependent) & (pages - 1);
      const ull begin = clock64();
      dependent = *reinterpret_cast<const volatile u*>(g + page * apart + (page * ull(37 * 128) & (apart - 1)));
      const u taken = cycles_until(dependent, begin);
      if (pass + 1 < passes) continue;
      sum += taken;
      most = max(most, taken);
      if (warp == 0) atomicAdd(&counts[min(taken / 100, classes - 1)], 1u);
    }
  }
  atomicAdd(&sums[0], sum);
  atomicMax(&sums[1], ull(most));
}

void pages() {
  size_t free = 0, all = 0;
  check(cudaMemGetInfo(&free, &all), "memory");
  constexpr size_t page = 2 * MiB;
  size_t bytes = 64 * 1024 * MiB;
  while (bytes + 512 * MiB > free) bytes /= 2;
  char* g = memory<char>(bytes);
  ull* sums = memory<ull>(2);
  u* counts = memory<u>(classes);
  std::printf("experiment,blocks,warps,KiB apart,pages,mean,most,first warp: loads of 0 to 99 cycles and so on\n");
  for (const int blocks : {1, multiprocessors()})
    for (const int warps : {1, 8})
      for (const size_t apart : {page, page / 16})
        for (u count = 8; count * apart <= bytes && (warps == 1 || blocks == 1 || count <= 4096); count *= 2) {
          if (blocks * warps > 1 && count > 8192) continue;
          check(cudaMemset(sums, 0, 2 * sizeof(ull)), "memory");
          check(cudaMemset(counts, 0, classes * sizeof(u)), "memory");
          read_pages<<<blocks, 32 * warps>>>(g, count, apart, 2, sums, counts);
          const std::vector<ull> found = copied(sums, 2);
          std::printf("pages,%d,%d,%zu,%u,%.1f,%llu,", blocks, warps, apart / 1024, count,
                      double(found[0]) / (double(blocks) * warps * count), found[1]);
          const std::vector<u> loads = copied(counts, classes);
          size_t last = classes;
          while (last > 0 && loads[last - 1] == 0) --last;
          for (size_t i = 0; i < last; ++i) std::printf("%s%u", i == 0 ? "" : " ", loads[i]);
          std::printf("\n");
        }
}

// ---- bulk copies
// ---------------------------------------------------------------------------------------------------------

constexpr u ring = 4;

// One thread of a block copies `size` bytes into shared memory, `depth` copies on their way at a time; boxes of a
// tensor, if it is described.
__global__ void bulk_loads(const char* g, const __grid_constant__ CUtensorMap map, bool of_tensor, u size, u depth,
                           u count, ull apart, ull* taken, u* latencies) {
  extern __shared__ __align__(1024) char tile[];
  __shared__ ull barriers[ring];
  if (threadIdx.x != 0) return;
  u bars[ring];
  for (u i = 0; i < ring; ++i) {
    bars[i] = u(__cvta_generic_to_shared(&barriers[i]));
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(bars[i]) : "memory");
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  const u to = u(__cvta_generic_to_shared(tile));
  const ull begin = clock64();
  ull started = begin;
  for (u i = 0; i < count + depth; ++i) {
    if (i >= depth) {
      const u old = i - depth;
      u over = 0;
      while (over == 0)
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p,[%1],%2; selp.b32 %0,1,0,p;}"
                     : "=r"(over)
                     : "r"(bars[old % depth]), "r"(old / depth & 1)
                     : "memory");
      if (depth == 1 && blockIdx.x == 0 && old < 256) latencies[old] = u(clock64() - started);
    }
    if (i >= count) continue;
    const char* const from = g + ((ull(blockIdx.x) * 65536 + i * apart) & 0xfff0000);
    const u bar = bars[i % depth];
    started = clock64();
    asm volatile("{.reg .b64 q; mbarrier.arrive.expect_tx.shared.b64 q,[%0],%1;}" ::"r"(bar), "r"(size) : "memory");
    const int x = int(((blockIdx.x + i * (apart != 0)) * 32) & 8191), y = int((i * apart / 65536 * 32) & 8191);
    if (of_tensor)
      asm volatile(
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0],[%1,{%2,%3}],[%4];" ::"r"(
              to + (i % depth) * size),
          "l"(&map), "r"(x), "r"(y), "r"(bar)
          : "memory");
    else
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0],[%1],%2,[%3];" ::"r"(
                       to + (i % depth) * size),
                   "l"(from), "r"(size), "r"(bar)
                   : "memory");
  }
  taken[blockIdx.x] = clock64() - begin;
}

// Of 8,192 by 8,192 words, in boxes of 32 words by so many.
CUtensorMap described(char* g, u rows) {
  CUtensorMap map{};
  const cuuint64_t sizes[] = {8192, 8192}, strides[] = {32768};
  const cuuint32_t box[] = {32, rows}, steps[] = {1, 1};
  const CUresult result = cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, g, sizes, strides, box, steps,
                                                 CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                                 CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) std::fprintf(stderr, "rates: tensor: %d\n", int(result));
  return map;
}

void bulk() {
  char* g = memory<char>(256 * MiB + 65536);
  ull* taken = memory<ull>(1024);
  constexpr u count = 128;
  u* latencies = memory<u>(256);
  check(cudaFuncSetAttribute(bulk_loads, cudaFuncAttributeMaxDynamicSharedMemorySize, 131072), "shared memory");
  std::printf(
      "experiment,of,from,blocks,bytes,at a time,cycles of a copy,of the first block: least,median,of ten nine,most\n");
  for (const bool of_tensor : {false, true})
    for (const bool cold : {false, true})
      for (const int blocks : {1, multiprocessors()})
        for (const u size : {16u, 64u, 128u, 256u, 1024u, 2048u, 4096u, 8192u, 16384u, 32768u})
          for (const u depth : {1u, 2u, 4u}) {
            if (of_tensor && size < 128) continue;
            const CUtensorMap map = described(g, std::max(1u, size / 128));
            bulk_loads<<<blocks, 32, depth * size>>>(g, map, of_tensor, size, depth, count, cold ? 65536 * 133 : 0,
                                                     taken, latencies);
            const std::vector<ull> cycles = copied(taken, blocks);
            std::vector<u> sorted = copied(latencies, count);
            std::sort(sorted.begin(), sorted.end());
            std::printf("bulk,%s,%s,%d,%u,%u,%.1f", of_tensor ? "tensors" : "bytes", cold ? "memory" : "L2", blocks,
                        size, depth, double(*std::max_element(cycles.begin(), cycles.end())) / count);
            if (depth == 1)
              std::printf(",%u,%u,%u,%u\n", sorted[0], sorted[count / 2], sorted[count * 9 / 10], sorted[count - 1]);
            else
              std::printf(",,,,\n");
          }
}

// ---- sleeps
// --------------------------------------------------------------------------------------------------------------

enum Sleepers { all_alike, each_longer, last_only, one_lane, sleepers };
const char* const sleeper_names[] = {"all lanes alike", "each lane longer", "the last lane only", "one lane is there"};

// Each warp sleeps again and again; lanes say how long each sleep took.
template <int Who>
__global__ void sleeps(u nanoseconds, u turns, u* taken, u* longest) {
  const u lane = threadIdx.x & 31;
  if (Who == one_lane && lane != 5) return;
  const u own = Who == each_longer ? nanoseconds * lane / 31 : Who == last_only && lane != 31 ? 0 : nanoseconds;
  u most = 0;
  for (u i = 0; i < turns; ++i) {
    const ull begin = clock64();
    __nanosleep(own);
    const u now = u(clock64() - begin);
    most = max(most, now);
    if (blockIdx.x == 0 && threadIdx.x == (Who == one_lane ? 5 : 31)) taken[i] = now;
  }
  atomicMax(longest, most);
}

void sleep() {
  constexpr u turns = 200;
  u* taken = memory<u>(turns);
  u* longest = memory<u>(1);
  using Kernel = void (*)(u, u, u*, u*);
  const Kernel kernels[] = {sleeps<all_alike>, sleeps<each_longer>, sleeps<last_only>, sleeps<one_lane>};
  std::printf("experiment,who,nanoseconds,blocks,warps,turns,least,median,of ten nine,most,longest of all\n");
  for (int who = 0; who < sleepers; ++who)
    for (const u nanoseconds : {0u, 1u, 20u, 33u, 64u, 100u, 129u, 400u, 513u, 1000u, 1025u, 1240u, 2000u, 2100u, 5000u,
                                10000u, 16400u, 33000u, 70000u})
      for (const int blocks : {1, 2 * multiprocessors()})
        for (const int warps : {1, 32}) {
          if (blocks == 1 && warps == 32) continue;
          const u times = std::min(turns, 2000000 / (nanoseconds + 1000));  // some milliseconds
          check(cudaMemset(longest, 0, sizeof(u)), "memory");
          kernels[who]<<<blocks, 32 * warps>>>(nanoseconds, times, taken, longest);
          std::vector<u> sorted = copied(taken, times);
          std::sort(sorted.begin(), sorted.end());
          std::printf("sleep,%s,%u,%d,%d,%u,%u,%u,%u,%u,%u\n", sleeper_names[who], nanoseconds, blocks, warps, times,
                      sorted[0], sorted[times / 2], sorted[times * 9 / 10], sorted.back(), copied(longest, 1)[0]);
        }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string asked = argc == 2 ? argv[1] : "";
  setvbuf(stdout, nullptr, _IOLBF, 0);
  if (asked == "lines") return lines(), 0;
  if (asked == "l2") return l2(), 0;
  if (asked == "l1") return l1(), 0;
  if (asked == "pages") return pages(), 0;
  if (asked == "bulk") return bulk(), 0;
  if (asked == "sleep") return sleep(), 0;
  std::fprintf(stderr, "usage: rates lines|l2|l1|pages|bulk|sleep\n");
  return 2;
}
