// SPDX-License-Identifier: GPL-3.0-or-later
// What accesses ask of memory: sectors of 32 bytes, wavefronts of shared memory, lanes at one address.
#include <algorithm>

#include "frontend/sass/execution/warp.hpp"

namespace warpspan::execution {

namespace {

using ir::own_sectors;
using ir::sector_bytes;

using Kind = ir::TracedRequest::Kind;

// Whether each lane has a higher address than those before it.
bool is_ascending(const Longs& addresses, LaneSet lanes) {
  uint64_t least = 0;
  bool ascending = true;
  for_each_lane(lanes, [&](unsigned i) {
    ascending = ascending && addresses[i] >= least;
    least = addresses[i] + 1;
  });
  return ascending;
}

// The most lanes at one address.
uint16_t most_at_one(const Longs& addresses, LaneSet lanes) {
  if (lanes != 0 && is_ascending(addresses, lanes)) return 1;
  unsigned most = 0;
  for (LaneSet rest = lanes; rest != 0;) {
    const uint64_t address = addresses[first_lane(rest)];
    const LaneSet same = rest & lanes_with([&](unsigned i) { return addresses[i] == address; });
    most = std::max(most, static_cast<unsigned>(std::popcount(same)));
    rest &= ~same;
  }
  return static_cast<uint16_t>(most);
}

// Of each sector the most lanes at one address, added up.
uint16_t passes_of(const Longs& addresses, LaneSet lanes) {
  unsigned passes = 0;
  if (is_ascending(addresses, lanes)) {
    uint64_t last = UINT64_MAX;
    for_each_lane(lanes, [&](unsigned i) {
      passes += addresses[i] / sector_bytes != last ? 1 : 0;
      last = addresses[i] / sector_bytes;
    });
    return static_cast<uint16_t>(passes);
  }
  for (LaneSet rest = lanes; rest != 0;) {
    const uint64_t sector = addresses[first_lane(rest)] / sector_bytes;
    const LaneSet here = rest & lanes_with([&](unsigned i) { return addresses[i] / sector_bytes == sector; });
    passes += most_at_one(addresses, here);
    rest &= ~here;
  }
  return static_cast<uint16_t>(passes);
}

// 32 banks of 4 bytes serve one word each at a time, to any number of lanes. Lanes with more words go in parts of the
// warp, so that a part has 32 words: Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking"
// (2018), 3.6.
uint16_t wavefronts(const Longs& addresses, LaneSet lanes, unsigned bytes) {
  constexpr unsigned banks = 32;
  const unsigned words = std::max(bytes / 4, 1U), lanes_of_part = warp_lanes / words;
  unsigned sum = 0;
  for (unsigned part = 0; part < words; ++part) {
    const auto chosen = static_cast<LaneSet>((uint64_t{1} << lanes_of_part) - 1) << part * lanes_of_part;
    uint64_t least = UINT64_MAX, end = 0;
    for_each_lane(lanes & chosen, [&](unsigned lane) {
      least = std::min(least, addresses[lane] / 4);
      end = std::max(end, addresses[lane] / 4 + words);
    });
    if (end <= least || end - least <= banks) {  // no two words of one bank
      sum += end > least ? 1 : 0;
      continue;
    }
    std::array<std::array<uint64_t, banks>, banks> seen;  // words of each bank
    std::array<uint8_t, banks> counts{};
    unsigned most = 0;
    for_each_lane(lanes & chosen, [&](unsigned lane) {
      for (unsigned i = 0; i < words; ++i) {
        const uint64_t word = addresses[lane] / 4 + i;
        auto& of_bank = seen[word % banks];
        uint8_t& count = counts[word % banks];
        if (std::find(of_bank.begin(), of_bank.begin() + count, word) != of_bank.begin() + count) continue;
        of_bank[count++] = word;
        most = std::max<unsigned>(most, count);
      }
    });
    sum += most;
  }
  return static_cast<uint16_t>(std::max(sum, 1U));
}

void make_unique(std::vector<uint64_t>& sectors, size_t first) {
  const auto begin = sectors.begin() + static_cast<std::ptrdiff_t>(first);
  if (!std::is_sorted(begin, sectors.end())) std::sort(begin, sectors.end());
  sectors.erase(std::unique(begin, sectors.end()), sectors.end());
}

}  // namespace

void Warp::note_access(Kind kind, const Places& places, unsigned bytes) {
  const bool atomic = kind == Kind::atomic || kind == Kind::reduction;
  ir::TracedRequest request;
  request.kind = kind;
  request.lanes = static_cast<uint8_t>(std::popcount(places.lanes()));
  request.bytes = static_cast<uint8_t>(bytes);
  if (places.shared != 0 && (places.global | places.local) == 0) {
    // Lanes at one address follow one another; those of ATOMS.POPC.INC and ATOMS.CAST, which come as shared_atomic, are
    // served at once.
    request.kind = atomic || kind == Kind::shared_atomic ? Kind::shared_atomic : Kind::shared;
    request.serial = wavefronts(places.address, places.shared, bytes);
    if (atomic) request.serial = std::max(request.serial, most_at_one(places.address, places.shared));
    if (request.kind == Kind::shared_atomic)
      request.first = static_cast<uint32_t>(places.address[first_lane(places.shared)] / 4);
    if (kind == Kind::store) return note(request);  // of other blocks too: they take no longer
    const LaneSet elsewhere = lanes_with([&](unsigned i) { return places.address[i] >= shared_of_block; });
    if ((places.shared & elsewhere) != 0) request.kind = Kind::remote;
    return note(request);
  }
  if (atomic) request.serial = passes_of(places.address, places.global);
  const size_t first = trace_.sectors.size();
  uint64_t latest = UINT64_MAX;
  for_each_lane(places.global, [&](unsigned i) {
    const uint64_t last = (places.address[i] + bytes - 1) / sector_bytes;
    for (uint64_t sector = places.address[i] / sector_bytes; sector <= last; ++sector) {
      if (sector != latest) trace_.sectors.push_back(sector);
      latest = sector;
    }
  });
  const uint64_t warp = static_cast<uint64_t>(block_.number) * warp_lanes + number_;  // no block has more warps
  const uint64_t own = own_sectors + warp * (uint64_t{stack_top} * warp_lanes / sector_bytes);
  for_each_lane(places.local, [&](unsigned i) {
    for (unsigned byte = 0; byte < bytes; byte += 4)  // the next word of all lanes is in the next line
      trace_.sectors.push_back(own + (places.address[i] + byte * warp_lanes) / sector_bytes);
  });
  make_unique(trace_.sectors, first);
  request.first = static_cast<uint32_t>(first);
  request.count = static_cast<uint32_t>(trace_.sectors.size() - first);
  note(request);
}

void Warp::note_constants(const Longs& offsets, uint32_t bank) {
  constexpr uint64_t line_bytes = 64;
  ir::TracedRequest request;
  request.kind = Kind::constant;
  request.lanes = static_cast<uint8_t>(std::popcount(lanes_));
  request.first = static_cast<uint32_t>(trace_.sectors.size());
  request.serial = 0;
  for (LaneSet rest = lanes_; rest != 0; ++request.serial) {
    const uint64_t offset = offsets[first_lane(rest)];
    trace_.sectors.push_back((uint64_t{bank} << 32 | offset) / line_bytes);
    rest &= ~lanes_with([&](unsigned i) { return offsets[i] == offset; });
  }
  make_unique(trace_.sectors, request.first);
  request.count = static_cast<uint32_t>(trace_.sectors.size()) - request.first;
  note(request);
}

}  // namespace warpspan::execution
