// SPDX-License-Identifier: GPL-3.0-or-later
// Quotients of plain integers that are rounded down and up, without overflow. b > 0.
#pragma once

#include <cstdint>

namespace warpspan::support {

constexpr int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
constexpr int64_t ceil_divide(int64_t a, int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

}  // namespace warpspan::support
