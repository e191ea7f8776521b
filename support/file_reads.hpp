// SPDX-License-Identifier: GPL-3.0-or-later
// What work has read, and whether it would come out the same if it were done again: for results that are kept.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpspan::support {

struct FileRead {
  std::string path;
  std::string sha256;  // of its bytes; empty: there was no such file
};

// While one lives, what this process reads is recorded in it, in the order in which it is read, and by those that lived
// before. Files are read by one thread at a time.
class ReadRecord {
 public:
  ReadRecord();
  ~ReadRecord();
  ReadRecord(const ReadRecord&) = delete;
  ReadRecord& operator=(const ReadRecord&) = delete;

  const std::vector<FileRead>& reads() const { return reads_; }
  // Whether no disturbance was reported since.
  bool is_repeatable() const;

  // By who reads a file, or finds that there is none of that name, or has one at hand that was read before.
  static void add(const std::string& path, std::string_view bytes);
  static void add_missing(const std::string& path) { add_known(path, {}); }
  static void add_known(const std::string& path, const std::string& sha256);

 private:
  std::vector<FileRead> reads_;
  ReadRecord* outer_;
  unsigned disturbances_;
};

// Of a file that a worker process has read: as if this one had (was_read of source_file.hpp).
void remember_read(const std::string& path);

// Memory or time ran out, or something else happened that the input does not decide. Async-signal-safe.
void report_disturbance();

}  // namespace warpspan::support
