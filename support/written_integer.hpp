// SPDX-License-Identifier: GPL-3.0-or-later
// Integers and ranges of them as users write them: "100", "-5", "0xff", "1..4096".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpspan::support {

// From -2^63 to 2^64-1.
struct WrittenInteger {
  bool negative = false;
  uint64_t magnitude = 0;
};

// first..last, both among them; one integer is the range of itself.
struct WrittenRange {
  WrittenInteger first;
  WrittenInteger last;
};

// Decimal, or hexadecimal behind 0x, perhaps with a minus sign; nothing if the whole text is anything else or out of
// range.
std::optional<WrittenInteger> written_integer(std::string_view text);

// "FIRST..LAST" or one integer; nothing if the text is neither. The first may be the larger one.
std::optional<WrittenRange> written_range(std::string_view text);

bool operator<(const WrittenInteger& a, const WrittenInteger& b);

// The value in so many bits (1..64), signed or not, in two's complement; nothing if it does not fit.
std::optional<uint64_t> in_bits(const WrittenInteger& integer, int bits);

}  // namespace warpspan::support
