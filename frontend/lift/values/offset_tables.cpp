// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/values/offset_tables.hpp"

namespace warpspan::lift {

namespace {

constexpr int64_t most_threads = 1024;  // of a block: CUDA C++ Programming Guide, compute capabilities
constexpr size_t most_tables = 2048;
constexpr size_t most_work = 20'000'000;

bool is_same_in_each_warp(const std::vector<uint64_t>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] != values[i - i % ir::warp_lanes]) return false;
  }
  return true;
}

}  // namespace

OffsetTables::OffsetTables(const ir::Extent& block) : block_(block) {
  const auto threads = block.count().value();
  if (threads && *threads >= 1 && *threads <= most_threads) threads_ = static_cast<size_t>(*threads);
  const auto zeros = ids_.emplace(std::vector<uint64_t>(threads_, 0), 0).first;
  tables_.push_back({&zeros->first, true});
}

std::optional<TableId> OffsetTables::make(const std::function<std::optional<uint64_t>(size_t)>& number) {
  work_ += threads_;
  if (threads_ == 0 || work_ > most_work) return std::nullopt;
  std::vector<uint64_t> values(threads_);
  for (size_t i = 0; i < threads_; ++i) {
    const auto value = number(i);
    if (!value) return std::nullopt;
    values[i] = *value;
  }
  const auto known = ids_.find(values);
  if (known != ids_.end()) return known->second;
  if (tables_.size() >= most_tables) return std::nullopt;
  const auto id = static_cast<TableId>(tables_.size());
  const auto added = ids_.emplace(std::move(values), id).first;
  tables_.push_back({&added->first, is_same_in_each_warp(added->first)});
  return id;
}

std::optional<TableId> OffsetTables::component(int axis) {
  const auto x = static_cast<size_t>(block_.x);
  const auto y = static_cast<size_t>(block_.y);
  return make([&](size_t thread) -> std::optional<uint64_t> {
    if (axis == 0) return thread % x;
    return axis == 1 ? thread / x % y : thread / x / y;
  });
}

std::optional<TableId> OffsetTables::lane() {
  return make([](size_t thread) -> std::optional<uint64_t> { return thread % ir::warp_lanes; });
}

}  // namespace warpspan::lift
