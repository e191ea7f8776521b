// SPDX-License-Identifier: GPL-3.0-or-later
// Flat memory under a limit, so that a search that grows too large ends with a status and not with a kill.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <utility>

namespace warpspan::solver {

// How much memory the arrays of one search occupy in all, in bytes. Threads may share it.
class MemoryMeter {
 public:
  explicit MemoryMeter(int64_t limit) : limit_(limit) {}

  // False, and nothing is counted, if the limit would be passed.
  bool take(int64_t bytes) {
    int64_t used = used_.load(std::memory_order_relaxed);
    do {
      if (bytes > limit_ - used) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    int64_t peak = peak_.load(std::memory_order_relaxed);
    while (peak < used + bytes && !peak_.compare_exchange_weak(peak, used + bytes, std::memory_order_relaxed)) {
    }
    return true;
  }
  void give_back(int64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }
  int64_t limit() const { return limit_; }
  int64_t used() const { return used_.load(std::memory_order_relaxed); }
  int64_t peak() const { return peak_.load(std::memory_order_relaxed); }

 private:
  int64_t limit_;
  std::atomic<int64_t> used_ = 0;
  std::atomic<int64_t> peak_ = 0;
};

// An array of zero bytes at first. Empty until allocate() succeeds.
template <typename T>
class MeteredArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  MeteredArray() = default;
  MeteredArray(MeteredArray&& other) noexcept { swap(other); }
  MeteredArray& operator=(MeteredArray&& other) noexcept {
    MeteredArray(std::move(other)).swap(*this);
    return *this;
  }
  ~MeteredArray() {
    if (meter_ != nullptr) meter_->give_back(bytes(size_));
  }

  // An array of `size` elements; an empty one if the meter's limit or the machine's memory does not allow it. The meter
  // must outlive it.
  static MeteredArray allocate(MemoryMeter& meter, size_t size) {
    MeteredArray array;
    if (size > static_cast<size_t>(INT64_MAX) / sizeof(T) || !meter.take(bytes(size))) return array;
    array.data_.reset(static_cast<T*>(std::calloc(size, sizeof(T))));
    if (array.data_ == nullptr) {
      meter.give_back(bytes(size));
      return array;
    }
    array.meter_ = &meter;
    array.size_ = size;
    return array;
  }

  T* data() { return data_.get(); }
  size_t size() const { return size_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }

 private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  static int64_t bytes(size_t size) { return static_cast<int64_t>(size * sizeof(T)); }
  void swap(MeteredArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(meter_, other.meter_);
  }

  std::unique_ptr<T[], Free> data_;
  size_t size_ = 0;
  MemoryMeter* meter_ = nullptr;
};

// A list on top of it that grows by doubling.
template <typename T>
class MeteredList {
 public:
  explicit MeteredList(MemoryMeter& meter) : meter_(&meter) {}

  // False if there is no memory for it; the list is then unchanged.
  bool push(const T& value) {
    if (size_ == items_.size() && !reserve(size_ + 1)) return false;
    items_[size_++] = value;
    return true;
  }
  bool reserve(size_t size) {
    if (size <= items_.size()) return true;
    auto larger = MeteredArray<T>::allocate(*meter_, std::max(size, 2 * items_.size()));
    if (larger.size() == 0) return false;
    std::copy_n(items_.data(), size_, larger.data());
    items_ = std::move(larger);
    return true;
  }
  void resize_within_reserve(size_t size) { size_ = size; }
  void clear() { size_ = 0; }

  size_t size() const { return size_; }
  T* data() { return items_.data(); }
  T& operator[](size_t i) { return items_[i]; }
  const T& operator[](size_t i) const { return items_[i]; }

 private:
  MemoryMeter* meter_;
  MeteredArray<T> items_;
  size_t size_ = 0;
};

}  // namespace warpspan::solver
