// SPDX-License-Identifier: GPL-3.0-or-later
// Reading numbers out of bytes that nobody vouches for. All numbers are little-endian, as in every file read here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "support/diagnostic.hpp"

namespace warpspan::object {

// A file, or one image of it, whose bytes outlive whatever is read from them.
struct Input {
  std::string name;  // for errors: "libkernels.a", "app: image 2, sm_80"
  std::string_view bytes;
};

// An error in a file: "at byte 64 (0x40): <message>".
support::Diagnostic broken(const Input& input, uint64_t offset, const std::string& message);

// The same, where no byte is to blame.
support::Diagnostic refused(const Input& input, std::string message, std::string help);

// True if [offset, offset + size) lies within `total` bytes, whatever the numbers are.
constexpr bool within(uint64_t offset, uint64_t size, uint64_t total) {
  return offset <= total && size <= total - offset;
}

// The offset of `part`, which lies in `whole`; 0 for one that was never set.
inline uint64_t offset_in(std::string_view whole, std::string_view part) {
  return part.data() == nullptr ? 0 : static_cast<uint64_t>(part.data() - whole.data());
}

// Text without the zeros that fill up its last word.
inline std::string_view without_zeros_behind(std::string_view text) {
  return text.substr(0, text.find_last_not_of('\0') + 1);
}

// Reads from the front to the back. A read past the end fails, and all after it: they give 0, so that a whole record is
// read plainly and checked once.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes, uint64_t position = 0) : bytes_(bytes), position_(position) {
    if (position > bytes.size()) fail();
  }

  bool failed() const { return failed_; }
  bool at_end() const { return failed_ || position_ == bytes_.size(); }
  uint64_t position() const { return position_; }
  uint64_t left() const { return failed_ ? 0 : bytes_.size() - position_; }

  uint8_t u8() { return static_cast<uint8_t>(number(1)); }
  uint16_t u16() { return static_cast<uint16_t>(number(2)); }
  uint32_t u32() { return static_cast<uint32_t>(number(4)); }
  uint64_t u64() { return number(8); }

  // The variable-length integers of DWARF (DWARF 2, section 7.6). One of more than 64 bits fails.
  uint64_t unsigned_leb();
  int64_t signed_leb();

  // The next `size` bytes.
  std::string_view take(uint64_t size);

  // Up to the next zero byte, which is passed over; fails if there is none.
  std::string_view text();

 private:
  uint64_t number(unsigned size);
  void fail() {
    failed_ = true;
    position_ = bytes_.size();
  }

  std::string_view bytes_;
  uint64_t position_ = 0;
  bool failed_ = false;
};

// How many bytes may be looked at in a file. Sections that share bytes make a small file into much work; with every
// table taken from an allowance, the work is bounded by the size of the file.
class Allowance {
 public:
  explicit Allowance(uint64_t bytes) : left_(bytes) {}

  // False if there is not as much left.
  bool take(uint64_t bytes) {
    if (bytes > left_) return false;
    left_ -= bytes;
    return true;
  }

 private:
  uint64_t left_;
};

}  // namespace warpspan::object
