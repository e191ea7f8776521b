// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kept/paged_bytes.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace warpspan::app {

namespace {

constexpr size_t most_in_memory = size_t{1} << 20;

// A new file of the system's folder for temporary ones that has no name there; negative where there can be none.
int open_unnamed() {
  std::error_code none;
  const std::string folder = std::filesystem::temp_directory_path(none).string();
  if (none) return -1;
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
  if (file >= 0) return file;
  std::string name = folder + "/warpspan-XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

}  // namespace

PagedBytes::~PagedBytes() {
  if (file_ >= 0) ::close(file_);
}

void PagedBytes::append(std::string_view bytes) {
  near_.append(bytes);
  if (near_.size() > most_in_memory && !has_no_file_) move_to_file();
}

// What was not written in full is written again, or stays here. By place: processes that were forked share the
// position.
void PagedBytes::move_to_file() {
  if (file_ < 0) file_ = open_unnamed();
  size_t done = 0;
  while (file_ >= 0 && done < near_.size()) {
    const ssize_t count =
        ::pwrite(file_, near_.data() + done, near_.size() - done, static_cast<off_t>(in_file_ + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<size_t>(count);
  }
  has_no_file_ = done < near_.size();
  if (has_no_file_) return;
  in_file_ += done;
  near_.clear();
}

std::string PagedBytes::read(uint64_t begin, uint64_t count) const {
  std::string bytes;
  const uint64_t far = begin < in_file_ ? std::min(count, in_file_ - begin) : 0;
  bytes.reserve(count);
  bytes.resize(far);
  for (uint64_t done = 0; done < far;) {
    const ssize_t got = ::pread(file_, bytes.data() + done, far - done, static_cast<off_t>(begin + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw std::runtime_error("what was put into a temporary file cannot be read again");
    done += static_cast<uint64_t>(got);
  }
  if (far < count) bytes.append(near_, begin + far - in_file_, count - far);
  return bytes;
}

}  // namespace warpspan::app
