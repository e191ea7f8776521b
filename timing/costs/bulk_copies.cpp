// SPDX-License-Identifier: GPL-3.0-or-later
// Lines. PTX ISA 9.7.9.25.4: the addresses and the size of a copy are multiples of 16 bytes. So b bytes in a row touch
// most lines if they begin in the last 16 bytes of one.
//
// A copy of a tensor copies a box, whose size only the host knows. CUDA driver API, cuTensorMapEncodeTiled: a box has
// at most 256 elements in each dimension, of at most 8 bytes each, so a row of it lies in 2048 bytes, and begins
// anywhere. In shared memory a row takes 16 bytes at least. One that takes s lies in s bytes, or, where elements are
// left out, every eighth being read, in 8 s of them, but never in more than 2048: two lines at most for each 16 bytes.
// Four rows of a matrix are gathered or scattered. For an image as columns (im2col) only the second number is known.
//
// What is copied lies in the shared memory of a block, all of it, and all blocks of a launch have as much. What is
// fetched into the L2 cache alone does not.
#include "timing/costs/bulk_copies.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "ir/sizes.hpp"
#include "timing/assumptions/errors.hpp"

namespace warpspan::timing {

namespace {

constexpr int64_t unit_bytes = 16;  // addresses and sizes are multiples of it
constexpr int64_t longest_box = 256;
constexpr int64_t lines_of_row = 17;  // 2048 bytes that begin anywhere
constexpr int64_t gathered_rows = 4;
constexpr int64_t lines_of_unit = 2;

int64_t lines_of_bytes(int64_t bytes) {
  return (bytes + ir::memory_line_bytes - unit_bytes - 1) / ir::memory_line_bytes + 1;
}

// Wherever the box goes; nothing if only its bytes tell.
std::optional<int64_t> lines_of_box(const ir::Box& box) {
  if (box.mode == ir::Box::Mode::rows) return gathered_rows * lines_of_row;
  if (box.mode != ir::Box::Mode::tiled) return std::nullopt;
  int64_t lines = lines_of_row;
  for (int dimension = 1; dimension < box.dimensions; ++dimension) lines *= longest_box;
  return lines;
}

// Nothing if that is not known.
std::optional<int64_t> lines_of(const ir::Copy& copy, std::optional<int64_t> bytes, int64_t room) {
  const bool in_shared_memory = copy.kind != ir::Copy::Kind::bulk_prefetch;
  if (!copy.tensor) {
    if (!bytes && !in_shared_memory) return std::nullopt;
    const int64_t most = in_shared_memory ? std::min(bytes.value_or(room), room) : *bytes;
    return lines_of_bytes(most);
  }
  const int64_t of_shared_memory = room / unit_bytes * lines_of_unit;
  const auto of_box = lines_of_box(copy.box);
  if (!of_box && !in_shared_memory) return std::nullopt;
  const int64_t lines = in_shared_memory ? std::min(of_box.value_or(of_shared_memory), of_shared_memory) : *of_box;
  return lines + 1;
}

constexpr int64_t most_transactions = UINT32_MAX;

support::Diagnostic unknown_size(const ir::Kernel& kernel, const ir::Instruction& instruction) {
  const ir::Operation& operation = kernel.operation(instruction);
  return error_in_line(kernel, instruction.line, "it is not known how much '" + operation.text + "' fetches",
                       operation.facts.copy.tensor
                           ? "leave it out, or fetch boxes of at most four dimensions"
                           : "give the parameters that its size follows from ({argument}), or bound it by a minimum "
                             "in the code");
}

}  // namespace

support::Result<ir::Flow> with_bulk_copies(const ir::Kernel& kernel, ir::Flow flow, int64_t shared_bytes) {
  support::Diagnostics errors;
  for (const ir::BulkCopy& copy : flow.copies) {
    const ir::Instruction& instruction = kernel.instructions[copy.instruction];
    const auto lines = lines_of(kernel.operation(instruction).facts.copy, copy.bytes, shared_bytes);
    if (!lines || *lines > most_transactions) {
      errors.push_back(unknown_size(kernel, instruction));
    } else {
      flow.transactions[copy.instruction] = static_cast<uint32_t>(*lines);
    }
  }
  if (!errors.empty()) return errors;
  // What pointers are aligned to saves no line that is counted.
  for (ir::Access& access : flow.accesses) {
    if (ir::copy_of(flow, access.instruction) == nullptr) continue;
    access.aligned_transactions = flow.transactions[access.instruction];
  }
  return flow;
}

std::vector<int64_t> lanes_of_copies(const ir::Kernel& kernel, const ir::Flow& flow) {
  std::vector<int64_t> lanes(kernel.operations.size(), 1);
  for (const ir::BulkCopy& copy : flow.copies) {
    int64_t& most = lanes[kernel.instructions[copy.instruction].operation];
    most = std::max(most, copy.lanes);
  }
  return lanes;
}

}  // namespace warpspan::timing
