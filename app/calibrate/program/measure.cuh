// SPDX-License-Identifier: MIT-0
// The measurements.
#include <chrono>

static void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "error: %s: %s\nno machine file is printed\n", what, cudaGetErrorString(status));
  std::exit(1);
}
#define CHECK(call) check(call, #call)

constexpr int repetitions = 50;

static Number attribute(cudaDeviceAttr which) {
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

// Bytes of the device.
template <typename T>
class Buffer {
 public:
  explicit Buffer(std::size_t count) : bytes_(count * sizeof(T)) {
    CHECK(cudaMalloc(&data_, bytes_));
    CHECK(cudaMemset(data_, 0, bytes_));
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(data_); }
  T* data() const { return static_cast<T*>(data_); }
  void clear() { CHECK(cudaMemset(data_, 0, bytes_)); }
  std::vector<T> read() const {
    std::vector<T> values(bytes_ / sizeof(T));
    CHECK(cudaMemcpy(values.data(), data_, bytes_, cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
};

// Time between two events of the stream, in ps.
class Stopwatch {
 public:
  Stopwatch() {
    CHECK(cudaEventCreate(&begin_));
    CHECK(cudaEventCreate(&end_));
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  void start() { CHECK(cudaEventRecord(begin_)); }
  Number stop() {
    CHECK(cudaEventRecord(end_));
    CHECK(cudaEventSynchronize(end_));
    CHECK(cudaGetLastError());
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return static_cast<Number>(static_cast<double>(milliseconds) * 1e9);
  }

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

static Number rate(Number bytes, Number ps) {
  return ps <= 0 ? 0 : static_cast<Number>(static_cast<double>(bytes) / static_cast<double>(ps) * 1e6);
}

class Measurement {
 public:
  explicit Measurement(Results& results) : results_(results), clocks_(clocks_of_block + 1) {}
  void run() {
    device();
    warm_up();
    chains();
    units();
    shared_memory();
    caches();
    code();
    memory();
    l2();
    dispatch();
    host();
    results_.add("program.repetitions", repetitions);
  }

 private:
  typedef void (*Measured)(Word* clocks, Word pointer, unsigned zero, unsigned one, int chosen);

  void device();
  void warm_up();
  Number once(Measured kernel, unsigned threads, Word pointer, int chosen);
  void both(const std::string& name, Measured few, Measured many, unsigned threads, Word pointer);
  void chains();
  void units();
  void shared_memory();
  void caches();
  void code();
  void first_and_again(int size, void (*kernel)(Word*, unsigned, unsigned));
  void memory();
  void single_loads(const char* data, Word lines);
  void lines(char* data, Word count);
  void streams(char* data, Word bytes);
  void l2();
  Number read_from_l2(const char* data, Word lines, int chosen, int blocks);
  void dispatch();
  void host();

  Results& results_;
  Buffer<Word> clocks_;
  int multiprocessors_ = 0;
  Word l2_bytes_ = 0;
};

void Measurement::device() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  multiprocessors_ = static_cast<int>(attribute(cudaDevAttrMultiProcessorCount));
  l2_bytes_ = static_cast<Word>(attribute(cudaDevAttrL2CacheSize));
  int driver = 0, runtime = 0;
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  results_.add_text("device.name", properties.name);
  results_.add("device.driver", driver);
  results_.add("device.runtime", runtime);
  results_.add("device.capability",
               attribute(cudaDevAttrComputeCapabilityMajor) * 10 + attribute(cudaDevAttrComputeCapabilityMinor));
  results_.add("device.multiprocessors", multiprocessors_);
  results_.add("device.clock_khz", attribute(cudaDevAttrClockRate));
  results_.add("device.l2_bytes", static_cast<Number>(l2_bytes_));
  results_.add("device.threads_per_multiprocessor", attribute(cudaDevAttrMaxThreadsPerMultiProcessor));
  results_.add("device.threads_per_block", attribute(cudaDevAttrMaxThreadsPerBlock));
  results_.add("device.blocks_per_multiprocessor", attribute(cudaDevAttrMaxBlocksPerMultiprocessor));
  results_.add("device.registers_per_multiprocessor", attribute(cudaDevAttrMaxRegistersPerMultiprocessor));
  results_.add("device.registers_per_block", attribute(cudaDevAttrMaxRegistersPerBlock));
  results_.add("device.shared_per_multiprocessor", attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
  results_.add("device.shared_per_block", attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  results_.add("device.copy_engines", std::max<Number>(1, attribute(cudaDevAttrAsyncEngineCount)));
}

// Brings the device to its clock, and measures it.
void Measurement::warm_up() {
  const Number cycles = 50000000;
  const std::size_t blocks = static_cast<std::size_t>(multiprocessors_);
  Buffer<Word> log(blocks * 2);
  for (int i = 0; i < 20; ++i) {
    tick<<<static_cast<unsigned>(blocks), 1024>>>(log.data(), static_cast<Word>(cycles));
    CHECK(cudaDeviceSynchronize());
    if (i < 10) continue;
    const std::vector<Word> times = log.read();
    for (std::size_t block = 0; block < blocks; ++block) {
      const Word nanoseconds = std::max<Word>(1, times[block * 2 + 1]);
      results_.add("clock.khz", static_cast<Number>(times[block * 2] * 1000000 / nanoseconds));
    }
  }
}

// Cycles from the first begin of a warp to the last end; 0 if no block ran on the chosen multiprocessor.
Number Measurement::once(Measured kernel, unsigned threads, Word pointer, int chosen) {
  clocks_.clear();
  const int blocks = chosen < 0 ? 1 : 4 * multiprocessors_;
  kernel<<<static_cast<unsigned>(blocks), threads>>>(clocks_.data(), pointer, 0, 1, chosen);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  const std::vector<Word> clocks = clocks_.read();
  Word begin = clocks[0], end = clocks[1];
  for (unsigned warp = 0; warp < threads / 32; ++warp) {
    begin = std::min(begin, clocks[warp * 2]);
    end = std::max(end, clocks[warp * 2 + 1]);
  }
  return static_cast<Number>(end - begin);
}

void Measurement::both(const std::string& name, Measured few, Measured many, unsigned threads, Word pointer) {
  for (int i = 0; i < repetitions; ++i) {
    results_.add(name + ".64", once(few, threads, pointer, -1));
    results_.add(name + ".128", once(many, threads, pointer, -1));
  }
}

#define BOTH(name, threads, pointer) both(without_underscore(#name), name##_64, name##_128, threads, pointer)

// "chain.fp32" of chain_fp32.
static std::string without_underscore(std::string name) {
  name[name.find('_')] = '.';
  return name;
}

void Measurement::chains() {
  const Buffer<Word> word(1);
  const Word address = reinterpret_cast<Word>(word.data());
  BOTH(chain_fp32, 32, 0);
  BOTH(chain_int_add, 32, 0);
  BOTH(chain_int_mul, 32, 0);
  BOTH(chain_logic, 32, 0);
  BOTH(chain_shift, 32, 0);
  BOTH(chain_compare, 32, 0);
  BOTH(chain_predicate, 32, 0);
  BOTH(chain_fp16, 32, 0);
  BOTH(chain_fp64, 32, 0);
  BOTH(chain_special, 32, 0);
  BOTH(chain_convert, 32, 0);
  BOTH(chain_shuffle, 32, 0);
  BOTH(chain_vote, 32, 0);
  BOTH(chain_barrier, 32, 0);
  BOTH(chain_fence_block, 32, address);
  BOTH(chain_fence_device, 32, address);
  BOTH(chain_fence_system, 32, address);
  BOTH(chain_atomic_shared, 32, 0);
  BOTH(chain_atomic_global, 32, address);
}

void Measurement::units() {
  BOTH(unit_fp32, 512, 0);
  BOTH(unit_logic, 512, 0);
  BOTH(unit_special, 512, 0);
  BOTH(unit_fp64, 512, 0);
  BOTH(unit_shuffle, 512, 0);
  BOTH(unit_load_shared, 512, 1);
}

void Measurement::shared_memory() {
  for (const Word ways : {1, 2, 4, 8, 16, 32}) {
    both("chain.load_shared_ways_" + std::to_string(ways), chain_load_shared_64, chain_load_shared_128, 32, ways);
  }
}

// Lines that contain the address of another one, in a random order that comes back to the first after all.
static void write_ring(Word* device, std::size_t lines) {
  const std::size_t words = 16;
  std::vector<std::size_t> order(lines);
  for (std::size_t i = 0; i < lines; ++i) order[i] = i;
  Word state = 1;
  for (std::size_t i = lines - 1; i > 0; --i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    std::swap(order[i], order[static_cast<std::size_t>(state >> 33) % i]);
  }
  std::vector<Word> ring(lines * words);
  for (std::size_t i = 0; i < lines; ++i) {
    ring[order[i] * words] = reinterpret_cast<Word>(device + order[(i + 1) % lines] * words);
  }
  CHECK(cudaMemcpy(device, ring.data(), ring.size() * sizeof(Word), cudaMemcpyHostToDevice));
}

void Measurement::caches() {
  const Buffer<Word> own(1);
  const Word address = reinterpret_cast<Word>(own.data());
  CHECK(cudaMemcpy(own.data(), &address, sizeof address, cudaMemcpyHostToDevice));
  BOTH(chain_load_l1, 32, address);

  Buffer<Word> constant(1);
  address_of_constant<<<1, 1>>>(constant.data());
  const Word constant_address = constant.read().front();
  CHECK(cudaMemcpyToSymbol(own_address, &constant_address, sizeof constant_address));
  BOTH(chain_load_constant, 32, constant_address);

  const std::size_t lines = static_cast<std::size_t>(std::min<Word>(l2_bytes_ / 8, 16u << 20) / 128), words = 16;
  const Buffer<Word> ring(lines * words);
  write_ring(ring.data(), lines);
  for (int chosen = 0; chosen < multiprocessors_; ++chosen) {
    for (std::size_t i = 0; i < 8; ++i) {
      const Word start = reinterpret_cast<Word>(ring.data() + lines / 8 * i * words);
      const Number few = once(chain_load_l2_64, 32, start, chosen), many = once(chain_load_l2_128, 32, start, chosen);
      if (few == 0 || many == 0) continue;  // numbers of multiprocessors may have gaps
      results_.add("chain.load_l2.64", few);
      results_.add("chain.load_l2.128", many);
    }
  }
}

void Measurement::first_and_again(int size, void (*kernel)(Word*, unsigned, unsigned)) {
  for (int i = 0; i < repetitions; ++i) {
    kernel<<<1, 32>>>(clocks_.data(), 0, 1);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const std::vector<Word> clocks = clocks_.read();
    const std::string name = "code." + std::to_string(size);
    if (i == 0 && size > 512) results_.add(name + ".first", static_cast<Number>(clocks[0]));
    for (unsigned iteration = 1; iteration < code_iterations; ++iteration) {
      results_.add(name + ".again", static_cast<Number>(clocks[iteration]));
    }
  }
}

void Measurement::code() {
  first_and_again(512, code_512);
  first_and_again(2048, code_2048);
  first_and_again(4096, code_4096);
  first_and_again(16384, code_16384);
}

// One load at a time, on each multiprocessor, of lines of all of the buffer.
void Measurement::single_loads(const char* data, Word lines) {
  Buffer<Word> samples(accesses);
  for (int chosen = 0; chosen < multiprocessors_; ++chosen) {
    for (Word seed = 1; seed <= 4; ++seed) {
      for (const bool load : {false, true}) {
        if (!load && seed > 1) continue;
        clocks_.clear();
        samples.clear();
        (load ? timed_load : timed_nothing)<<<static_cast<unsigned>(4 * multiprocessors_), 32>>>(
            samples.data(), clocks_.data(), data, lines - 1, seed * 7919 + static_cast<Word>(chosen) * 104729, 0,
            chosen);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        for (const Word cycles : samples.read()) {
          if (cycles != 0) results_.add(load ? "memory.load" : "memory.nothing", static_cast<Number>(cycles));
        }
      }
    }
  }
}

// Many lines at once, read, or read and written: random ones, and ones that lie the same stride apart.
void Measurement::lines(char* data, Word count) {
  const unsigned blocks = static_cast<unsigned>(multiprocessors_) * 4, threads = 512, each = 256;
  const Number read = static_cast<Number>(blocks) * (threads / threads_of_line) * each;
  Buffer<unsigned> sink(1);
  Stopwatch stopwatch;
  const auto ps = [&](Word step, bool write) {
    stopwatch.start();
    read_lines<<<blocks, threads>>>(sink.data(), data, count - 1, step, each, write);
    return stopwatch.stop();
  };
  ps(0, false);
  for (const bool write : {false, true}) {
    const Number moved = write ? 2 * read : read;  // lines
    for (int i = 0; i < repetitions; ++i) results_.add("rate.random_megabytes", rate(moved * 128, ps(0, write)));
    for (Word step = 16; step <= count / 16; step *= 2) {
      for (const Word more : {Word(0), step / 2, step / 4, Word(1)}) {
        results_.add("lines.same_bank_ps", ps(step + more, write) / moved + 1);
      }
    }
  }
}

void Measurement::streams(char* data, Word bytes) {
  const Word count = std::min<Word>(bytes / 3, 1u << 30) / sizeof(float4);
  float4* arrays = reinterpret_cast<float4*>(data);
  const unsigned blocks = static_cast<unsigned>(multiprocessors_) * 16;
  Stopwatch stopwatch;
  for (int i = 0; i < repetitions; ++i) {
    for (const bool triad : {false, true}) {
      for (const float factor : {1.0f, 3.0f}) {
        stopwatch.start();
        stream<<<blocks, 256>>>(arrays, arrays + count, triad ? arrays + 2 * count : nullptr, factor, count);
        const Number ps = stopwatch.stop();
        if (i > 0) results_.add("rate.dense_megabytes", rate(static_cast<Number>(count * 16) * (triad ? 3 : 2), ps));
      }
    }
  }
}

void Measurement::memory() {
  std::size_t free = 0, total = 0;
  CHECK(cudaMemGetInfo(&free, &total));
  Word lines_of_buffer = 1;
  while (lines_of_buffer * 2 * 128 <= static_cast<Word>(free) / 10 * 9) lines_of_buffer *= 2;
  const Word bytes = lines_of_buffer * 128;
  if (bytes < 4 * l2_bytes_) {
    errors.push_back("too little memory is free: " + std::to_string(free) + " bytes, and the L2 has " +
                     std::to_string(l2_bytes_));
    return;
  }
  const Buffer<char> buffer(static_cast<std::size_t>(bytes));
  results_.add("rate.bytes", static_cast<Number>(bytes));
  single_loads(buffer.data(), lines_of_buffer);
  lines(buffer.data(), lines_of_buffer);
  streams(buffer.data(), bytes);
}

// Bytes in 1000 cycles of the slowest multiprocessor.
Number Measurement::read_from_l2(const char* data, Word lines, int chosen, int blocks) {
  const unsigned threads = 1024, passes = 512;
  Buffer<Word> log(static_cast<std::size_t>(blocks) * 3);
  Buffer<unsigned> sink(1);
  clocks_.clear();
  read_l2<<<static_cast<unsigned>(blocks), threads>>>(log.data(), sink.data(), data, lines, passes, clocks_.data(),
                                                      chosen);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  const std::vector<Word> times = log.read();
  std::map<Word, std::pair<Word, Word>> spans;  // by multiprocessor
  Number bytes = 0;
  for (int block = 0; block < blocks; ++block) {
    const Word* row = times.data() + block * 3;
    if (row[2] == 0) continue;
    bytes += static_cast<Number>(passes) * threads * (lines == 1 ? 4 : 16);
    const auto found = spans.emplace(row[0], std::make_pair(row[1], row[2])).first;
    found->second.first = std::min(found->second.first, row[1]);
    found->second.second = std::max(found->second.second, row[2]);
  }
  Word longest = 1;
  for (const auto& span : spans) longest = std::max(longest, span.second.second - span.second.first);
  return bytes * 1000 / static_cast<Number>(longest);
}

void Measurement::l2() {
  const Word lines = std::min<Word>(l2_bytes_ / 8, 16u << 20) / 128;
  const Buffer<char> data(static_cast<std::size_t>(lines) * 128);
  for (int i = 0; i < repetitions; ++i) {
    const Number all = read_from_l2(data.data(), lines, -1, multiprocessors_ * 2);
    const Number one_line = read_from_l2(data.data(), 1, -1, multiprocessors_ * 2);
    const Number one = read_from_l2(data.data(), lines, i % multiprocessors_, multiprocessors_ * 2);
    if (i == 0) continue;
    results_.add("rate.l2_bytes_of_1000_cycles", all);
    results_.add("lines.one_slice_milli", one_line == 0 ? 0 : 128 * 1000 * 1000 / one_line);
    if (one != 0) results_.add("rate.port_bytes_of_1000_cycles", one);
  }
}

void Measurement::dispatch() {
  const int blocks = multiprocessors_ * 40;
  const int shared = static_cast<int>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  CHECK(cudaFuncSetAttribute(dispatched, cudaFuncAttributeMaxDynamicSharedMemorySize, shared - 1024));
  Buffer<Word> log(static_cast<std::size_t>(blocks) * 3);
  for (int i = 0; i < 10; ++i) {
    dispatched<<<static_cast<unsigned>(blocks), 1024, static_cast<std::size_t>(shared - 1024)>>>(log.data(), 20000);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const std::vector<Word> times = log.read();
    std::map<Word, std::vector<std::pair<Word, Word>>> runs;  // by multiprocessor
    for (int block = 0; block < blocks; ++block) {
      const Word* row = times.data() + block * 3;
      runs[row[0]].push_back(std::make_pair(row[1], row[2]));
    }
    for (auto& run : runs) {
      std::sort(run.second.begin(), run.second.end());
      for (std::size_t next = 1; next < run.second.size(); ++next) {
        results_.add("dispatch.latency", static_cast<Number>(run.second[next].first - run.second[next - 1].second));
      }
    }
  }
  Stopwatch stopwatch;
  const auto empty_blocks = [&](unsigned count) {
    stopwatch.start();
    nothing<<<count, 256>>>(nullptr);
    return stopwatch.stop();
  };
  empty_blocks(65536);
  for (int i = 0; i < repetitions; ++i) {
    const Number few = empty_blocks(65536), many = empty_blocks(131072);
    results_.add("dispatch.interval_ps", (many - few) / 65536 + 1);
  }
}

void Measurement::host() {
  using Clock = std::chrono::steady_clock;
  const auto ps_since = [](Clock::time_point begin) {
    return static_cast<Number>(std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count()) *
           1000;
  };
  const std::size_t bytes = 64u << 20;
  const Buffer<char> device(bytes);
  void* pinned = nullptr;
  CHECK(cudaMallocHost(&pinned, bytes));
  std::memset(pinned, 1, bytes);
  Stopwatch stopwatch;
  for (int i = 0; i < repetitions; ++i) {
    const auto begin = Clock::now();
    nothing<<<1, 32>>>(nullptr);
    CHECK(cudaDeviceSynchronize());
    if (i > 0) results_.add("host.launch_ps", ps_since(begin));
    for (const bool to_device : {true, false}) {
      stopwatch.start();
      CHECK(to_device ? cudaMemcpyAsync(device.data(), pinned, bytes, cudaMemcpyHostToDevice)
                      : cudaMemcpyAsync(pinned, device.data(), bytes, cudaMemcpyDeviceToHost));
      const Number ps = stopwatch.stop();
      if (i > 0) {
        results_.add(to_device ? "host.to_device_megabytes" : "host.to_host_megabytes",
                     rate(static_cast<Number>(bytes), ps));
      }
    }
  }
  CHECK(cudaFreeHost(pinned));
}

static bool measure(int count, char** arguments, Results& results) {
  const bool raw = count == 3 && std::string(arguments[1]) == "--raw";
  if (count != 1 && !raw) {
    std::fprintf(stderr, "usage: %s [--raw FILE]\nprints a machine file; FILE gets all results\n", arguments[0]);
    return false;
  }
  CHECK(cudaSetDevice(0));
  Measurement(results).run();
  if (!raw) return true;
  std::FILE* file = std::fopen(arguments[2], "w");
  if (file == nullptr) {
    std::fprintf(stderr, "%s: cannot be written\n", arguments[2]);
    return false;
  }
  results.write(file);
  if (std::fclose(file) == 0) return true;
  std::fprintf(stderr, "%s: cannot be written\n", arguments[2]);
  return false;
}
