// SPDX-License-Identifier: GPL-3.0-or-later
// Values as bytes and back: what goes from one process to another, or from one run to the next, of one and the same
// program. Structures are gone through member by member (archive_fields.hpp), so that a new member is neither
// forgotten nor needs a line here; a type that is no plain structure specialises Archive. The bytes mean nothing to a
// program of another build.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "app/fleet/archive_fields.hpp"
#include "support/result.hpp"

namespace warpspan::app {

template <typename T>
struct Archive;

class ArchiveWriter {
 public:
  template <typename T>
  void put(const T& value) {
    Archive<T>::put(*this, value);
  }
  void put_byte(unsigned char byte) { bytes_.push_back(static_cast<char>(byte)); }
  void put_bytes(std::string_view bytes) { bytes_ += bytes; }
  // Small numbers take few bytes.
  void put_number(uint64_t number) {
    for (; number >= 0x80; number >>= 7) put_byte(static_cast<unsigned char>(number | 0x80));
    put_byte(static_cast<unsigned char>(number));
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads what a writer has written. Bytes that no writer has written make it fail, and what is read from then on is
// empty: whoever uses it looks at is_whole() at the end.
class ArchiveReader {
 public:
  explicit ArchiveReader(std::string_view bytes) : rest_(bytes) {}

  template <typename T>
  T get() {
    return Archive<T>::get(*this);
  }
  unsigned char get_byte() {
    const std::string_view byte = get_bytes(1);
    return byte.empty() ? 0 : static_cast<unsigned char>(byte.front());
  }
  std::string_view get_bytes(uint64_t count) {
    if (count > rest_.size()) {
      fail();
      return {};
    }
    const std::string_view bytes = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return bytes;
  }
  uint64_t get_number() {
    uint64_t number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const unsigned char byte = get_byte();
      number |= uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return number;
    }
    fail();
    return 0;
  }
  // Of elements that take a byte at least.
  uint64_t get_count() {
    const uint64_t count = get_number();
    if (count <= rest_.size()) return count;
    fail();
    return 0;
  }
  void fail() {
    rest_ = {};
    has_failed_ = true;
  }
  // Nothing was missing, and nothing is left.
  bool is_whole() const { return !has_failed_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool has_failed_ = false;
};

template <typename T>
std::string archived(const T& value) {
  ArchiveWriter writer;
  writer.put(value);
  return writer.take();
}

// Nothing if the bytes are no such value.
template <typename T>
std::optional<T> unarchived(std::string_view bytes) {
  ArchiveReader reader(bytes);
  T value = reader.get<T>();
  return reader.is_whole() ? std::optional<T>(std::move(value)) : std::nullopt;
}

template <typename T>
struct Archive {
  static constexpr bool is_number = std::is_integral_v<T> || std::is_enum_v<T>;
  static_assert(is_number || std::is_floating_point_v<T> || std::is_aggregate_v<T>, "the type needs an Archive");

  static void put(ArchiveWriter& to, const T& value) {
    if constexpr (is_number) {
      const auto number = static_cast<int64_t>(value);  // of both signs near 0
      to.put_number((static_cast<uint64_t>(number) << 1) ^ static_cast<uint64_t>(number >> 63));
    } else if constexpr (std::is_floating_point_v<T>) {
      to.put_number(std::bit_cast<uint64_t>(static_cast<double>(value)));
    } else {
      with_fields(value, [&to](const auto&... fields) { (to.put(fields), ...); });
    }
  }
  static T get(ArchiveReader& from) {
    if constexpr (is_number) {
      const uint64_t number = from.get_number();
      return static_cast<T>(static_cast<int64_t>((number >> 1) ^ (~(number & 1) + 1)));
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(std::bit_cast<double>(from.get_number()));
    } else {
      T value{};
      with_fields(value,
                  [&from](auto&... fields) { ((fields = from.get<std::remove_cvref_t<decltype(fields)>>()), ...); });
      return value;
    }
  }
};

template <>
struct Archive<std::string> {
  static void put(ArchiveWriter& to, const std::string& text) {
    to.put_number(text.size());
    to.put_bytes(text);
  }
  static std::string get(ArchiveReader& from) { return std::string(from.get_bytes(from.get_number())); }
};

template <typename T>
struct Archive<std::optional<T>> {
  static void put(ArchiveWriter& to, const std::optional<T>& value) {
    to.put(value.has_value());
    if (value) to.put(*value);
  }
  static std::optional<T> get(ArchiveReader& from) {
    return from.get<bool>() ? std::optional<T>(from.get<T>()) : std::nullopt;
  }
};

template <typename List>
struct ArchiveOfList {
  static void put(ArchiveWriter& to, const List& list) {
    to.put_number(list.size());
    for (const auto& element : list) to.put(element);
  }
};

template <typename T>
struct Archive<std::vector<T>> : ArchiveOfList<std::vector<T>> {
  static std::vector<T> get(ArchiveReader& from) {
    std::vector<T> list;
    for (uint64_t i = from.get_count(); i > 0; --i) list.push_back(from.get<T>());
    return list;
  }
};

template <typename T>
struct Archive<std::set<T>> : ArchiveOfList<std::set<T>> {
  static std::set<T> get(ArchiveReader& from) {
    std::set<T> set;
    for (uint64_t i = from.get_count(); i > 0; --i) set.insert(from.get<T>());
    return set;
  }
};

template <typename K, typename V>
struct Archive<std::map<K, V>> : ArchiveOfList<std::map<K, V>> {
  static std::map<K, V> get(ArchiveReader& from) {
    std::map<K, V> map;
    for (uint64_t i = from.get_count(); i > 0; --i) {
      K key = from.get<K>();
      V value = from.get<V>();
      map.emplace(std::move(key), std::move(value));
    }
    return map;
  }
};

template <typename T, size_t Count>
struct Archive<std::array<T, Count>> {
  static void put(ArchiveWriter& to, const std::array<T, Count>& array) {
    for (const T& element : array) to.put(element);
  }
  static std::array<T, Count> get(ArchiveReader& from) {
    std::array<T, Count> array{};
    for (T& element : array) element = from.get<T>();
    return array;
  }
};

// What several share becomes one for each.
template <typename T>
struct Archive<std::shared_ptr<const T>> {
  static void put(ArchiveWriter& to, const std::shared_ptr<const T>& shared) {
    to.put(shared != nullptr);
    if (shared != nullptr) to.put(*shared);
  }
  static std::shared_ptr<const T> get(ArchiveReader& from) {
    return from.get<bool>() ? std::make_shared<const T>(from.get<T>()) : nullptr;
  }
};

template <typename A, typename B>
struct Archive<std::pair<A, B>> {
  using Plain = std::pair<std::remove_const_t<A>, std::remove_const_t<B>>;
  static void put(ArchiveWriter& to, const std::pair<A, B>& pair) {
    to.put(pair.first);
    to.put(pair.second);
  }
  static Plain get(ArchiveReader& from) {
    auto first = from.get<std::remove_const_t<A>>();
    auto second = from.get<std::remove_const_t<B>>();
    return {std::move(first), std::move(second)};
  }
};

template <typename... T>
struct Archive<std::tuple<T...>> {
  static void put(ArchiveWriter& to, const std::tuple<T...>& tuple) {
    std::apply([&to](const auto&... elements) { (to.put(elements), ...); }, tuple);
  }
  static std::tuple<std::remove_cvref_t<T>...> get(ArchiveReader& from) {
    return std::tuple<std::remove_cvref_t<T>...>{from.get<std::remove_cvref_t<T>>()...};  // braces: in this order
  }
};

template <typename T>
struct Archive<support::Result<T>> {
  static void put(ArchiveWriter& to, const support::Result<T>& result) {
    to.put(result.ok());
    if (result) {
      to.put(*result);
    } else {
      to.put(result.errors());
    }
  }
  static support::Result<T> get(ArchiveReader& from) {
    if (from.get<bool>()) return from.get<T>();
    auto errors = from.get<support::Diagnostics>();
    if (!errors.empty()) return errors;
    from.fail();  // no error is no failure
    return support::internal_error("an archive of nothing");
  }
};

}  // namespace warpspan::app
