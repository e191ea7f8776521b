// SPDX-License-Identifier: GPL-3.0-or-later
// A value that need not be in memory while nobody looks at it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/kept/paged_bytes.hpp"

namespace warpspan::app {

// Where values are put away, as bytes.
template <typename T>
class Shelf {
 public:
  struct Place {
    uint64_t begin = 0, count = 0;
  };
  using Write = std::string (*)(const T&);
  using Read = std::optional<T> (*)(std::string_view);

  // read(write(value)) is the value.
  Shelf(Write write, Read read) : write_(write), read_(read) {}

  Place put(const T& value) {
    const std::string bytes = write_(value);
    const Place place{bytes_.size(), bytes.size()};
    bytes_.append(bytes);
    return place;
  }

  // The one that was looked at last is at hand: several columns and sections tell of one.
  std::shared_ptr<const T> look_at(const Place& place) {
    if (last_ == nullptr || place.begin != last_begin_) {
      last_ = std::make_shared<const T>(read_(bytes_.read(place.begin, place.count)).value());
      last_begin_ = place.begin;
    }
    return last_;
  }

 private:
  Write write_;
  Read read_;
  PagedBytes bytes_;
  std::shared_ptr<const T> last_;
  uint64_t last_begin_ = 0;
};

// A value, or none.
template <typename T>
class Kept {
 public:
  Kept() = default;
  Kept(T value) : here_(std::make_shared<T>(std::move(value))) {}  // NOLINT: as an optional

  explicit operator bool() const { return here_ != nullptr || shelf_ != nullptr; }
  // Null if there is none. Whoever looks holds it meanwhile.
  std::shared_ptr<const T> get() const { return shelf_ != nullptr ? shelf_->look_at(place_) : here_; }

  // To be changed; there is one. It is in memory from then on, and no copy's.
  T& edit() {
    if (shelf_ != nullptr || here_.use_count() > 1) *this = Kept(T(*get()));
    return *here_;
  }

  void put_away(const std::shared_ptr<Shelf<T>>& shelf) {
    if (here_ == nullptr) return;
    place_ = shelf->put(*here_);
    shelf_ = shelf;
    here_.reset();
  }

  void reset() { *this = Kept(); }

 private:
  std::shared_ptr<T> here_;
  std::shared_ptr<Shelf<T>> shelf_;  // null where it is not put away
  typename Shelf<T>::Place place_;
};

}  // namespace warpspan::app
