// SPDX-License-Identifier: GPL-3.0-or-later
// The folder that a project's sources are in, and paths as people of the project know them.
#pragma once

#include <optional>
#include <string>

namespace warpspan::app {

// The nearest folder above a file, its own one first, that git has its data in; without any the file's own. Absolute.
std::string default_source_root(const std::string& file);

// The path from the root, where it is below it: "src/edge.cu". One that is not absolute begins where the program runs.
// Links are followed where the path exists. Any path as it is where the root is empty.
std::optional<std::string> path_below(const std::string& root, const std::string& path);

}  // namespace warpspan::app
