// SPDX-License-Identifier: GPL-3.0-or-later
#include "ir/execution/contradictions.hpp"

#include <algorithm>
#include <bit>
#include <functional>

#include "ir/execution.hpp"
#include "ir/lane_groups.hpp"

namespace warpspan::ir {

namespace {

using Of = Contradiction::Of;
using Kind = TracedRequest::Kind;

void make_unique(std::vector<uint64_t>& lines) {
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
}

// Whether what is known of it counts iterations, rather than the time that a thread waits.
bool counts_iterations(const Loop& loop) {
  return loop.trip_count && !loop.longest_wait && !loop.wait_cycles && !loop.clock;
}

template <typename Act>
void for_each_bit(uint32_t lanes, const Act& act) {
  for (; lanes != 0; lanes &= lanes - 1) act(static_cast<size_t>(std::countr_zero(lanes)));
}

}  // namespace

ContradictionSearch::ContradictionSearch(const Kernel& kernel, const Flow& flow, const Launch& launch,
                                         const std::vector<BlockExecution::Array>& arrays)
    : kernel_(kernel),
      flow_(flow),
      begun_(flow.loops.size()),
      executed_(kernel.blocks.size()),
      warps_(kernel.blocks.size()),
      most_executed_(kernel.blocks.size()),
      in_blocks_(kernel.blocks.size()) {
  find_places();
  find_regions(launch, arrays);
}

// Before the branch at the end of a block there may be instructions that stand for others, where lanes meet.
InstructionId ContradictionSearch::last_of(BlockId block) const {
  const Block& own = kernel_.blocks[block];
  return own.first + own.count - 1;
}

void ContradictionSearch::find_places() {
  ends_.assign(kernel_.instructions.size(), no_block);
  is_copied_.assign(kernel_.instructions.size(), false);
  accesses_.assign(kernel_.instructions.size(), nullptr);
  std::map<uint32_t, InstructionId> first_of_line;
  for (InstructionId id = 0; id < kernel_.instructions.size(); ++id) {
    const auto [known, fresh] = first_of_line.emplace(kernel_.instructions[id].line, id);
    if (!fresh) is_copied_[id] = is_copied_[known->second] = true;
  }
  std::map<uint32_t, BlockId> block_of_line;
  for (BlockId b = 0; b < kernel_.blocks.size(); ++b) {
    const Block& block = kernel_.blocks[b];
    same_.push_back(b);
    if (block.count == 0) continue;
    ends_[last_of(b)] = b;
    same_[b] = block_of_line.emplace(kernel_.instructions[last_of(b)].line, b).first->second;
  }
  std::map<BlockId, std::pair<int64_t, bool>> of_header;  // the most iterations, and whether they are known of all
  for (const Loop& loop : flow_.loops) {
    auto& [most, known] = of_header.emplace(same_[loop.header], std::pair(int64_t{0}, true)).first->second;
    known = known && counts_iterations(loop);
    most = std::max(most, loop.trip_count.value_or(0));
  }
  for (const Loop& loop : flow_.loops) {
    const auto& [most, known] = of_header.at(same_[loop.header]);
    most_iterations_.push_back(known ? most : 0);
  }
  for (const Access& access : flow_.accesses) accesses_[access.instruction] = &access;
}

void ContradictionSearch::find_regions(const Launch& launch, const std::vector<BlockExecution::Array>& arrays) {
  for (const BlockExecution::Array& array : arrays) {
    Region region{array.parameter, array.address, std::nullopt};
    for (const Buffer& buffer : launch.buffers) {
      if (buffer.parameter == array.parameter) region.bytes = buffer.bytes;
    }
    regions_.push_back(std::move(region));
  }
  std::stable_sort(regions_.begin(), regions_.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  for (const MemoryObject& object : flow_.objects) {
    const auto found =
        std::find_if(regions_.begin(), regions_.end(), [&](const Region& each) { return each.name == object.name; });
    objects_.push_back(found == regions_.end() ? nullptr : &*found);
  }
}

void ContradictionSearch::note(const Contradiction& contradiction) {
  const InstructionId place = contradiction.of == Of::array ? no_instruction : contradiction.instruction;
  const auto [known, fresh] = found_.try_emplace({contradiction.of, place, contradiction.array}, contradiction);
  if (!fresh && contradiction.happened > known->second.happened) known->second = contradiction;
}

void ContradictionSearch::hold(const BlockTrace& block) {
  std::fill(warps_.begin(), warps_.end(), 0);
  block_lines_.clear();
  for (const WarpTrace& warp : block.warps) {
    hold_accesses(warp);
    if (block.stopped.empty()) follow(warp);
  }
  if (!block.stopped.empty()) return;
  for (auto& [instruction, lines] : block_lines_) {
    make_unique(lines);
    const auto most = accesses_[instruction]->block_lines;
    const auto count = static_cast<int64_t>(lines.size());
    if (most && count > *most) note({Of::block_lines, instruction, no_loop, {}, *most, count});
  }
  std::map<BlockId, int64_t> most_warps;
  for (BlockId b = 0; b < kernel_.blocks.size(); ++b) {
    const BlockFlow& flow = flow_.blocks[b];
    if (flow.reachable && flow.executed)
      most_warps[same_[b]] += flow.warps.value_or(static_cast<int64_t>(block.warps.size()));
  }
  for (BlockId b = 0; b < kernel_.blocks.size(); ++b) {
    in_blocks_[b] += warps_[b] > 0 ? 1 : 0;
    if (warps_[b] > most_warps[b]) note({Of::warps, last_of(b), no_loop, {}, most_warps[b], warps_[b]});
  }
}

// Its path through the code.
void ContradictionSearch::follow(const WarpTrace& warp) {
  at_.fill(no_block);
  std::fill(executed_.begin(), executed_.end(), 0);
  for (const TracedStep& step : warp.steps) {
    if (step.instruction == TracedStep::wait || ends_[step.instruction] == no_block) continue;
    come_to(ends_[step.instruction], step.lanes);
  }
  for (BlockId b = 0; b < kernel_.blocks.size(); ++b) {
    if (executed_[b] > 0) ++warps_[b];
    most_executed_[b] = std::max(most_executed_[b], executed_[b]);
  }
}

void ContradictionSearch::come_to(BlockId block, uint32_t lanes) {
  ++executed_[block];
  const LoopId loop = flow_.blocks[block].loop;
  const bool is_header = loop != no_loop && flow_.loops[loop].header == block;
  for (uint32_t rest = is_header ? lanes : 0; rest != 0;) {
    const BlockId from = at_[static_cast<size_t>(std::countr_zero(rest))];
    uint32_t same = 0;
    for_each_bit(rest, [&](size_t lane) { same |= at_[lane] == from ? uint32_t{1} << lane : 0; });
    iterate(loop, from, same);
    rest &= ~same;
  }
  for_each_bit(lanes, [&](size_t lane) { at_[lane] = block; });
}

// Lanes come to the header of a loop: from within they begin one more iteration.
void ContradictionSearch::iterate(LoopId loop, BlockId from, uint32_t lanes) {
  const bool goes_on = from != no_block && contains(flow_, loop, from);
  Lanes& begun = begun_[loop];
  int64_t most = 0;
  for_each_bit(lanes, [&](size_t lane) {
    begun[lane] = goes_on ? begun[lane] + 1 : 1;
    most = std::max(most, begun[lane]);
  });
  if (most_iterations_[loop] > 0 && most > most_iterations_[loop])
    note({Of::iterations, last_of(flow_.loops[loop].header), loop, {}, most_iterations_[loop], most});
}

void ContradictionSearch::hold_accesses(const WarpTrace& warp) {
  warp_lines_.clear();
  for (const TracedStep& step : warp.steps) {
    if (step.instruction != TracedStep::wait && step.request >= 0) hold_access(warp, step);
  }
  for (auto& [instruction, lines] : warp_lines_) {
    make_unique(lines);
    const auto most = accesses_[instruction]->warp_lines;
    const auto count = static_cast<int64_t>(lines.size());
    if (most && count > *most) note({Of::warp_lines, instruction, no_loop, {}, *most, count});
    auto& of_block = block_lines_[instruction];
    of_block.insert(of_block.end(), lines.begin(), lines.end());
  }
}

void ContradictionSearch::hold_access(const WarpTrace& warp, const TracedStep& step) {
  const InstructionId id = step.instruction;
  const TracedRequest& request = warp.requests[static_cast<size_t>(step.request)];
  const int64_t most = flow_.transactions[id];
  if (request.kind == Kind::shared) {
    constexpr uint8_t word = 4;  // wider ones go in parts, which are no transactions
    if (!is_copied_[id] && request.bytes <= word && request.serial > most)
      note({Of::transactions, id, no_loop, {}, most, request.serial});
    return;
  }
  if (request.kind > Kind::copy || request.count == 0) return;
  hold_places(warp, step);
  if (is_copied_[id]) return;
  const auto sectors = std::span(warp.sectors).subspan(request.first, request.count);
  if (accesses_[id] != nullptr) {
    uint64_t last = UINT64_MAX;
    for (const uint64_t sector : sectors) {
      const uint64_t line = sector / sectors_of_line;
      if (line != last && sector < own_sectors) warp_lines_[id].push_back(line);
      last = line;
    }
  }
  const int64_t lines = lines_of(sectors);
  if (lines > most) note({Of::transactions, id, no_loop, {}, most, lines});
}

// Bytes of arrays and objects, as far as sectors tell.
void ContradictionSearch::hold_places(const WarpTrace& warp, const TracedStep& step) {
  constexpr uint64_t far = uint64_t{1} << 34;  // no array is so large
  const TracedRequest& request = warp.requests[static_cast<size_t>(step.request)];
  const uint64_t first = warp.sectors[request.first] * sector_bytes;
  const uint64_t last = warp.sectors[request.first + request.count - 1] * sector_bytes;
  if (last / sector_bytes >= own_sectors) return;
  const auto behind = std::upper_bound(regions_.begin(), regions_.end(), last,
                                       [](uint64_t at, const Region& region) { return at < region.begin; });
  if (behind != regions_.begin()) {
    const Region& region = *std::prev(behind);
    const uint64_t offset = last - region.begin;
    if (region.bytes && offset < far && static_cast<int64_t>(offset) >= *region.bytes)
      note({Of::array, step.instruction, no_loop, region.name, *region.bytes, static_cast<int64_t>(offset) + 1});
  }
  const Access* const access = accesses_[step.instruction];
  if (is_copied_[step.instruction] || access == nullptr || access->object == no_object || !access->span) return;
  const Region* const object = objects_[access->object];
  if (object == nullptr) return;
  const auto from = static_cast<int64_t>(first - object->begin), to = static_cast<int64_t>(last - object->begin);
  if (to >= access->span->end)
    note({Of::span, step.instruction, no_loop, object->name, access->span->end, to + 1});
  else if (from + static_cast<int64_t>(sector_bytes) <= access->span->first)
    note({Of::span, step.instruction, no_loop, object->name, access->span->first, from});
}

// By block: how often a warp executes what it ends with, or a copy of that, at most.
std::vector<support::Integer> ContradictionSearch::proven_executions(const std::vector<BlockId>& blocks) const {
  constexpr size_t at_once = 64;  // a state of the walk has them all
  std::vector<support::Integer> proven;
  for (size_t first = 0; first < blocks.size(); first += at_once) {
    const size_t count = std::min(at_once, blocks.size() - first);
    std::map<uint32_t, size_t> place;
    for (size_t i = 0; i < count; ++i) place[kernel_.instructions[last_of(blocks[first + i])].line] = i;
    const auto measure = [&](BlockId block) {
      std::vector<support::Integer> own(count, 0);
      const Block& code = kernel_.blocks[block];
      for (InstructionId id = code.first; id < code.first + code.count; ++id) {
        const auto counted = place.find(kernel_.instructions[id].line);
        if (counted != place.end()) own[counted->second] = own[counted->second] + support::Integer(1);
      }
      return own;
    };
    const auto totals = largest_block_totals(kernel_, flow_, count, measure);
    if (!totals) return {};
    proven.insert(proven.end(), totals->begin(), totals->end());
  }
  return proven;
}

void ContradictionSearch::hold_executions() {
  for (const BlockId b : flow_.order) {
    for (LoopId loop = flow_.blocks[b].loop; loop != no_loop; loop = flow_.loops[loop].parent) {
      if (!counts_iterations(flow_.loops[loop])) return;
    }
  }
  std::vector<BlockId> blocks;
  for (BlockId b = 0; b < kernel_.blocks.size(); ++b) {
    if (most_executed_[b] > 0) blocks.push_back(b);
  }
  const std::vector<support::Integer> proven = proven_executions(blocks);
  for (size_t i = 0; i < proven.size(); ++i) {
    const int64_t happened = most_executed_[blocks[i]];
    const std::optional<int64_t> most = proven[i].value();  // nothing: more than 64 bits
    if (most && *most < happened) note({Of::executions, last_of(blocks[i]), no_loop, {}, *most, happened});
  }
}

// Copies of a block are executed in as many as all of them may be.
void ContradictionSearch::hold_blocks() {
  std::map<BlockId, std::optional<int64_t>> most;  // nothing: all may execute one of them
  for (BlockId b = 0; b < kernel_.blocks.size(); ++b) {
    const BlockFlow& flow = flow_.blocks[b];
    if (!flow.reachable || !flow.executed) continue;
    auto& sum = most.emplace(same_[b], 0).first->second;
    sum = sum && flow.blocks ? std::optional(*sum + flow.blocks->some) : std::nullopt;
  }
  for (const auto& [block, some] : most) {
    if (some && in_blocks_[block] > *some) note({Of::blocks, last_of(block), no_loop, {}, *some, in_blocks_[block]});
  }
}

std::vector<Contradiction> ContradictionSearch::found() {
  hold_executions();
  hold_blocks();
  std::vector<Contradiction> all;
  for (const auto& [place, contradiction] : found_) all.push_back(contradiction);
  const auto is_array = [](const Contradiction& each) { return each.of == Of::array; };
  if (std::any_of(all.begin(), all.end(), is_array)) std::erase_if(all, std::not_fn(is_array));
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.instruction < b.instruction; });
  return all;
}

}  // namespace warpspan::ir
