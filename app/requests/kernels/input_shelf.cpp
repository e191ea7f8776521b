// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/kernels/input_shelf.hpp"

#include <algorithm>
#include <utility>

#include "app/requests/kernels/input_files.hpp"
#include "support/file_reads.hpp"

namespace warpspan::app {

namespace {

constexpr size_t most_kept = 4;  // a device's few files for one kernel; memory does not grow with their number

InputShelf::Kept kept_of(const std::string& path, support::SourceFile read) {
  InputShelf::Kept kept;
  kept.path = path;
  kept.file = std::make_shared<const support::SourceFile>(std::move(read));
  kept.as_ptx = std::make_shared<const frontend::PtxFile>(kept.file);
  kept.run.add_input(kept.file->name(), kept.file->bytes());
  return kept;
}

}  // namespace

void InputShelf::add(const std::string& path, std::string bytes) {
  added_.insert_or_assign(path, kept_of(path, {path, std::move(bytes)}));
}

support::Result<InputShelf::Kept> InputShelf::find(const std::string& path) {
  if (const auto added = added_.find(path); added != added_.end()) return added->second;
  const auto known = std::find_if(kept_.begin(), kept_.end(), [&path](const Kept& one) { return one.path == path; });
  if (known != kept_.end()) {
    std::rotate(kept_.begin(), known, known + 1);
    support::ReadRecord::add_known(path, kept_.front().run.inputs.front().sha256);
    return kept_.front();
  }
  auto read = read_isolated(path);
  if (!read) return read.errors();
  kept_.push_front(kept_of(path, std::move(*read)));
  if (kept_.size() > most_kept) kept_.pop_back();
  return kept_.front();
}

}  // namespace warpspan::app
