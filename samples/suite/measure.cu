// Measures the kernels of the suite on a GPU, and prints what scripts/bound-over-measured reads: a row for each run.
//
//   nvcc -std=c++14 -O2 samples/suite/measure.cu -o measure -lcuda
//   ./measure MACHINE [FOLDER [RUNS]] > measured.csv
//
// MACHINE is the one in suite.toml that stands for this GPU: tx2, turing, ampere, hopper. The program loads the PTX
// files of FOLDER (samples/suite unless given) that the bounds are of, and launches each kernel RUNS times (20 unless
// given), with the launch, the arguments and the sizes of arrays of suite.toml, and data after inputs.toml
// (launches.inc has all of it). Before each run all arrays are written anew, and then so much else that the caches hold
// none of them. A time is that between two events around the launch, so what it costs to launch a kernel is in it.
// Clocks should be fixed to those of bounds.json (nvidia-smi -lgc). A kernel that spills registers is left out, with a
// note: the bounds are of code that does not.
//
// Exit status: 0 if all was measured, 1 if the driver reports an error, 2 for wrong arguments.
#include <cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<unsigned char>;

struct Argument {
  std::function<Bytes()> make;  // of the array, or of the scalar
  bool is_array;
};

struct Launch {
  const char* kernel;
  unsigned int block[3];
  unsigned int grid[3];
  std::vector<Argument> arguments;
};

struct Code {
  const char* kernel;
  const char* machine;
  const char* file;
  const char* symbol;
};

// The same numbers in every run of the program, whatever the standard library.
class Random {
 public:
  std::uint64_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return state_ >> 33;
  }
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(most - least + 1));
  }
  double real(double least, double most) {
    return least + (most - least) * (static_cast<double>(next()) / 2147483648.0);
  }

 private:
  std::uint64_t state_ = 1;
};

// An array whose elements are made one after another by a function of their number.
template <typename T, typename Element>
Argument array_of(std::size_t bytes, Element element) {
  return {[=] {
            Element next = element;
            Bytes made(bytes);
            for (std::size_t i = 0; i < bytes / sizeof(T); ++i) {
              const T value = static_cast<T>(next(i));
              std::memcpy(&made[i * sizeof(T)], &value, sizeof(T));
            }
            return made;
          },
          true};
}

template <typename T>
Argument scalar_of(T value) {
  Argument argument = array_of<T>(sizeof(T), [=](std::size_t) { return value; });
  argument.is_array = false;
  return argument;
}

// The forms of inputs.toml. Of integers of 32 bits, signed or not, the low bits count.
Argument zero_array(std::size_t bytes) {
  return {[=] { return Bytes(bytes); }, true};
}
Argument int_array(std::size_t bytes, std::int64_t least, std::int64_t most) {
  return array_of<std::uint32_t>(bytes,
                                 [=, random = Random()](std::size_t) mutable { return random.between(least, most); });
}
Argument byte_array(std::size_t bytes, int least, int most) {
  return array_of<unsigned char>(bytes,
                                 [=, random = Random()](std::size_t) mutable { return random.between(least, most); });
}
Argument float_array(std::size_t bytes, double least, double most) {
  return array_of<float>(bytes, [=, random = Random()](std::size_t) mutable { return random.real(least, most); });
}
Argument double_array(std::size_t bytes, double least, double most) {
  return array_of<double>(bytes, [=, random = Random()](std::size_t) mutable { return random.real(least, most); });
}
Argument ramp_array(std::size_t bytes, std::uint32_t step) {
  return array_of<std::uint32_t>(bytes, [=](std::size_t i) { return i * step; });
}
Argument value_array(std::size_t bytes, double value) {
  return array_of<float>(bytes, [=](std::size_t) { return value; });
}
Argument value_scalar(double value) { return scalar_of(static_cast<float>(value)); }
Argument int_scalar(std::int64_t value) { return scalar_of(static_cast<std::uint32_t>(value)); }

#include "launches.inc"

// More than the L2 cache of any of the machines.
constexpr std::size_t kFlushed = std::size_t{256} << 20;

void demand(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) {
    return;
  }
  const char* text = nullptr;
  cuGetErrorString(result, &text);
  std::fprintf(stderr, "measure: %s: %s\n", what, text == nullptr ? "unknown error" : text);
  std::exit(1);
}

std::string text_of(const unsigned int (&dimensions)[3]) {
  std::string text = std::to_string(dimensions[0]);
  for (int i = 1; i < 3 && dimensions[i] * dimensions[2] > 1; ++i) {
    text += "x" + std::to_string(dimensions[i]);
  }
  return text;
}

// Whether the kernel could be measured.
bool measure(const Launch& launch, const Code& code, const std::string& folder, int runs) {
  std::ifstream file(folder + "/" + code.file, std::ios::binary);
  const std::string ptx{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (ptx.empty()) {
    std::fprintf(stderr, "measure: cannot read %s/%s\n", folder.c_str(), code.file);
    std::exit(2);
  }
  CUmodule module;
  demand(cuModuleLoadData(&module, ptx.c_str()), code.file);
  CUfunction function;
  demand(cuModuleGetFunction(&function, module, code.symbol), code.symbol);
  int local_bytes = 0;
  demand(cuFuncGetAttribute(&local_bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, function), code.symbol);
  if (local_bytes > 0 && ptx.find(".local ") == std::string::npos) {
    std::fprintf(stderr, "measure: %s spills registers, left out\n", launch.kernel);
    demand(cuModuleUnload(module), code.file);
    return false;
  }

  std::vector<CUdeviceptr> arrays(launch.arguments.size());
  std::vector<Bytes> bytes;
  for (const Argument& argument : launch.arguments) {
    bytes.push_back(argument.make());
  }
  std::vector<void*> parameters;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (launch.arguments[i].is_array) {
      demand(cuMemAlloc(&arrays[i], bytes[i].size()), "cuMemAlloc");
    }
    parameters.push_back(launch.arguments[i].is_array ? static_cast<void*>(&arrays[i]) : bytes[i].data());
  }
  CUdeviceptr flushed;
  demand(cuMemAlloc(&flushed, kFlushed), "cuMemAlloc");
  CUevent begin;
  CUevent end;
  demand(cuEventCreate(&begin, CU_EVENT_DEFAULT), "cuEventCreate");
  demand(cuEventCreate(&end, CU_EVENT_DEFAULT), "cuEventCreate");

  for (int run = 0; run < runs; ++run) {
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      if (launch.arguments[i].is_array) {
        demand(cuMemcpyHtoD(arrays[i], bytes[i].data(), bytes[i].size()), "cuMemcpyHtoD");
      }
    }
    demand(cuMemsetD8(flushed, static_cast<unsigned char>(run), kFlushed), "cuMemsetD8");
    demand(cuCtxSynchronize(), "cuCtxSynchronize");
    demand(cuEventRecord(begin, nullptr), "cuEventRecord");
    demand(cuLaunchKernel(function, launch.grid[0], launch.grid[1], launch.grid[2], launch.block[0], launch.block[1],
                          launch.block[2], 0, nullptr, parameters.data(), nullptr),
           launch.kernel);
    demand(cuEventRecord(end, nullptr), "cuEventRecord");
    demand(cuEventSynchronize(end), launch.kernel);
    float milliseconds = 0.0f;
    demand(cuEventElapsedTime(&milliseconds, begin, end), "cuEventElapsedTime");
    std::printf("%s,%s,%s,%s,%.0f\n", launch.kernel, code.machine, text_of(launch.block).c_str(),
                text_of(launch.grid).c_str(), static_cast<double>(milliseconds) * 1e6);
  }

  demand(cuEventDestroy(begin), "cuEventDestroy");
  demand(cuEventDestroy(end), "cuEventDestroy");
  demand(cuMemFree(flushed), "cuMemFree");
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (launch.arguments[i].is_array) {
      demand(cuMemFree(arrays[i]), "cuMemFree");
    }
  }
  demand(cuModuleUnload(module), code.file);
  return true;
}

int usage() {
  std::fprintf(stderr, "usage: measure MACHINE [FOLDER [RUNS]]\nMACHINE is a machine of suite.toml, RUNS at least 1\n");
  return 2;
}

}  // namespace

int main(int count, char** words) {
  if (count < 2 || count > 4) {
    return usage();
  }
  const std::string machine = words[1];
  const std::string folder = count > 2 ? words[2] : "samples/suite";
  const int runs = count > 3 ? std::atoi(words[3]) : 20;
  int known = 0;
  for (const Code& code : codes) {
    known += machine == code.machine;
  }
  if (known == 0 || runs < 1) {
    return usage();
  }

  demand(cuInit(0), "cuInit");
  CUdevice device;
  demand(cuDeviceGet(&device, 0), "cuDeviceGet");
  CUcontext context;
  demand(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  demand(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  char name[256] = "";
  demand(cuDeviceGetName(name, sizeof name, device), "cuDeviceGetName");
  std::fprintf(stderr, "measure: %s stands for %s\n", machine.c_str(), name);

  std::printf("kernel,machine,block,grid,nanoseconds\n");
  int left_out = 0;
  for (const Code& code : codes) {
    if (machine != code.machine) {
      continue;
    }
    for (const Launch& launch : launches) {
      if (std::strcmp(launch.kernel, code.kernel) == 0) {
        left_out += !measure(launch, code, folder, runs);
      }
    }
  }
  std::fprintf(stderr, "measure: %d kernels, %d left out\n", known, left_out);
  return 0;
}
