// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/source_file.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "support/file_reads.hpp"

namespace warpspan::support {

namespace {

using FileNumber = std::pair<dev_t, ino_t>;

// Of files that can be replaced; pipes and terminals cannot.
std::optional<FileNumber> number_of(const struct stat& file) {
  return S_ISREG(file.st_mode) ? std::optional(FileNumber(file.st_dev, file.st_ino)) : std::nullopt;
}

// Of all threads.
struct FilesRead {
  std::mutex mutex;
  std::set<FileNumber> all;
};
FilesRead& files_read() {
  static FilesRead files;
  return files;
}

void remember(FILE* file) {
  struct stat status {};
  if (::fstat(::fileno(file), &status) != 0) return;
  const auto number = number_of(status);
  if (!number) return;
  FilesRead& files = files_read();
  const std::lock_guard lock(files.mutex);
  files.all.insert(*number);
}

}  // namespace

SourceFile::SourceFile(std::string name, std::string bytes) : name_(std::move(name)), bytes_(std::move(bytes)) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (bytes_.compare(0, byte_order_mark.size(), byte_order_mark) == 0) mark_ = byte_order_mark.size();
  line_starts_.push_back(0);
  for (size_t i = text().find('\n'); i != std::string_view::npos; i = text().find('\n', i + 1)) {
    line_starts_.push_back(i + 1);
  }
}

size_t SourceFile::line_index(size_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return static_cast<size_t>(after - line_starts_.begin()) - 1;
}

Location SourceFile::locate(size_t offset) const {
  const size_t line = line_index(offset);
  return {name_, static_cast<int64_t>(line + 1), static_cast<int64_t>(offset - line_starts_[line] + 1)};
}

std::string_view SourceFile::line_at(size_t offset) const { return line(static_cast<int64_t>(line_index(offset)) + 1); }

std::string_view SourceFile::line(int64_t number) const {
  if (number < 1 || static_cast<size_t>(number) > line_starts_.size()) return {};
  std::string_view line = text().substr(line_starts_[static_cast<size_t>(number) - 1]);
  line = line.substr(0, line.find('\n'));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

Diagnostic SourceFile::error_at(size_t offset, std::string message, std::string help) const {
  Diagnostic diagnostic;
  diagnostic.location = locate(offset);
  diagnostic.message = std::move(message);
  diagnostic.help = std::move(help);
  diagnostic.source_line = std::string(line_at(offset));
  return diagnostic;
}

Result<SourceFile> read_source(const std::string& path) {
  const bool standard_input = path == "-";
  std::unique_ptr<FILE, int (*)(FILE*)> opened(standard_input ? nullptr : std::fopen(path.c_str(), "rb"), std::fclose);
  FILE* file = standard_input ? stdin : opened.get();
  const auto failure = [&path] {
    return usage_error("cannot read '" + path + "': " + std::strerror(errno),
                       "give a file that exists and is readable");
  };
  if (file == nullptr) {
    const auto error = failure();
    ReadRecord::add_missing(path);
    return error;
  }
  remember(file);
  std::string text;
  char buffer[1 << 16];
  size_t count = 0;
  while ((count = std::fread(buffer, 1, sizeof buffer, file)) > 0) text.append(buffer, count);
  if (std::ferror(file) != 0) {
    report_disturbance();
    return failure();
  }
  ReadRecord::add(path, text);
  return SourceFile(standard_input ? "<stdin>" : path, std::move(text));
}

void remember_read(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return;
  const auto number = number_of(status);
  FilesRead& files = files_read();
  const std::lock_guard lock(files.mutex);
  if (number) files.all.insert(*number);
}

bool was_read(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return false;
  const auto number = number_of(status);
  FilesRead& files = files_read();
  const std::lock_guard lock(files.mutex);
  return number && files.all.contains(*number);
}

}  // namespace warpspan::support
