// SPDX-License-Identifier: GPL-3.0-or-later
// Values that need not be in memory while nobody looks at them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

  Place put(const T& value) { return put_bytes(write_(value)); }
  // Those of a value.
  Place put_bytes(std::string_view bytes) {
    const Place place{bytes_.size(), bytes.size()};
    bytes_.append(bytes);
    return place;
  }
  std::string bytes_of(const Place& place) const { return bytes_.read(place.begin, place.count); }

  // The one that was looked at last is at hand: several columns and sections tell of one.
  std::shared_ptr<const T> look_at(const Place& place) {
    if (last_ == nullptr || place.begin != last_begin_) {
      last_ = std::make_shared<const T>(read_(bytes_of(place)).value());
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
  Kept(std::shared_ptr<Shelf<T>> shelf, typename Shelf<T>::Place place) : shelf_(std::move(shelf)), place_(place) {}

  explicit operator bool() const { return here_ != nullptr || shelf_ != nullptr; }
  // Null if there is none. Whoever looks holds it meanwhile.
  std::shared_ptr<const T> get() const { return shelf_ != nullptr ? shelf_->look_at(place_) : here_; }

  // To be changed; there is one. It is in memory from then on, and no copy's.
  T& edit() {
    if (shelf_ != nullptr || here_.use_count() > 1) *this = Kept(T(*get()));
    return *here_;
  }

  // A value of another shelf moves, unread.
  void put_away(const std::shared_ptr<Shelf<T>>& shelf) {
    if (!*this || shelf_ == shelf) return;
    place_ = shelf_ != nullptr ? shelf->put_bytes(shelf_->bytes_of(place_)) : shelf->put(*here_);
    shelf_ = shelf;
    here_.reset();
  }
  // As the shelf would have it, or has it. There is a value.
  std::string bytes(typename Shelf<T>::Write write) const {
    return shelf_ != nullptr ? shelf_->bytes_of(place_) : write(*here_);
  }

  void reset() { *this = Kept(); }

 private:
  std::shared_ptr<T> here_;
  std::shared_ptr<Shelf<T>> shelf_;  // null where it is not put away
  typename Shelf<T>::Place place_;
};

// Values in their order. Going through them, one is there until the next is looked at.
template <typename T>
class KeptList {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T*;
    using reference = const T&;

    explicit Iterator(const Kept<T>* at) : at_(at) {}
    const T& operator*() {
      value_ = at_->get();
      return *value_;
    }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const Kept<T>* at_;
    std::shared_ptr<const T> value_;
  };

  KeptList() = default;
  KeptList(std::initializer_list<T> values) : all_(values.begin(), values.end()) {}

  bool empty() const { return all_.empty(); }
  size_t size() const { return all_.size(); }
  Iterator begin() const { return Iterator(all_.data()); }
  Iterator end() const { return Iterator(all_.data() + all_.size()); }
  std::shared_ptr<const T> at(size_t i) const { return all_.at(i).get(); }
  const std::vector<Kept<T>>& all() const { return all_; }

  void push_back(Kept<T> value) { all_.push_back(std::move(value)); }
  void append(KeptList more) {
    all_.insert(all_.end(), std::make_move_iterator(more.all_.begin()), std::make_move_iterator(more.all_.end()));
  }
  void put_away(const std::shared_ptr<Shelf<T>>& shelf) {
    for (Kept<T>& one : all_) one.put_away(shelf);
  }
  // To be changed (Kept::edit).
  T& edit(size_t i) { return all_.at(i).edit(); }

 private:
  std::vector<Kept<T>> all_;
};

}  // namespace warpspan::app
