// SPDX-License-Identifier: GPL-3.0-or-later
// The records of .nv.info sections: what the assembler tells the driver of functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "frontend/object/bytes.hpp"
#include "support/result.hpp"

namespace warpspan::object {

// A record is a format byte, a number, and by its format two bytes of value, or a size of two bytes and as many bytes.
// Format and numbers: observed, and named as cuobjdump -elf names them (docs/containers.md).
struct Attribute {
  uint8_t format = 0;
  uint8_t number = 0;
  std::string_view payload;  // two bytes, or those that follow the size
};

namespace attribute {
constexpr uint8_t max_threads = 0x05, parameter_bank = 0x0a, frame_size = 0x11, min_stack_size = 0x12, parameter = 0x17,
                  parameter_bytes = 0x19, exit_offsets = 0x1c, required_threads = 0x10, register_count = 0x2f,
                  indirect_branches = 0x34, cluster_blocks = 0x3d, explicit_cluster = 0x3e, blocks_are_clusters = 0x5b,
                  long_parameter = 0x45, barrier_count = 0x4c;
}

// All records of a section. Errors: a record cut short, or of a format that is not 1 to 4, whose size is unknown.
support::Result<std::vector<Attribute>> read_attributes(const Input& input, std::string_view section);

}  // namespace warpspan::object
