// SPDX-License-Identifier: GPL-3.0-or-later
// The container of nvcc and fatbinary: a header and entries, one image each.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "frontend/object/images.hpp"

namespace warpspan::object {

bool looks_like_fatbin(std::string_view bytes);

// Appends the images of the fatbins in `bytes`, a part of the file: one after the other, with zeros between them.
// Their member and section are those of `from`. Returns what is wrong, if something is.
std::optional<support::Diagnostic> read_fatbins(const Input& input, std::string_view bytes, const Image& from,
                                                std::vector<Image>& images);

}  // namespace warpspan::object
