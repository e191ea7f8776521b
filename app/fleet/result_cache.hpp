// SPDX-License-Identifier: GPL-3.0-or-later
// Results that are kept between runs in a folder which several runs may use at the same time.
//
// A result is found only where nothing that it was made from differs: the program (its own code and that of its
// libraries), the folder it runs in, what was asked for, and every file that was read or looked for, by its bytes. What
// was disturbed (support::report_disturbance) is not kept. An entry is a file that is written whole and then renamed,
// and it carries the hash of its bytes: one that is broken counts as none.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostic.hpp"
#include "support/file_reads.hpp"
#include "support/result.hpp"

namespace warpspan::app {

// Of the program as it runs: a hash that differs if its code, or that of a library it uses, does.
std::string program_identity();

class ResultCache {
 public:
  // most_bytes: of all entries together, after prune(). The folder is made if it is not there; errors: it cannot be
  // made or written.
  static support::Result<std::shared_ptr<ResultCache>> open(const std::string& folder, int64_t most_bytes);

  // What was kept for the request. Its files count as read.
  std::optional<std::string> find(std::string_view request);
  // What cannot be written is not kept.
  void keep(std::string_view request, const std::vector<support::FileRead>& reads, std::string_view value);

  // The hash of a file's bytes, as it is when it is first asked for; empty if there is none. For requests.
  const std::string& hash_of(const std::string& path);

  // Removes what was not used for longest until the folder is within its size, and what runs that were killed have
  // left. Where nothing was kept, nothing is done.
  void prune();

  // Entries that were broken or could not be written.
  support::Diagnostics notes() const;
  size_t hits() const { return hits_; }

 private:
  ResultCache(std::string folder, int64_t most_bytes);

  std::string path_of(std::string_view request) const;

  std::string folder_;
  int64_t most_bytes_;
  std::string context_;  // the program, and the folder it runs in
  std::map<std::string, std::string> hashes_;
  size_t hits_ = 0, broken_ = 0, unwritten_ = 0;
};

}  // namespace warpspan::app
