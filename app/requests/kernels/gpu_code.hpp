// PTX and machine code in objects, libraries and fatbins.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/reports/run_record.hpp"
#include "app/requests/kernels/compiled_kernels.hpp"
#include "frontend/frontend.hpp"
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

// What belongs together in a file: PTX, the machine code that was made from it, or both of the same kernels.
struct CodeUnit {
  std::string name;                                 // of the file, and what tells its units apart: "k.a(k.o)"
  std::shared_ptr<const support::SourceFile> ptx;   // nothing if there is none
  std::optional<std::string> cubin = std::nullopt;  // what the devices run: this decides, and the PTX explains
  CompiledKernels figures = {};  // of the machine code, also where the PTX was asked for; without spills, where a
                                 // kernel has no stack
  std::optional<AssemblerRun> made_by = std::nullopt;  // of machine code that was not in the file
};

// The kernels of what is bounded of a unit. Errors: the PTX, or the cubin, is malformed.
support::Result<frontend::Contents> contents_of(const CodeUnit& unit);

// What a cubin says of its kernels, as a log of ptxas would.
support::Result<CompiledKernels> figures_in(const object::Input& cubin);

enum class Wanted : uint8_t { machine_code_if_any, machine_code, ptx };

struct CodeChoice {
  std::string target;                // whose PTX, or machine code; empty: the only one
  std::vector<std::string> devices;  // that run it, "sm_86"; empty: those of the target
  Wanted wanted = Wanted::machine_code_if_any;
};

// The units of a file, at least one. Of several targets the one of the devices is chosen, if PTX or machine code of the
// file has it. Machine code is of a device's own target, or else of the latest before it in its generation, as drivers
// choose it (CUDA C++ Programming Guide, "Binary Compatibility"). Errors: files and images that are damaged; none, or
// several, for the target: the help says what to do.
support::Result<std::vector<CodeUnit>> read_gpu_code(const support::SourceFile& file, const CodeChoice& choice);

// Of a target, "sm_90a" or "compute_90": 90; 0 if it has no number.
int64_t number_of(std::string_view target);

// Whether machine code for one target runs on devices of another.
bool runs_on(const std::string& code, const std::string& device);

}  // namespace warpspan::app
