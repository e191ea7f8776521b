#include "frontend/lift/accesses/buffers.hpp"

#include <algorithm>

#include "support/shell_quote.hpp"

namespace warpspan::lift {

namespace {

using support::Diagnostic;
using support::Diagnostics;

bool is_named(const ir::Buffer& buffer, const ir::Variable& parameter, int64_t offset) {
  const std::string name = object_name(parameter, offset);
  const bool is_whole = name == parameter.name;
  return buffer.parameter == name || (is_whole && buffer.parameter == std::to_string(parameter.parameter));
}

}  // namespace

std::string object_name(const ir::Variable& parameter, int64_t offset) {
  const bool is_whole = offset == 0 && parameter.bytes <= 8;
  return is_whole ? parameter.name : parameter.name + "+" + std::to_string(offset);
}

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

Diagnostics judge_buffers(const ir::Program& program, const ir::Launch& launch, const ir::Flow& flow) {
  Diagnostics errors;
  if (program.bodies.size() > 1 || launch.buffers.empty()) return errors;
  for (const ir::Access& access : flow.accesses) {
    if (!access.dense || access.object == ir::no_object || !access.span) continue;
    const ir::MemoryObject& object = flow.objects[access.object];
    const bool is_inside = access.span->first >= 0 && access.span->end <= object.bytes.value_or(INT64_MAX);
    const bool is_given = std::any_of(program.variables.begin(), program.variables.begin() + program.parameters,
                                      [&](const ir::Variable& p) { return object.name.rfind(p.name, 0) == 0; });
    if (is_inside || !object.bytes || !is_given) continue;
    const uint32_t offset = program.bodies.front().instructions[access.instruction].offset;
    errors.push_back(program.source->error_at(
        offset,
        "this launch accesses bytes " + std::to_string(access.span->first) + " to " +
            std::to_string(access.span->end - 1) + " of '" + object.name + "', which is given " +
            std::to_string(*object.bytes) + " bytes",
        access.span->first < 0
            ? "the buffer begins where the parameter points to; leave its size out"
            : "give --buffer " + support::shell_quoted(object.name + "=" + std::to_string(access.span->end))));
  }
  return errors;
}

}  // namespace warpspan::lift
