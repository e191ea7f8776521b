// SPDX-License-Identifier: GPL-3.0-or-later
// A text that may be longer than what memory is to hold, such as the report of thousands of kernels.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "app/kept/paged_bytes.hpp"

namespace warpspan::app {

class LongText {
 public:
  LongText() = default;
  LongText(std::string_view text) { append(text); }                        // NOLINT: any text may be a long one
  LongText(const std::string& text) : LongText(std::string_view(text)) {}  // NOLINT
  LongText(const char* text) : LongText(std::string_view(text)) {}         // NOLINT

  bool empty() const { return bytes_ == nullptr || bytes_->size() == 0; }

  void append(std::string_view text) {
    if (text.empty()) return;
    if (bytes_ == nullptr || bytes_.use_count() > 1) take_own();
    bytes_->append(text);
  }

  // use(piece): in their order. Stops where it returns false.
  template <typename Use>
  void each_piece(const Use& use) const {
    constexpr uint64_t most = uint64_t{1} << 16;
    const uint64_t all = bytes_ == nullptr ? 0 : bytes_->size();
    for (uint64_t begin = 0; begin < all; begin += most) {
      const std::string piece = bytes_->read(begin, std::min(most, all - begin));
      if (!use(std::string_view(piece))) return;
    }
  }

  // The whole of it.
  std::string str() const { return bytes_ == nullptr ? std::string() : bytes_->read(0, bytes_->size()); }

 private:
  // Copies share what they have until one of them gets more.
  void take_own() {
    const LongText before = *this;
    bytes_ = std::make_shared<PagedBytes>();
    before.each_piece([this](std::string_view piece) {
      bytes_->append(piece);
      return true;
    });
  }

  std::shared_ptr<PagedBytes> bytes_;
};

}  // namespace warpspan::app
