// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/written_integer.hpp"

#include "support/digits.hpp"

namespace warpspan::support {

std::optional<WrittenInteger> written_integer(std::string_view text) {
  WrittenInteger integer;
  integer.negative = text.starts_with('-');
  if (integer.negative) text.remove_prefix(1);
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const auto magnitude = parse_digits<uint64_t>(hexadecimal ? text.substr(2) : text, hexadecimal ? 16 : 10);
  if (!magnitude || (integer.negative && *magnitude > uint64_t{1} << 63)) return std::nullopt;
  integer.magnitude = *magnitude;
  integer.negative = integer.negative && *magnitude > 0;
  return integer;
}

std::optional<WrittenRange> written_range(std::string_view text) {
  const size_t dots = text.find("..");
  const auto first = written_integer(text.substr(0, dots));
  const auto last = dots == std::string_view::npos ? first : written_integer(text.substr(dots + 2));
  if (!first || !last) return std::nullopt;
  return WrittenRange{*first, *last};
}

bool operator<(const WrittenInteger& a, const WrittenInteger& b) {
  if (a.negative != b.negative) return a.negative;
  return a.negative ? a.magnitude > b.magnitude : a.magnitude < b.magnitude;
}

std::optional<uint64_t> in_bits(const WrittenInteger& integer, int bits) {
  const uint64_t all = bits == 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
  if (!integer.negative) return integer.magnitude <= all ? std::optional(integer.magnitude) : std::nullopt;
  if (integer.magnitude > uint64_t{1} << (bits - 1)) return std::nullopt;
  return (0 - integer.magnitude) & all;
}

}  // namespace warpspan::support
