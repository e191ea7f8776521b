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
