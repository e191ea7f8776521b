// SPDX-License-Identifier: GPL-3.0-or-later
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
  std::string name;                                    // of the file, and what tells its units apart: "k.a(k.o)"
  std::shared_ptr<const frontend::PtxFile> ptx;        // nothing if there is none
  std::optional<std::string> cubin = std::nullopt;     // what the devices run
  bool ptx_is_wanted = false;                          // it is bounded, and machine code beside it gives figures only
  std::optional<AssemblerRun> made_by = std::nullopt;  // of machine code that was not in the file

  // The machine code is bounded, and the PTX explains.
  bool code_decides() const { return cubin && !ptx_is_wanted; }
};

// The units of a file that matter.
struct CodeUnits {
  std::vector<CodeUnit> units;
  std::vector<std::string> other_kernels = {};  // those of the file, if no unit matters; each once
};

// The kernels of what is bounded of a unit. Errors: the PTX, or the cubin, is malformed.
support::Result<frontend::Contents> contents_of(const CodeUnit& unit);

// What the machine code of a unit says of its kernels that one of the patterns names, as a log of ptxas would; without
// spills, where a kernel has no stack. Nothing of PTX. Errors: the cubin is malformed.
support::Result<CompiledKernels> figures_of(const CodeUnit& unit, const std::vector<std::string>& kernels);

// The same of all machine code of a file, for whatever target. Errors: its own, and a file without any.
support::Result<CompiledKernels> figures_of(const support::SourceFile& file);

using Wanted = object::WantedCode;
using CodeChoice = object::ImageChoice;
using object::number_of;
using object::runs_on;
using object::without_suffix;

// The units of a file with a kernel that one of the patterns names, or with any if there is no pattern, as
// object::choose_images chooses them; of a file without a kernel the first. A unit whose kernels an earlier one has
// too, with the same code, is left out. Others are looked into for the names of their kernels only. Errors: its own;
// files and images that are damaged; kernels that the file has for other targets only.
support::Result<CodeUnits> read_gpu_code(const support::SourceFile& file, const CodeChoice& choice,
                                         const std::vector<std::string>& kernels = {});

}  // namespace warpspan::app
