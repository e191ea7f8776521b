// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/fleet/result_cache.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "app/fleet/archive.hpp"
#include "support/sha256.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark = "warpspan result 1\n";
constexpr size_t hash_length = 64;
constexpr std::string_view ending = ".result";
constexpr std::string_view unfinished = ".part-";
constexpr auto oldest_unfinished = std::chrono::hours(1);

// Not by read_source: what is kept is no input.
std::optional<std::string> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return file.bad() ? std::nullopt : std::optional(std::move(bytes).str());
}

// The linker's hash of an object's content, if it made one.
std::string build_id(const dl_phdr_info& object) {
  for (size_t i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = object.dlpi_phdr[i];
    if (header.p_type != PT_NOTE) continue;
    const char* at = reinterpret_cast<const char*>(object.dlpi_addr + header.p_vaddr);
    const char* end = at + header.p_memsz;
    const auto padded = [](size_t bytes) { return (bytes + 3) / 4 * 4; };
    while (static_cast<size_t>(end - at) >= sizeof(ElfW(Nhdr))) {
      const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
      const char* name = at + sizeof *note;
      const char* text = name + padded(note->n_namesz);
      if (text + note->n_descsz > end) break;
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
        return std::string(text, note->n_descsz);
      }
      at = text + padded(note->n_descsz);
    }
  }
  return {};
}

// Without a hash of the linker: the bytes of the file. What the kernel adds has no file, and computes nothing.
int add_object(dl_phdr_info* object, size_t, void* to) {
  auto& identity = *static_cast<std::string*>(to);
  const std::string name = object->dlpi_name;
  if (!name.empty() && name.front() != '/') return 0;
  std::string id = build_id(*object);
  if (id.empty()) id = support::sha256(bytes_of(name.empty() ? "/proc/self/exe" : name).value_or(""));
  identity += archived(id);
  return 0;
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// Whole or not at all, whoever else writes it.
bool write_entry(const std::string& path, std::string_view bytes) {
  std::error_code failed;
  fs::create_directories(fs::path(path).parent_path(), failed);
  std::string temporary = path + std::string(unfinished) + "XXXXXX";
  const int file = ::mkstemp(temporary.data());
  if (file < 0) return false;
  const bool written = write_all(file, bytes);
  const bool closed = ::close(file) == 0;
  if (written && closed && ::rename(temporary.c_str(), path.c_str()) == 0) return true;
  ::unlink(temporary.c_str());
  return false;
}

struct Entry {
  std::string request;
  std::vector<support::FileRead> reads;
  std::string value;
};

std::optional<Entry> entry_of(std::string_view bytes) {
  if (!bytes.starts_with(mark) || bytes.size() < mark.size() + hash_length) return std::nullopt;
  bytes.remove_prefix(mark.size());
  const std::string_view hash = bytes.substr(0, hash_length);
  bytes.remove_prefix(hash_length);
  return support::sha256(bytes) == hash ? unarchived<Entry>(bytes) : std::nullopt;
}

}  // namespace

std::string program_identity() {
  static const std::string identity = [] {
    std::string objects;
    ::dl_iterate_phdr(add_object, &objects);
    return support::sha256(objects);
  }();
  return identity;
}

support::Result<std::shared_ptr<ResultCache>> ResultCache::open(const std::string& folder, int64_t most_bytes) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed || ::access(folder.c_str(), R_OK | W_OK | X_OK) != 0) {
    return support::usage_error(
        "--cache: cannot write the folder '" + folder + "': " + (failed ? failed.message() : std::strerror(errno)),
        "give a folder that can be made or written");
  }
  return std::shared_ptr<ResultCache>(new ResultCache(fs::absolute(folder).string(), most_bytes));
}

ResultCache::ResultCache(std::string folder, int64_t most_bytes) : folder_(std::move(folder)), most_bytes_(most_bytes) {
  std::error_code unknown;
  context_ = archived(std::pair(program_identity(), fs::current_path(unknown).string()));
}

std::string ResultCache::path_of(std::string_view request) const {
  const std::string name = support::sha256(context_ + std::string(request));
  return folder_ + "/" + name.substr(0, 2) + "/" + name.substr(2) + std::string(ending);
}

std::optional<std::string> ResultCache::find(std::string_view request) {
  const std::string path = path_of(request);
  const auto bytes = bytes_of(path);
  if (!bytes) return std::nullopt;
  auto entry = entry_of(*bytes);
  if (!entry || entry->request != request) {
    ++broken_;
    return std::nullopt;
  }
  for (const support::FileRead& read : entry->reads) {
    if (hash_of(read.path) != read.sha256) return std::nullopt;
  }
  ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);  // it was used
  ++hits_;
  return std::move(entry->value);
}

void ResultCache::keep(std::string_view request, const std::vector<support::FileRead>& reads, std::string_view value) {
  std::map<std::string, std::string> known;
  Entry entry{std::string(request), {}, std::string(value)};
  for (const support::FileRead& read : reads) {
    const auto [first, fresh] = known.emplace(read.path, read.sha256);
    if (fresh) entry.reads.push_back(read);
    if (first->second != read.sha256) return;  // somebody wrote it meanwhile
  }
  const std::string bytes = archived(entry);
  const bool written = write_entry(path_of(request), std::string(mark) + support::sha256(bytes) + bytes);
  if (!written) ++unwritten_;
}

const std::string& ResultCache::hash_of(const std::string& path) {
  const auto known = hashes_.find(path);
  if (known != hashes_.end()) return known->second;
  const auto file = support::read_source(path);
  return hashes_.emplace(path, file ? support::sha256(file->bytes()) : std::string()).first->second;
}

void ResultCache::prune() {
  struct File {
    fs::file_time_type used;
    int64_t bytes;
    fs::path path;
  };
  std::vector<File> files;
  int64_t sum = 0;
  std::error_code failed;
  const auto now = fs::file_time_type::clock::now();
  for (fs::recursive_directory_iterator entries(folder_, failed);
       !failed && entries != fs::recursive_directory_iterator(); entries.increment(failed)) {
    std::error_code gone;
    const fs::path path = *entries;
    const auto used = fs::last_write_time(path, gone);
    const auto bytes = fs::is_regular_file(path, gone) ? static_cast<int64_t>(fs::file_size(path, gone)) : 0;
    if (gone || bytes == 0) continue;
    if (path.string().ends_with(ending)) {
      files.push_back({used, bytes, path});
      sum += bytes;
    } else if (path.filename().string().find(unfinished) != std::string::npos && now - used > oldest_unfinished) {
      fs::remove(path, gone);
    }
  }
  if (sum <= most_bytes_) return;
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.used < b.used; });
  for (const File& file : files) {
    if (sum <= most_bytes_ / 5 * 4) return;  // not again at once
    std::error_code gone;
    fs::remove(file.path, gone);
    sum -= file.bytes;
  }
}

support::Diagnostics ResultCache::notes() const {
  support::Diagnostics notes;
  const auto add = [&](size_t count, const std::string& what) {
    if (count == 0) return;
    support::Diagnostic note;
    note.severity = support::Severity::note;
    note.message = "--cache: " + std::to_string(count) + what + " in '" + folder_ + "'";
    notes.push_back(std::move(note));
  };
  add(broken_, " entries were broken and were made anew");
  add(unwritten_, " results could not be kept");
  return notes;
}

}  // namespace warpspan::app
