#include "app/requests/kernels/input_shelf.hpp"

#include <algorithm>
#include <utility>

#include "app/requests/kernels/input_files.hpp"
#include "support/file_reads.hpp"

namespace warpspan::app {

namespace {

constexpr size_t most_kept = 4;  // a device's few files for one kernel; memory does not grow with their number

}  // namespace

support::Result<InputShelf::Kept> InputShelf::find(const std::string& path) {
  const auto known = std::find_if(kept_.begin(), kept_.end(), [&path](const Kept& one) { return one.path == path; });
  if (known != kept_.end()) {
    std::rotate(kept_.begin(), known, known + 1);
    support::ReadRecord::add_known(path, kept_.front().run.inputs.front().sha256);
    return kept_.front();
  }
  auto read = read_isolated(path);
  if (!read) return read.errors();
  Kept kept;
  kept.path = path;
  kept.file = std::make_shared<const support::SourceFile>(std::move(*read));
  kept.as_ptx = std::make_shared<const frontend::PtxFile>(kept.file);
  kept.run.add_input(kept.file->name(), kept.file->bytes());
  kept_.push_front(std::move(kept));
  if (kept_.size() > most_kept) kept_.pop_back();
  return kept_.front();
}

}  // namespace warpspan::app
