// SPDX-License-Identifier: GPL-3.0-or-later
#include "ir/flow.hpp"

#include <algorithm>
#include <utility>

namespace warpspan::ir {

const BulkCopy* copy_of(const Flow& flow, InstructionId id) {
  const auto at = std::lower_bound(flow.copies.begin(), flow.copies.end(), id,
                                   [](const BulkCopy& copy, InstructionId other) { return copy.instruction < other; });
  return at == flow.copies.end() || at->instruction != id ? nullptr : &*at;
}

namespace {

const PartialAccess* partial_of(const Flow& flow, InstructionId id) {
  const auto at = std::lower_bound(flow.partial_accesses.begin(), flow.partial_accesses.end(), id,
                                   [](const PartialAccess& a, InstructionId b) { return a.instruction < b; });
  return at != flow.partial_accesses.end() && at->instruction == id ? &*at : nullptr;
}

}  // namespace

std::optional<int64_t> warps_that_execute(const Flow& flow, BlockId block, InstructionId id) {
  const std::optional<int64_t>& of_block = flow.blocks[block].warps;
  const PartialAccess* partial = partial_of(flow, id);
  return partial == nullptr ? of_block : std::min(of_block.value_or(partial->warps), partial->warps);
}

std::optional<SomeBlocks> blocks_that_execute(const Flow& flow, BlockId block, InstructionId id) {
  const std::optional<SomeBlocks>& of_block = flow.blocks[block].blocks;
  const PartialAccess* partial = partial_of(flow, id);
  if (partial == nullptr || !partial->blocks) return of_block;
  return of_block && of_block->some < partial->blocks->some ? of_block : partial->blocks;
}

const Access* access_of(const Flow& flow, InstructionId id) {
  const auto at =
      std::lower_bound(flow.accesses.begin(), flow.accesses.end(), id,
                       [](const Access& access, InstructionId other) { return access.instruction < other; });
  return at == flow.accesses.end() || at->instruction != id ? nullptr : &*at;
}

Access* access_of(Flow& flow, InstructionId id) {
  const Access* access = access_of(std::as_const(flow), id);
  return access == nullptr ? nullptr : &flow.accesses[static_cast<size_t>(access - flow.accesses.data())];
}

void close_gap(Loop& loop) {
  if (!loop.gap || !loop.trip_count || *loop.trip_count >= loop.gap->else_least) return;
  loop.trip_count = std::min(*loop.trip_count, loop.gap->most);
}

std::string source_place(const Loop& loop) {
  return loop.source_line == 0 ? std::string() : source_place(loop.source_file, loop.source_line);
}

std::string calls_text(const Loop& loop) {
  std::string text;
  for (const std::string& call : loop.called_from) text += " from " + call;
  return text;
}

std::string source_place(const std::string& file, uint32_t line) {
  return file.substr(file.rfind('/') + 1) + ":" + std::to_string(line);
}

}  // namespace warpspan::ir
