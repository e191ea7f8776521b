// SPDX-License-Identifier: GPL-3.0-or-later
// What 'warpspan list' has found: the code for GPUs that is in files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/kernel.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

// A kernel, or a function that only others call. A figure that the file does not state is empty.
struct ListedFunction {
  std::string name;                          // as in the file: mangled
  bool entry = true;                         // a kernel
  std::optional<int64_t> registers;          // of a thread
  std::optional<int64_t> stack_bytes;        // of a thread, with those of functions that it calls
  std::optional<int64_t> shared_bytes;       // of a block, static, without what the system takes
  std::optional<int64_t> code_bytes;         // with its subroutines and padding
  std::optional<int64_t> parameter_bytes;    // of all parameters
  std::optional<ir::Extent> required_block;  // .reqntid
  std::optional<ir::Extent> largest_block;   // .maxntid
};

struct ListedImage {
  std::string file;                       // "<stdin>" for "-"
  std::string member;                     // of a static library; empty: there is none
  int64_t part = 0;                       // of the member, or the file: "#2" of what reports name; 0: there is one only
  std::string kind;                       // "cubin", "PTX", "LTO-IR", "unknown"
  std::string architecture;               // "sm_80"
  int64_t bytes = 0;                      // of the image, decompressed
  bool is_listed = true;                  // what is in it
  std::vector<ListedFunction> functions;  // in the order of the image
};

struct ListReport {
  std::vector<ListedImage> images;  // in the order of the files and of the images in them
  support::Diagnostics errors;      // in the order of the files
};

}  // namespace warpspan::app
