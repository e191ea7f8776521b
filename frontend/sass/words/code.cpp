// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/words/code.hpp"

#include <algorithm>

#include "support/digits.hpp"

namespace warpspan::sass {

const Code::Section& Code::section_of(uint32_t instruction) const {
  const auto behind = std::upper_bound(sections.begin(), sections.end(), instruction,
                                       [](uint32_t index, const Section& section) { return index < section.first; });
  return *(behind - 1);
}

bool Code::reports_failed_assertion(uint32_t instruction) const {
  const auto found = outside_calls.find(instruction);
  return found != outside_calls.end() && found->second == "__assertfail";
}

const ir::CallTime* Code::call_time(uint32_t instruction) const {
  const auto call = outside_calls.find(instruction);
  if (call == outside_calls.end()) return nullptr;
  const auto time = call_times.find(call->second);
  const bool ends_thread = reports_failed_assertion(instruction);
  return time == call_times.end() || ends_thread ? nullptr : &time->second;
}

std::string Code::place_of(uint32_t instruction) const {
  const Section& section = section_of(instruction);
  const std::string offset = "0x" + support::hexadecimal((instruction - section.first) * word_bytes);
  return section.first == 0 ? offset : section.name + "+" + offset;
}

}  // namespace warpspan::sass
