// PTX and machine code in objects, libraries and fatbins.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/requests/compiled_kernels.hpp"
#include "frontend/object/images.hpp"
#include "support/result.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

// Whether the file is one of these, and not PTX text.
bool is_gpu_code(const support::SourceFile& file);

// object::images; where there is code that was linked, without what it was linked from, which is the same code again.
support::Result<std::vector<object::Image>> images_of(const object::Input& input);

// The architectures of the images, each once, in alphabetical order.
std::vector<std::string> targets_of(const std::vector<object::Image>& images);

// Where the machine code of kernels lies in a file.
class CodePlaces {
 public:
  CodePlaces() = default;
  explicit CodePlaces(std::shared_ptr<const support::SourceFile> file) : file_(std::move(file)) {}

  void add(const object::Image& image, const std::string& kernel);
  // The cubin that holds the kernel for one of the architectures; nothing if none does. Errors: several do; the image
  // is damaged.
  support::Result<std::optional<std::string>> find(const std::vector<std::string>& architectures,
                                                   const std::string& kernel) const;

 private:
  std::shared_ptr<const support::SourceFile> file_;
  std::map<std::pair<std::string, std::string>, std::vector<object::Image>> images_;  // by architecture and kernel
};

struct GpuCode {
  std::string ptx;               // the text; empty if `cubin` is there
  std::string architecture;      // of its target: "sm_80"
  CompiledKernels machine_code;  // of all cubins beside the PTX; without spills, where a kernel has no stack
  CodePlaces places;             // of the same
  std::optional<std::string> cubin = std::nullopt;  // of a file without PTX, or where it is asked for
};

enum class Wanted : uint8_t { ptx_if_any, machine_code };

// The PTX for a target, or the only one where that is empty; of a file without any, and where it is wanted, the cubin.
// Errors: files and images that are damaged; one with nothing for the target, with several and no target, or with
// several for it: the help says what to do.
support::Result<GpuCode> read_gpu_code(const std::shared_ptr<const support::SourceFile>& file,
                                       const std::string& target, Wanted wanted);

}  // namespace warpspan::app
