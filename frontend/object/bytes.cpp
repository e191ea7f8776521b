// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/bytes.hpp"

#include "support/digits.hpp"

namespace warpspan::object {

support::Diagnostic refused(const Input& input, std::string message, std::string help) {
  support::Diagnostic error;
  error.location.file = input.name;
  error.message = std::move(message);
  error.help = std::move(help);
  return error;
}

support::Diagnostic broken(const Input& input, uint64_t offset, const std::string& message) {
  return refused(input, "at byte " + std::to_string(offset) + " (0x" + support::hexadecimal(offset) + "): " + message,
                 "the file is damaged or cut short: make it again");
}

uint64_t Cursor::number(unsigned size) {
  if (left() < size) {
    fail();
    return 0;
  }
  uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i) {
    value |= uint64_t{static_cast<uint8_t>(bytes_[position_ + i])} << (8 * i);
  }
  position_ += size;
  return value;
}

uint64_t Cursor::unsigned_leb() {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const uint64_t byte = u8();
    if (failed_) return 0;
    const uint64_t bits = byte & 0x7f;
    if (shift > 63 || (shift == 63 && bits > 1)) {
      fail();
      return 0;
    }
    value |= bits << shift;
    if ((byte & 0x80) == 0) return value;
  }
}

int64_t Cursor::signed_leb() {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const uint64_t byte = u8();
    if (failed_) return 0;
    const uint64_t bits = byte & 0x7f;
    if (shift > 63 || (shift == 63 && bits != 0 && bits != 0x7f)) {
      fail();
      return 0;
    }
    value |= bits << shift;
    if ((byte & 0x80) != 0) continue;
    if (shift < 57 && (bits & 0x40) != 0) value |= ~uint64_t{0} << (shift + 7);
    return static_cast<int64_t>(value);
  }
}

std::string_view Cursor::take(uint64_t size) {
  if (left() < size) {
    fail();
    return {};
  }
  const std::string_view taken = bytes_.substr(position_, size);
  position_ += size;
  return taken;
}

std::string_view Cursor::text() {
  const size_t end = failed_ ? std::string_view::npos : bytes_.find('\0', position_);
  if (end == std::string_view::npos) {
    fail();
    return {};
  }
  const std::string_view found = bytes_.substr(position_, end - position_);
  position_ = end + 1;
  return found;
}

}  // namespace warpspan::object
