// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/source_root.hpp"

#include <filesystem>

namespace warpspan::app {

namespace {

namespace fs = std::filesystem;

// Without links, as far as it exists.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(path, error);
  return error ? fs::absolute(path, error).lexically_normal() : whole;
}

std::optional<std::string> from(const fs::path& root, const fs::path& path) {
  const fs::path below = path.lexically_relative(root);
  if (below.empty() || *below.begin() == ".." || below == ".") return std::nullopt;
  return below.string();
}

}  // namespace

std::string default_source_root(const std::string& file) {
  const fs::path folder = resolved(file.empty()                           ? fs::path(".")
                                   : fs::path(file).parent_path().empty() ? fs::path(".")
                                                                          : fs::path(file).parent_path());
  std::error_code error;
  for (fs::path one = folder;; one = one.parent_path()) {
    if (fs::exists(one / ".git", error)) return one.string();
    if (one == one.parent_path()) return folder.string();
  }
}

std::optional<std::string> path_below(const std::string& root, const std::string& path) {
  if (root.empty() || path.empty()) return path;
  std::error_code error;
  const fs::path top = resolved(root);
  if (auto below = from(top, fs::absolute(path, error).lexically_normal())) return below;
  return from(top, resolved(path));
}

}  // namespace warpspan::app
