// SPDX-License-Identifier: GPL-3.0-or-later
// The images for GPUs inside of a file: cubins and PTX text.
//
// Read are cubins, fatbins, static libraries of ar(1), and objects, libraries and programs in ELF for 64-bit hosts. In
// these, nvcc keeps fatbins in the sections .nv_fatbin and, for relocatable device code, __nv_relfatbin. The container
// has no public description: docs/containers.md tells what was observed. A program whose relocatable code was linked
// holds both: the same functions twice, not linked in __nv_relfatbin and linked in .nv_fatbin.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/object/bytes.hpp"
#include "support/result.hpp"

namespace warpspan::object {

struct Image {
  enum class Kind : uint8_t { cubin, ptx, lto_ir, unknown };
  enum class Compression : uint8_t { none, zstd, lz4, unknown };

  Kind kind = Kind::unknown;
  Compression compression = Compression::none;
  std::string architecture;  // "sm_80", "sm_90a", "sm_100f"
  std::string member;        // of a static library; empty: there is none
  std::string section;       // of a host's ELF file; empty: the image is not in one
  uint64_t offset = 0;       // of the stored bytes in the file
  std::string_view stored;   // as they stand there, without padding
  uint64_t size = 0;         // bytes of the image, as its header says; of plain PTX without the zeros behind it
  uint64_t fatbin = 0;       // where the entries of its fatbin begin in the file; 0 of a cubin by itself
};

// Whether the bytes begin as a file of one of these kinds does. PTX text does not.
bool is_container(std::string_view bytes);

// All images, in the order of the file; at least one. No image is decompressed. Errors: a file of another kind, or that
// holds no code for GPUs; a thin library; a container that is malformed or cut short.
support::Result<std::vector<Image>> images(const Input& input);

struct Limits {
  uint64_t image_bytes = uint64_t{1} << 30;  // of one image
};

// The bytes of an image: its own if it had to be decompressed, else those of the file. PTX comes without the zeros that
// may follow it.
struct Contents {
  std::unique_ptr<char[]> owned;
  std::string_view bytes;
};

// The image of the file that `images` listed it for. Memory is asked for only after the stated size is within the
// limits and what so many compressed bytes can expand to, and is touched only as bytes appear. Errors: such sizes; a
// compression that is not known; data that does not decompress to the stated size.
support::Result<Contents> contents(const Input& input, const Image& image, const Limits& limits = {});

}  // namespace warpspan::object
