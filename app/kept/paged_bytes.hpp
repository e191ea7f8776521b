// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes that are written once and read seldom: the last of them are in memory, all before in a file without a name,
// which ends with the program however that ends.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpspan::app {

class PagedBytes {
 public:
  PagedBytes() = default;
  PagedBytes(const PagedBytes&) = delete;
  PagedBytes& operator=(const PagedBytes&) = delete;
  ~PagedBytes();

  // Where there is no place for a file, all stay in memory.
  void append(std::string_view bytes);
  uint64_t size() const { return in_file_ + near_.size(); }
  // begin + count: at most size(). Throws where the file cannot be read: what it had is nowhere else.
  std::string read(uint64_t begin, uint64_t count) const;

 private:
  void move_to_file();

  std::string near_;  // those behind the file's
  uint64_t in_file_ = 0;
  int file_ = -1;
  bool has_no_file_ = false;  // it cannot be made, or takes no more
};

}  // namespace warpspan::app
