// SPDX-License-Identifier: GPL-3.0-or-later
// How many results are made: side by side, and not again where they were kept.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/fleet/archive.hpp"
#include "app/fleet/process_pool.hpp"
#include "app/fleet/result_cache.hpp"
#include "support/file_reads.hpp"

namespace warpspan::app {

struct Fleet {
  PoolLimits pool = {};
  std::shared_ptr<ResultCache> cache = nullptr;                              // null: nothing is kept
  std::function<void(const char* what, size_t done, size_t all)> tell = {};  // how far it is

  bool is_cancelled() const { return pool.cancel != nullptr && *pool.cancel; }
};

// The result of make(), or what was kept for the request. An empty request is not kept.
template <typename T, typename Make>
T made_or_kept(const Fleet& fleet, const std::string& request, const Make& make) {
  if (fleet.cache == nullptr || request.empty()) return make();
  if (const auto bytes = fleet.cache->find(request)) {
    if (auto kept = unarchived<T>(*bytes)) return std::move(*kept);
  }
  const support::ReadRecord record;
  T made = make();
  if (record.is_repeatable() && !fleet.is_cancelled()) {
    fleet.cache->keep(request, record.reads(), archived(made));
  }
  return made;
}

// take(i, make(i)) for each i below count, as they come: made in processes side by side if there may be several, and
// taken in this one. Not those that were not made before the work was cancelled.
template <typename T>
void make_each(const Fleet& fleet, const char* what, size_t count, const std::function<T(size_t)>& make,
               const std::function<void(size_t, T)>& take) {
  using Sent = std::pair<T, std::vector<std::string>>;  // and the files that were read for it
  std::vector<bool> is_made(count, false);
  size_t done = 0;
  const auto tell = [&] {
    if (fleet.tell) fleet.tell(what, ++done, count);
  };
  if (fleet.pool.processes > 1 && count > 1) {
    const auto work = [&](size_t i) {
      const support::ReadRecord record;
      Sent sent{make(i), {}};
      for (const support::FileRead& read : record.reads()) sent.second.push_back(read.path);
      return archived(sent);
    };
    run_in_processes(count, fleet.pool, work, [&](size_t i, const std::string& bytes) {
      auto sent = unarchived<Sent>(bytes);
      if (!sent) return;
      for (const std::string& path : sent->second) support::remember_read(path);
      is_made[i] = true;
      take(i, std::move(sent->first));
      tell();
    });
  }
  for (size_t i = 0; i < count && !fleet.is_cancelled(); ++i) {
    if (is_made[i]) continue;
    take(i, make(i));
    tell();
  }
}

}  // namespace warpspan::app
