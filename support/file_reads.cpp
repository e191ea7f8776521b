// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/file_reads.hpp"

#include <atomic>

#include "support/sha256.hpp"

namespace warpspan::support {

namespace {

ReadRecord* current = nullptr;
std::atomic<unsigned> disturbances{0};
static_assert(std::atomic<unsigned>::is_always_lock_free);

}  // namespace

ReadRecord::ReadRecord() : outer_(current), disturbances_(disturbances) { current = this; }

ReadRecord::~ReadRecord() { current = outer_; }

bool ReadRecord::is_repeatable() const { return disturbances == disturbances_; }

void ReadRecord::add(const std::string& path, std::string_view bytes) {
  if (current != nullptr) add_known(path, support::sha256(bytes));
}

void ReadRecord::add_known(const std::string& path, const std::string& sha256) {
  for (ReadRecord* record = current; record != nullptr; record = record->outer_) {
    record->reads_.push_back({path, sha256});
  }
}

void report_disturbance() { ++disturbances; }

}  // namespace warpspan::support
