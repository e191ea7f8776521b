// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/accesses/buffers.hpp"

#include <algorithm>

#include "support/shell_quote.hpp"

namespace warpspan::lift {

namespace {

using support::Diagnostic;
using support::Diagnostics;

bool is_named(const ir::Buffer& buffer, const ir::Variable& parameter, int64_t offset) {
  return buffer.parameter == ir::object_name(parameter.name, parameter.bytes, offset) ||
         buffer.parameter == ir::object_name(std::to_string(parameter.parameter), parameter.bytes, offset);
}

}  // namespace

std::optional<int64_t> buffer_bytes(const ir::Launch& launch, const ir::Variable& parameter, int64_t offset) {
  std::optional<int64_t> bytes;
  for (const ir::Buffer& buffer : launch.buffers) {
    if (is_named(buffer, parameter, offset)) bytes = std::min(bytes.value_or(buffer.bytes), buffer.bytes);
  }
  return bytes;
}

Diagnostics check_buffers(const ir::Launch& launch) {
  Diagnostics errors;
  for (const ir::Buffer& buffer : launch.buffers) {
    if (buffer.bytes >= 1) continue;
    errors.push_back(support::usage_error("the buffer at '" + buffer.parameter + "' must have at least 1 byte", ""));
  }
  return errors;
}

namespace {

struct Reach {
  ir::ByteSpan span;  // nothing: 0 to 0
  ir::InstructionId instruction = 0;
};

// From the first to the last byte of an object that is sure to be accessed, and the access that reaches furthest: back,
// where that is before its beginning.
Reach sure_reach_in(const ir::Flow& flow, ir::ObjectId object) {
  Reach reach;
  for (const ir::Access& access : flow.accesses) {
    const auto& sure = access.dense ? access.span : access.sure;
    if (access.object != object || !sure) continue;
    const bool is_first = reach.span.end == 0 && reach.span.first == 0;
    const bool is_furthest =
        sure->first < 0 ? sure->first < reach.span.first : reach.span.first >= 0 && sure->end > reach.span.end;
    if (is_first || is_furthest) reach.instruction = access.instruction;
    reach.span.first = is_first ? sure->first : std::min(reach.span.first, sure->first);
    reach.span.end = is_first ? sure->end : std::max(reach.span.end, sure->end);
  }
  return reach;
}

// Loops that arrays of the sizes given let run less often than is proven.
void check_loops(const ir::Program& program, const ir::Flow& flow, Diagnostics& errors) {
  const ir::Body& body = program.bodies.front();
  for (const ir::Loop& loop : flow.loops) {
    if (loop.source != ir::TripCountSource::array_size || loop.trip_count >= loop.fewest_trips) continue;
    const ir::InstructionId first = body.kernel.blocks[loop.header].first;
    errors.push_back(program.source->error_at(
        body.instructions[first].offset,
        "an array of the size given is left after " + std::to_string(*loop.trip_count) +
            (*loop.trip_count == 1 ? " iteration" : " iterations") + " of this loop, which runs at least " +
            std::to_string(loop.fewest_trips) + " times where it is entered",
        "give a larger {buffer}, or leave the size out"));
  }
}

}  // namespace

Diagnostics check_against_buffers(const ir::Program& program, const ir::Launch& launch, const ir::Flow& flow) {
  Diagnostics errors;
  if (program.bodies.size() > 1 || launch.buffers.empty()) return errors;
  for (ir::ObjectId id = 0; id < flow.objects.size(); ++id) {
    const ir::MemoryObject& object = flow.objects[id];
    const bool is_given = std::any_of(program.variables.begin(), program.variables.begin() + program.parameters,
                                      [&](const ir::Variable& p) { return object.name.rfind(p.name, 0) == 0; });
    if (!object.bytes || !is_given) continue;
    const auto [reach, instruction] = sure_reach_in(flow, id);
    if (reach.first >= 0 && reach.end <= *object.bytes) continue;
    errors.push_back(program.source->error_at(
        program.bodies.front().instructions[instruction].offset,
        "this launch accesses bytes " + std::to_string(reach.first) + " to " + std::to_string(reach.end - 1) + " of '" +
            object.name + "', which is given " + std::to_string(*object.bytes) + " bytes",
        reach.first < 0 ? "the buffer begins where the parameter points to; leave its size out"
                        : "give {buffer} " + support::shell_quoted(object.name + "=" + std::to_string(reach.end))));
  }
  check_loops(program, flow, errors);
  for (support::Diagnostic& error : errors) error.refutes = true;
  return errors;
}

}  // namespace warpspan::lift
