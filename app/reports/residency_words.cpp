// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/residency_words.hpp"

#include "app/reports/readable.hpp"
#include "support/printable.hpp"

namespace warpspan::app {

namespace {

bool is_one(const timing::Span& span) { return span.least == span.most; }

std::string shares(const timing::Span& warps, int64_t most_warps) {
  const std::string most = percent(share_of_warps(warps.most, most_warps));
  if (is_one(warps)) return most;
  const std::string least = percent(share_of_warps(warps.least, most_warps));
  return least.substr(0, least.find(' ')) + " to " + most;
}

}  // namespace

std::string span_text(const timing::Span& span) {
  return is_one(span) ? thousands(span.most) : thousands(span.least) + " to " + thousands(span.most);
}

int64_t share_of_warps(int64_t warps, int64_t most_warps) { return (warps * 2000 + most_warps) / (most_warps * 2); }

timing::Span resident_warps(const timing::Residency& residency, int64_t warps_per_block) {
  return {residency.blocks.least * warps_per_block, residency.blocks.most * warps_per_block};
}

std::string residency_text(const timing::Residency& residency, int64_t warps_per_block, int64_t most_warps) {
  const timing::Span warps = resident_warps(residency, warps_per_block);
  std::string text = span_text(residency.blocks) + (residency.blocks.most == 1 ? " block = " : " blocks = ") +
                     span_text(warps) + " of " + counted(most_warps, "warp") + " (" + shares(warps, most_warps) +
                     "), limited by " + residency.least_limit;
  if (!is_one(residency.blocks)) text += ", at best by " + residency.most_limit;
  return text;
}

std::string registers_text(const timing::BlockNeeds& needs) {
  return span_text(needs.registers) + (needs.registers.most == 1 ? " register" : " registers") + " per thread (" +
         support::printable(needs.registers_from) + ")";
}

std::string needs_text(const timing::BlockNeeds& needs) {
  std::string text = registers_text(needs);
  if (needs.shared_bytes.most > 0) text += ", " + span_text(needs.shared_bytes) + " bytes of shared memory";
  return text;
}

}  // namespace warpspan::app
