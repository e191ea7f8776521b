// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernels an image has, without reading the rest of it: of hundreds of images in a library few matter.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/object/bytes.hpp"
#include "support/result.hpp"

namespace warpspan::object {

// The kernels of a cubin, in the order of its symbols: those that read_cubin finds. Errors: no ELF file, or symbols
// that are damaged.
support::Result<std::vector<std::string>> kernels_of_cubin(const Input& cubin);

// The words behind '.entry' in PTX text, each once: all its kernels, and perhaps more, such as those in comments.
std::vector<std::string> words_behind_entry(std::string_view ptx);

}  // namespace warpspan::object
