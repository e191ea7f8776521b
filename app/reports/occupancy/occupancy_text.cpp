// SPDX-License-Identifier: GPL-3.0-or-later
// The report of occupancy for people: blocks and warps of a multiprocessor, how many blocks each limit allows, what
// would have to be different for more, and, if asked for, all block sizes.
#include <fmt/format.h>

#include "app/reports/occupancy/occupancy_formats.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/residency_words.hpp"
#include "support/printable.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

std::string title(const KernelOccupancy& kernel) {
  if (kernel.name.empty()) return "any kernel\n";
  return fmt::format("kernel {} ({})\n", support::printable(support::brief_name(kernel.name)),
                     support::printable(kernel.file));
}

std::string block_text(const KernelOccupancy& kernel) {
  return fmt::format("block {} ({}{}), {}", extent(*kernel.block), counted(kernel.warps_per_block, "warp"),
                     kernel.block_from_file ? ", from the file" : "", needs_text(kernel.needs));
}

// What the multiprocessor has of it.
std::string capacity(const KernelOccupancy& kernel, std::string_view limit) {
  if (limit == "warps") return counted(kernel.most_warps, "warp");
  if (limit == "registers") return thousands(kernel.registers) + " registers";
  if (limit == "shared memory") return span_text(kernel.shared_bytes) + " bytes";
  return {};
}

std::string limit_table(const KernelOccupancy& kernel) {
  std::vector<Row> rows = {{"limit", "blocks", "of a multiprocessor"}};
  for (const timing::ResidencyLimit& limit : kernel.residency.limits) {
    rows.push_back({limit.name, limit.limits() ? span_text(limit.blocks) : "-", capacity(kernel, limit.name)});
  }
  return table({Align::left, Align::right, Align::left}, rows, 4);
}

std::string step_text(const OccupancyStep& step, const KernelOccupancy& kernel) {
  std::vector<std::string> changes;
  if (step.registers) {
    changes.push_back(
        fmt::format("{} instead of {}", counted(*step.registers, "register"), thousands(kernel.needs.registers.most)));
  }
  if (step.shared_bytes) {
    changes.push_back(fmt::format("{} bytes of shared memory instead of {}", thousands(*step.shared_bytes),
                                  thousands(kernel.needs.shared_bytes.most)));
  }
  if (step.threads) changes.push_back(fmt::format("blocks of {}", counted(*step.threads, "thread")));
  return fmt::format("with {}: {} = {} ({})", joined(changes, " and "), counted(step.blocks, "block"),
                     counted(step.warps, "warp"), percent(share_of_warps(step.warps, kernel.most_warps)));
}

std::string block_size_table(const KernelOccupancy& kernel) {
  std::vector<Row> rows = {{"block", "blocks", "warps", "share", "limited by"}};
  for (const BlockSize& size : kernel.block_sizes) {
    if (!size.residency) {
      rows.push_back({thousands(size.threads), "0", "0", percent(0), "does not fit"});
      continue;
    }
    const timing::Span warps = resident_warps(*size.residency, size.warps);
    rows.push_back({thousands(size.threads), span_text(size.residency->blocks), span_text(warps),
                    percent(share_of_warps(warps.least, kernel.most_warps)), size.residency->least_limit});
  }
  return table({Align::right, Align::right, Align::right, Align::right, Align::left}, rows, 4);
}

std::string kernel_text(const KernelOccupancy& kernel, const TextStyle& style) {
  const auto line = [&style](const char* what, const std::string& text) {
    return wrap(fmt::format("  {:<15}", what), text, style.width);
  };
  std::string out = title(kernel);
  out += line("machine", support::printable(kernel.machine) + ": " + support::printable(kernel.description));
  if (kernel.block) {
    out += line("launch", block_text(kernel));
    out += line("occupancy", residency_text(kernel.residency, kernel.warps_per_block, kernel.most_warps));
    out += "\n" + limit_table(kernel);
    if (!kernel.steps.empty()) out += "\n";
    for (const OccupancyStep& step : kernel.steps) out += wrap("  ", step_text(step, kernel), style.width);
  } else {
    out += line("launch", needs_text(kernel.needs));
  }
  if (!kernel.block_sizes.empty()) out += "\n" + block_size_table(kernel);
  if (!kernel.assumptions.empty()) out += "\n";
  for (const std::string& assumption : kernel.assumptions)
    out += wrap("  ", support::printable(assumption), style.width);
  return out;
}

}  // namespace

std::string to_text(const OccupancyReport& report, const TextStyle& style) {
  std::string out;
  for (const KernelOccupancy& kernel : report.kernels) out += (out.empty() ? "" : "\n") + kernel_text(kernel, style);
  return out;
}

}  // namespace warpspan::app
