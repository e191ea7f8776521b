// SPDX-License-Identifier: GPL-3.0-or-later
// The containers of tests/frontend/object/data, and bytes put together by hand.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <deque>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/object/bytes.hpp"
#include "tests/paths.hpp"

namespace warpspan::object {

inline std::string sample(const std::string& name) {
  std::ifstream file(warpspan::test::source_dir() + "/tests/frontend/object/data/" + name, std::ios::binary);
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

// Keeps bytes to the end of the tests: what is read of them are views.
inline const std::string& kept(std::string bytes) {
  static std::deque<std::string> all;
  return all.emplace_back(std::move(bytes));
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

// An ELF file of 64 bits, put together section by section. Section 0 is empty, section 1 holds the names.
class ElfBytes {
 public:
  struct Header {
    std::string name;
    uint32_t type = 1;
    std::string bytes = {};
    uint32_t link = 0, info = 0;
    std::optional<uint64_t> offset = {}, size = {};  // stated instead of the true ones
  };

  explicit ElfBytes(uint16_t machine = 190) : machine_(machine) {}

  // The index of the section.
  uint32_t add(Header header) {
    headers_.push_back(std::move(header));
    return static_cast<uint32_t>(headers_.size() + 1);
  }

  // The names lie behind the sections, whose places do not change when more are added.
  std::string str() const {
    constexpr uint64_t header_bytes = 64;
    Bytes data, table;
    std::string names(1, '\0');
    for (const Header& header : headers_) {
      table.u32(names.size()).u32(header.type).u64(0).u64(0);
      table.u64(header.offset.value_or(header_bytes + data.str().size()));
      table.u64(header.size.value_or(header.bytes.size())).u32(header.link).u32(header.info).u64(1).u64(0);
      names += header.name + '\0';
      data.text(header.bytes);
    }
    Bytes file;
    const uint64_t names_at = header_bytes + data.str().size();
    file.text(
            "\x7f"
            "ELF\2\1\1\x41\x08")
        .text(std::string(7, '\0'))
        .u16(2)
        .u16(machine_)
        .u32(1)
        .u64(0)
        .u64(0);
    file.u64(names_at + names.size()).u32(0x5004).u16(header_bytes).u16(0).u16(0);
    file.u16(header_bytes).u16(headers_.size() + 2).u16(1);
    file.text(data.str()).text(names).text(std::string(header_bytes, '\0'));
    file.u32(0).u32(3).u64(0).u64(0).u64(names_at).u64(names.size()).u64(0).u64(1).u64(0);
    return file.text(table.str()).str();
  }

 private:
  uint16_t machine_;
  std::vector<Header> headers_;
};

// An entry of a symbol table.
inline std::string symbol(uint64_t name, uint64_t type, uint64_t section, uint64_t value = 0, uint64_t size = 0,
                          uint64_t other = 0) {
  return Bytes().u32(name).u8(type).u8(other).u16(section).u64(value).u64(size).str();
}

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
