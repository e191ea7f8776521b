// The containers of tests/frontend/object/data, and bytes put together by hand.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "frontend/object/bytes.hpp"

namespace warpspan::object {

inline std::string sample(const std::string& name) {
  std::ifstream file(SOURCE_DIR "/tests/frontend/object/data/" + name, std::ios::binary);
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

// Little-endian numbers and text, one after the other.
class Bytes {
 public:
  Bytes& number(uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xff);
    return *this;
  }
  Bytes& u8(uint64_t value) { return number(value, 1); }
  Bytes& u16(uint64_t value) { return number(value, 2); }
  Bytes& u32(uint64_t value) { return number(value, 4); }
  Bytes& u64(uint64_t value) { return number(value, 8); }
  Bytes& text(const std::string& text) {
    bytes_ += text;
    return *this;
  }
  const std::string& str() const { return bytes_; }

 private:
  std::string bytes_;
};

// `bytes` with a number of `size` bytes overwritten.
inline std::string with_number(std::string bytes, size_t offset, uint64_t value, unsigned size) {
  REQUIRE(offset + size <= bytes.size());
  return bytes.replace(offset, size, Bytes().number(value, size).str());
}

// The message and help of the only error.
template <typename Result>
std::string error_of(const Result& result) {
  REQUIRE_FALSE(result);
  REQUIRE(result.errors().size() == 1);
  CHECK_FALSE(result.errors().front().location.file.empty());
  return result.errors().front().message + " / " + result.errors().front().help;
}

}  // namespace warpspan::object
