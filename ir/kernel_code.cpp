// SPDX-License-Identifier: GPL-3.0-or-later
#include "ir/kernel_code.hpp"

namespace warpspan::ir {

std::string remembered(const Loop& loop) {
  const std::string place = source_place(loop);
  return (loop.label.empty() ? "line:" + std::to_string(loop.line) : loop.label) + (place.empty() ? "" : " " + place);
}

std::string remembered(const KernelParameter& parameter) { return parameter.type + " " + parameter.name; }

}  // namespace warpspan::ir
