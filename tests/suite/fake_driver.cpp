// A GPU driver for tests of measure.cu where there is no GPU: the functions of the driver API that it calls, with
// memory of the host. A kernel is not run; its launch is written to the file FAKE_DRIVER_LOG, and it took
// FAKE_DRIVER_MILLISECONDS. A module is text that has the kernel's name; what is given back twice, or never, ends the
// program.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

namespace {

std::set<void*> held;

template <typename T>
T handle(void* memory) {
  held.insert(memory);
  return reinterpret_cast<T>(memory);
}

template <typename T>
CUresult give_back(T object) {
  void* memory = reinterpret_cast<void*>(object);
  if (held.erase(memory) == 0) std::abort();
  std::free(memory);
  return CUDA_SUCCESS;
}

struct AtEnd {
  ~AtEnd() {
    if (!held.empty()) std::abort();
  }
} at_end;

}  // namespace

extern "C" {

CUresult cuInit(unsigned int) { return CUDA_SUCCESS; }
CUresult cuGetErrorString(CUresult, const char** text) {
  *text = "an error of the fake driver";
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice* device, int) {
  *device = 0;
  return std::getenv("FAKE_DRIVER_LOG") == nullptr ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int size, CUdevice) {
  std::snprintf(name, static_cast<size_t>(size), "no GPU");
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  *context = nullptr;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxSynchronize() { return CUDA_SUCCESS; }

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  *module = handle<CUmodule>(strdup(static_cast<const char*>(image)));
  return CUDA_SUCCESS;
}
// A function is its name, in the text of the module.
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  const std::string entry = std::string(".entry ") + name + "(";
  char* found = std::strstr(reinterpret_cast<char*>(module), entry.c_str());
  *function = reinterpret_cast<CUfunction>(found);
  return found == nullptr ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute, CUfunction function) {
  const char* spilled = std::getenv("FAKE_DRIVER_SPILLED");
  const std::string name = std::string(".entry ") + (spilled == nullptr ? "" : spilled) + "(";
  *value = std::strncmp(reinterpret_cast<char*>(function), name.c_str(), name.size()) == 0 ? 16 : 0;
  return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule module) { return give_back(module); }

CUresult cuMemAlloc(CUdeviceptr* address, size_t bytes) {
  *address = handle<CUdeviceptr>(std::malloc(bytes));
  return CUDA_SUCCESS;
}
CUresult cuMemFree(CUdeviceptr address) { return give_back(address); }
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemsetD8(CUdeviceptr, unsigned char, size_t) { return CUDA_SUCCESS; }

CUresult cuEventCreate(CUevent* event, unsigned int) {
  *event = handle<CUevent>(std::malloc(1));
  return CUDA_SUCCESS;
}
CUresult cuEventDestroy(CUevent event) { return give_back(event); }
CUresult cuEventRecord(CUevent, CUstream) { return CUDA_SUCCESS; }
CUresult cuEventSynchronize(CUevent) { return CUDA_SUCCESS; }
CUresult cuEventElapsedTime(float* milliseconds, CUevent, CUevent) {
  *milliseconds = std::strtof(std::getenv("FAKE_DRIVER_MILLISECONDS"), nullptr);
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared, CUstream,
                        void** parameters, void**) {
  const char* name = reinterpret_cast<char*>(function) + std::strlen(".entry ");
  std::FILE* log = std::fopen(std::getenv("FAKE_DRIVER_LOG"), "a");
  std::fprintf(log, "%.*s %ux%ux%u %ux%ux%u %u %d\n", static_cast<int>(std::strchr(name, '(') - name), name, block_x,
               block_y, block_z, grid_x, grid_y, grid_z, shared, parameters != nullptr);
  std::fclose(log);
  return CUDA_SUCCESS;
}

}  // extern "C"
