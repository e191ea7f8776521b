// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are no code for NVIDIA GPUs, by what they begin with.
#pragma once

#include <optional>

#include "frontend/object/bytes.hpp"

namespace warpspan::object {

// The error for a file that is no text and no container of images: its format, where that is known, and what to do.
// Nothing of a file that may be text. What is in it is not in the error.
std::optional<support::Diagnostic> not_text(const Input& input);

// Of ELF files without images: whose code they are, where that is known; else that they hold no GPU code.
support::Diagnostic without_images(const Input& input);

}  // namespace warpspan::object
