// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/execution/memory.hpp"

#include <algorithm>
#include <utility>

namespace warpspan::execution {

void Memory::fill(uint64_t begin, uint64_t bytes, ir::Contents contents) {
  if (contents.kind == ir::Contents::Kind::zeros || bytes == 0) return;
  ranges_.push_back({begin, begin + bytes, std::move(contents)});
}

// False if it has zeros only.
bool Memory::fill_page(uint64_t number, Page& page) const {
  const uint64_t first = number * page_bytes, last = first + page_bytes - 1;
  bool any = false;
  for (const Range& range : ranges_) {
    if (range.end <= first || range.begin > last) continue;
    any = true;
    const uint64_t from = std::max(first, range.begin), behind = std::min(last + 1, range.end);
    ir::write_contents(range.contents, from - range.begin, std::span(page).subspan(from - first, behind - from));
  }
  return any;
}

uint8_t* Memory::find(uint64_t number, bool stores) {
  static Page zeros{};
  Known& known = known_[number % known_.size()];
  auto found = pages_.find(number);
  if (found == pages_.end()) {
    auto made = std::make_unique<Page>();
    if (!fill_page(number, *made) && !stores) {
      known = {number, zeros.data(), false};
      return known.bytes;
    }
    found = pages_.emplace(number, std::move(made)).first;
  }
  known = {number, found->second->data(), true};
  return known.bytes;
}

std::string Memory::bytes(uint64_t first, int64_t count) {
  std::string all;
  while (count > 0) {
    const uint64_t offset = first % page_bytes;
    const int64_t of_page = std::min<int64_t>(count, static_cast<int64_t>(page_bytes - offset));
    const uint8_t* const from = readable(first / page_bytes) + offset;
    all.append(from, from + of_page);
    first += static_cast<uint64_t>(of_page);
    count -= of_page;
  }
  return all;
}

std::vector<uint64_t> Memory::pages() const {
  std::vector<uint64_t> all;
  for (const auto& [number, page] : pages_) all.push_back(number * page_bytes);
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace warpspan::execution
