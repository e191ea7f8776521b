#include "ir/flow.hpp"

#include <algorithm>

namespace warpspan::ir {

const BulkCopy* copy_of(const Flow& flow, InstructionId id) {
  const auto at = std::lower_bound(flow.copies.begin(), flow.copies.end(), id,
                                   [](const BulkCopy& copy, InstructionId other) { return copy.instruction < other; });
  return at == flow.copies.end() || at->instruction != id ? nullptr : &*at;
}

Access* access_of(Flow& flow, InstructionId id) {
  const auto at =
      std::lower_bound(flow.accesses.begin(), flow.accesses.end(), id,
                       [](const Access& access, InstructionId other) { return access.instruction < other; });
  return at == flow.accesses.end() || at->instruction != id ? nullptr : &*at;
}

std::string to_string(const Origin& origin) {
  return origin.is_file() ? origin.location.file + ":" + std::to_string(origin.location.line) : origin.option;
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

bool is_of_source(const LoopBound& bound) { return !bound.file.empty() || !bound.from_file.empty(); }

std::string place_of(const LoopBound& bound) {
  const auto line = [](const std::string& file, int64_t number) {
    return (file.empty() ? "line" : file) + ":" + std::to_string(number);
  };
  return (bound.kernel.empty() ? "" : bound.kernel + ":") +
         (bound.line == 0 ? bound.label : line(bound.file, bound.line)) +
         (bound.from_line == 0 ? "" : " from " + line(bound.from_file, bound.from_line));
}

std::string place_of(const Buffer& buffer) { return buffer.written.empty() ? buffer.parameter : buffer.written; }

std::string place_of(const Argument& argument) {
  if (!argument.written.empty()) return argument.written;
  const auto& [offset, count] = argument.bytes.value_or(ByteRange{});
  if (argument.element && count == 0) return argument.parameter + "[" + std::to_string(*argument.element) + "]";
  if (count == 0) return argument.parameter;
  const int64_t first = offset + argument.element.value_or(0) * count;
  return argument.parameter + "+" + std::to_string(first) + ":" + std::to_string(count);
}

}  // namespace warpspan::ir
