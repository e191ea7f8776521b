#include "frontend/sass/execution/memory.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace warpspan::execution {

namespace {

// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014): the finalizer of SplitMix64.
uint64_t mixed(uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
  value = (value ^ value >> 27) * 0x94d049bb133111eb;
  return value ^ value >> 31;
}

uint32_t word_of(const ir::Contents& contents, uint64_t index) {
  const auto drawn = static_cast<uint32_t>(mixed(contents.seed ^ mixed(index)) >> 32);
  switch (contents.kind) {
    case ir::Contents::Kind::zeros: return 0;
    case ir::Contents::Kind::integers:
      return contents.below == 0 ? drawn : static_cast<uint32_t>(uint64_t{drawn} * contents.below >> 32);
    case ir::Contents::Kind::reals: return std::bit_cast<uint32_t>(static_cast<float>(drawn >> 8) * 0x1p-24F);
    case ir::Contents::Kind::ramp: return static_cast<uint32_t>(index);
    case ir::Contents::Kind::bytes: break;
  }
  uint32_t word = 0;
  for (uint64_t i = 0; i < 4 && contents.bytes != nullptr && 4 * index + i < contents.bytes->size(); ++i)
    word |= uint32_t{static_cast<uint8_t>((*contents.bytes)[4 * index + i])} << (8 * i);
  return word;
}

}  // namespace

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
    for (uint64_t at = std::max(first, range.begin); at <= last && at < range.end; ++at) {
      const uint64_t offset = at - range.begin;
      page[at - first] = static_cast<uint8_t>(word_of(range.contents, offset / 4) >> (8 * (offset % 4)));
    }
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

std::vector<uint64_t> Memory::pages() const {
  std::vector<uint64_t> all;
  for (const auto& [number, page] : pages_) all.push_back(number * page_bytes);
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace warpspan::execution
