// PTX and machine code in objects, libraries and fatbins.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/reports/run_record.hpp"
#include "app/requests/kernels/compiled_kernels.hpp"
#include "frontend/frontend.hpp"
#include "frontend/object/image_choice.hpp"
#include "support/result.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

// Whether the file is one of these, and not PTX text.
bool is_gpu_code(const support::SourceFile& file);

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

using Wanted = object::WantedCode;
using CodeChoice = object::ImageChoice;
using object::number_of;
using object::runs_on;
using object::without_suffix;

// The units of a file, at least one, as object::choose_images chooses them. Errors: its own; files and images that are
// damaged.
support::Result<std::vector<CodeUnit>> read_gpu_code(const support::SourceFile& file, const CodeChoice& choice);

}  // namespace warpspan::app
