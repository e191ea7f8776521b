// SPDX-License-Identifier: GPL-3.0-or-later
// What every bound of the pipeline model assumes of the device besides its machine file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "timing/machine/model.hpp"

namespace warpspan::timing {

struct Condition {
  enum class When : uint8_t {
    always,
    undisturbed,       // unless the user states how long others keep the memory from the kernel
    undisturbed_chip,  // the same of boards whose memory is not the GPU's alone (Machine::integrated)
  } when;
  std::string_view identifier, name, sentence;  // the sentence without its last dot
};

// In the order of conditions.def.
const std::vector<Condition>& conditions();

// The sentences of a machine, each with its name, and behind them those of its file. interference: the user states how
// long others keep the memory from the kernel.
std::vector<std::string> assumptions_of(const Machine& machine, bool interference = false);

}  // namespace warpspan::timing
