// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/source_root.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/files.hpp"

using warpspan::app::default_source_root;
using warpspan::app::path_below;

TEST_CASE("the sources of a file are in the nearest checkout above it, or beside it") {
  const warpspan::test::TemporaryFolder folder;
  const std::string root = std::filesystem::canonical(folder.path()).string();
  std::filesystem::create_directories(root + "/a/b");
  CHECK(default_source_root(root + "/a/b/budgets.toml") == root + "/a/b");
  std::filesystem::create_directories(root + "/a/.git");
  CHECK(default_source_root(root + "/a/b/budgets.toml") == root + "/a");
  CHECK(default_source_root(root + "/budgets.toml") == root);
  warpspan::test::write_file(root + "/a/b/.git", "gitdir: elsewhere\n");  // as in a worktree
  CHECK(default_source_root(root + "/a/b/budgets.toml") == root + "/a/b");
}

TEST_CASE("a path below the root begins there, whatever it goes through") {
  const warpspan::test::TemporaryFolder folder;
  const std::string root = std::filesystem::canonical(folder.path()).string();
  std::filesystem::create_directories(root + "/src");
  warpspan::test::write_file(root + "/src/k.cu", "");
  std::filesystem::create_directory_symlink(root + "/src", root + "/link");
  CHECK(path_below(root, root + "/src/k.cu") == "src/k.cu");
  CHECK(path_below(root, root + "/src/../src/./k.cu") == "src/k.cu");
  CHECK(path_below(root, root + "/gone/k.cu") == "gone/k.cu");
  CHECK(path_below(root + "/src", root + "/link/k.cu") == "k.cu");
  CHECK(path_below(root + "/link", root + "/src/k.cu") == "k.cu");
  CHECK_FALSE(path_below(root + "/src", root + "/k.cu"));
  CHECK_FALSE(path_below(root + "/src", root + "/srcs/k.cu"));
  CHECK_FALSE(path_below(root, "/usr/include/k.h"));
  CHECK_FALSE(path_below(root, root));
  CHECK(path_below("", "../any/k.cu") == "../any/k.cu");
}
