// SPDX-License-Identifier: GPL-3.0-or-later
// Launches kernels one after another on the first GPU, each once; scripts/measured/profiling.py runs it under Nsight
// Compute.
//
// usage: launch PLAN FROM TO
//
// A line of PLAN, its words split by tabs: cubin, kernel, "x,y,z" blocks of the grid, "x,y,z" threads of a block, bytes
// of shared memory beside what the kernel declares, and its arguments:
//   bytes:HEX          what the parameter holds
//   array              a pointer to 256 MiB of its own, all zero at first
//   array:BYTES:WHAT   a pointer to so many bytes, made anew, which hold what 'warpspan simulate --contents' calls WHAT
//   texture, surface   an object of 1,024 x 1,024 texels of four floats, coordinates in [0, 1), linear
//   texture:1d         4,096 such texels, likewise; texture:3d: 64 x 64 x 64
//   texture:1d:point   the same with coordinates in texels, likewise texture:2d:point and texture:3d:point
//   tensor             the description of 8,192 by 8,192 words in boxes of 32 by 32
//   global:NAME:VALUE  no argument: 32 bits of a variable of the module
// FROM and TO are numbers of lines, from 0, TO not among them. On standard output stands a line "NUMBER begin" before
// each launch, then "NUMBER ok NANOSECONDS", by the clock of the device, with what it takes to begin and to end, or
// "NUMBER failed WHAT CAUSE" if it was not made. Behind a kernel that faults nothing more can be launched, so that the
// program ends, with status 3. Status 2: wrong use, a line that makes no sense, no device.
#include <cuda.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr size_t array_bytes = size_t(256) << 20;
constexpr unsigned side = 1024;
constexpr size_t flushed_bytes = size_t(128) << 20;  // more than the L2 holds

// What a call of the driver ended with.
struct Failed {
  std::string what;
  CUresult cause;
};

void check(CUresult result, const std::string& what) {
  if (result != CUDA_SUCCESS) throw Failed{what, result};
}

std::string name_of(CUresult result) {
  const char* name = nullptr;
  return cuGetErrorName(result, &name) == CUDA_SUCCESS ? name : std::to_string(result);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> words;
  std::stringstream stream(text);
  for (std::string word; std::getline(stream, word, separator);) words.push_back(word);
  return words;
}

struct Dimensions {
  unsigned x, y, z;
};

Dimensions dimensions(const std::string& text) {
  const std::vector<std::string> words = split(text, ',');
  if (words.size() != 3) throw std::invalid_argument("'" + text + "' is no three numbers");
  const auto number = [&words](size_t i) { return unsigned(std::stoul(words[i])); };
  return {number(0), number(1), number(2)};
}

std::vector<char> bytes_of(const std::string& hex) {
  if (hex.size() % 2 != 0) throw std::invalid_argument("'" + hex + "' is no bytes");
  std::vector<char> bytes;
  for (size_t i = 0; i < hex.size(); i += 2) bytes.push_back(char(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

template <typename T>
std::vector<char> bytes_of_value(const T& value) {
  const char* begin = reinterpret_cast<const char*>(&value);
  return {begin, begin + sizeof(T)};
}

// Contents of arrays, as docs/simulate.md defines them.
uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

// Positive, or 0; the number has 11 bits, so that nothing is rounded.
uint16_t half_of(unsigned elevenths) {
  if (elevenths == 0) return 0;
  int exponent = 4;  // 15 - 11
  while (elevenths < 1024) elevenths *= 2, --exponent;
  // The least one is 2^-11, a normal number: exponent is 4 + 10 - (shifts) >= 4.
  return uint16_t((exponent + 10) << 10 | (elevenths & 1023));
}

template <typename Element, typename Of>
void fill(std::vector<char>& bytes, const Of& of) {
  const size_t elements = bytes.size() / sizeof(Element);
  const size_t workers = elements < 65536 ? 1 : std::max(1U, std::thread::hardware_concurrency());
  const auto part = [&](size_t worker) {
    for (size_t i = elements * worker / workers; i < elements * (worker + 1) / workers; ++i) {
      const Element element = of(i);
      std::memcpy(&bytes[i * sizeof(Element)], &element, sizeof(Element));
    }
  };
  std::vector<std::thread> others;
  for (size_t worker = 1; worker < workers; ++worker) others.emplace_back(part, worker);
  part(0);
  for (std::thread& other : others) other.join();
}

std::vector<char> contents(const std::string& what, size_t size) {
  std::vector<char> bytes(size);
  if (what[0] == '@') {
    std::ifstream file(what.substr(1), std::ios::binary);
    const std::vector<char> held((std::istreambuf_iterator<char>(file)), {});
    if (held.empty() || held.size() > size)
      throw std::invalid_argument("'" + what + "' is no file of up to " + std::to_string(size));
    std::copy(held.begin(), held.end(), bytes.begin());
    return bytes;
  }
  const std::vector<std::string> pieces = split(what, ':');
  const std::vector<std::string> kind = split(pieces[0], '<');
  const uint64_t seed = pieces.size() > 1 ? std::stoull(pieces[1]) : 0,
                 below = kind.size() > 1 ? std::stoull(kind[1]) : 0;
  const auto drawn = [seed](size_t i) { return mix(seed ^ mix(i)); };
  if (kind[0] == "ramp") {
    fill<uint32_t>(bytes, [](size_t i) { return uint32_t(i); });
  } else if (kind[0] == "integers") {
    fill<uint32_t>(bytes,
                   [&](size_t i) { return uint32_t(below == 0 ? drawn(i) >> 32 : (drawn(i) >> 32) * below >> 32); });
  } else if (kind[0] == "reals") {
    fill<float>(bytes, [&](size_t i) { return float(drawn(i) >> 40) / float(1 << 24); });
  } else if (kind[0] == "doubles") {
    fill<double>(bytes, [&](size_t i) { return double(drawn(i) >> 11) / double(uint64_t(1) << 53); });
  } else if (kind[0] == "halves") {
    fill<uint16_t>(bytes, [&](size_t i) { return half_of(unsigned(drawn(i) >> 53)); });
  } else {
    throw std::invalid_argument("'" + what + "' is no contents");
  }
  return bytes;
}

// Arrays and objects, made when the first launch needs them and kept: arrays are zero at the start of the program, and
// hold what earlier launches wrote later. Those with contents are made for each launch, from a copy that is kept.
class Memory {
 public:
  CUdeviceptr array(size_t number) {
    while (arrays_.size() <= number) {
      CUdeviceptr made = 0;
      check(cuMemAlloc(&made, array_bytes), "memory");
      check(cuMemsetD8(made, 0, array_bytes), "memory");
      arrays_.push_back(made);
    }
    return arrays_[number];
  }

  CUdeviceptr array_of(size_t bytes, const std::string& what) {
    CUdeviceptr array = 0;
    check(cuMemAlloc(&array, bytes), "memory");
    made_.push_back(array);
    if (what == "zeros") {
      check(cuMemsetD8(array, 0, bytes), "memory");
    } else {
      check(cuMemcpyDtoD(array, original(bytes, what), bytes), "memory");
    }
    return array;
  }

  // Arrays of the launch before are of no use any more.
  void release() {
    for (const CUdeviceptr array : made_) cuMemFree(array);
    made_.clear();
  }

  // Nothing that a launch needs is left in the caches.
  void flush() {
    if (flushed_ == 0) check(cuMemAlloc(&flushed_, flushed_bytes), "memory");
    check(cuMemsetD8(flushed_, 0, flushed_bytes), "memory");
  }

  // "texture", "texture:3d", "texture:2d:point"
  CUtexObject texture(const std::string& form) {
    CUtexObject& made = textures_[form];
    if (made != 0) return made;
    const bool is_point = form.find(":point") != std::string::npos;
    const CUDA_RESOURCE_DESC resource = resource_of(form);
    CUDA_TEXTURE_DESC sampling{};
    for (CUaddress_mode& mode : sampling.addressMode)
      mode = is_point ? CU_TR_ADDRESS_MODE_CLAMP : CU_TR_ADDRESS_MODE_WRAP;
    sampling.filterMode = is_point ? CU_TR_FILTER_MODE_POINT : CU_TR_FILTER_MODE_LINEAR;
    sampling.flags = is_point ? 0 : CU_TRSF_NORMALIZED_COORDINATES;
    check(cuTexObjectCreate(&made, &resource, &sampling, nullptr), "texture");
    return made;
  }

  // Of an array of its own.
  CUtensorMap tensor() {
    if (tensor_bytes_ == 0) check(cuMemAlloc(&tensor_bytes_, array_bytes), "memory");
    CUtensorMap map{};
    const cuuint64_t sizes[] = {8 * side, 8 * side}, strides[] = {8 * side * sizeof(unsigned)};
    const cuuint32_t box[] = {32, 32}, steps[] = {1, 1};
    check(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, reinterpret_cast<void*>(tensor_bytes_), sizes,
                                 strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                 CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
          "tensor");
    return map;
  }

  CUsurfObject surface() {
    if (surface_ != 0) return surface_;
    const CUDA_RESOURCE_DESC resource = resource_of("surface");
    check(cuSurfObjectCreate(&surface_, &resource), "surface");
    return surface_;
  }

 private:
  struct Original {
    CUdeviceptr array = 0;
    size_t bytes = 0;
  };

  CUdeviceptr original(size_t bytes, const std::string& what) {
    Original& original = originals_[what];
    if (original.bytes < bytes) {
      if (original.array != 0) check(cuMemFree(original.array), "memory");
      original = {};
      check(cuMemAlloc(&original.array, bytes), "memory");
      check(cuMemcpyHtoD(original.array, contents(what, bytes).data(), bytes), "memory");
      original.bytes = bytes;
    }
    return original.array;
  }

  // Of the shape that the form names, which objects of one shape share.
  CUDA_RESOURCE_DESC resource_of(const std::string& form) {
    const bool is_line = form.find(":1d") != std::string::npos, is_cube = form.find(":3d") != std::string::npos;
    CUarray& made = is_line ? line_ : is_cube ? cube_ : plane_;
    if (made == nullptr) {
      CUDA_ARRAY3D_DESCRIPTOR shape{};
      shape.Width = is_line ? 4 * side : is_cube ? side / 16 : side;
      shape.Height = is_line ? 0 : is_cube ? side / 16 : side;
      shape.Depth = is_cube ? side / 16 : 0;
      shape.Format = CU_AD_FORMAT_FLOAT;
      shape.NumChannels = 4;
      shape.Flags = CUDA_ARRAY3D_SURFACE_LDST;
      check(cuArray3DCreate(&made, &shape), "texels");
    }
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = made;
    return resource;
  }

  std::vector<CUdeviceptr> arrays_, made_;
  std::map<std::string, Original> originals_;
  CUdeviceptr flushed_ = 0, tensor_bytes_ = 0;
  CUarray line_ = nullptr, plane_ = nullptr, cube_ = nullptr;
  std::map<std::string, CUtexObject> textures_;
  CUsurfObject surface_ = 0;
};

void set_global(CUmodule module, const std::string& name, int value) {
  CUdeviceptr place = 0;
  size_t bytes = 0;
  check(cuModuleGetGlobal(&place, &bytes, module, name.c_str()), "global " + name);
  if (bytes < sizeof(value)) throw std::invalid_argument(name + " has less than 4 bytes");
  check(cuMemcpyHtoD(place, &value, sizeof(value)), "global " + name);
}

// One for each parameter.
std::vector<std::vector<char>> arguments(const std::vector<std::string>& words, CUmodule module, Memory& memory) {
  std::vector<std::vector<char>> made;
  size_t arrays = 0;
  for (const std::string& word : words) {
    const std::vector<std::string> pieces = split(word, ':');
    if (word == "array") {
      made.push_back(bytes_of_value(memory.array(arrays++)));
    } else if (pieces.size() > 2 && pieces[0] == "array") {
      made.push_back(bytes_of_value(memory.array_of(std::stoull(pieces[1]), word.substr(pieces[1].size() + 7))));
    } else if (pieces[0] == "texture") {
      made.push_back(bytes_of_value(memory.texture(word)));
    } else if (word == "tensor") {
      made.push_back(bytes_of_value(memory.tensor()));
    } else if (word == "surface") {
      made.push_back(bytes_of_value(memory.surface()));
    } else if (pieces.size() == 2 && pieces[0] == "bytes") {
      made.push_back(bytes_of(pieces[1]));
    } else if (pieces.size() == 3 && pieces[0] == "global") {
      set_global(module, pieces[1], std::stoi(pieces[2]));
    } else {
      throw std::invalid_argument("'" + word + "' is no argument");
    }
  }
  return made;
}

CUmodule module_of(const std::string& cubin, std::map<std::string, CUmodule>& modules) {
  CUmodule& module = modules[cubin];
  if (module == nullptr) check(cuModuleLoad(&module, cubin.c_str()), "load");
  return module;
}

// Returns when the kernel has ended, how many nanoseconds it took.
double launch(const std::vector<std::string>& words, std::map<std::string, CUmodule>& modules, Memory& memory) {
  if (words.size() < 5) throw std::invalid_argument("a line has less than five words");
  memory.release();
  const CUmodule module = module_of(words[0], modules);
  CUfunction kernel = nullptr;
  check(cuModuleGetFunction(&kernel, module, words[1].c_str()), "kernel");
  const Dimensions grid = dimensions(words[2]), block = dimensions(words[3]);
  const unsigned shared = unsigned(std::stoul(words[4]));
  std::vector<std::vector<char>> given = arguments({words.begin() + 5, words.end()}, module, memory);
  std::vector<void*> parameters;
  for (std::vector<char>& bytes : given) parameters.push_back(bytes.data());
  if (shared != 0) {  // more than 48 KiB must be asked for
    check(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, int(shared)), "shared memory");
  }
  memory.flush();
  CUevent begin = nullptr, end = nullptr;
  check(cuEventCreate(&begin, CU_EVENT_DEFAULT), "event");
  check(cuEventCreate(&end, CU_EVENT_DEFAULT), "event");
  check(cuCtxSynchronize(), "memory");
  check(cuEventRecord(begin, nullptr), "event");
  check(cuLaunchKernel(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, nullptr, parameters.data(),
                       nullptr),
        "launch");
  check(cuEventRecord(end, nullptr), "event");
  check(cuCtxSynchronize(), "run");
  float milliseconds = 0;
  check(cuEventElapsedTime(&milliseconds, begin, end), "event");
  check(cuEventDestroy(begin), "event");
  check(cuEventDestroy(end), "event");
  return 1e6 * double(milliseconds);
}

// Whether the context is of no use any more.
bool is_over(const Failed& failed) { return failed.what == "run" || cuCtxSynchronize() != CUDA_SUCCESS; }

int run(const std::string& plan, size_t from, size_t to) {
  std::ifstream in(plan);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  if (lines.empty()) throw std::invalid_argument(plan + " has no line");
  CUdevice device = 0;
  CUcontext context = nullptr;
  check(cuInit(0), "driver");
  check(cuDeviceGet(&device, 0), "device");
  check(cuDevicePrimaryCtxRetain(&context, device), "device");
  check(cuCtxSetCurrent(context), "device");
  std::map<std::string, CUmodule> modules;
  Memory memory;
  for (size_t number = from; number < to && number < lines.size(); ++number) {
    std::printf("%zu begin\n", number);
    std::fflush(stdout);
    try {
      const double nanoseconds = launch(split(lines[number], '\t'), modules, memory);
      std::printf("%zu ok %.0f\n", number, nanoseconds);
    } catch (const std::invalid_argument& wrong) {
      std::printf("%zu failed line %s\n", number, wrong.what());
    } catch (const Failed& failed) {
      std::printf("%zu failed %s %s\n", number, failed.what.c_str(), name_of(failed.cause).c_str());
      if (is_over(failed)) return 3;
    }
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: launch PLAN FROM TO\n");
    return 2;
  }
  try {
    return run(argv[1], std::stoul(argv[2]), std::stoul(argv[3]));
  } catch (const Failed& failed) {
    std::fprintf(stderr, "launch: %s: %s\n", failed.what.c_str(), name_of(failed.cause).c_str());
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "launch: %s\n", wrong.what());
  }
  return 2;
}
