// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/fleet/result_cache.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "app/fleet/fleet.hpp"
#include "support/source_file.hpp"
#include "tests/files.hpp"

using namespace warpspan;
using namespace warpspan::app;
using namespace warpspan::test;
namespace fs = std::filesystem;

namespace {

std::shared_ptr<ResultCache> opened(const TemporaryFolder& folder, int64_t most = int64_t{1} << 30) {
  auto cache = ResultCache::open(folder.file("cache"), most);
  REQUIRE(cache);
  return *cache;
}

std::vector<fs::path> entries(const TemporaryFolder& folder) {
  std::vector<fs::path> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder.file("cache"))) {
    if (entry.is_regular_file()) all.push_back(entry.path());
  }
  return all;
}

}  // namespace

TEST_CASE("a result is found by its request, in another run too") {
  const TemporaryFolder folder;
  const auto cache = opened(folder);
  CHECK_FALSE(cache->find("a"));
  cache->keep("a", {}, "value");
  CHECK(cache->find("a") == "value");
  CHECK_FALSE(cache->find("b"));
  CHECK(opened(folder)->find("a") == "value");
  CHECK(cache->notes().empty());
}

TEST_CASE("a result is found only where each file that was read is as it was, and each that was missing still is") {
  const TemporaryFolder folder;
  write_file(folder.file("f"), "text");
  const auto read = [&] {
    const support::ReadRecord record;
    static_cast<void>(support::read_source(folder.file("f")));
    static_cast<void>(support::read_source(folder.file("g")));
    return record.reads();
  };
  opened(folder)->keep("a", read(), "value");
  CHECK(opened(folder)->find("a") == "value");
  write_file(folder.file("f"), "texts");
  CHECK_FALSE(opened(folder)->find("a"));
  write_file(folder.file("f"), "text");
  CHECK(opened(folder)->find("a") == "value");
  write_file(folder.file("g"), "");
  CHECK_FALSE(opened(folder)->find("a"));
  fs::remove(folder.file("g"));
  fs::remove(folder.file("f"));
  CHECK_FALSE(opened(folder)->find("a"));
}

TEST_CASE("what was read twice and had changed meanwhile is not kept") {
  const TemporaryFolder folder;
  const auto cache = opened(folder);
  cache->keep("a", {{"f", "1"}, {"f", "2"}}, "value");
  CHECK(entries(folder).empty());
}

TEST_CASE("an entry that is cut, or changed in any byte, is none, and a note says so") {
  const TemporaryFolder folder;
  opened(folder)->keep("a", {{folder.file("none"), ""}}, "value");
  REQUIRE(entries(folder).size() == 1);
  const std::string path = entries(folder).front();
  const std::string whole = read_file(path);
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    write_file(path, changed);
    const auto cache = opened(folder);
    CHECK_FALSE(cache->find("a"));
    CHECK(cache->notes().size() == 1);
    write_file(path, whole.substr(0, i));
    CHECK_FALSE(opened(folder)->find("a"));
  }
  write_file(path, whole);
  CHECK(opened(folder)->find("a") == "value");
  // One in the place of another one.
  opened(folder)->keep("b", {}, "other");
  for (const fs::path& entry : entries(folder)) {
    if (entry != path) fs::copy_file(entry, path, fs::copy_options::overwrite_existing);
  }
  CHECK_FALSE(opened(folder)->find("a"));
}

TEST_CASE("what was not used for longest goes first, and what killed runs have left goes too") {
  const TemporaryFolder folder;
  const std::string value(1000, 'x');
  const auto hour = std::chrono::hours(1);
  for (const char* request : {"a", "b", "c"}) {
    opened(folder)->keep(request, {}, value);
    for (const fs::path& entry : entries(folder)) fs::last_write_time(entry, fs::last_write_time(entry) - hour);
  }
  CHECK(opened(folder)->find("a") == value);  // used now
  fs::create_directories(folder.file("cache/ab"));
  write_file(folder.file("cache/ab/x.result.part-old"), "half");
  fs::last_write_time(folder.file("cache/ab/x.result.part-old"), fs::file_time_type::clock::now() - 2 * hour);
  write_file(folder.file("cache/ab/x.result.part-new"), "half");
  opened(folder)->prune();
  CHECK(entries(folder).size() == 4);
  CHECK_FALSE(fs::exists(folder.file("cache/ab/x.result.part-old")));
  opened(folder, 2500)->prune();
  CHECK(opened(folder)->find("a") == value);
  CHECK_FALSE(opened(folder)->find("b"));
}

TEST_CASE("a folder that cannot be made is an error") {
  const TemporaryFolder folder;
  write_file(folder.file("file"), "");
  const auto cache = ResultCache::open(folder.file("file/below"), 1);
  REQUIRE_FALSE(cache);
  CHECK(cache.errors().front().message.starts_with("--cache: cannot write the folder"));
}

TEST_CASE("a result that was disturbed or cancelled is not kept, one that was not is made once") {
  const TemporaryFolder folder;
  std::atomic<bool> cancel{false};
  Fleet fleet;
  fleet.cache = opened(folder);
  fleet.pool.cancel = &cancel;
  int made = 0;
  const auto make = [&] { return ++made; };
  const auto disturbed = [&] {
    support::report_disturbance();
    return ++made;
  };
  CHECK(made_or_kept<int>(fleet, "a", disturbed) == 1);
  CHECK(made_or_kept<int>(fleet, "a", make) == 2);
  CHECK(made_or_kept<int>(fleet, "a", make) == 2);
  CHECK(made_or_kept<int>(fleet, "", make) == 3);
  CHECK(made_or_kept<int>(fleet, "", make) == 4);
  cancel = true;
  CHECK(made_or_kept<int>(fleet, "b", make) == 5);
  cancel = false;
  CHECK(made_or_kept<int>(fleet, "b", make) == 6);
}

TEST_CASE("the same is made by one process and by several, each once") {
  for (const size_t jobs : {1, 2, 7}) {
    Fleet fleet;
    fleet.pool = {jobs, int64_t{1} << 30};
    std::vector<size_t> told;
    fleet.tell = [&](const char*, size_t done, size_t all) {
      told.push_back(done);
      CHECK(all == 30);
    };
    const std::function<std::string(size_t)> make = [](size_t i) { return std::string(i, 'x'); };
    std::vector<std::string> all(30, "none");
    make_each<std::string>(fleet, "things", 30, make, [&all](size_t i, std::string made) {
      CHECK(all[i] == "none");
      all[i] = std::move(made);
    });
    for (size_t i = 0; i < 30; ++i) CHECK(all[i] == std::string(i, 'x'));
    CHECK(told.size() == 30);
    CHECK(told.back() == 30);
  }
}
