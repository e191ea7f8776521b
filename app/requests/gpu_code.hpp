// PTX and machine code in objects, libraries and fatbins.
#pragma once

#include <optional>
#include <string>
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

struct GpuCode {
  std::string ptx;               // the text; empty if there is none
  std::string architecture;      // of its target: "sm_80"
  CompiledKernels machine_code;  // of all cubins beside it; without spills, where a kernel has no stack
  std::optional<std::string> cubin = std::nullopt;  // of a file without PTX: its machine code
};

// The PTX for a target, or the only one where that is empty; of a file without any, its cubin. Errors: files and images
// that are damaged; one with nothing for the target, with several and no target, or with several for it: the help says
// what to do.
support::Result<GpuCode> read_gpu_code(const support::SourceFile& file, const std::string& target);

}  // namespace warpspan::app
