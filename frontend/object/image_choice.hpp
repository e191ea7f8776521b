// SPDX-License-Identifier: GPL-3.0-or-later
// Which images of a file count, and which of them belong together.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/object/images.hpp"
#include "support/result.hpp"

namespace warpspan::object {

// All images; where there is code that was linked, without what it was linked from, which is the same code again.
support::Result<std::vector<Image>> final_images(const Input& input);

// The architectures of the images, each once, in alphabetical order.
std::vector<std::string> targets_of(const std::vector<Image>& images);

// Of each image, which part of its member of the file it is in, or of the file where it has no members: 1 for the first
// fatbin. Images of one target in one fatbin are in parts of their own, behind one another. 0: there is one part only.
std::vector<uint64_t> parts_of(const std::vector<Image>& images);

enum class WantedCode : uint8_t { machine_code_if_any, machine_code, ptx };

struct ImageChoice {
  std::string target;                // whose PTX, or machine code; empty: the only one
  std::vector<std::string> devices;  // that run it, "sm_86"; empty: those of the target
  WantedCode wanted = WantedCode::machine_code_if_any;
  std::string part = {};  // what follows the file in the name of the unit that is meant: "(k.o)", "#2"; empty: all
};

// The images of one part for one target, PTX and the machine code that was made from it; or one of them by itself.
struct ImageUnit {
  const Image* ptx = nullptr;
  const Image* code = nullptr;
  uint64_t part = 0;      // parts_of
  std::string name = {};  // of the file, and what tells its units apart: "k.a(k.o)", "k.so#2"

  const Image& any() const { return ptx != nullptr ? *ptx : *code; }
};

// Of the images of a file, at least one unit. Of several targets the one of the devices is chosen, if PTX or machine
// code of the file has it. Machine code is of a device's own target, or else of the latest before it in its generation,
// as drivers choose it (CUDA C++ Programming Guide, "Binary Compatibility"). Where one fatbin has several images for
// the target, PTX is left out beside machine code: which belongs to which is not stated. Errors: none, or several, for
// the target, or none that is the part: the help says what to do. The images must outlive the units.
support::Result<std::vector<ImageUnit>> choose_images(std::string_view file, const std::vector<Image>& images,
                                                      const ImageChoice& choice);

// "sm_90" of "sm_90a".
std::string without_suffix(std::string target);

// Of a target, "sm_90a" or "compute_90": 90; 0 if it has no number.
int64_t number_of(std::string_view target);

// Whether machine code for one target runs on devices of another.
bool runs_on(const std::string& code, const std::string& device);

}  // namespace warpspan::object
